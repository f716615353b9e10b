// A file cut into lines, and an index of the lines by their loose form: built once an edit, in one pass.
import { type Prose, guessProse, isInside } from "./guess-prose.ts";
import { unitOf } from "./indentation.ts";
import { looseText, tightText } from "./loose-text.ts";
import { countWhile } from "../../base/text/lines.ts";
import { findPlaces } from "../../base/text/count-text.ts";

const byteOrderMark = 0xfeff;
const [lineFeed, carriageReturn] = [10, 13];
/** What all units of an edit may have compared. What takes more is not found, ambiguous, or refused without the nearest place. */
const limits = {
  /** Lines of SEARCH that are compared with lines of the file: enough for thousands of usual units. */
  lines: 2_000_000,
  /** Characters that are compared for places that come near. */
  characters: 2_000_000,
  /** Places of words that are looked at, to say which place of the file comes nearest. */
  words: 40_000,
};

/** In solid lines: of longer texts no line is looked for by its signs and words alone. */
const maxTight = 10_000;

/**
 * Lines are numbered from 0. A line that has something to see is solid; solid lines have a numbering of
 * their own and a form: lines of one form look alike.
 */
export class FileIndex {
  readonly text: string;
  /** Offset of each line's first character. A byte-order mark is no part of the first line. */
  readonly starts: number[] = [];
  readonly hasReturns: boolean;
  /** How often the whole text was looked through for a SEARCH. */
  exactLooks = 0;
  /** What was looked up already: the best of its places, as solid lines, by its text. */
  readonly bestPlaces = new Map<string, readonly number[]>();
  /** What is left of the limits. */
  readonly budget = { ...limits };
  #lines: LineForms | undefined;

  #prose: Prose | undefined;
  #unit: string | undefined;
  #words: ReadonlySet<string> | undefined;
  #tight: ReadonlyMap<string, readonly number[]> | undefined;

  /** @param prose the comments and strings of the text; guessed if they are not known */
  constructor(text: string, prose?: Prose) {
    this.text = text;
    this.#prose = prose;
    this.hasReturns = text.includes("\r");
    let start = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
    while (start < text.length) {
      this.starts.push(start);
      start = text.indexOf("\n", start) + 1 || text.length;
    }
  }

  /** The line number of each solid line. */
  get solidLines(): readonly number[] {
    return this.#forms.solidLines;
  }

  /** The form of each solid line. */
  get forms(): readonly number[] {
    return this.#forms.forms;
  }

  get #forms(): LineForms {
    return (this.#lines ??= readForms(this));
  }

  get lineCount(): number {
    return this.starts.length;
  }

  line(number: number): string {
    return this.text.slice(this.starts[number], this.endOf(number));
  }

  /** The offset behind a line's last character; the line end is not counted. */
  endOf(number: number): number {
    const next = this.starts[number + 1] ?? this.text.length;
    if (this.text.charCodeAt(next - 1) !== lineFeed) return next;
    return this.text.charCodeAt(next - 2) === carriageReturn ? next - 2 : next - 1;
  }

  /** The loose form of a solid line. */
  looseLine(solid: number): string {
    return this.#forms.texts[this.forms[solid] ?? -1] ?? "";
  }

  /** Whether the text uses a word of letters, digits, `_` and `$`. */
  hasWord(word: string): boolean {
    this.#words ??= new Set(this.text.match(/[\p{L}\p{N}_$]+/gu));
    return this.#words.has(word);
  }

  /** The line end of a line: "\n", "\r\n", or "" for a last line without one. */
  lineEnd(number: number): string {
    return this.text.slice(this.endOf(number), this.starts[number + 1]);
  }

  /** The form of a line of another text; -1 if no line of this file has it. */
  formOf(line: string): number {
    return this.#forms.byText.get(looseText(line)) ?? -1;
  }

  /** The first solid line of the one form that has this text where blanks that part no words do not count. */
  solidOfTight(text: string): number | undefined {
    if (this.forms.length > maxTight) return undefined;
    this.#tight ??= Map.groupBy(this.forms.keys(), (solid) => tightText(this.looseLine(solid)));
    const [first = -1, ...more] = this.#tight.get(text) ?? [];
    const form = this.forms[first];
    return form === undefined || more.some((solid) => this.forms[solid] !== form)
      ? undefined
      : first;
  }

  /** The solid lines of a form, in order. */
  placesOf(form: number): readonly number[] {
    return this.#forms.places[form] ?? [];
  }

  /** Whether [from, to) lies inside of a comment or a string that begins further up. */
  isProse(from: number, to: number): boolean {
    const { comments, strings } = (this.#prose ??= guessProse(this.text));
    return isInside(comments, from, to) || isInside(strings, from, to);
  }

  /** The blanks, or the tab, by which lines mostly go deeper; "" if none does. */
  get indentUnit(): string {
    return (this.#unit ??= unitOf(this.starts.map((_, line) => this.line(line))));
  }

  /** The line that holds an offset. */
  lineOf(offset: number): number {
    return countWhile(this.lineCount, (line) => (this.starts[line] ?? 0) <= offset) - 1;
  }

  /** How many solid lines are above a line. */
  solidBefore(line: number): number {
    return countWhile(this.solidLines.length, (nth) => (this.solidLines[nth] ?? 0) < line);
  }
}

/** What lines look like: read when it is first asked for, since most SEARCHes are in the file as they are. */
interface LineForms {
  solidLines: number[];
  forms: number[];
  byText: Map<string, number>;
  /** By form: its loose text, and its solid lines in order. */
  texts: string[];
  places: number[][];
}

function readForms(index: FileIndex): LineForms {
  const read: LineForms = { solidLines: [], forms: [], byText: new Map(), texts: [], places: [] };
  for (let line = 0; line < index.lineCount; line += 1) {
    const text = looseText(index.line(line));
    if (text === "") continue;
    const solid = read.solidLines.push(line) - 1;
    const form = read.byText.get(text) ?? read.texts.length;
    read.forms.push(form);
    if (form < read.texts.length) read.places[form]?.push(solid);
    else {
      read.byText.set(text, read.texts.push(text) - 1);
      read.places.push([solid]);
    }
  }
  return read;
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
