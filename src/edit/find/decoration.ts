// Habits of models that are around or inside the quoted lines: code fences, line numbers, HTML entities.
import { decodeEntities } from "../read/dress/tags.ts";
import { isSolid, solidPart } from "../../base/text/lines.ts";
import { isCodeFence } from "../../base/text/fence.ts";

export interface Lines {
  search: readonly string[];
  replace: readonly string[];
}

export interface Undecorated {
  lines: Lines;
  /** They were written as HTML. */
  hasEntities?: true;
  /** The number that each line of SEARCH bore. */
  numbers?: readonly (number | undefined)[];
}

/** The unit without each habit that SEARCH shows. */
export function undecorate(unit: Lines): Undecorated[] {
  const unfenced = insideFence(unit.search);
  const replace = insideFence(unit.replace) ?? unit.replace;
  const decoded = decodeUnit(unit);
  const hasEntity = decoded.search.some((line, at) => line !== unit.search[at]);
  const found: (Undecorated | undefined)[] = [
    unfenced && { lines: { search: unfenced, replace } },
    withoutNumbers(unit),
    hasEntity ? { lines: decoded, hasEntities: true } : undefined,
  ];
  return found.filter((one) => one !== undefined);
}

export function decodeUnit({ search, replace }: Lines): Lines {
  return { search: search.map(decodeEntities), replace: replace.map(decodeEntities) };
}

function insideFence(lines: readonly string[]): readonly string[] | undefined {
  const [first, ...others] = solidPart(lines);
  const isFenced = isCodeFence(first ?? "") && isCodeFence(others.at(-1) ?? "");
  return isFenced ? others.slice(0, -1) : undefined;
}

// Line numbers that models copy from a listing: "12 | ", "> 12 | " for the marked line, "12: ", "12\t".

const numbered = /^[ \t]*(?:>[ \t]*)?(\d+)(?:([ \t]*[|│]) ?|([ \t]*→)|(:)(?:[ \t]|$)|(\t)| {2})/;

interface Numbered {
  number: number;
  /** What is between the number and the text: a bar, "" for a tab, or a colon, which code has as well. */
  sign: string;
  text: string;
}

/**
 * Takes line numbers off, if every line of SEARCH bears one, and they rise. Of REPLACE they are taken off
 * lines that bear them in the same form and order; undefined if it is not clear which lines do.
 */
export function withoutNumbers({ search, replace }: Lines): Undecorated | undefined {
  const quoted = search.map(readNumber);
  const solid = quoted.flatMap((line, at) => (line && isSolid(search[at] ?? "") ? line : []));
  const [first] = solid;
  const isAll = solid.length === search.filter(isSolid).length;
  if (first === undefined || !isAll || !doRise(solid, 1)) return undefined;
  if (solid.some(({ sign }) => sign !== first.sign)) return undefined;
  const written = unnumberReplace(search, replace, solid);
  if (written === undefined) return undefined;
  return {
    lines: { search: search.map((line, at) => quoted[at]?.text ?? line), replace: written },
    numbers: quoted.map((line) => (line?.sign === ":" ? line.number : undefined)),
  };
}

/** The lines of a listing without their numbers, and the first of these; undefined where not all rise by one. */
export function readListing(
  lines: readonly string[],
): { texts: string[]; from: number } | undefined {
  const read = lines.map(readNumber);
  const from = read[0]?.number;
  const isRow = read.every(
    (one, nth) => one?.sign === read[0]?.sign && one?.number === (from ?? 0) + nth,
  );
  return from === undefined || !isRow
    ? undefined
    : { texts: read.map((one) => one?.text ?? ""), from };
}

function unnumberReplace(
  search: readonly string[],
  replace: readonly string[],
  quoted: readonly Numbered[],
): readonly string[] | undefined {
  const [from, to] = [quoted[0]?.number ?? 0, (quoted.at(-1)?.number ?? 0) + replace.length];
  const alike = replace.map((line) => {
    const read = readNumber(line);
    return read?.sign === quoted[0]?.sign ? read : undefined;
  });
  const bearing = alike.filter((line) => line !== undefined);
  const isNear = ({ number }: Numbered) => number >= from && number <= to;
  const known = new Set(search.filter(isSolid).map((line) => line.trim()));
  // New lines may come without a number between lines that are kept with theirs.
  const isPart = replace.some((line, at) => alike[at] !== undefined && known.has(line.trim()));
  const isAll = replace.every((line, at) => !isSolid(line) || alike[at] !== undefined);
  const texts = new Set(quoted.map(({ text }) => text.trim()));
  const isPlain = replace.some((line) => isSolid(line) && texts.has(line.trim()));
  if (isPlain || !bearing.some(isNear) || !(isAll || isPart)) return replace;
  if (!bearing.every(isNear) || !doRise(bearing, 0)) return undefined;
  return replace.map((line, at) => alike[at]?.text ?? line);
}

function readNumber(line: string): Numbered | undefined {
  const [whole, digits, bar, arrow, colon, tab] = numbered.exec(line) ?? [];
  if (whole === undefined) return undefined;
  const sign = (bar ?? arrow ?? colon ?? tab ?? "").trim();
  return { number: Number(digits), sign, text: line.slice(whole.length) };
}

function doRise(lines: readonly Numbered[], least: number): boolean {
  return lines.every(({ number }, nth) => number - (lines[nth - 1]?.number ?? -Infinity) >= least);
}

/**
 * Whether lines were found where their numbers say, or all of them as much further up or down. One line
 * alone may begin with a number of its own, and has to be on the very line.
 */
export function areNumbersOf(
  numbers: readonly (number | undefined)[],
  at: readonly number[],
): boolean {
  const offsets = numbers.flatMap((number, nth) => {
    const line = at[nth] ?? -1;
    return number === undefined || line === -1 ? [] : [number - line - 1];
  });
  if (offsets.length === 1) return offsets[0] === 0;
  return offsets.every((offset) => offset === offsets[0]);
}
