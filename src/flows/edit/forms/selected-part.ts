// The lines that are meant, read apart from the file: if nothing else was sent, a method alone is not a file that a grammar reads.
import type { LineRange } from "../../../edit/edit-unit.ts";
import { type Analyze, type FencedCode, readLines, readShell, shells } from "./fenced-code.ts";
import { indentOf } from "../../../base/text/lines.ts";

export interface SelectedPart {
  code: FencedCode;
  /** The text of the file with these lines in place of the code's. */
  embed(lines: readonly string[]): string[];
}

/** The one declaration that the lines are; undefined if they are anything else, or it may go on around them. */
export async function readPart(
  fileLines: readonly string[],
  within: LineRange | undefined,
  analyze: Analyze,
): Promise<SelectedPart | undefined> {
  const [start, end] = meantLines(fileLines, within);
  if (hasHead(fileLines, start) || goesOn(fileLines, start, end)) return undefined;
  const lines = fileLines.slice(start, end);
  const put = (part: readonly string[]): string[] =>
    fileLines.toSpliced(start, end - start, ...part);
  const plain = await readLines(lines, analyze);
  const { language = "", problems } = plain.analysis;
  const opened = plain.lines.length - lines.length;
  const isMethod = language === "python" || problems.length > 0 || plain.symbols.length === 0;
  const shell = isMethod ? shells[language] : undefined;
  if (shell === undefined) {
    const isOne = problems.length === 0 && isOneDeclaration(plain);
    return isOne ? { code: plain, embed: (part) => put(part.slice(opened)) } : undefined;
  }
  const [head, tail, step] = shell;
  // Code at the first column is in no class of Python.
  const indent = indentOf(lines[0] ?? "") === "" ? step : "";
  const above = language === "php" ? ["<?php", head] : [head];
  const below = tail === "" ? [] : [tail];
  const inner = lines.map((line) => (line.trim() === "" ? line : indent + line));
  const code = await readShell([...above, ...inner, ...below], analyze);
  if (code === undefined || !isOneDeclaration(code)) return undefined;
  return {
    code,
    embed: (part) => {
      const own = part.slice(above.length, part.length - below.length);
      return put(own.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)));
    },
  };
}

function isOneDeclaration({ symbols, others }: FencedCode): boolean {
  return symbols.length === 1 && others.length === 0;
}

/** The lines [start, end) that are meant (0-based), without blank ones at their ends. */
export function meantLines(
  lines: readonly string[],
  within: LineRange | undefined,
): [number, number] {
  let start = (within?.startLine ?? 1) - 1;
  let end = within?.endLine ?? lines.length;
  while (start < end && (lines[start] ?? "").trim() === "") start += 1;
  while (end > start && (lines[end - 1] ?? "").trim() === "") end -= 1;
  return [start, end];
}

/** Whether the line above may belong to the same declaration: a comment, a decorator, or the end of one. */
function hasHead(lines: readonly string[], start: number): boolean {
  return /^(?:[@#[*/]|"""|''')|[*)\]]$/.test((lines[start - 1] ?? "").trim());
}

/** Whether the lines below belong to the last of these: they are deeper than the first one. */
export function goesOn(lines: readonly string[], start: number, end: number): boolean {
  const below = lines.slice(end).find((line) => line.trim() !== "");
  return below !== undefined && indentOf(below).length > indentOf(lines[start] ?? "").length;
}
