import type { CodeAnalysis, CodeSymbol } from "../../../code/code-analysis.ts";
import { missingIndent } from "../../../code/missing-indent.ts";
import type { EditTarget } from "../../place/edit-target.ts";
import type { Services } from "../../flow.ts";

/** Reads a text in the language of the file. */
export type Analyze = (text: string) => Promise<CodeAnalysis>;

/** Code of a fence, read as code of the file. */
export interface FencedCode {
  /** Without blank lines at the end. */
  lines: string[];
  analysis: CodeAnalysis;
  /** Of `lines`, at the top level of the fence; what only binds an import is left out. */
  symbols: CodeSymbol[];
  /** It stood in a class for reading, so that it belongs to some class of the file. */
  isMember: boolean;
  /** Lines that are neither blank, nor comments, nor imports, nor of a symbol (1-based). */
  others: number[];
}

export function analyzeAs(
  { language, path }: EditTarget,
  { code }: Services,
  signal: AbortSignal,
): Analyze {
  return (text) => code.analyze(text, language, path, { signal });
}

/** What stands around members so that they can be read, by language. */
export const shells: Readonly<
  Record<string, readonly [head: string, tail: string, indent: string]>
> = {
  javascript: ["class Shell_ {", "}", ""],
  typescript: ["class Shell_ {", "}", ""],
  tsx: ["class Shell_ {", "}", ""],
  java: ["class Shell_ {", "}", ""],
  csharp: ["class Shell_ {", "}", ""],
  php: ["class Shell_ {", "}", ""],
  rust: ["impl Shell_ {", "}", ""],
  ruby: ["class Shell_", "end", ""],
  python: ["class Shell_:", "", "    "],
};

/** The ways to read the code of a fence, the likelier first; each has no syntax error and declares something. */
export interface FenceReadings {
  plain: FencedCode | undefined;
  /** As members of a class; reads anew. */
  asMember(): Promise<FencedCode | undefined>;
}

/** @returns undefined where no grammar reads it */
export async function readFence(
  code: string,
  analyze: Analyze,
): Promise<FenceReadings | undefined> {
  const given = code.replaceAll("\r\n", "\n").trimEnd().split("\n");
  const asGiven = await readLines(given, analyze);
  const lines = withFirstIndent(given, asGiven.analysis.language ?? "");
  const plain = lines === given ? asGiven : await readLines(lines, analyze);
  const { language, problems } = plain.analysis;
  if (language === undefined) return undefined;
  const isWhole = problems.length === 0 && plain.symbols.length > 0;
  const isMember = isWhole && plain.symbols.every(isOfType);
  const shell = shells[language];
  // A Python function without `self` is none of a class, and would be read as one.
  const isNever = shell === undefined || (language === "python" && !isMember && isWhole);
  return {
    plain: isWhole && !isMember ? plain : undefined,
    asMember: async () =>
      isNever ? undefined : await readMembers(lines, plain.analysis, shell, analyze),
  };
}

/** Models copy a selection as it was sent, from mid line on. */
function withFirstIndent(lines: string[], language: string): string[] {
  const indent = missingIndent(lines, language);
  const first = lines.findIndex((line) => line.trim() !== "");
  return indent === "" ? lines : lines.with(first, `${indent}${lines[first] ?? ""}`);
}

