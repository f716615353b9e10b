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
  const remotes = new Set([vcs.remoteUrl, ...(vcs.remotes ?? [])]);
  const named = [...remotes].filter((remote) => typeof remote === "string" && remote !== "");
  const lines = [
    `${vcs.type || "vcs"} branch ${vcs.branchName || "(unknown)"}${upstream}`,
    ...named.map((remote) => `remote ${remote}`),
  ];
  return lines.map(oneLine).join("\n");
}

/**
 * Drops `user:password@` from a remote's address. The short form `git@host:path` names an account
 * that everybody shares and no secret, so it stays.
 */
export function withoutCredentials(remote: string): string {
  return remote.replace(/:\/\/[^/?#\s]*@/g, "://");
}
