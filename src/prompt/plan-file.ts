// Chooses what of a file a model needs for a place in it.
import { type LineRange, encloses, overlaps } from "../edit/edit-unit.ts";
import type { CodeAnalysis, CodeSymbol, SymbolKind } from "../code/code-analysis.ts";
import {
  type OwnedSymbol,
  flattenSymbols,
  linesOfDeclaration,
  linesOfHead,
  listSymbols,
} from "../code/symbols.ts";
import { findLinesAround } from "../code/source-text.ts";
import type { TextLines } from "../base/text/lines.ts";
import { estimateTokens } from "../turn/tokens.ts";

/** A longer definition is shown by its head, and by those of its members. */
const maxDefinition = 40;
/** A function around the place is shown as a whole if it is no longer. */
const maxAround = 150;
/** Definitions of what the place uses, of what these use, and of members of other types. */
const [maxUsed, maxTypes, maxMembers] = [40, 20, 20];
/** Of more imports the first are shown. */
const maxImports = 100;
/** Declarations of the outline. */
const maxOutline = 500;
/** Lines above the first import that belong to the file's head: `package main`. */
const maxFileHead = 5;
/** So far down they are looked for. */
const maxLooks = 200;

const callables: ReadonlySet<SymbolKind> = new Set(["function", "method", "constructor"]);
const types: ReadonlySet<SymbolKind> = new Set([
  "class",
  "interface",
  "struct",
  "trait",
  "enum",
  "type",
]);

/**
 * What belongs to a place besides its own lines, the most important first: what it is nested in, imports, the
 * lines beside it, definitions of what it uses, and an outline of the rest. Without a place: imports and outline.
 */
export function planFile(
  analysis: CodeAnalysis,
  place: LineRange | undefined,
): { parts: FilePart[]; names: string[] } {
  const symbols = listSymbols(analysis.symbols);
  const imports = importsOf(analysis);
  const outline = outlineOf(symbols, analysis);
  if (place === undefined) return { parts: [imports, ...outline], names: [] };
  const around = symbols.filter(({ symbol }) => encloses(symbol.range, place));
  const nested = findLinesAround(analysis.source, place.startLine);
  const heads = {
    ranges: [
      ...around.map(({ symbol }) => linesOfHead(symbol, analysis.source)),
      ...nested.map((line) => ({ startLine: line, endLine: line })),
    ],
  };
  const whole = functionsAt(place, analysis);
  const names = namesIn(analysis, [place, ...heads.ranges, ...whole]);
  const { used, members } = definitionsOf(names, symbols, around, analysis, place);
  const parts = [
    heads,
    imports,
    linesBeside(place, 8),
    ...used,
    ...whole.map((range) => ({ ranges: [range] })),
    linesBeside(place, 20),
    linesBeside(place, 40),
    ...members,
    ...outline,
  ];
  return { parts, names };
}

/** Functions that are not longer than is shown, and of which the place holds a part. */
function functionsAt(place: LineRange, { symbols }: CodeAnalysis): LineRange[] {
  return flattenSymbols(symbols)
    .filter(({ kind, range }) => callables.has(kind) && overlaps(range, place))
    .map((symbol) => linesOfDeclaration(symbol))
    .filter(({ startLine, endLine }) => endLine - startLine < maxAround);
}

function namesIn(analysis: CodeAnalysis, ranges: readonly LineRange[]): string[] {
  const names = ranges.flatMap(({ startLine, endLine }) =>
    analysis.identifiersIn({ startLine, startColumn: 1, endLine: endLine + 1, endColumn: 1 }),
  );
  return [...new Set(names)];
}

function importsOf({ imports, isCommented }: CodeAnalysis): FilePart {
  const ranges = imports.slice(0, maxImports).map(({ range }) => range);
  const first = ranges[0]?.startLine ?? 1;
  const head: LineRange[] = [];
  for (let line = 1; line < Math.min(first, maxLooks) && head.length < maxFileHead; line += 1)
    if (!isCommented(line, line)) head.push({ startLine: line, endLine: line });
  return { ranges: [...head, ...ranges] };
}

/** The heads of all declarations that are not local to a function: those at the top first. */
function outlineOf(symbols: readonly OwnedSymbol[], { source }: CodeAnalysis): FilePart[] {
  const shown = symbols.filter(({ symbol }) => symbol.kind !== "property");
  const isTop = ({ owner }: OwnedSymbol): boolean => owner === undefined;
  return [...shown.filter(isTop), ...shown.filter((one) => !isTop(one))]
    .slice(0, maxOutline)
    .map(({ symbol }) => ({ ranges: [linesOfHead(symbol, source)] }));
}

/**
 * Definitions of names, in the order of the names, then the types that these name. Members count where the
 * place is one of the same type; those of other types come apart, with the head of their type.
 */
