import type { CodeAnalysis, CodeImport, CodeRange, CodeSymbol } from "./code-analysis.ts";
import {
  declaredName,
  isCloser,
  isComment,
  isEven,
  linesInStrings,
} from "../edit/align/source-lines.ts";
import { type LineRange, encloses } from "../edit/edit-unit.ts";
import { findTextChanges } from "../edit/unified-diff.ts";
import { columnsOf, isSolid, linesOf } from "../base/text/lines.ts";
import { languages } from "./languages.ts";
import type { SourceText } from "./source-text.ts";

/** A symbol and where it is among others. */
interface PlacedSymbol {
  symbol: CodeSymbol;
  /** The one right around it. */
  holder: CodeSymbol | undefined;
  /** How many are around it. */
  level: number;
}

/**
 * Lists symbols, each before those inside of it. It may be as deep as it likes.
 *
 * @param isOpen whether a symbol is looked into
 */
export function* walkSymbols(
  symbols: readonly CodeSymbol[],
  isOpen: (symbol: CodeSymbol) => boolean = () => true,
): Generator<PlacedSymbol, void, void> {
  const left = symbols.map((symbol): PlacedSymbol => ({ symbol, holder: undefined, level: 0 }));
  left.reverse();
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    yield next;
    const { symbol: holder, level } = next;
    if (!isOpen(holder)) continue;
    for (const symbol of holder.children.toReversed())
      left.push({ symbol, holder, level: level + 1 });
  }
}

/** All symbols, each before its children. */
export function flattenSymbols(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return Array.from(walkSymbols(symbols), ({ symbol }) => symbol);
}

export function isCallable({ kind }: CodeSymbol): boolean {
  return kind === "function" || kind === "method" || kind === "constructor";
}

/** What is inside of others than functions can be reached from outside. */
export function isOpenToOthers(symbol: CodeSymbol): boolean {
  return !isCallable(symbol);
}

/**
 * The innermost function or method around a 1-based line, its doc comment included; if there is
 * none, the innermost symbol.
 */
export function symbolAt(
  { symbols }: Pick<CodeAnalysis, "symbols">,
  line: number,
): CodeSymbol | undefined {
  const place = { startLine: line, endLine: line };
  const around = flattenSymbols(symbols).filter((one) => encloses(linesOfDeclaration(one), place));
  return around.findLast(isCallable) ?? around.at(-1);
}

/**
 * The symbols of the given files that have one of the names, in the order of the names, then of the
 * files. What is local to a function defines nothing for others.
 */
export function findDefinitions<File extends { analysis: Pick<CodeAnalysis, "symbols"> }>(
  names: readonly string[],
  files: readonly File[],
): { file: File; symbol: CodeSymbol }[] {
  const wanted = new Set(names);
  const found = files.flatMap((file) =>
    Array.from(walkSymbols(file.analysis.symbols, isOpenToOthers), ({ symbol }) => symbol)
      .filter(({ name }) => wanted.has(name))
      .map((symbol) => ({ file, symbol })),
  );
  const byName = Map.groupBy(found, ({ symbol }) => symbol.name);
  return [...wanted].flatMap((name) => byName.get(name) ?? []);
}

/** A symbol that is not local to a function. */
export interface OwnedSymbol {
  symbol: CodeSymbol;
  /** The name of the type that it is a member of, also where it is written apart from it. */
  owner: string | undefined;
  /** That type, where it is written around it. */
  holder: CodeSymbol | undefined;
}

/** All symbols but those that are local to functions, each before its members. */
export function listSymbols(symbols: readonly CodeSymbol[]): OwnedSymbol[] {
  return Array.from(walkSymbols(symbols, isOpenToOthers), ({ symbol, holder: around }) => {
    // What a module or a constant holds belongs to nobody.
    const isType = around?.kind !== "module" && around?.kind !== "variable";
    const holder = isType ? around : undefined;
    const apart = symbol.kind === "method" || symbol.kind === "constructor";
    const container = apart ? symbol.container?.split(".").at(-1) : undefined;
    return { symbol, owner: holder?.name ?? container, holder };
  });
}

/** Of a longer head the beginning. */
const maxHead = 12;
/** What has no body and is no longer counts as a head as a whole. */
const shortLines = 3;

/** The declaration with the comment that documents it. */
export function linesOfDeclaration({ range, docComment }: CodeSymbol): LineRange {
  const { startLine, endLine } = range;
  return { startLine: Math.min(startLine, docComment?.startLine ?? startLine), endLine };
}

/** The lines that name a declaration, with decorators, up to where its body begins. */
export function linesOfHead(symbol: CodeSymbol, source: SourceText): LineRange {
  const { startLine, endLine } = symbol.range;
  const last = Math.min(lastOfHead(symbol, source), startLine + maxHead - 1, endLine);
  return { startLine, endLine: Math.max(last, startLine) };
}

function lastOfHead({ range, nameRange, body }: CodeSymbol, source: SourceText): number {
  if (body === undefined) {
    const isShort = range.endLine - range.startLine < shortLines;
    return isShort ? range.endLine : nameRange.endLine;
  }
  const before = source.line(body.startLine).slice(0, body.startColumn - 1);
  const isBesideHead = before.trim() !== "";
  return Math.max(nameRange.endLine, body.startLine - (isBesideHead ? 0 : 1));
}

/** A name and the place of its first letter, both from 0. */
export interface FoundName {
  name: string;
  line: number;
  character: number;
}

