import type { LineRange } from "../../edit/edit-unit.ts";
import type { TextLines } from "../../turn/context/text-lines.ts";
import { estimateTokens } from "../../turn/context/tokens.ts";
import type { FilePlan } from "./file-plan.ts";

/** What a prompt shows of a file. */
export interface Excerpt {
  /** In order, apart from each other. */
  readonly ranges: readonly LineRange[];
  /** Lines that are shown, and lines that came of the file. */
  readonly shown: number;
  readonly count: number;
  /** Definitions of what the place uses, as far as they are shown. */
  readonly definitions: number;
}

/** What a line costs beside its text: the gutter. */
const gutterTokens = 2.5;
/** A note of what was left out costs more than so many lines. */
const maxFilled = 2;
/** However long the place is, this share of the limit is for the rest. */
const leastShare = 1 / 4;

/** What lines cost in a prompt, in estimated tokens. */
export function costOfLines(text: string, count: number): number {
  return estimateTokens(text) + count * gutterTokens;
}

/**
 * The place and what fits of the other parts, which are tried in their order.
 *
 * @param maxTokens instead of the plan's own limit
 * @param first the line of the file on which `lines` start
 */
export function chooseLines(
  { place, parts }: FilePlan,
  maxTokens: number,
  lines: TextLines,
  first: number,
): Excerpt {
  const chosen = new ChosenLines(lines, first);
  // A client may name lines that it has not sent.
  const kept = chosen.clip(place) === undefined ? { startLine: first, endLine: first } : place;
  const placeCost = chosen.costOf([kept]);
  chosen.add([kept]);
  let left = Math.max(maxTokens - placeCost, maxTokens * leastShare);
  let definitions = 0;
  for (const { ranges, isDefinition = false } of parts()) {
    const cost = chosen.costOf(ranges);
    if (cost > left) continue;
    left -= cost;
    chosen.add(ranges);
    if (isDefinition) definitions += 1;
  }
  const ranges = chosen.ranges();
  const shown = ranges.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);
  return { ranges, shown, count: lines.count, definitions };
}

class ChosenLines {
  readonly #lines: TextLines;
  readonly #first: number;
  /** For each line of the text whether it is chosen. */
  readonly #isChosen: Uint8Array;

  constructor(lines: TextLines, first: number) {
    this.#lines = lines;
    this.#first = first;
    this.#isChosen = new Uint8Array(lines.count);
  }

  /** The part of a range that there is, as lines of the text from 0, the end excluded. */
  clip({ startLine, endLine }: LineRange): readonly [start: number, end: number] | undefined {
    const start = Math.max(startLine - this.#first, 0);
    const end = Math.min(endLine - this.#first + 1, this.#lines.count);
    return start < end ? [start, end] : undefined;
  }

  /** Of the lines that are not chosen yet. */
  costOf(ranges: readonly LineRange[]): number {
    let cost = 0;
    for (const range of ranges) {
      const [start, end] = this.clip(range) ?? [0, 0];
      if (start === end) continue;
      const texts = this.#lines
        .slice(start + 1, end)
        .filter((_, index) => this.#isChosen[start + index] === 0);
      if (texts.length > 0) cost += costOfLines(texts.join("\n"), texts.length);
    }
    return cost;
  }

  add(ranges: readonly LineRange[]): void {
    for (const range of ranges) {
      const [start, end] = this.clip(range) ?? [0, 0];
      this.#isChosen.fill(1, start, end);
    }
  }

  /** With the lines between two that are cheaper to show than to leave out. */
  ranges(): LineRange[] {
    const ranges: { startLine: number; endLine: number }[] = [];
    for (let at = this.#isChosen.indexOf(1); at !== -1; at = this.#isChosen.indexOf(1, at)) {
      const gap = this.#isChosen.indexOf(0, at);
      const end = gap === -1 ? this.#isChosen.length : gap;
      const startLine = this.#first + at;
      const endLine = this.#first + end - 1;
      const last = ranges.at(-1);
      const before = last?.endLine ?? this.#first - 1;
      if (startLine - before - 1 > maxFilled) ranges.push({ startLine, endLine });
      else if (last === undefined) ranges.push({ startLine: this.#first, endLine });
      else last.endLine = endLine;
      at = end;
    }
    const last = ranges.at(-1);
    const end = this.#first + this.#isChosen.length - 1;
    if (last !== undefined && end - last.endLine <= maxFilled) last.endLine = end;
    return ranges;
  }
}
