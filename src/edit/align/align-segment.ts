// Where some lines belong in a file of which they show a part anew: the cheapest ways to make lines of the file of them.
import { indentOf } from "../../base/text/lines.ts";
import { commonLines } from "../compare-lines.ts";
import type { LineRange } from "../edit-unit.ts";
import { looseText } from "../find/loose-text.ts";
import { isNewLine } from "./line-version.ts";
import {
  createWordReader,
  commentSign,
  declaredName,
  docstringEnd,
  hasSameBrackets,
  headlinesAbove,
  isAfterGap,
  isComment,
  isHeadline,
  isImport,
  memberName,
  settingOf,
  type SourceLines,
} from "./source-lines.ts";

/** What the lines [start, end) of the file become; lines are solid lines, counted from 0. */
export interface Alignment {
  start: number;
  end: number;
  cost: number;
  /** For each line of the segment the line of the file that it is; `~n` if it takes the place of line n; undefined for a new one. */
  at: (number | undefined)[];
  /** How many lines of the file go, without those that others take the place of. */
  deleted: number;
  replaced: number;
  inserted: number;
  /** Nothing goes, and what is new comes at one place. */
  isInsertion: boolean;
}

/** The line of the file that one of the code is, or takes the place of. */
export function oldLine(line: number | undefined): number | undefined {
  return line === undefined || line >= 0 ? line : ~line;
}

export interface Borders {
  /** Lines of the file that may be part of it. */
  from: number;
  to: number;
  /** The segment may begin with new lines at the start of the file, or end with some at its end. */
  isTop: boolean;
  isBottom: boolean;
  /** No line has to be in the file as it is. */
  isLoose?: boolean;
  /** Something names the lines: one that is like one of them is that anew. */
  isNear?: boolean;
}

/** What steps cost. Measured on true commits: `npm run bench:forms`. */
const costs = {
  insert: 0.4,
  insertKnown: 1.6,
  insertDeclared: 4,
  remove: 0.8,
  removeMore: 0.15,
  replace: 0.05,
  replaceWords: 2.8,
  edge: [3, 1, 0.5],
  edgeKnown: [4, 2, 1],
  edgeReplaced: 0.5,
  insertion: 0.8,
  insertionLine: 0.25,
  insertionContext: 0.6,
};
const leastLikeness = 0.5;
const leastEdgeLikeness = 0.6;
/** Ways to place a segment that are looked at closely. */
const maxWays = 24;
/** Ways that cost so much more than the cheapest are no doubt about it. */
const farthest = 4;
/** Steps to a cell. */
const [paired, gone, goesOn] = [1, 2, 4];
/** Lines that share a word are not looked for where a word is as frequent as that. */
const maxPostings = 400;

/** The file with what all segments of an edit ask of it. */
export class AlignedFile {
  readonly places = new Map<string, number[]>();
  readonly #readWords = createWordReader();
  readonly #words: (readonly number[] | undefined)[] = [];
  #like: { key: string; lines: [number, number][][] } | undefined;
  #declaring: Map<string, number[]> | undefined;
  #setting: Map<string, number[]> | undefined;
  readonly #maxPairs: number;
  #compared = 0;
  /** More was asked for than may be compared. */
  isTooMuch = false;
  #special: Map<string, string> | undefined;

  readonly source: SourceLines;

  constructor(source: SourceLines, maxPairs: number) {
    this.source = source;
    this.#maxPairs = maxPairs;
    for (const [at, text] of source.texts.entries()) push(this.places, text, at);
  }

  countOf(text: string | undefined): number {
    return this.places.get(text ?? "")?.length ?? 0;
  }

