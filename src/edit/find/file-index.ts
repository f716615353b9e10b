// A file cut into lines, and an index of the lines by their loose form: built once an edit, in one pass.
import { type Prose, guessProse, isInside } from "./guess-prose.ts";
import { looseText } from "./loose-text.ts";
import { countWhile } from "../../base/text/lines.ts";
import { findPlaces } from "../../base/text/count-text.ts";

const byteOrderMark = 0xfeff;
const carriageReturn = 13;
/** Lines that are compared: enough for thousands of usual units. What takes more is not found, or ambiguous. */
const maxLines = 2_000_000;
/** Characters that are compared, likewise. */
const maxCharacters = 2_000_000;

/** Places of words; what takes more is refused without the place that comes nearest. */
const maxWords = 40_000;

export interface EditBudget {
  /** Lines of SEARCH that are compared with lines of the file, for places that look alike. */
  lines: number;
  /** Characters that are compared for places that come near. */
  characters: number;
  /** Places of words that are looked at, to say which place of the file comes nearest. */
  words: number;
}

/**
 * Lines are numbered from 0. A line that has something to see is solid; solid lines have a numbering of
 * their own and a form: lines of one form look alike.
 */
export class FileIndex {
  readonly text: string;
  /** Offset of each line's first character. A byte-order mark is no part of the first line. */
  readonly starts: number[] = [];
  /** Offset behind each line's last character; the line end is not counted. */
  readonly ends: number[] = [];
  /** The line number of each solid line. */
  readonly solidLines: number[] = [];
  /** The form of each solid line. */
  readonly forms: number[] = [];
  /** What was looked up already: the best of its places, as solid lines, by its text. */
  readonly bestPlaces = new Map<string, readonly number[]>();
  /** What all units of an edit may still have compared of each other and of the file. */
  readonly budget: EditBudget = {
    lines: maxLines,
    characters: maxCharacters,
    words: maxWords,
  };
  readonly #formByText = new Map<string, number>();
  /** By form: its loose text, and its solid lines in order. */
  readonly #texts: string[] = [];
  readonly #places: number[][] = [];

  #prose: Prose | undefined;
  #blanks: number | undefined;
  #words: ReadonlySet<string> | undefined;

  /** @param prose the comments and strings of the text; guessed if they are not known */
  constructor(text: string, prose?: Prose) {
    this.text = text;
    this.#prose = prose;
    let start = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
    while (start < text.length) {
      const lineFeed = text.indexOf("\n", start);
      const stop = lineFeed === -1 ? text.length : lineFeed;
      const hasReturn = stop > start && text.charCodeAt(stop - 1) === carriageReturn;
      this.#addLine(start, hasReturn && lineFeed !== -1 ? stop - 1 : stop);
      start = stop + 1;
    }
  }

  get lineCount(): number {
    return this.starts.length;
  }

  line(number: number): string {
    return this.text.slice(this.starts[number], this.ends[number]);
  }

  /** The loose form of a solid line. */
  looseLine(solid: number): string {
    return this.#texts[this.forms[solid] ?? -1] ?? "";
  }

  /** Whether the text uses a word of letters, digits, `_` and `$`. */
  hasWord(word: string): boolean {
    this.#words ??= new Set(this.text.match(/[\p{L}\p{N}_$]+/gu));
    return this.#words.has(word);
  }

  /** The line end of a line: "\n", "\r\n", or "" for a last line without one. */
  lineEnd(number: number): string {
    const end = this.ends[number] ?? this.text.length;
    const first = this.text.charCodeAt(end);
    if (first === carriageReturn) return "\r\n";
    return end < this.text.length ? "\n" : "";
  }

  /** The form of a line of another text; -1 if no line of this file has it. */
  formOf(line: string): number {
    return this.#formByText.get(looseText(line)) ?? -1;
  }

  /** The solid lines of a form, in order. */
  placesOf(form: number): readonly number[] {
    return this.#places[form] ?? [];
  }

  /** Whether [from, to) lies inside of a comment or a string that begins further up. */
  isProse(from: number, to: number): boolean {
    const { comments, strings } = (this.#prose ??= guessProse(this.text));
    return isInside(comments, from, to) || isInside(strings, from, to);
  }

  /** One step of indentation: a tab, or the blanks by which lines mostly go deeper; undefined if none does. */
  indentUnit(isTabs: boolean): string | undefined {
    if (isTabs) return "\t";
    this.#blanks ??= usualStep(this);
    return this.#blanks === 0 ? undefined : " ".repeat(this.#blanks);
  }

  /** The line that holds an offset. */
  lineOf(offset: number): number {
    return countWhile(this.lineCount, (line) => (this.starts[line] ?? 0) <= offset) - 1;
  }

  /** How many solid lines are above a line. */
  solidBefore(line: number): number {
    return countWhile(this.solidLines.length, (nth) => (this.solidLines[nth] ?? 0) < line);
  }

  #addLine(start: number, end: number): void {
    const line = this.starts.push(start) - 1;
    this.ends.push(end);
    const text = looseText(this.text.slice(start, end));
    if (text === "") return;
    const solid = this.solidLines.push(line) - 1;
    const form = this.#formByText.get(text) ?? this.#texts.length;
    this.forms.push(form);
    if (form < this.#texts.length) this.#places[form]?.push(solid);
    else {
      this.#formByText.set(text, this.#texts.push(text) - 1);
      this.#places.push([solid]);
    }
  }
}

/** How many blanks a line mostly has more than the line above, where it has more; 0 where none has. */
function usualStep(index: FileIndex): number {
  const counts = new Map<number, number>();
  let last = 0;
  for (const line of index.solidLines) {
    let at = index.starts[line] ?? 0;
    const start = at;
    while (index.text.charCodeAt(at) === 32) at += 1;
    // A comment that goes on, or tabs.
    const sign = index.text.charCodeAt(at);
    if (sign === 9 || sign === 42) continue;
    const step = at - start - last;
    if (step > 1 && step <= 8) counts.set(step, (counts.get(step) ?? 0) + 1);
    last = at - start;
  }
  const [usual] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return usual?.[0] ?? 0;
}

/**
 * All solid lines of the file from which on its forms are those asked for. Linear in the file, whatever
 * the forms (Knuth, Morris, Pratt); a rare form makes it as cheap as the number of its places.
 */
export function findSequence(index: FileIndex, forms: readonly number[]): readonly number[] {
  if (forms.length === 0 || forms.includes(-1)) return [];
  const counts = forms.map((form) => index.placesOf(form).length);
  const rarest = counts.indexOf(counts.reduce((least, count) => Math.min(least, count)));
  const places = index.placesOf(forms[rarest] ?? -1);
  if (places.length * forms.length > index.forms.length)
    return [...findPlaces(index.forms, forms, true)];
  return places
    .map((place) => place - rarest)
    .filter((first) => forms.every((form, nth) => index.forms[first + nth] === form));
}
