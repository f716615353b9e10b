import * as z from "zod";
import { oneLine } from "./one-line.ts";

/** The version control state of the workspace. */
export const Vcs = z.looseObject({
  type: z.string().nullish(),
  branchName: z.string().nullish(),
  upstreamBranchName: z.string().nullish(),
  remoteUrl: z.string().nullish(),
  remotes: z.array(z.string()).nullish(),
});
export type Vcs = z.infer<typeof Vcs>;

/** Takes the user names and passwords out of the remotes' addresses. */
export function cleanVcs(vcs: Vcs): Vcs {
  const { remoteUrl, remotes } = vcs;
  return {
    ...vcs,
    ...(typeof remoteUrl === "string" ? { remoteUrl: withoutCredentials(remoteUrl) } : {}),
    ...(remotes ? { remotes: remotes.map(withoutCredentials) } : {}),
  };
}

export function renderVcs(vcs: Vcs): string {
  const upstream = vcs.upstreamBranchName ? `, tracking ${vcs.upstreamBranchName}` : "";
  let text = oneLine(`${vcs.type || "vcs"} branch ${vcs.branchName || "(unknown)"}${upstream}`);
  for (const remote of new Set([vcs.remoteUrl, ...(vcs.remotes ?? [])]))
    if (remote) text += `\n${oneLine(`remote ${remote}`)}`;
  return text;
}

/**
 * Drops `user:password@` from a remote's address. The short form `git@host:path` names an account
 * that everybody shares and no secret, so it stays.
 */
export function withoutCredentials(remote: string): string {
  return remote.replace(/:\/\/[^/?#\s]*@/g, "://");
}
