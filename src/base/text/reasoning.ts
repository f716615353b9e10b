// What a model thinks aloud, taken out of its answer as it comes.
import { advance } from "./progress.ts";

export type SplitPiece =
  | { type: "text"; text: string }
  /** Without its tags. */
  | { type: "reasoning"; text: string }
  /** All text so far was reasoning: a tag closes that was never opened. */
  | { type: "text-was-reasoning" };

/** In lower case, each with what closes it. */
const tags: readonly (readonly [opening: string, closing: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<reasoning>", "</reasoning>"],
  ["<thought>", "</thought>"],
  ["[think]", "[/think]"],
  ["◁think▷", "◁/think▷"],
];
const maxTag = 12;
const mayBeTag = /^[ \t\uFEFF]*(?:[<[◁]|$)/;

const mayHoldTag = /[<[◁]/;
/** A line that begins with any other sign opens and closes nothing. */
const mayBeRule = /^[^\p{L}\p{N}]/u;

/** So much of a line tells what it opens or closes. */
const maxHead = 120;
const fence = /^[ \t>]*(?:[-*+][ \t]+)?(`{3,}(?!`)|~{3,}(?!~))(?<info>[^`]*)$/;
const searchRule = /^[^\w\n]{0,12}[-<]{3,}[ \t\u00A0]*(?:SEARCH|ORIGINAL|HEAD)\b/i;
const replaceRule = /^[^\w\n]{0,12}[+>]{3,}[ \t\u00A0]*\w/i;
const editTag = /^[^\w\n]{0,12}<\/?file[-_]?edit\b/i;

/**
 * Splits an answer into text and reasoning (`<think>`, `<thinking>`, `<reasoning>` and the like). How it is
 * cut into pieces changes nothing but the cuts.
 *
 * A tag opens at the start of a line, outside of code fences and units; without an end all that follows is
 * reasoning. A closing tag that was never opened counts before the first code fence or unit only. What
 * looks like the beginning of a tag is held back.
 */
export class ReasoningSplitter {
  #held = "";
  /** What ends the reasoning that is open. */
  #closing: string | undefined;
  #isLineStart = true;
  /** Line ends after a closing tag go with it. */
  #skipsLineEnds = false;
  #hasText = false;
  /** The last sign of text that went out. */
  #last = "";
  #head = "";
  #fence: string | undefined;
  #isInUnit = false;
  #hasStructure = false;
  #pieces: SplitPiece[] = [];

  push(delta: string): SplitPiece[] {
    let rest = this.#held + delta;
    this.#held = "";
    const step = (): boolean => {
      rest = this.#closing === undefined ? this.#takeText(rest) : this.#takeReasoning(rest);
      return rest !== "";
    };
    if (rest !== "") advance(() => -rest.length, step);
    return this.#flush();
  }

  /** The answer ends here. */
  end(): SplitPiece[] {
    const held = this.#held;
    this.#held = "";
    if (this.#closing === undefined) this.#text(held);
    else this.#add("reasoning", held);
    return this.#flush();
  }

  #flush(): SplitPiece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  /** Takes up to the end of a line; returns what is left. */
  #takeText(given: string): string {
    const text = this.#skipsLineEnds ? given.replace(/^[\r\n]+/, "") : given;
    if (text === "") return "";
    this.#skipsLineEnds = false;
    if (this.#isLineStart && this.#fence === undefined && !this.#isInUnit) {
      const after = this.#open(text);
      if (after !== undefined) return after;
    }
    const end = text.indexOf("\n") + 1;
    const line = end === 0 ? text : text.slice(0, end);
    const after = end === 0 ? "" : text.slice(end);
    return this.#hasStructure ? this.#passLine(line) + after : this.#takeUnopened(line) + after;
  }

  /** What comes after an opening tag; "" if the text may yet become one; undefined if it does not. */
  #open(text: string): string | undefined {
    if (!mayBeTag.test(text)) return undefined;
    const start = /^[ \t\uFEFF]*/.exec(text)?.[0].length ?? 0;
    const word = text.slice(start, start + maxTag).toLowerCase();
    const tag = tags.find(([opening]) => word.startsWith(opening));
    if (tag !== undefined) {
      this.#closing = tag[1];
      return text.slice(start + tag[0].length);
    }
    if (start + word.length < text.length || start > maxHead) return undefined;
    if (!tags.some(([opening]) => opening.startsWith(word))) return undefined;
    this.#held = text;
    return "";
  }

  /** Text in which a closing tag counts that was never opened. */
  #takeUnopened(line: string): string {
    if (!mayHoldTag.test(line)) return this.#passLine(line);
    const found = findTag(line);
    if (found === undefined) {
      const kept = line.length - heldLength(line);
      this.#held = line.slice(kept);
      return this.#passLine(line.slice(0, kept));
    }
    const { at, end } = found;
    if ((line[at - 1] ?? this.#last) === "`") {
      this.#passLine(line.slice(0, end));
      return line.slice(end);
    }
    this.#text(line.slice(0, at));
    if (this.#hasText) this.#pieces.push({ type: "text-was-reasoning" });
    this.#hasText = false;
    this.#endReasoning();
    return line.slice(end);
  }

  #takeReasoning(text: string): string {
    const closing = this.#closing ?? "";
    const at = indexOfWord(text, closing);
    if (at === -1) {
      const kept = text.length - heldLength(text);
      this.#held = text.slice(kept);
      this.#add("reasoning", text.slice(0, kept));
      return "";
    }
    this.#add("reasoning", text.slice(0, at));
    this.#endReasoning();
    return text.slice(at + closing.length);
  }

  #endReasoning(): void {
    this.#closing = undefined;
    this.#skipsLineEnds = true;
    this.#isLineStart = true;
    this.#head = "";
  }

  #passLine(line: string): "" {
    if (line === "") return "";
    this.#text(line);
    if (this.#head.length < maxHead) this.#head += line.slice(0, maxHead);
    this.#isLineStart = line.endsWith("\n");
    if (!this.#isLineStart) return "";
    this.#classify(this.#head.trimEnd());
    this.#head = "";
    return "";
  }

  /** Follows code fences and units as far as tags inside of them must not count. */
  #classify(line: string): void {
    if (!mayBeRule.test(line)) return;
    if (this.#isInUnit) {
      this.#isInUnit = !replaceRule.test(line);
      return;
    }
    const mark = fence.exec(line);
    if (mark !== null) {
      const run = mark[1] ?? "";
      if (this.#fence === undefined) this.#fence = run;
      else if (run.startsWith(this.#fence) && mark.groups?.["info"] === "") this.#fence = undefined;
      this.#hasStructure = true;
    } else if (searchRule.test(line)) {
      this.#isInUnit = true;
      this.#hasStructure = true;
    } else if (editTag.test(line)) this.#hasStructure = true;
  }

  #text(text: string): void {
    if (text.trim() !== "") this.#hasText = true;
    this.#last = text.at(-1) ?? this.#last;
    this.#add("text", text);
  }

  #add(type: "text" | "reasoning", text: string): void {
    const last = this.#pieces.at(-1);
    if (text === "") return;
    if (last?.type === type) last.text += text;
    else this.#pieces.push({ type, text });
  }
}

function findTag(line: string): { at: number; end: number } | undefined {
  let first: { at: number; end: number } | undefined;
  for (const [, closing] of tags) {
    const at = indexOfWord(line, closing);
    if (at !== -1 && at < (first?.at ?? Infinity)) first = { at, end: at + closing.length };
  }
  return first;
}

/** In any case; linear, since a sign that begins no tag is passed over at once. */
function indexOfWord(text: string, word: string): number {
  const [sign = ""] = word;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    if (text.slice(at, at + word.length).toLowerCase() === word) return at;
  }
  return -1;
}

/** How much of the end of a text may be the beginning of a closing tag. */
function heldLength(text: string): number {
  const end = text.slice(-maxTag);
  const at = Math.max(end.lastIndexOf("<"), end.lastIndexOf("["), end.lastIndexOf("◁"));
  const start = end.slice(at).toLowerCase();
  const isStart = at !== -1 && tags.some(([, closing]) => closing.startsWith(start));
  return isStart ? start.length : 0;
}
