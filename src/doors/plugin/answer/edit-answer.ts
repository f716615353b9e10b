// The answer of fix, optimize and docstring: a block that replaces the selection, then words.
import { fence } from "../../../base/text/fence.ts";
import { targetOf } from "../../../flows/edit/edit-target.ts";
import type { TextChange } from "../../../edit/unified-diff.ts";
import type { Locale } from "../../../base/errors/locale.ts";
import type { ProposedEdit } from "../../../turn/proposed-edit.ts";
import type { Turn } from "../../../turn/turn.ts";
import type { PlainEvent } from "../../../turn/turn-event.ts";
import type { SelectedCode } from "../read/selected-code.ts";
import { pluginTexts } from "../texts.ts";
import { type Answer, listTree } from "./text-answer.ts";
import { FenceRemover, indentCode } from "./without-fences.ts";

/**
 * Where the change is one of the selection, the answer holds one fenced block: its text, without the line break
 * before the closing fence, replaces exactly the selected text. In all other cases no fence is in the answer. In a
 * stream the model's words go out as they come and the block, which counts only when the change is whole, in one piece
 * after them; an answer of one message begins with the block.
 */
export class EditAnswer implements Answer {
  readonly #selection: SelectedCode["selection"];
  readonly #locale: Locale;
  readonly #target: { path: string; language: string; text: string };
  readonly #last: string;
  readonly #edits: ProposedEdit[] = [];
  readonly #lists: string[] = [];
  readonly #isStream: boolean;
  readonly #lines = new FenceRemover(true);
  /** What the model has said, and the space behind it, which may be its end. */
  #said = "";
  #space = "";

  constructor(
    { context, locale }: Pick<Turn, "context" | "locale">,
    { selection }: SelectedCode,
    { last, isStream }: { last: string; isStream: boolean },
  ) {
    this.#isStream = isStream;
    this.#selection = selection;
    this.#locale = locale;
    this.#last = last;
    this.#target = targetOf(context.activeEditor) ?? { path: "", language: "", text: "" };
  }

  take(event: PlainEvent): string {
    if (event.type === "text-delta")
      return this.#write(this.#lines.push(event.brief ?? event.text));
    if (event.type === "edit") this.#edits.push(event.edit);
    else if (event.type === "action" && event.action.action === "tree")
      this.#lists.push(listTree(event.action, this.#locale).trimEnd());
    return "";
  }

  end(isCut: boolean): string {
    const texts = pluginTexts(this.#locale);
    const applied = this.#edits.findLast(({ result }) => result.status === "applied");
    const { block, words } = this.#readApplied(applied);
    const others = this.#edits
      .filter(({ result }) => result.status === "unchecked")
      .map(({ filePath }) => texts.otherFile(filePath.replaceAll("`", "'")));
    const last = [...(isCut ? [texts.cut] : []), this.#last];
    const rest = this.#write(this.#lines.end());
    const [before, now] = this.#isStream ? [this.#said, ""] : ["", this.#said];
    const parts = [now, ...words, ...others, ...this.#lists, ...last].map(withoutRuns);
    const shown = [block ?? "", ...parts].filter((part) => part !== "").join("\n\n");
    return `${rest}${before !== "" && shown !== "" ? "\n\n" : ""}${shown}\n`;
  }

  /** @returns what goes out now */
  #write(text: string): string {
    const all = this.#space + text;
    const written = all.trimEnd();
    this.#space = all.slice(written.length);
    this.#said += written;
    return this.#isStream ? written : "";
  }

  #readApplied(edit: ProposedEdit | undefined): { block: string | undefined; words: string[] } {
    if (edit?.result.status !== "applied") return { block: undefined, words: [] };
    const texts = pluginTexts(this.#locale);
    if (edit.isCut === true) return { block: undefined, words: [texts.tooLarge] };
    const { text, after } = this.#selection;
    const end = this.#target.text.length - after.length;
    // What an edit changes where nothing is selected lies outside.
    const span = { start: end - text.length, end };
    const { inside, outside, crosses } =
      text.trim() === ""
        ? { inside: undefined, outside: edit.result.changes, crosses: false }
        : cutToSelection(this.#target.text, edit.result.changes, span);
    const words = outside.map((change) => this.#describe(change, crosses));
    return inside === undefined
      ? { block: undefined, words: crosses ? words : [texts.elsewhere, ...words] }
      : { block: fence(`${inside}\n`, this.#target.language), words };
  }

  #describe({ startLine, endLine, text }: TextChange, crosses: boolean): string {
    const texts = pluginTexts(this.#locale);
    const head = texts.outside(crosses) + texts.gap;
    if (text === "") return head + texts.deleteLines(startLine, endLine);
    const what =
      endLine < startLine ? texts.insertBefore(startLine) : texts.shouldRead(startLine, endLine);
    return `${head}${what}\n\n${indentCode(text)}`;
  }
}

/** Names and lists come from models and files, too. */
function withoutRuns(text: string): string {
  return text.replaceAll(/`{3,}|~{3,}/g, (run) => run.charAt(0));
}

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
