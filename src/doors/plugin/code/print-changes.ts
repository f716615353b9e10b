import type { ChangedFile } from "../../../workspace/source/changed-files.ts";
import { wholeText } from "../../../workspace/source/held-file.ts";

/** Of all new texts of an answer, in UTF-16 code units: the plugin takes them in one message. */
const maxTexts = 2 * 1024 * 1024;

/** A change as the wire tells it. `before_hash` is null for a new file, `text` for one that goes. */
interface WireChange {
  filepath: string;
  before_hash: string | null;
  text: string | null;
}

export interface PrintedChanges {
  changes: WireChange[];
  /** The paths of changes whose texts had no room. */
  left_out?: string[];
}

/** @param names how the request names its files: absolute ones stay so */
export function printChanges(
  changed: readonly ChangedFile[],
  names: readonly string[],
): PrintedChanges {
  const changes: WireChange[] = [];
  const left: string[] = [];
  let room = maxTexts;
  for (const { path, before, now } of changed) {
    const filepath = nameOf(path, names);
    const text = now === undefined ? null : wholeText(now);
    room -= text?.length ?? 0;
    if (room < 0) left.push(filepath);
    else changes.push({ filepath, before_hash: before?.hash ?? null, text });
  }
  return { changes, ...(left.length === 0 ? {} : { left_out: left }) };
}

/** A workspace leaves out the "/" in front; a new file beside an absolute one gets it back, too. */
function nameOf(path: string, names: readonly string[]): string {
  const absolute = `/${path}`;
  const isAbsolute = names.some(
    (name) => name.startsWith("/") && absolute.startsWith(name.slice(0, name.lastIndexOf("/") + 1)),
  );
  return isAbsolute ? absolute : path;
}