  /** Code with the lines that the file has in other signs (typographic quotes, wide spaces) as the file has them. */
  quoting(given: SourceLines): SourceLines {
    const code = this.#straighten(given);
    this.#special ??= new Map(
      this.source.texts
        .filter((text) => /[^\x20-\x7e]/.test(text))
        .map((text) => [looseText(text), text]),
    );
    const known = this.#special;
    // A line that the code has as well, in the signs of the file, is that line.
    const shown = new Set(code.texts);
    const gapsOf = (text: string): string => (text.match(/[ \t]{2,}/g) ?? []).join();
    const countSigns = (text: string, sign: string): number => text.split(sign).length;
    const asInFile = (text: string): string => {
      const own = this.countOf(text) > 0 ? undefined : known.get(looseText(text));
      if (own === undefined || shown.has(own) || gapsOf(own) !== gapsOf(text)) return text;
      // Only signs that are not plain in the file are written otherwise.
      return ["'", '"'].every((sign) => countSigns(own, sign) <= countSigns(text, sign))
        ? own
        : text;
    };
    if (known.size === 0) return code;
    const all = code.all.map((line) => {
      const [text, own] = [line.trim(), asInFile(line.trim())];
      return own === text ? line : indentOf(line) + own;
    });
    return { ...code, all, texts: code.texts.map(asInFile) };
  }

  /** Code whose quotes a text editor has bent, as lines show that the file has with straight ones, has none bent. */
  #straighten(code: SourceLines): SourceLines {
    const isBent = (text: string): boolean =>
      /[\u2018-\u201f]/.test(text) && this.countOf(text) === 0 && this.countOf(straight(text)) > 0;
    if (!code.texts.some(isBent)) return code;
    return { ...code, all: code.all.map(straight), texts: code.texts.map(straight) };
  }

  /** The places of a line that is not everywhere. */
  fewPlaces(text: string | undefined): readonly number[] {
    const places = this.places.get(text ?? "") ?? [];
    return places.length > maxPostings ? [] : places;
  }

  /** Takes so many pairs of lines from what may be compared; false if there are not as many left. */
  compare(pairs: number): boolean {
    this.#compared += pairs;
    this.isTooMuch ||= this.#compared > this.#maxPairs;
    return !this.isTooMuch;
  }

  /** Whether so many pairs of lines may yet be compared: what is not needed is left out where they may not. */
  mayCompare(pairs: number): boolean {
    return this.#compared + pairs <= this.#maxPairs;
  }

  /** The lines that declare a name. */
  declaring(name: string): readonly number[] {
    this.#declaring ??= placesBy(this.source, declaredName);
    return this.#declaring.get(name) ?? [];
  }

  /** The lines that set a name. */
  setting(name: string): readonly number[] {
    this.#setting ??= placesBy(this.source, settingOf);
    return this.#setting.get(name) ?? [];
  }

  /** Of each text the lines of [from, to) that share at least half of their words with it, and how much. */
  likeLines(texts: readonly string[], from: number, to: number): [number, number][][] {
    // The same code is looked for in two ways.
    const key = [from, to, ...texts].join("\n");
    if (this.#like?.key !== key) this.#like = { key, lines: this.#findLike(texts, from, to) };
    return this.#like.lines;
  }

  #findLike(texts: readonly string[], from: number, to: number): [number, number][][] {
    const wanted = texts.map(this.#readWords);
    const postings = new Map<number, number[]>();
    for (const words of wanted) for (const word of words) postings.set(word, []);
    for (let line = from; line < to; line += 1) {
      const words = (this.#words[line] ??= this.#readWords(this.source.texts[line] ?? ""));
      for (const word of words) postings.get(word)?.push(line);
    }
    return wanted.map((words, nth) => {
      const shared = new Map<number, number>();
      for (const word of words) {
        const lines = postings.get(word) ?? [];
        if (lines.length > maxPostings) continue;
        for (const line of lines) shared.set(line, (shared.get(line) ?? 0) + 1);
      }
      return [...shared].flatMap(([line, count]): [number, number][] => {
        const likeness = (2 * count) / (words.length + (this.#words[line]?.length ?? 0));
        const [was = "", now = ""] = [this.source.texts[line], texts[nth]];
        // What begins a block, or ends one with little else, says nothing like what goes on.
        const isOther =
          blockWord.test(was) !== blockWord.test(now) ||
          (words.length <= fewWords && jump.test(was) !== jump.test(now));
        return likeness >= leastLikeness && was !== now && !isOther ? [[line, likeness]] : [];
      });
    });
  }
}

const fewWords = 2;
/** Each begins a block of a kind of its own. */
export const blockWord = /^(?:if|for|while|switch|match|try|do|with|select|unless|until)\b/;
const jump = /^(?:return|throw|raise|break|continue|exit)\b/;

/** An apostrophe stays. */
function straight(text: string): string {
  return text
    .replaceAll(/[\u201c-\u201f]/g, '"')
    .replaceAll(/[\u2018\u201b]([^\u2018-\u201b]*)\u2019/g, "'$1'");
}

function placesBy(
  { texts }: SourceLines,
  keyOf: (text: string) => string | undefined,
): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [at, text] of texts.entries()) {
    const key = keyOf(text);
    if (key !== undefined) push(found, key, at);
  }
  return found;
}

function push(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The ways to place a segment, the cheapest first; none if nothing of it is in the file. */
export function alignSegment(
  segment: SourceLines,
  file: AlignedFile,
  borders: Borders,
): Alignment[] {
  const { isLoose = false } = borders;
  if (!isLoose && !segment.texts.some((text) => file.countOf(text) > 0)) return [];
  const near = toWindow(segment.texts, file, borders);
  if (near === undefined) {
    const once = segment.texts.filter((text) => file.countOf(text) === 1);
    const isLong = segment.texts.length > longSegment && once.length * 2 >= segment.texts.length;
    return isLong ? alignLong(segment, file, borders) : [];
  }
  const table = new Table(segment, file, near);
  const known = new Map<string, Alignment>();
  for (const way of [...table.ways(false), ...table.ways(true)]) {
    const key = `${way.start} ${way.end}`;
    const before = known.get(key);
    if (before === undefined || before.cost > way.cost) known.set(key, way);
  }
  const ways = [...known.values()].sort((a, b) => a.cost - b.cost).slice(0, maxWays);
  const isQuoted = ({ at }: Alignment): boolean =>
    [at[0], at.at(-1)].every((line) => (line ?? -1) >= 0);
  const insertions = table.insertions();
  const clear = [...ways, ...insertions].filter(
    (way) => Number.isFinite(way.cost) && isQuoted(way),
  );
  const least = clear.reduce((low, { cost }) => Math.min(low, cost), Infinity);
  // A place that only one end shows is none where another shows both, but it may make that doubtful.
  const behind = (way: Alignment): Alignment =>
    isQuoted(way) || clear.length === 0 ? way : { ...way, cost: Math.max(way.cost, least + 0.01) };
  return [...ways, ...insertions.map(behind)]
    .filter(
      ({ cost, at }) =>
        Number.isFinite(cost) && (isLoose || at.some((line) => line !== undefined && line >= 0)),
    )
    .sort((a, b) => a.cost - b.cost);
}

/** In pairs of lines: what is compared without a look at where rare lines are, and at most. */
const smallTable = 20_000;
const largestTable = 800_000;
/** In lines: of a longer segment only the lines that both have are looked for. */
const longSegment = 500;

/** Of a large file only what is around the lines of the segment that it has once; undefined if that is still too much. */
function toWindow(
  texts: readonly string[],
  file: AlignedFile,
  borders: Borders,
): Borders | undefined {
  const size = texts.length * (borders.to - borders.from);
  if (size <= smallTable) return file.compare(size) ? borders : undefined;
  const places = texts.flatMap((text) => {
    const own = file.places.get(text) ?? [];
    return own.length === 1 ? own : [];
  });
  const inside = places.filter((place) => place >= borders.from && place < borders.to);
  if (inside.length === 0) return size <= largestTable && file.compare(size) ? borders : undefined;
  const [first, last] = inside.reduce(
    ([low, high], place) => [Math.min(low, place), Math.max(high, place)],
    [borders.to, borders.from],
  );
  const from = Math.max(borders.from, first - 2 * texts.length - 100);
  const to = Math.min(borders.to, last + 2 * texts.length + 100);
  const isTop = borders.isTop && from === borders.from;
  const isBottom = borders.isBottom && to === borders.to;
  const near = texts.length * (to - from);
  return near <= largestTable && file.compare(near) ? { from, to, isTop, isBottom } : undefined;
}

/** The texts of lines, by which those of two places are compared: a bracket as deep as the first line is no inner one. */
function keysOf({ texts, columns }: SourceLines, from: number, to: number): string[] {
  const outer = columns[from];
  const isOuter = (line: number, text: string): boolean =>
    columns[line] === outer && /^[{}()[\]]+[;,]?$/.test(text);
  return texts.slice(from, to).map((text, nth) => (isOuter(from + nth, text) ? `${text}\n` : text));
}

/** The lines [start, end) of the file are what the code takes the place of: which of them it has. */
export function alignWithin(
  code: SourceLines,
  { source }: AlignedFile,
  start: number,
  end: number,
): Alignment {
  const { texts } = code;
  const at: (number | undefined)[] = texts.map(() => undefined);
  const common = commonLines(keysOf(source, start, end), keysOf(code, 0, texts.length));
  for (const [line, nth] of common) at[nth] = start + line;
  const [deleted, inserted] = [end - start - common.length, texts.length - common.length];
  return { start, end, cost: 0, at, deleted, replaced: 0, inserted, isInsertion: false };
}

/** A segment that is too long to be compared line by line: the lines that both have, in order, tell its place. */
function alignLong(
  code: SourceLines,
  file: AlignedFile,
  { from, to, isTop, isBottom }: Borders,
): Alignment[] {
  const way = alignWithin(code, file, from, to);
  const start = isTop && way.at[0] === undefined ? from : way.at[0];
  const last = isBottom && way.at.at(-1) === undefined ? to - 1 : way.at.at(-1);
  if (start === undefined || last === undefined || way.inserted * 2 > code.texts.length) return [];
  const deleted = last + 1 - start - code.texts.length + way.inserted;
  return [{ ...way, start, end: last + 1, deleted }];
}

/** The costs of making lines of a file of a segment's lines. */
class Table {
  readonly #insert: readonly number[];
  /** What it costs that a line is, or takes the place of, a line of the file: a row for each line. */
  readonly #pairs: Float64Array;
  readonly #width: number;
  readonly texts: readonly string[];
  readonly file: AlignedFile;
  readonly borders: Borders;
  /** An empty line comes first, or last: what is new may begin, or end, there. */
  readonly #hasGap: { above: boolean; below: boolean };

  constructor(segment: SourceLines, file: AlignedFile, borders: Borders) {
    const { texts, numbers, all } = segment;
    this.texts = texts;
    this.#hasGap = { above: (numbers[0] ?? 0) > 0, below: (numbers.at(-1) ?? 0) < all.length - 1 };
    this.file = file;
    this.borders = borders;
    this.#insert = texts.map((text) => insertCost(text, file));
    const { from, to, isLoose = false, isNear = false } = borders;
    this.#width = to - from;
    this.#pairs = new Float64Array(texts.length * this.#width).fill(Infinity);
    for (const [nth, likes] of file.likeLines(texts, from, to).entries()) {
      const row = nth * this.#width - from;
      const name = isLoose ? settingOf(texts[nth] ?? "") : undefined;
      const isNamesake = ([line]: readonly [number, number]): boolean =>
        name !== undefined && settingOf(file.source.texts[line] ?? "") === name;
      const namesakes = likes.filter(isNamesake);
      for (const [line, likeness] of namesakes.length > 0 ? namesakes : likes) {
        const isNew =
          !isLoose || isNear || isNewLine(file.source.texts[line] ?? "", texts[nth] ?? "");
        if (isNew) this.#pairs[row + line] = this.#like(nth, likeness);
      }
      // What is set anew may be like nothing that is there.
      const setting = isLoose && !isNear ? [] : file.setting(settingOf(texts[nth] ?? "") ?? "");
      const [only, ...more] = setting.filter((line) => line >= from && line < to);
      if (only !== undefined && more.length === 0)
        this.#pairs[row + only] = Math.min(
          this.#pairs[row + only] ?? Infinity,
          this.#like(nth, leastEdgeLikeness),
        );
      for (const line of file.places.get(texts[nth] ?? "") ?? [])
        if (line >= from && line < to) this.#pairs[row + line] = 0;
    }
  }

  /** What it costs that a line is new, where `at` lines of the file come before it. */
  #new(nth: number, at: number): number {
    const { from, to, isTop, isBottom } = this.borders;
    const cost = this.#insert[nth] ?? 0;
    const edge = this.file.countOf(this.texts[nth]) === 1 ? costs.edgeKnown : costs.edge;
    const above = isTop && at === from ? 0 : (edge[nth] ?? 0);
    const below = isBottom && at === to ? 0 : (edge[this.texts.length - 1 - nth] ?? 0);
    return cost + above + below;
  }

  /** What it costs that a line takes the place of one that is like it. */
  #like(nth: number, likeness: number): number {
    const isEdge = nth === 0 || nth === this.texts.length - 1;
    if (isEdge && this.borders.isLoose !== true && likeness < leastEdgeLikeness) return Infinity;
    // What the file declares once is that, and takes the place of nothing else.
    if ((this.#insert[nth] ?? 0) >= costs.insertDeclared) return Infinity;
    const isKnown = this.file.countOf(this.texts[nth]) > 0;
    const edge = isEdge ? costs.edgeReplaced * (isKnown ? 3 : 1) : 0;
    // Between marks, what the file has once is rather that than a new version of something else.
    const known = this.borders.isLoose === true ? 0 : (this.#insert[nth] ?? 0) - costs.insert;
    return costs.replace + costs.replaceWords * (1 - likeness) + edge + known;
  }

  #pair(nth: number, line: number): number {
    return this.#pairs[nth * this.#width + line - this.borders.from] ?? Infinity;
  }

  /** The cheapest ways: for each end with its best start; or, from the end of all lines on, for each start with its best end. */
  ways(isUp: boolean): Alignment[] {
    const { from, to } = this.borders;
    const [rows, width] = [this.texts.length, to - from];
    const row = { before: new Float64Array(width + 1), now: new Float64Array(width + 1) };
    // How each cell was reached, and how its run of lines that go.
    const steps = new Uint8Array(rows * (width + 1));
    for (let step = 1; step <= rows; step += 1) {
      const nth = isUp ? rows - step : step - 1;
      const inside = this.#new(nth, Number.NaN);
      let open = Infinity;
      for (let at = 0; at <= width; at += 1) {
        const line = isUp ? to - at : from + at;
        let how = 0;
        let cost =
          (row.before[at] ?? 0) + (at === 0 || at === width ? this.#new(nth, line) : inside);
        if (at > 0) {
          const pair = (row.before[at - 1] ?? 0) + this.#pair(nth, isUp ? line : line - 1);
          if (pair <= cost) {
            cost = pair;
            how = paired;
          }
          const remove = (row.now[at - 1] ?? 0) + costs.remove;
          open += costs.removeMore;
          const more = remove < open ? 0 : goesOn;
          if (more === 0) open = remove;
          if (step < rows && open < cost) {
            cost = open;
            how = gone;
          }
          how |= more;
        }
        row.now[at] = cost;
        steps[(step - 1) * (width + 1) + at] = how;
      }
      [row.before, row.now] = [row.now, row.before];
    }
    const least = row.before.reduce((low, cost) => Math.min(low, cost), Infinity);
    const ends = Array.from(row.before.keys()).filter(
      (at) => (row.before[at] ?? 0) <= least + farthest,
    );
    ends.sort((a, b) => (row.before[a] ?? 0) - (row.before[b] ?? 0));
    return ends.slice(0, maxWays).map((at) => this.#trace(steps, at, row.before[at] ?? 0, isUp));
  }

  #trace(steps: Uint8Array, last: number, cost: number, isUp: boolean): Alignment {
    const { from, to } = this.borders;
    const [rows, width] = [this.texts.length, to - from];
    const lines = this.file.source.texts;
    const at: (number | undefined)[] = this.texts.map(() => undefined);
    let [place, deleted, isGoing] = [last, 0, false];
    for (let step = rows; step > 0;) {
      const how = steps[(step - 1) * (width + 1) + place] ?? 0;
      if (isGoing || (how & gone) !== 0) {
        isGoing = (how & goesOn) !== 0;
        deleted += 1;
        place -= 1;
        continue;
      }
      if ((how & paired) !== 0) {
        place -= 1;
        const nth = isUp ? rows - step : step - 1;
        const line = isUp ? to - place - 1 : from + place;
        at[nth] = lines[line] === this.texts[nth] ? line : ~line;
      }
      step -= 1;
    }
    const [start, end] = isUp ? [to - last, to - place] : [from + place, from + last];
    const replaced = at.filter((line) => line !== undefined && line < 0).length;
    const inserted = at.filter((line) => line === undefined).length;
    return { start, end, cost, at, deleted, replaced, inserted, isInsertion: false };
  }

  /** Ways in which nothing goes: the first lines and the last ones are next to each other in the file. */
  insertions(): Alignment[] {
    const { texts, file } = this;
    const lines = file.source.texts;
    const { from, to, isTop, isBottom } = this.borders;
    const rows = texts.length;
    const below = new Map<number, number>();
    for (const last of file.fewPlaces(texts[rows - 1])) {
      const most = last < to ? Math.min(rows - 1, last - from + 1) : 0;
      for (let count = 1; count <= most; count += 1) {
        if (lines[last - count + 1] !== texts[rows - count]) break;
        below.set(last - count + 1, count);
      }
    }
    const above = new Map<number, number>();
    const found: { at: number; above: number; below: number }[] = [];
    for (const first of file.fewPlaces(texts[0])) {
      const most = first >= from ? Math.min(rows - 1, to - first) : 0;
      for (let count = 1; count <= most; count += 1) {
        if (lines[first + count - 1] !== texts[count - 1]) break;
        above.set(first + count, count);
        const tail = Math.min(below.get(first + count) ?? 0, rows - count);
        if (tail > 0 && count + tail < rows)
          found.push({ at: first + count, above: count, below: tail });
      }
    }
    const { source } = file;
    const isKnown = (nth: number): boolean => file.countOf(texts[nth]) === 1;
    // What is new may begin or end at an empty line, or where the file does.
    const isGap = (at: number, hasGap: boolean, border: number | undefined): boolean =>
      at === border || (hasGap && isAfterGap(source, at));
    if (!isKnown(0))
      for (const [at, tail] of below)
        if (isGap(at, this.#hasGap.above, isTop ? from : undefined))
          found.push({ at, above: 0, below: tail });
    if (!isKnown(rows - 1))
      for (const [at, head] of above)
        if (isGap(at, this.#hasGap.below, isBottom ? to : undefined))
          found.push({ at, above: head, below: 0 });
    const most = Math.max(0, ...found.map((one) => one.above + one.below));
    found.sort((a, b) => b.above + b.below - a.above - a.below);
    return found.slice(0, maxWays).map(({ at, above: head, below: tail }) => {
      const inserted = rows - head - tail;
      let dear = 0;
      for (let nth = head; nth < rows - tail; nth += 1)
        dear += (this.#insert[nth] ?? 0) - costs.insert;
      const cost =
        costs.insertion +
        dear +
        costs.insertionLine * inserted +
        costs.insertionContext * (most - head - tail);
      const places = texts.map((_, nth) =>
        nth < head ? at - head + nth : nth >= rows - tail ? at + nth - rows + tail : undefined,
      );
      return {
        start: at - head,
        end: at + tail,
        cost,
        at: places,
        deleted: 0,
        replaced: 0,
        inserted,
        isInsertion: true,
      };
    });
  }
}

function insertCost(text: string, file: AlignedFile): number {
  const isKnown = file.countOf(text) === 1;
  if (isKnown && (isImport(text) || declaredName(text) !== undefined)) return costs.insertDeclared;
  return isKnown && text.length > 3 ? costs.insertKnown : costs.insert;
}

/** How sure lines that are the same make a place: rare ones tell more, and short ones little. */
export function evidenceOf({ at }: Alignment, file: AlignedFile): number {
  let sum = 0;
  for (const line of at) {
    if (line === undefined || line < 0) continue;
    const text = file.source.texts[line] ?? "";
    sum += (text.length > 3 ? 1 : 0.2) / Math.sqrt(file.countOf(text));
  }
  return sum;
}

/** What a new line declares, or has as its key, is in the block already, and stays. */
export function namesTwice(
  { start, end, at }: Alignment,
  { texts, columns }: SourceLines,
  file: AlignedFile,
): boolean {
  const { source } = file;
  const shown = at.findIndex((line) => line !== undefined);
  const shift = (source.columns[oldLine(at[shown]) ?? -1] ?? 0) - (columns[shown] ?? 0);
  return at.some((line, nth) => {
    const text = texts[nth] ?? "";
    const name = line === undefined && memberName(text) !== undefined ? settingOf(text) : undefined;
    const [old, ...more] = name === undefined ? [] : file.setting(name);
    if (old === undefined || more.length > 0 || (old >= start && old < end)) return false;
    const depth = source.columns[old] ?? 0;
    if (depth !== (columns[nth] ?? 0) + shift) return false;
    const between = old < start ? source.columns.slice(old, start) : source.columns.slice(end, old);
    return between.every((column) => column >= depth);
  });
}

/** The lines that a way makes new, from 1; where nothing goes, the line above. */
export function rangeOfWay({ start, end }: Alignment, { source }: AlignedFile): LineRange {
  const lineOf = (solid: number): number => source.numbers[solid] ?? source.all.length;
  return {
    startLine: lineOf(start) + 1,
    endLine: end > start ? lineOf(end - 1) + 1 : lineOf(start),
  };
}

/** Whether the lines have as many open brackets as what they take the place of. */
export function isBalanced(
  segment: SourceLines,
  { start, end }: Alignment,
  { source }: AlignedFile,
): boolean {
  return hasSameBrackets(segment.texts, source.texts.slice(start, end));
}

/**
 * Where the documentation begins and ends that a segment has anew, above the declaration that it begins with or as the
 * docstring at its end: it takes the place of what the file has there, if anything, of which the segment shows all or nothing.
 */
export function docsOf(
  { at }: Alignment,
  segment: SourceLines,
  { source }: AlignedFile,
): { start: number | undefined; end: number | undefined } {
  const { texts } = segment;
  const size = texts.length;
  const isNew = (from: number, to: number, first: number, last: number): boolean => {
    const known = new Set(source.texts.slice(first, last).filter((text) => text.length > 3));
    return !texts.slice(from, to).some((text) => known.has(text));
  };
  const head = texts.findIndex((text) => !isHeadline(text));
  const line = at[head] ?? -1;
  // A comment whose first line says nothing began above.
  const isTail = /^(?:\/\/[/!]?|#+|--+|;+|%+|\*.*)$/.test(texts[0] ?? "");
  const isDeclared =
    head > 0 && !isTail && line >= 0 && declaredName(texts[head] ?? "") !== undefined;
  const above = isDeclared ? headlinesAbove(source, line) : line;
  const sign = commentSign(texts[0]);
  const isAlike = sign !== "" && (above === line || sign === commentSign(source.texts[above]));
  const isAbove = isDeclared && isAlike && !hasAttribute(source.texts.slice(above, line), texts);
  // A comment that is set apart is shown, too, where nothing of the file between is left out.
  const first = at.find((own) => own !== undefined && own >= 0) ?? above;
  const shown = new Set(at);
  const between = Array.from({ length: Math.max(0, above - first) }, (_, nth) => first + nth);
  const isSetApart = between.length > 0 && between.every((own) => shown.has(own));
  const isOwn = at[0] === above || (!isSetApart && isNew(0, head, above, line));
  const start = isAbove && isOwn ? above : undefined;
  const doc = texts.findIndex((_, nth) => nth > 0 && docstringEnd(segment, nth - 1) === size);
  const below = doc > 0 ? (at[doc - 1] ?? -1) : -1;
  const last = below >= 0 ? docstringEnd(source, below) : -1;
  const isBelow = below >= 0 && (at[size - 1] === last - 1 || isNew(doc, size, below + 1, last));
  return { start, end: isBelow ? last : undefined };
}

/** An annotation that the segment does not show: it would go with the comment. */
function hasAttribute(lines: readonly string[], shown: readonly string[]): boolean {
  return lines.some((text) => isHeadline(text) && !isComment(text) && !shown.includes(text));
}

/** A declaration has one documentation: what is new of it leaves nothing of the old one. */
export function withDocs(way: Alignment, segment: SourceLines, file: AlignedFile): Alignment {
  const docs = docsOf(way, segment, file);
  const [start, end] = [docs.start ?? way.start, docs.end ?? way.end];
  if (start === way.start && end === way.end) return way;
  const isInside = (line = -1): boolean => line >= start && line < end;
  const at = way.at.map((line) => (isInside(oldLine(line)) ? line : undefined));
  const shown = at.filter((line) => line !== undefined).length;
  return { ...way, start, end, at, deleted: end - start - shown, inserted: at.length - shown };
}
