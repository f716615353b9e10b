import { createNaming } from "../../../workspace/memory/memory-workspace.ts";
import { type ChangedFile, wholeText } from "../../../workspace/source/held-file.ts";

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

/** @param names how the request names its files: these are kept, and new files are named like them */
export function printChanges(
  changed: readonly ChangedFile[],
  names: readonly string[],
): PrintedChanges {
  const changes: WireChange[] = [];
  const left: string[] = [];
  const nameOf = createNaming(names);
  let room = maxTexts;
  for (const { path, before, now } of changed) {
    const filepath = nameOf(path);
    const text = now === undefined ? null : wholeText(now);
    room -= text?.length ?? 0;
    if (room < 0) left.push(filepath);
    else changes.push({ filepath, before_hash: before?.hash ?? null, text });
  }
  return { changes, ...(left.length === 0 ? {} : { left_out: left }) };
}