function definitionsOf(
  names: readonly string[],
  symbols: readonly OwnedSymbol[],
  around: readonly OwnedSymbol[],
  analysis: CodeAnalysis,
  place: LineRange,
): { used: FilePart[]; members: FilePart[] } {
  const own = new Set(
    around.flatMap(({ symbol, owner }) =>
      owner === undefined ? symbol.name : [symbol.name, owner],
    ),
  );
  const owners = new Set(around.flatMap(({ owner }) => owner ?? []));
  const isNear = ({ owner }: OwnedSymbol): boolean => owner === undefined || own.has(owner);
  const isElsewhere = ({ symbol }: OwnedSymbol): boolean =>
    !encloses(place, symbol.range) && !encloses(symbol.range, place);
  const byName = Map.groupBy(symbols.filter(isElsewhere), ({ symbol }) => symbol.name);
  const find = (wanted: Iterable<string>): OwnedSymbol[] =>
    [...wanted].flatMap((name) => byName.get(name) ?? []);
  const all = find(new Set([...names, ...owners]));
  const used = all.filter(isNear).slice(0, maxUsed);
  const further = find(
    namesIn(
      analysis,
      used.flatMap((one) => namingLines(one.symbol, analysis)),
    ),
  )
    .filter((one) => types.has(one.symbol.kind) && !used.includes(one))
    .slice(0, maxTypes);
  const members = all.filter((one) => !isNear(one)).slice(0, maxMembers);
  return {
    used: [...used, ...further].map(({ symbol }) => printedLines(symbol, analysis)),
    members: members.map(({ symbol, holder }) => ({
      ranges: [holder, symbol].flatMap((one) => (one ? [linesOfHead(one, analysis.source)] : [])),
      isDefinition: true,
    })),
  };
}

/** Where a definition may name types that belong to it. */
function namingLines(symbol: CodeSymbol, { source }: CodeAnalysis): LineRange[] {
  const isShort = symbol.range.endLine - symbol.range.startLine < maxDefinition;
  return callables.has(symbol.kind) || !isShort ? [linesOfHead(symbol, source)] : [symbol.range];
}

function printedLines(symbol: CodeSymbol, { source }: CodeAnalysis): FilePart {
  const whole = linesOfDeclaration(symbol);
  if (whole.endLine - whole.startLine < maxDefinition)
    return { ranges: [whole], isDefinition: true };
  const members = callables.has(symbol.kind) ? [] : symbol.children.slice(0, maxDefinition);
  const head = { startLine: whole.startLine, endLine: linesOfHead(symbol, source).endLine };
  const heads = members.map((member) => linesOfHead(member, source));
  return { ranges: [head, ...heads], isDefinition: true };
}

// What a built-in prompt shows of the editor's file.

/** A plan for a file; lines are those of the file, 1-based and inclusive. */
export interface FilePlan {
  /** All of it is shown, unless the prompt is too large for the model then. */
  readonly isWhole: boolean;
  /** What it may cost otherwise, in estimated tokens; the place itself may cost more. */
  readonly maxTokens: number;
  readonly place: LineRange;
  /** What is shown besides, the most important first; asked for where not all is shown. */
  readonly parts: () => readonly FilePart[];
}

/** Lines that are shown together or not at all. */
interface FilePart {
  readonly ranges: readonly LineRange[];
  /** They define something that the place uses. */
  readonly isDefinition?: boolean;
}

function linesBeside({ startLine, endLine }: LineRange, count: number): FilePart {
  return { ranges: [{ startLine: Math.max(1, startLine - count), endLine: endLine + count }] };
}

/** Ever more lines around a place: all that can be said of a text that was not analyzed. */
export function linesAround(place: LineRange): FilePart[] {
  return [2, 4, 8, 16, 32, 64, 128, 256, 512].map((count) => linesBeside(place, count));
}

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
  /** For each line of the text whether it is chosen. */
  const isChosen = new Uint8Array(lines.count);
  /** The part of a range that there is, as lines of the text from 0, the end excluded; [0, 0] if there is none. */
  const clip = ({ startLine, endLine }: LineRange): readonly [start: number, end: number] => {
    const start = Math.max(startLine - first, 0);
    const end = Math.min(endLine - first + 1, lines.count);
    return start < end ? [start, end] : [0, 0];
  };
  /** Of the lines that are not chosen yet. */
  const costOf = (ranges: readonly LineRange[]): number =>
    ranges.reduce((cost, range) => {
      const [start, end] = clip(range);
      const texts = lines.slice(start + 1, end).filter((_, nth) => isChosen[start + nth] === 0);
      return texts.length === 0 ? cost : cost + costOfLines(texts.join("\n"), texts.length);
    }, 0);
  const add = (ranges: readonly LineRange[]): void => {
    for (const range of ranges) isChosen.fill(1, ...clip(range));
  };
  // A client may name lines that it has not sent.
  const [, end] = clip(place);
  const kept = end === 0 ? { startLine: first, endLine: first } : place;
  const placeCost = costOf([kept]);
  add([kept]);
  let left = Math.max(maxTokens - placeCost, maxTokens * leastShare);
  let definitions = 0;
  for (const { ranges, isDefinition = false } of parts()) {
    const cost = costOf(ranges);
    if (cost > left) continue;
    left -= cost;
    add(ranges);
    if (isDefinition) definitions += 1;
  }
  const ranges = joinRanges(isChosen, first);
  const shown = ranges.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);
  return { ranges, shown, count: lines.count, definitions };
}

/** The chosen lines, with those between two ranges that are cheaper to show than to leave out. */
function joinRanges(isChosen: Uint8Array, first: number): LineRange[] {
  const ranges: { startLine: number; endLine: number }[] = [];
  for (let at = isChosen.indexOf(1); at !== -1; at = isChosen.indexOf(1, at)) {
    const gap = isChosen.indexOf(0, at);
    const end = gap === -1 ? isChosen.length : gap;
    const startLine = first + at;
    const endLine = first + end - 1;
    const last = ranges.at(-1);
    const before = last?.endLine ?? first - 1;
    if (startLine - before - 1 > maxFilled) ranges.push({ startLine, endLine });
    else if (last === undefined) ranges.push({ startLine: first, endLine });
    else last.endLine = endLine;
    at = end;
  }
  const last = ranges.at(-1);
  const end = first + isChosen.length - 1;
  if (last !== undefined && end - last.endLine <= maxFilled) last.endLine = end;
  return ranges;
}
