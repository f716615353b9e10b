// Files as the person's editor shows them, over those of the disk.
import { succeed } from "../problems.ts";
import type { WorkspaceResult } from "../workspace.ts";
import { type WholeFile, maxWholeFile, readWhole } from "./open-file.node.ts";
import type { Place } from "./resolve-path.node.ts";
import { decodeText, encodeLike } from "./text-encoding.node.ts";

/** A port: an editor that has files open, by their absolute paths without links. */
export interface EditorFiles {
  /** The text with what is not saved yet; undefined where the disk says all that there is. */
  read?: ((real: string) => Promise<string | undefined>) | undefined;
  /** Puts a text into the editor and saves it; absent where the disk is written. @returns why it did not */
  write?: ((real: string, text: string) => Promise<string | undefined>) | undefined;
}

/**
 * Reads a file of the disk as the editor shows it: in the bytes that saving it would write.
 *
 * @returns undefined for one that is too large to be read as a whole
 */
export async function readShown(
  place: Pick<Place, "path" | "real">,
  editor: EditorFiles | undefined,
): Promise<WorkspaceResult<WholeFile | undefined>> {
  const read = await readWhole(place);
  if (!read.ok || read.value === undefined || editor?.read === undefined) return read;
  const { bytes, stats } = read.value;
  const saved = decodeText(bytes);
  const answer = saved && (await editor.read(place.real));
  if (saved === undefined || answer === undefined || answer.length > maxWholeFile) return read;
  const shown = answer.startsWith(mark) ? answer.slice(1) : answer;
  if (isGarbled(shown, saved.text)) return read;
  // Editors often keep their texts with "\n" alone, whatever the file has.
  if (toFeeds(shown) === toFeeds(saved.text)) return read;
  const isBare = !shown.includes("\r") && saved.text.includes("\r\n");
  const encoded = encodeLike(isBare ? shown.replaceAll("\n", "\r\n") : shown, saved);
  return encoded.ok ? succeed({ bytes: encoded.bytes, stats }) : read;
}

/**
 * What writes a file in the editor.
 *
 * @param old the file as it is
 * @returns undefined where the disk is to be written, as for a file in an encoding that the editor does not read
 */
export async function findWriter(
  real: string,
  old: WholeFile | undefined,
  { read, write }: EditorFiles,
): Promise<((text: string) => Promise<string | undefined>) | undefined> {
  const shown = old && (await read?.(real));
  const saved = old && decodeText(old.bytes)?.text;
  if (write === undefined || isGarbled(shown ?? "", saved ?? "")) return undefined;
  // Some show the mark as part of the text, and lose it where it does not come back.
  return (text) => write(real, shown?.startsWith(mark) ? mark + text : text);
}

const mark = "\uFEFF";

/** Whether it is no text, or was read in another encoding than that of the file. */
function isGarbled(shown: string, saved: string): boolean {
  return !shown.isWellFormed() || (/[\0\uFFFD]/.test(shown) && !/[\0\uFFFD]/.test(saved));
}

function toFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
