import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { comparePaths } from "../../code/file-map.ts";
import { isProtected, isSecretPath } from "../../workspace/paths/guarded-names.ts";
import { isUnder } from "../../workspace/directory/resolve-path.node.ts";
import type { Sandbox } from "./run-check.ts";

const programs = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"];
/** Where programs keep files and sockets of all users. */
const shared = ["/tmp", "/var/tmp", "/run", "/var/run", "/home", "/root", "/mnt", "/media"];
/** No network, no rights, and an end with the process that starts it. */
const closed = (
  "--unshare-all --unshare-pid --die-with-parent --new-session --cap-drop ALL --ro-bind / / --dev /dev --proc /proc " +
  "--ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger"
).split(" ");
const maxInside = 500;

export interface SandboxParts {
  root: string;
  /** Folders and files that are hidden, such as the home of the person and our own state. */
  hidden: readonly string[];
  /** All that is in the root; folders end with "/". */
  paths: readonly string[];
  /** Those of them that hold the data of git: it runs what it finds there. */
  gitFolders: readonly string[];
}

/**
 * What runs a command with no network, no rights, a /tmp of its own and nothing of the person's home in sight. In the
 * workspace, files that may hold secrets are empty, and what an agent never writes cannot be written.
 *
 * @throws Error where there is no `bwrap`
 */
export function createSandbox({ root, hidden, paths, gitFolders }: SandboxParts): Sandbox {
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) throw new Error("bwrap is not installed.");
  const kept = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const isLink = (path: string): boolean => lstatSync(path).isSymbolicLink();
  const hide = [...new Set([...shared, ...hidden])]
    .filter((path) => path !== root && kept(path) && !isLink(path))
    .toSorted(comparePaths)
    .flatMap((path) =>
      lstatSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path],
    );
  return {
    program,
    args: [
      closed,
      hide,
      ["--bind", root, root],
      guardInside(root, paths, new Set(gitFolders)),
    ].flat(),
  };
}

function guardInside(root: string, paths: readonly string[], gitFolders: ReadonlySet<string>) {
  const guarded: string[] = [];
  const args: string[] = [];
  for (const path of paths.toSorted(comparePaths)) {
    const place = join(root, path);
    const isFolder = path.endsWith("/");
    const name = isFolder ? path.slice(0, -1) : path;
    if (guarded.some((folder) => isUnder(folder, place))) continue;
    const isSecret = isSecretPath(name, isFolder);
    if (!isSecret && !isProtected(name) && !gitFolders.has(path)) continue;
    const stats = lstatSync(place, { throwIfNoEntry: false });
    // Where a link leads is guarded by its own name, or is outside.
    if (stats === undefined || stats.isSymbolicLink() || guarded.length === maxInside) continue;
    guarded.push(place);
    if (!isSecret) args.push("--ro-bind", place, place);
    else if (isFolder) args.push("--tmpfs", place);
    else args.push("--ro-bind", "/dev/null", place);
  }
  return args;
}
