import type { CodeSymbol } from "../../../code/code-analysis.ts";
import { adaptLines } from "./adapt-lines.ts";
import { completeSymbol, hasDoc } from "./complete-symbol.ts";
import type { FencedCode } from "./fenced-code.ts";
import type { LineChange } from "./merge-imports.ts";

/** A declaration and the text that it stands in. */
export interface Declaration {
  symbol: CodeSymbol;
  code: Pick<FencedCode, "lines" | "analysis">;
}

/**
 * The declaration of the file as the answer has it, in the file's indentation, with what the answer leaves out of
 * its head.
 *
 * @returns undefined where the two cannot be put in place of each other line by line
 */
export function changeSymbol(answer: Declaration, file: Declaration): LineChange | undefined {
  const { lines: given } = answer.code;
  const isNote = !hasDoc({ symbol: answer.symbol, lines: given });
  const [now, was] = [extentOf(answer, isNote), extentOf(file)];
  if (now === undefined || was === undefined || !/^[;,\s]*$/.test(now.tail)) return undefined;
  const own = answer.code.lines.slice(now.start, now.end);
  own[own.length - 1] = (own.at(-1) ?? "").slice(0, answer.symbol.range.endColumn - 1);
  const original = file.code.lines.slice(was.start, was.end);
  const fixed = new Set([...textLines(answer)].map((line) => line - now.start));
  const adapted = adaptLines(own, original, file.code.lines, fixed);
  if (adapted === undefined) return undefined;
  const lines = answer.code.lines.toSpliced(now.start, adapted.length, ...adapted);
  const { symbol } = answer;
  const completion = completeSymbol({ symbol, lines }, { ...file.code, symbol: file.symbol });
  if (completion === undefined) return undefined;
  const whole: string[] = [];
  for (let at = now.start; at < now.end; at += 1) {
    whole.push(...(completion.before.get(at + 1) ?? []));
    whole.push(completion.heads.get(at + 1) ?? lines[at] ?? "");
  }
  whole.push(`${whole.pop() ?? ""}${was.tail}`);
  return { start: was.start, end: was.end, lines: whole };
}

/** The lines [start, end) from the doc comment on (0-based), and what stands behind them on the last one. */
function extentOf(
  { symbol, code: { lines } }: Declaration,
  isBare = false,
): { start: number; end: number; tail: string } | undefined {
  const { range, docComment } = symbol;
  const before = lines[range.startLine - 1]?.slice(0, range.startColumn - 1) ?? "";
  if (before.trim() !== "") return undefined;
  const doc = isBare ? undefined : docComment;
  const start = Math.min(range.startLine, doc?.startLine ?? range.startLine) - 1;
  const tail = lines[range.endLine - 1]?.slice(range.endColumn - 1) ?? "";
  return { start, end: range.endLine, tail };
}

/** Lines (0-based) that begin inside of a string; a doc comment is none. */
function textLines({ symbol, code: { analysis } }: Declaration): Set<number> {
  const { docComment } = symbol;
  const lines = new Set<number>();
  for (const { startLine, endLine } of analysis.strings) {
    if (startLine === docComment?.startLine || startLine === endLine) continue;
    for (let line = startLine + 1; line <= endLine; line += 1) lines.add(line - 1);
  }
  return lines;
}

const callable = /^(?:function|method|constructor)$/;

/** The first member of a type of the file that the answer's does not have. */
export function findLostMember(answer: CodeSymbol, file: CodeSymbol): string | undefined {
  if (callable.test(file.kind)) return undefined;
  return findMissing(
    file.children.map(({ name }) => name),
    answer.children.map(({ name }) => name),
  );
}

/** The first word that one list has more often than the other. */
export function findMissing(
  words: readonly string[],
  others: readonly string[],
): string | undefined {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  return words.find((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count < 1;
  });
}
