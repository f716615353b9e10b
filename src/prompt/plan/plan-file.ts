// Chooses what of a file a model needs for a place in it.
import { type LineRange, encloses, overlaps } from "../../edit/edit-unit.ts";
import type { CodeAnalysis, CodeSymbol, SymbolKind } from "../../code/code-analysis.ts";
import {
  type OwnedSymbol,
  flattenSymbols,
  linesOfDeclaration,
  linesOfHead,
  listSymbols,
} from "../../code/symbols.ts";
import { findLinesAround } from "../../code/source-text.ts";
import { type FilePart, linesBeside } from "./file-plan.ts";

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

/** The imports, and what is above the first of them. */
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
