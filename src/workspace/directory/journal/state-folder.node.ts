import { createHash } from "node:crypto";
import { chmod, lstat, readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type * as z from "zod";
import { AppError } from "../../../base/errors/app-error.ts";
import { createFolders, findMissingFolders, realPlaceOf } from "../put-file.node.ts";
import { quotePath, systemCode } from "../../problems.ts";

/** Where programs keep what outlasts a run and is not a setting: `$XDG_STATE_HOME/rightseat`, or the platform's place. */
export function findStateFolder(
  environment: Readonly<Record<string, string | undefined>>,
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
  const name = createHash("sha256").update(realRoot).digest("hex").slice(0, 32);
  const folder = await realPlaceOf(join(stateFolder, "workspaces", name));
  const inside = ["locks", "turns"].map((each) => join(folder, each));
  for (const each of inside) await createFolders(await findMissingFolders(`${each}/.`), 0o700);
  const own = process.geteuid?.();
  for (const each of own === undefined ? [] : [folder, ...inside]) {
    const { uid, mode } = await lstat(each);
    if (own !== uid) throw refuseOwner(quotePath(each), uid);
    if ((mode & 0o077) !== 0) await chmod(each, 0o700);
  }
  return folder;
}

/**
 * Reads a file of ours that is never large.
 *
 * @returns undefined if it is missing, larger than it can be, or not a file: to open a pipe may take forever
 */
export async function readSmall(
  path: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > maxBytes) return undefined;
    return new Uint8Array(await readFile(path));
  } catch (thrown) {
    if (systemCode(thrown) !== "ENOENT") throw thrown;
    return undefined;
  }
}

/** @returns undefined for bytes that are not JSON of this shape */
export function parseBytes<Value>(
  bytes: Uint8Array | undefined,
  schema: z.ZodType<Value>,
): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}

/** The numbers in the names of a folder, in ascending order. */
export async function listNumbers(folder: string, name: RegExp): Promise<number[]> {
  const numbers = (await readdir(folder)).flatMap((one) => name.exec(one)?.[1] ?? []);
  return numbers.map(Number).sort((one, other) => one - other);
}

function refuseOwner(name: string, uid: number): AppError {
  return new AppError("invalid_request", {
    en: `${name}, where undo keeps what files were, belongs to another user (${uid}). Remove it, or set XDG_STATE_HOME to a folder of your own.`,
    zh: `保存撤销记录的目录 ${name} 属于其他用户（${uid}）。请删除它，或将 XDG_STATE_HOME 设为您自己的目录。`,
  });
}
