import type { ActiveEditor } from "../../../turn/context/active-editor.ts";
import { type FoundChange, applyChange } from "./apply-change.ts";
import { type LineRange, parseLineRange, splitLines } from "../collect/place.ts";
import type { Terminal } from "../terminal.ts";
import type { CallTexts } from "../texts.ts";
import { commonEdges } from "../../../base/text/common-edges.ts";

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

/**
 * Where lines stand after the text was changed. Changes inside and above move their ends; where an end
 * itself lies in what was changed, they grow to hold all of that. What was put right above the first
 * line, such as a doc comment, belongs to them.
 *
 * @param before the text that the range belongs to
 */
export function followLines({ first, last }: LineRange, before: string, after: string): LineRange {
  const [old, now] = [splitLines(before), splitLines(after)];
  const { head, tail } = commonEdges(old, now);
  const grown = now.length - old.length;
  /** The last line that was changed. */
  const end = old.length - tail;
  const from = first <= head + 1 ? first : first > end ? first + grown : head + 1;
  const to = last <= head ? last : Math.max(last, end) + grown;
  const start = Math.min(from, now.length);
  return { first: start, last: Math.max(start, to) };
}
