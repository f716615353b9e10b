import type { CodeAnalysis, CodeImport } from "../../../code/code-analysis.ts";
import { indentOf } from "../../../base/text/lines.ts";

/** Lines [start, end) of the file (0-based) that become others. */
export interface LineChange {
  start: number;
  end: number;
  lines: string[];
}

const maxImports = 100;

interface Source {
  analysis: Pick<CodeAnalysis, "imports" | "language" | "symbols">;
  lines: readonly string[];
}

/**
 * The imports of an answer that the file does not have, below those that it has.
 *
 * @returns undefined if it cannot be told where they belong, or what they mean beside those of the file
 */
export function mergeImports(answer: Source, file: Source): LineChange[] | undefined {
  if (answer.analysis.imports.length > maxImports) return undefined;
  const changes: LineChange[] = [];
  const added: string[] = [];
  const last = file.analysis.imports.at(-1);
  for (const one of answer.analysis.imports) {
    const known = file.analysis.imports.filter(({ source }) => source === one.source);
    const text = textOf(one, answer);
    if (known.some((other) => isCovered(one, other, text, textOf(other, file)))) continue;
    const wider = known.find((other) => other.names.length > 0 && isWithin(other.names, one.names));
    if (wider !== undefined) {
      changes.push({ start: wider.range.startLine - 1, end: wider.range.endLine, lines: text });
      continue;
    }
    const { imports, symbols } = file.analysis;
    const bound = new Set([
      ...imports.flatMap(({ names }) => names),
      ...symbols.map(({ name }) => name),
    ]);
    if (one.names.some((name) => bound.has(name))) return undefined;
    added.push(...inPlace(text, last, file));
  }
  if (added.length === 0) return changes;
  if (last === undefined) {
    const gap = file.analysis.language === "python" ? ["", ""] : [""];
    const change = { start: 0, end: 0, lines: [...added, ...gap] };
    return startsWithCode(file) ? [...changes, change] : undefined;
  }
  const { endLine } = last.range;
  return [...changes, { start: endLine, end: endLine, lines: added }];
}

/** The first line is one of a declaration: no header, package or directive comes before the imports. */
function startsWithCode({ analysis: { symbols, language }, lines }: Source): boolean {
  const mayStandFirst = /^(?:python|javascript|typescript|tsx|rust)$/.test(language ?? "");
  const [first] = symbols;
  return (
    mayStandFirst &&
    first?.range.startLine === 1 &&
    first.docComment === undefined &&
    lines[0] !== ""
  );
}

function isCovered(
  one: CodeImport,
  other: CodeImport,
  text: readonly string[],
  otherText: readonly string[],
): boolean {
  if (text.join("").replaceAll(/\s/g, "") === otherText.join("").replaceAll(/\s/g, "")) return true;
  return one.names.length > 0 && isWithin(one.names, other.names);
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.every((name) => all.includes(name));
}

function textOf({ range }: CodeImport, { lines }: Source): string[] {
  return lines.slice(range.startLine - 1, range.endLine);
}

/** In a block of imports (Go) the lines of the block are written. */
function inPlace(text: readonly string[], last: CodeImport | undefined, file: Source): string[] {
  const [line = ""] = last === undefined ? [] : textOf(last, file);
  const isBlock = indentOf(line) !== "";
  return text.map((one) => {
    const bare = one.trim().replace(/^import\s+(?=["'])/, "");
    if (isBlock) return indentOf(line) + bare;
    return /^["'`]/.test(one.trim()) ? `import ${one.trim()}` : one;
  });
}
