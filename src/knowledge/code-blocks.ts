import type { CodeSymbol } from "../code/code-analysis.ts";
import { type Borders, type LineSpan, anyBorder, blankBorder } from "./cut-ranges.ts";
import { columnsOf, isSolid } from "../base/text/lines.ts";
import { linesOfDeclaration } from "../code/symbols.ts";

/** In columns: what stands further right is cut like what is here. */
const maxIndent = 40;
/** Of the lines that begin something, the leftmost are the best to cut above: one less for each blank. */
const topBorder = maxIndent + blankBorder + 1;

/** What goes on with the lines above although it stands as far left. */
const continues =
  /^(?:[\])}>{.?:|&+=,]|(?:end|else|elif|elsif|except|finally|catch|then|fi|done|esac)\b|\*\/|"""|''')/;
/** What belongs to the lines below: comments, decorators, attributes. */
const leads = /^(?:\*|\/\/|\/\*|#|--|@|\[)/;

/**
 * Where code of any language may be cut, judged by blank lines and indentation: best above
 * top-level declarations with their comments, then above their members, then below blank lines.
 */
export function codeBorders(lines: readonly string[]): Borders {
  let above = "";
  let isAfterBlank = false;
  return lines.map((line) => {
    if (!isSolid(line)) {
      isAfterBlank = true;
      return anyBorder;
    }
    const begins = !continues.test(line.trim()) && (isAfterBlank || endsAbove(above, line));
    above = line;
    isAfterBlank = false;
    return begins ? Math.max(topBorder - columnsOf(line), blankBorder) : anyBorder;
  });
}

/** Symbols within symbols: those that are nested deeper are code like any other; nobody knows how deep code nests. */
const maxSymbolDepth = 8;

/**
 * The same where the symbols of the code are known: best above and below top-level symbols, then their
 * members; inside of functions as in code of any language.
 */
export function symbolBorders(lines: readonly string[], symbols: readonly CodeSymbol[]): Borders {
  const borders = [...codeBorders(lines)];
  const raise = (at: number, border: number): void => {
    if (at < lines.length) borders[at] = Math.max(borders[at] ?? 0, border);
  };
  const visit = (members: readonly CodeSymbol[], depth: number, above: number): void => {
    if (depth > maxSymbolDepth) return;
    const border = topBorder + 1 + maxSymbolDepth - depth;
    let last = above;
    for (const member of members) {
      const { start, end } = linesOfSymbol(member);
      raise(startWithLeads(lines, start, last), border);
      const next = nextSolid(lines, end);
      // A brace below the last member belongs to what is around it.
      if (!continues.test((lines[next] ?? "").trim())) raise(next, border);
      visit(member.children, depth + 1, start + 1);
      last = end;
    }
  };
  visit(symbols, 0, 0);
  return borders;
}

/** The lines of a symbol with its doc comment, by index. */
function linesOfSymbol(symbol: CodeSymbol): LineSpan {
  const { startLine, endLine } = linesOfDeclaration(symbol);
  return { start: startLine - 1, end: endLine };
}

function nextSolid(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && !isSolid(lines[at] ?? "")) at++;
  return at;
}

/** With what belongs to a symbol without being part of it: comments above it, the head of a block around it. */
function startWithLeads(lines: readonly string[], start: number, above: number): number {
  let at = start;
  for (; at > above; at--) {
    const [line = "", next = ""] = [lines[at - 1], lines[at]];
    const isHead = isSolid(line) && columnsOf(line) < columnsOf(next);
    if (!isHead && !leads.test(line.trim())) break;
  }
  return at;
}

function endsAbove(above: string, line: string): boolean {
  const code = above.trim();
  const [outer, inner] = [columnsOf(line), columnsOf(above)];
  return !leads.test(code) && (inner > outer || (inner === outer && continues.test(code)));
}

interface Name {
  line: number;
  /** Before which line it ends. */
  end: number;
  /** How deep it stands: smaller is further out. */
  indent: number;
  name: string;
  /** The names of what it is in, from the outermost. */
  around: readonly string[];
}

/** Names in the title of a passage. */
const maxNames = 6;

/** What a file of code declares, by its symbols; fields and local values are not worth a name. */
export function namesOf(symbols: readonly CodeSymbol[], depth = 0): Name[] {
  if (depth > maxSymbolDepth) return [];
  return symbols.flatMap((symbol) => {
    const { name, kind, container, children } = symbol;
    const isNamed = container === undefined || !/^(?:variable|property)$/.test(kind);
    const around = container === undefined ? [] : container.split(".");
    const { start: line, end } = linesOfSymbol(symbol);
    return [
      ...(isNamed ? [{ line, end, indent: depth, name, around }] : []),
      ...namesOf(children, depth + 1),
    ];
  });
}

/** `Cart > add, remove` for lines that declare two methods; undefined for lines that declare nothing. */
export function headingOf({ start, end }: LineSpan, names: readonly Name[]): string | undefined {
  const own = names.filter(({ line }) => line >= start && line < end);
  const indent = Math.min(...own.map((name) => name.indent));
  const first = own.find((name) => name.indent === indent);
  if (first === undefined) return insideOf(start, names);
  const listed = own.filter((name) => name.indent === indent);
  const path = first.around.join(".");
  const isShared = listed.every(({ around }) => around.join(".") === path);
  const labels = listed.map(({ around, name }) => (isShared ? name : [...around, name].join(".")));
  const list = [...new Set(labels)].slice(0, maxNames).join(", ");
  return [...(isShared ? first.around : []), list].join(" > ");
}

/** Lines of a long function that declare nothing are still part of it. */
function insideOf(start: number, names: readonly Name[]): string | undefined {
  const above = names.findLast(({ line, end }) => line < start && end > start);
  return above && [...above.around, above.name].join(" > ");
}
