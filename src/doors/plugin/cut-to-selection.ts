import type { TextChange } from "../../edit/unified-diff.ts";
// What a change of the file means for the selected text, and what of it lies outside.

/** The selection: characters of the file's text, `end` exclusive. */
interface Span {
  start: number;
  end: number;
}

interface CutChange {
  /** The text that replaces exactly the selected one; undefined where no change lies in it. */
  inside: string | undefined;
  /** The changes that are not in it; all of them where one crosses its border. */
  outside: readonly TextChange[];
  /** One of them crosses its border. */
  crosses: boolean;
}

/** A replacement of characters. */
interface Splice extends Span {
  text: string;
}

export function cutToSelection(
  before: string,
  changes: readonly TextChange[],
  selection: Span,
): CutChange {
  const inside: Splice[] = [];
  const outside: TextChange[] = [];
  const starts = lineStarts(before);
  for (const change of changes) {
    const splice = moveInto(narrow(before, toSplice(before, starts, change)), before, selection);
    if (splice.start >= selection.start && splice.end <= selection.end) inside.push(splice);
    else if (splice.end <= selection.start || splice.start >= selection.end) outside.push(change);
    else return { inside: undefined, outside: changes, crosses: true };
  }
  const text = inside.length === 0 ? undefined : apply(before, inside, selection);
  return { inside: text, outside, crosses: false };
}

function apply(before: string, splices: readonly Splice[], { start, end }: Span): string {
  let text = "";
  let next = start;
  for (const splice of splices) {
    text += before.slice(next, splice.start) + splice.text;
    next = splice.end;
  }
  return text + before.slice(next, end);
}

/** The index at which each line starts, and the text's length. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  starts.push(text.length);
  return starts;
}

function toSplice(
  before: string,
  starts: readonly number[],
  { startLine, endLine, text }: TextChange,
): Splice {
  const start = starts[startLine - 1] ?? before.length;
  return { start, end: Math.max(start, starts[endLine] ?? before.length), text };
}

/** Leaves out what both sides have in common at their ends. */
function narrow(before: string, { start, end, text }: Splice): Splice {
  const most = Math.min(end - start, text.length);
  let head = 0;
  while (head < most && before.charCodeAt(start + head) === text.charCodeAt(head)) head += 1;
  let tail = 0;
  while (
    tail < most - head &&
    before.charCodeAt(end - 1 - tail) === text.charCodeAt(text.length - 1 - tail)
  )
    tail += 1;
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
}

/**
 * Moves what was only inserted, or only deleted, into the selection where that gives the same file: a line
 * put behind the last selected one begins with the line break at the selection's end.
 */
function moveInto(splice: Splice, before: string, selection: Span): Splice {
  let { start, end, text } = splice;
  const isInsertion = start === end;
  if (!isInsertion && text !== "") return splice;
  for (; end > selection.end; start -= 1, end -= 1) {
    const last = isInsertion ? text.at(-1) : before[end - 1];
    if (start === 0 || last !== before[start - 1]) return splice;
    if (isInsertion) text = last + text.slice(0, -1);
  }
  for (; start < selection.start; start += 1, end += 1) {
    const first = isInsertion ? text[0] : before[start];
    if (end >= before.length || first !== before[end]) return splice;
    if (isInsertion) text = text.slice(1) + first;
  }
  return { start, end, text };
}
