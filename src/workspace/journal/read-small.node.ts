import { readFile, stat } from "node:fs/promises";
import { systemCode } from "../directory/system-problem.node.ts";

/**
 * Reads a file of ours that is never large.
 *
 * @returns undefined if it is not there, larger than it can be, or no file: to open a pipe may take forever
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