/** A method by its own words: it takes the object that it belongs to. */
function isOfType({ kind, signature }: CodeSymbol): boolean {
  return kind === "function" && /\( ?(?:& ?)?(?:'\w+ )?(?:mut )?(?:self|cls)\b/.test(signature);
}

/** A text as it is, with what stands at its top level. */
export async function readLines(lines: readonly string[], analyze: Analyze): Promise<FencedCode> {
  const isPhp = /^\s*<\?php/.test(lines.find((line) => line.trim() !== "") ?? "");
  const first = await analyze(lines.join("\n"));
  // PHP is text until it is opened.
  const isClosed = first.language === "php" && !isPhp;
  const shown = isClosed ? ["<?php", ...lines] : [...lines];
  const analysis = isClosed ? await analyze(shown.join("\n")) : first;
  return describe(shown, analysis, analysis.symbols, false);
}

async function readMembers(
  lines: readonly string[],
  plain: CodeAnalysis,
  [head, tail, indent]: readonly [string, string, string],
  analyze: Analyze,
): Promise<FencedCode | undefined> {
  const isPhp = plain.language === "php";
  const own = lines.filter((line) => line.trim() !== "<?php");
  const imports = isPhp ? [] : plain.imports;
  const headEnd = Math.max(0, ...imports.map(({ range }) => range.endLine));
  const first = isPhp ? ["<?php"] : own.slice(0, headEnd);
  const rest = isPhp ? own : own.slice(headEnd);
  // A member of an object ends with a comma.
  rest.push(
    ...rest.splice(-1).map((line) => (line.trim() === "}," ? line.trimEnd().slice(0, -1) : line)),
  );
  const left = smallestIndent(rest);
  const inner = rest.map((line) =>
    line.trim() === "" ? "" : indent + (indent === "" ? line : line.slice(left)),
  );
  const text = [...first, head, ...inner, ...(tail === "" ? [] : [tail])];
  return await readShell(text, analyze);
}

/** @returns undefined if the shell in the text holds no member, or there is a syntax error */
export async function readShell(text: string[], analyze: Analyze): Promise<FencedCode | undefined> {
  const analysis = await analyze(text.join("\n"));
  const shell = analysis.symbols.find(({ name }) => name === "Shell_");
  const members =
    shell?.children ?? analysis.symbols.filter(({ container }) => container === "Shell_");
  if (analysis.problems.length > 0 || members.length === 0) return undefined;
  return describe(text, analysis, members, true);
}

/** The lines as they were before anything was put around them that they may be read. */
export function withoutShell(
  lines: readonly string[],
  { isMember, analysis }: FencedCode,
  code: string,
): string[] {
  const [, tail = ""] = shells[analysis.language ?? ""] ?? [];
  const isOpened = lines[0] === "<?php" && !code.includes("<?php");
  const first = isOpened ? 1 : 0;
  if (!isMember) return lines.slice(first);
  const head = lines.findIndex((line) => /^(?:class|impl) Shell_/.test(line));
  return lines.toSpliced(head, 1).slice(first, tail === "" ? undefined : -1);
}

function smallestIndent(lines: readonly string[]): number {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  return Math.min(...indents, 1_000);
}

function describe(
  lines: string[],
  analysis: CodeAnalysis,
  all: readonly CodeSymbol[],
  isMember: boolean,
): FencedCode {
  const { imports, comments } = analysis;
  const importLines = new Set(imports.map(({ range }) => range.startLine));
  const isImport = ({ range }: CodeSymbol): boolean => importLines.has(range.startLine);
  const symbols = all.filter((symbol) => !isImport(symbol));
  const covered = new Set<number>();
  for (const { range } of [...symbols, ...imports]) {
    for (let line = range.startLine; line <= range.endLine; line += 1) covered.add(line);
  }
  for (const range of comments) {
    for (let line = range.startLine; line <= range.endLine; line += 1) {
      const text = lines[line - 1] ?? "";
      const before = line === range.startLine ? text.slice(0, range.startColumn - 1) : "";
      const after = line === range.endLine ? text.slice(range.endColumn - 1) : "";
      if ((before + after).trim() === "") covered.add(line);
    }
  }
  const isFrame = (line: string): boolean =>
    isMember && /^(?:class|impl) Shell_|^(?:\}|end)$/.test(line);
  const others = lines.flatMap((line, nth) =>
    line.trim() === "" || covered.has(nth + 1) || isFrame(line) || line.trim() === "<?php"
      ? []
      : [nth + 1],
  );
  return { lines, analysis, symbols, isMember, others };
}
