import { type Vcs, withoutCredentials } from "../../../turn/context/vcs.ts";
import { runGit } from "./run-git.ts";

/** What git knows of a folder, without the passwords of remotes; undefined outside of a repository. */
export async function readVcs(directory: string): Promise<Vcs | undefined> {
  const [isInside, branch, upstream, urls] = await Promise.all([
    runGit(directory, "rev-parse", "--is-inside-work-tree"),
    runGit(directory, "symbolic-ref", "--short", "--quiet", "HEAD"),
    runGit(directory, "rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}"),
    runGit(directory, "config", "--get-regexp", String.raw`^remote\..*\.url$`),
  ]);
  if (isInside !== "true") return undefined;
  const remotes = parseRemotes(urls ?? "");
  const origin = remotes.find(({ name }) => name === "origin");
  return {
    type: "git",
    ...(branch ? { branchName: branch } : {}),
    ...(upstream ? { upstreamBranchName: upstream } : {}),
    ...(origin === undefined ? {} : { remoteUrl: origin.url }),
    remotes: remotes.map(({ url }) => url),
  };
}

/** Lines of `remote.NAME.url URL`; a name may hold dots, a key no blanks but in its name. */
function parseRemotes(text: string): { name: string; url: string }[] {
  return [...text.matchAll(/^remote\.(.*?)\.url (.+)$/gm)].map(([, name = "", url = ""]) => ({
    name,
    url: withoutCredentials(url),
  }));
}