/** The first use of each name in a range, in the order of the text. */
export function listUses({ source, usesIn }: CodeAnalysis, range: CodeRange): FoundName[] {
  return usesIn(range).map(({ name, start }) => {
    const { startLine, startColumn } = source.rangeOf(start, start);
    return { name, line: startLine - 1, character: startColumn - 1 };
  });
}

/** The names that an import binds, each once, by the rules of its language. */
export function namesBoundBy(
  { range, source }: CodeImport,
  { placesIn, language, source: { text } }: CodeAnalysis,
): string[] {
  const binds = languages.find((rules) => rules.language === language)?.binds ?? "last";
  const behind = {
    last: /(?![ \t]*(?:[.:\\("']|as\b|import\b))/y,
    alias: /[ \t]*=/y,
    path: /(?:)/y,
  }[binds];
  const bound = new Set<string>();
  for (const { name, start } of placesIn(range)) {
    behind.lastIndex = start + name.length;
    if (behind.test(text)) bound.add(name);
  }
  return binds === "path" && bound.size === 0 ? source.split("/").slice(-1) : [...bound];
}

/** What a change breaks, or takes away with nothing in its place, in words for a model; undefined if nothing shows it. */
export function findDamage(
  was: CodeAnalysis,
  is: CodeAnalysis,
  isWhole: boolean,
): string | undefined {
  if (is.problems.length > was.problems.length) {
    const line = is.problems[0]?.range.startLine;
    return `with it in place the file would have a syntax error at line ${line}`;
  }
  // Where no grammar tells, braces that were even are to be so.
  const isUneven = ({ source }: CodeAnalysis): boolean =>
    source.text.split("{").length !== source.text.split("}").length;
  if (is.language === undefined && !isUneven(was) && isUneven(is))
    return "with it in place the file would have a brace without its other one";
  if (was.problems.length > 0 || isWhole) return undefined;
  const idle = neverRun(was, is);
  if (idle !== undefined)
    return `with it in place line ${idle} would never run, because the line above it leaves the function`;
  const names = new Set(flattenSymbols(is.symbols).map(({ name }) => name));
  const words = new Set(is.source.text.match(/[\p{L}\p{N}_$]+/gu));
  // `x += 1` declares no x, as `x = x + 1` may.
  const gone = flattenSymbols(was.symbols).filter(
    ({ name, kind }) => !names.has(name) && (kind !== "variable" || !words.has(name)),
  );
  const changes = gone.length === 0 ? [] : findTextChanges(was.source.text, is.source.text);
  const lost = gone.find(({ range: { startLine: line } }) => {
    const change = changes.find(({ startLine, endLine }) => startLine <= line && line <= endLine);
    return !linesOf(change?.text ?? "").some((each) => isSolid(each) && !isComment(each.trim()));
  });
  return lost && `with it in place the file would lose ${lost.name}`;
}

/** A new line right behind a statement that leaves the function, and as deep: its number, 1-based. */
function neverRun(was: CodeAnalysis, is: CodeAnalysis): number | undefined {
  if (is.language === undefined) return undefined;
  const known = new Set(linesOf(was.source.text));
  const lines = linesOf(is.source.text);
  const inside = linesInStrings(lines);
  const at = lines.findIndex((line, nth) => {
    const [text, above = ""] = [line.trim(), lines[nth - 1]];
    const isNew =
      isSolid(line) && !known.has(line) && !inside.has(nth) && columnsOf(line) === columnsOf(above);
    // Behind a condition it is left only sometimes.
    const isLeft =
      isNew &&
      /^(?:return|throw|raise)\b(?!.* (?:if|unless) ).*[\w)\]}"';]$/.test(above.trim()) &&
      isEven([above]);
    const goesOn =
      /^(?:case|default|when|else|elif|elsif|except|catch|finally|rescue|ensure|[.?:&|+*/<>=-])/;
    return (
      isLeft &&
      !goesOn.test(text) &&
      !isCloser(text) &&
      !isComment(text) &&
      declaredName(text) === undefined
    );
  });
  return at === -1 ? undefined : at + 1;
}

/**
 * The names of the parameters that the head of a function shows, in their order; patterns, and the object that a method
 * belongs to, are none.
 */
export function listParameters(symbol: CodeSymbol, language: CodeAnalysis["language"]): string[] {
  if (!isCallable(symbol)) return [];
  const { name, signature } = symbol;
  const behind = signature.indexOf(`${name}(`);
  const start = signature.indexOf("(", behind === -1 ? signature.indexOf(name) : behind) + 1;
  if (start === 0) return [];
  const parts = [""];
  let depth = 0;
  for (const sign of signature.slice(start).replaceAll(/[-=]>|"[^"]*"|`[^`]*`|'[^',()]*'/g, "")) {
    if (")]}>".includes(sign)) depth -= 1;
    if (depth < 0) break;
    if (sign === "," && depth === 0) parts.push("");
    else if (depth === 0) parts.push((parts.pop() ?? "") + sign);
    if ("([{<".includes(sign)) depth += 1;
  }
  return parts.flatMap((part) => {
    const [declared = ""] = part.split(/=(?![=>])|(?<!:):(?!:)/, 1);
    const names = declared.match(/[$@]?[\p{L}_][\p{L}\w$]*/gu) ?? [];
    const isFirst = language === "go";
    const found = (isFirst ? names[0] : names.at(-1)) ?? "";
    const isPattern = /[{(]/.test(declared) && !isFirst;
    return /^(?:|self|cls|this|void)$/.test(found) || isPattern ? [] : [found];
  });
}
