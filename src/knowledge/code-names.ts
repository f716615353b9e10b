import type { CodeSymbol } from "../code/code-analysis.ts";
import { maxSymbolDepth, linesOfSymbol } from "./code-blocks.ts";
import { type LineRange, isBlank } from "./cut-ranges.ts";
import { columnsOf } from "../base/text/lines.ts";

export interface Name {
  line: number;
  /** Before which line it ends, where that is known. */
  end?: number;
  /** How deep it stands: smaller is further out. */
  indent: number;
  name: string;
  /** The names of what it stands in, from the outermost. */
  around: readonly string[];
}

/** Names in the title of a passage. */
const maxNames = 6;
/** Characters of a line that are looked at. */
const maxLine = 300;

const modifiers =
  "export|default|declare|public|private|protected|internal|static|abstract|final|async|pub(?:\\([^)]*\\))?|unsafe|sealed|partial|override|readonly|open|data|inline|virtual|extern|local|suspend|create";
const kinds =
  "function|func|fun|fn|def|class|interface|struct|trait|impl|enum|record|type|union|module|namespace|object|protocol|extension|message|service|table|view";
const values = "const|let|var|val";
const named = (words: string): RegExp =>
  // oxlint-disable-next-line patterns/no-built-pattern -- of the words above only.
  new RegExp(
    String.raw`^\s*(?:(?:${modifiers})\s+)*(?:${words})\*?\s+(?:\([^()]*\)\s*)?(?<name>[\p{L}_$][\p{L}\p{N}_$]*)`,
    "iu",
  );
const declaration = named(kinds);
const value = named(values);
/** `add(item: Item): void {`, `public Cart load(String id) {` */
const method =
  /^\s*(?:[\p{L}\p{N}_$<>[\],.*&?]+\s+)*(?<name>[\p{L}_$#~][\p{L}\p{N}_$]*)\s*\([^;]*\)[^();]*\{$/u;
/** Words that stand where a name would. */
const notNames: ReadonlySet<string> = new Set(
  "extends if for while switch catch return function match with foreach using lock do new await throw yield super synchronized".split(
    " ",
  ),
);

/** What a file of code declares, as far as single lines and their indentation tell. */
export function namesIn(lines: readonly string[]): Name[] {
  const names: Name[] = [];
  const open: { indent: number; name: string }[] = [];
  for (const [line, text] of lines.entries()) {
    if (isBlank(text)) continue;
    const indent = columnsOf(text);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const name = declaredName(text.slice(0, maxLine), indent);
    if (name === undefined) continue;
    names.push({ line, indent, name, around: open.map((outer) => outer.name) });
    open.push({ indent, name });
  }
  return names;
}

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
export function headingOf(
  { start, end }: LineRange,
  lines: readonly string[],
  names: readonly Name[],
): string | undefined {
  const own = names.filter(({ line }) => line >= start && line < end);
  const indent = Math.min(...own.map((name) => name.indent));
  const first = own.find((name) => name.indent === indent);
  if (first === undefined) return insideOf(start, lines, names);
  const listed = own.filter((name) => name.indent === indent);
  const path = first.around.join(".");
  const isShared = listed.every(({ around }) => around.join(".") === path);
  const labels = listed.map(({ around, name }) => (isShared ? name : [...around, name].join(".")));
  const list = [...new Set(labels)].slice(0, maxNames).join(", ");
  return [...(isShared ? first.around : []), list].join(" > ");
}

/** Lines of a long function that declare nothing are still part of it. */
function insideOf(
  start: number,
  lines: readonly string[],
  names: readonly Name[],
): string | undefined {
  const indent = columnsOf(lines[start] ?? "");
  const above = names.findLast(
    (name) =>
      name.line < start && (name.end === undefined ? name.indent < indent : name.end > start),
  );
  return above && [...above.around, above.name].join(" > ");
}

function declaredName(line: string, indent: number): string | undefined {
  const match =
    declaration.exec(line) ??
    (indent === 0 ? value.exec(line) : null) ??
    method.exec(line.trimEnd());
  const name = match?.groups?.["name"];
  return name === undefined || notNames.has(name) ? undefined : name;
}
