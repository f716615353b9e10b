// Files as the person's editor shows them, over those of the disk.
import { succeed } from "../problems.ts";
import type { WorkspaceResult } from "../workspace.ts";
import { type WholeFile, maxWholeFile, readWhole } from "./open-file.node.ts";
import type { Place } from "./resolve-path.node.ts";
import { decodeText, encodeText } from "./text-encoding.node.ts";

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
  const shown = answer.replace(/^\uFEFF/, "");
  // Editors often keep their texts with "\n" alone, whatever the file has.
  if (toFeeds(shown) === toFeeds(saved.text)) return read;
  const isBare = !shown.includes("\r") && saved.text.includes("\r\n");
  const encoded = encodeText(isBare ? shown.replaceAll("\n", "\r\n") : shown, saved);
  return encoded.ok ? succeed({ bytes: encoded.bytes, stats }) : read;
}

function toFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
