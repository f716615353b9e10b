import { createHash } from "node:crypto";
import { chmod, lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../base/errors/app-error.ts";
import { systemCode } from "../directory/system-problem.node.ts";
import { quotePath } from "../problems.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where programs keep what outlasts a run and is not a setting: `$XDG_STATE_HOME/rightseat`, or the platform's place. */
export function findStateFolder(
  environment: Environment,
  home: string,
  platform: NodeJS.Platform,
): string {
  const given = environment["XDG_STATE_HOME"];
  if (given?.startsWith("/") === true) return join(given, "rightseat");
  if (platform === "win32")
    return join(environment["LOCALAPPDATA"] || join(home, "AppData", "Local"), "rightseat");
  if (platform === "darwin") return join(home, "Library", "Application Support", "rightseat");
  return join(home, ".local", "state", "rightseat");
}

/**
 * The folder of one root in the state folder; nobody else may look into it.
 *
 * @throws AppError if it belongs to somebody else, who could have undo write what they like, and the errors of the
 *   file system
 */
export async function createRootFolder(stateFolder: string, realRoot: string): Promise<string> {
  const folder = join(stateFolder, "workspaces", nameOfRoot(realRoot));
  const inside = ["locks", "turns"].map((name) => join(folder, name));
  for (const each of inside) await makeFolder(each);
  for (const each of [folder, ...inside]) await closeToOthers(each);
  return folder;
}

/** With those above it. Node's own way never ends where a file system lets nobody create anything, such as /proc. */
async function makeFolder(path: string): Promise<void> {
  for (let isSecond = false; ; isSecond = true) {
    try {
      await mkdir(path, { mode: 0o700 });
      return;
    } catch (thrown) {
      if (systemCode(thrown) === "EEXIST") return;
      if (isSecond || systemCode(thrown) !== "ENOENT" || dirname(path) === path) throw thrown;
      await makeFolder(dirname(path));
    }
  }
}

async function closeToOthers(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder);
  const own = process.geteuid?.();
  if (own !== undefined && uid !== own) throw refuseOwner(folder, uid);
  if (own !== undefined && (mode & 0o077) !== 0) await chmod(folder, 0o700);
}

function refuseOwner(folder: string, uid: number): AppError {
  const name = quotePath(folder);
  return new AppError("invalid_request", {
    en: `${name}, where undo keeps what files were, belongs to another user (${uid}). Remove it, or set XDG_STATE_HOME to a folder of your own.`,
    zh: `保存撤销记录的目录 ${name} 属于其他用户（${uid}）。请删除它，或将 XDG_STATE_HOME 设为您自己的目录。`,
  });
}

function nameOfRoot(realRoot: string): string {
  return createHash("sha256").update(realRoot).digest("hex").slice(0, 32);
}
