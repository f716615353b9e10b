import type { ActiveEditor } from "../../../turn/context/active-editor.ts";
import { type FoundChange, applyChange } from "../choose/apply-change.ts";
import { followLines } from "../follow-lines.ts";
import { parseLineRange } from "./line-range.ts";
import type { Terminal } from "../terminal.ts";
import type { CallTexts } from "../texts.ts";

/** The file that is sent as the one in the editor. */
export interface OpenFile {
  name: string;
  /** As the editor shows it since a change was written, with the same code selected; else undefined. */
  readonly changed: ActiveEditor | undefined;
  /** Applies a change to the file, tells what came of it, and whether it was written. */
  apply(change: FoundChange): Promise<boolean>;
}

export interface OpenFileOptions {
  name: string;
  /** What is selected in it, as `10-20`. */
  lines: string | undefined;
  read: (lines: string | undefined) => ActiveEditor | undefined;
  terminal: Terminal;
  texts: CallTexts;
}

export function createOpenFile({
  name,
  read,
  terminal,
  texts,
  ...given
}: OpenFileOptions): OpenFile {
  let range = given.lines === undefined ? undefined : parseLineRange(given.lines);
  let changed: ActiveEditor | undefined;
  return {
    name,
    get changed() {
      return changed;
    },
    async apply(change) {
      const written = await applyChange(name, change, terminal, texts);
      if (written === undefined) return false;
      range = range && followLines(range, written.before, written.after);
      changed = read(range && `${range.first}-${range.last}`);
      return true;
    },
  };
}
