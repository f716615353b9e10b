import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Of the neighbours, so many are looked at. */
const maxLooked = 100;

/**
 * The mode of a new script, which can be run where most scripts of its folder can.
 *
 * @param real of the file that is not there yet
 * @returns undefined: what the process gives to new files
 */
export async function modeOfScript(real: string, bytes: Uint8Array): Promise<number | undefined> {
  if (!isScript(bytes) || process.platform === "win32") return undefined;
  const folder = dirname(real);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && entry.name !== basename(real));
  let [runs, all] = [0, 0];
  for (const { name } of names.slice(0, maxLooked)) {
    const mode = await modeOf(join(folder, name));
    if (mode === undefined) continue;
    all += 1;
    if ((mode & 0o111) !== 0) runs += 1;
  }
  if (runs * 2 <= all) return undefined;
  const mode = 0o666 & ~process.umask();
  // Whoever may read it may run it.
  return mode | ((mode & 0o444) >> 2);
}

/** Undefined for what is no script, or cannot be read. */
async function modeOf(real: string): Promise<number | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const head = new Uint8Array(2);
      await handle.read(head, 0, 2, 0);
      const stats = await handle.stat();
      return stats.isFile() && isScript(head) ? stats.mode : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

function isScript(bytes: Uint8Array): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21;
}
