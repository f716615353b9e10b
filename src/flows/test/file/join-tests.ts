import type { CodeAnalysis, CodeParser } from "../../../code/code-analysis.ts";

export interface JoinOptions {
  code: CodeParser;
  language: string;
  path: string;
  signal: AbortSignal;
}

/**
 * One file of several blocks, the imports that come again left out. Undefined where they may be no parts of
 * one file: no grammar reads it, it has a syntax error, or declares a name twice.
 */
export async function joinTests(
  texts: readonly string[],
  { code, language, path, signal }: JoinOptions,
): Promise<string | undefined> {
  const read = (text: string): Promise<CodeAnalysis> =>
    code.analyze(text, language, path, { signal });
  const gap = /\bpython\b/.test(language) ? "\n\n\n" : "\n\n";
  let joined = "";
  for (const text of texts) {
    const known = new Set(joined.split("\n").map((line) => line.trim()));
    const { imports } = await read(text);
    const isAgain = (line: string, nth: number): boolean =>
      known.has(line.trim()) &&
      (/^package\s/.test(line) ||
        imports.some(({ range }) => range.startLine <= nth + 1 && range.endLine >= nth + 1));
    const lines = text.split("\n").filter((line, nth) => !isAgain(line, nth));
    const rest = lines
      .join("\n")
      .replace(/^\s*\n/, "")
      .trimEnd();
    joined = joined === "" ? rest : joined + gap + rest;
  }
  const { language: known, problems, symbols, imports } = await read(joined);
  const names = [...symbols.map(({ name }) => name), ...imports.flatMap((one) => one.names)];
  const isWhole = problems.length === 0 && new Set(names).size === names.length;
  return known !== undefined && isWhole && isInFront(imports, symbols, known)
    ? `${joined}\n`
    : undefined;
}

/** Python and scripts may import anywhere. */
function isInFront(
  imports: CodeAnalysis["imports"],
  symbols: CodeAnalysis["symbols"],
  language: string,
): boolean {
  if (/^(?:python|javascript|typescript|tsx|ruby|php)$/.test(language)) return true;
  const first = Math.min(...symbols.map(({ range }) => range.startLine));
  return imports.every(({ range }) => range.startLine < first);
}
