import type { AppliedUnit, EditResult, EditUnit, ParsedUnit } from "./edit-unit.ts";
import { findMarker } from "./find-marker.ts";
import { inlinePlaceholders, mayHoldPlaceholder, placeholderOf } from "./placeholder.ts";

/** With more units, one index of the file is cheaper than a search for each. */
const maxUnits = 32;

interface Cut {
  from: number;
  to: number;
  text: string;
  unit: number;
}

/**
 * The common case without an index of the file: every SEARCH is found in it exactly once, byte by byte, and
 * no two touch. Undefined in any other case.
 */
export function applyExact(
  before: string,
  units: readonly (EditUnit | ParsedUnit)[],
): EditResult | undefined {
  if (units.length > maxUnits || before.includes("\r")) return undefined;
  const cuts: Cut[] = [];
  for (const [number, unit] of units.entries()) {
    if (
      unit.everywhere !== undefined ||
      "readings" in unit ||
      "markers" in unit ||
      "openingLine" in unit
    )
      return undefined;
    if (mayElide(unit) || mayMark(unit)) return undefined;
    const { offsets, gaveUp } = findExact(before, unit.search, 2);
    const [from] = offsets;
    if (gaveUp || from === undefined || offsets.length > 1) return undefined;
    cuts.push({ from, to: from + unit.search.length, text: unit.replace, unit: number });
  }
  cuts.sort((a, b) => a.from - b.from);
  if (cuts.some((cut, nth) => nth > 0 && cut.from < (cuts[nth - 1]?.to ?? 0))) return undefined;
  const applied: AppliedUnit[] = [];
  const parts: string[] = [];
  let [line, counted, from] = [1, 0, 0];
  for (const cut of cuts) {
    line += countLineFeeds(before, counted, cut.from);
    counted = cut.from;
    const endLine = line + countLineFeeds(units[cut.unit]?.search ?? "", 0, Infinity) - 1;
    applied[cut.unit] = { level: "exact", startLine: line, endLine };
    parts.push(before.slice(from, cut.from), cut.text);
    from = cut.to;
  }
  parts.push(before.slice(from));
  const text = parts.join("");
  // Where the last line has no line end, it gets none.
  if (from <= before.length) return { ok: true, text, units: applied };
  return { ok: true, text: text.replace(/\n$/, ""), units: applied };
}

function mayElide({ replace }: EditUnit): boolean {
  if (!mayHoldPlaceholder(replace)) return false;
  return replace
    .split("\n")
    .some((line) => placeholderOf(line) !== undefined || inlinePlaceholders(line).length > 0);
}

/** What was read from a diff may hold a rule of it. */
function mayMark(unit: EditUnit | ParsedUnit): boolean {
  return "strict" in unit && findMarker(unit, unit.replace.split("\n"), () => false) !== undefined;
}

function countLineFeeds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
}

/** Where a text of whole lines is in a file, byte by byte. */
interface ExactPlaces {
  /** Offsets, in order, at most `limit`. */
  offsets: number[];
  /** Comparing cost too much: the places have to be found by an index. */
  gaveUp: boolean;
}

/**
 * Finds whole lines (each ended by "\n") in a text; a last line without a line end counts, too. The longest
 * line is looked for with its line ends around it, which keeps the search linear whatever the
 * text: a pattern that begins and ends with a line feed can match at line borders only.
 */
export function findExact(text: string, lines: string, limit: number): ExactPlaces {
  const [from, to] = longestLine(lines);
  const pattern = `\n${lines.slice(from, to)}\n`;
  const offsets: number[] = [];
  const bodyStart = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (isAt(text, lines, bodyStart)) offsets.push(bodyStart);
  let budget = 4 * (text.length + lines.length);
  for (
    let found = text.indexOf(pattern);
    found !== -1 && offsets.length < limit;
    found = text.indexOf(pattern, found + 1)
  ) {
    const offset = found + 1 - from;
    if (offset <= bodyStart || text.charCodeAt(offset - 1) !== 10) continue;
    budget -= lines.length;
    if (budget < 0) return { offsets, gaveUp: true };
    if (text.startsWith(lines, offset)) offsets.push(offset);
  }
  const tail = text.length - lines.length + 1;
  const isTail = tail > bodyStart && text.charCodeAt(tail - 1) === 10 && isAt(text, lines, tail);
  if (isTail && offsets.length < limit) offsets.push(tail);
  return { offsets, gaveUp: false };
}

function isAt(text: string, lines: string, offset: number): boolean {
  if (text.startsWith(lines, offset)) return true;
  return (
    offset + lines.length === text.length + 1 &&
    text.endsWith(lines.slice(0, -1)) &&
    !text.endsWith("\n")
  );
}

function longestLine(lines: string): [number, number] {
  let longest: [number, number] = [0, 0];
  for (let from = 0; from < lines.length;) {
    const to = lines.indexOf("\n", from);
    if (from === 0 || to - from > longest[1] - longest[0]) longest = [from, to];
    from = to + 1;
  }
  return longest;
}
