// Repairs that a rule can make: the offline model's answer to "fix".
import type { EditUnit, LineRange } from "../../edit/edit-unit.ts";
import { isPause, type Steps } from "../../edit/steps.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/flatten-symbols.ts";
import { bracketsAtLines, maskCode } from "./mask.ts";
import { type CodeLine, type Fault, type Repair, repairs } from "./repairs.ts";
import { type LineChange, linesOfFile, toUnits } from "./units.ts";

/** In characters: longer lines were written by programs. */
const maxLine = 2000;

interface FoundFault {
  /** 1-based line of the text. */
  line: number;
  fault: Fault;
  /** Absent from the units: its line cannot be told from others, or there are too many. */
  isLeft: boolean;
}

export interface MechanicalFix {
  faults: FoundFault[];
  units: EditUnit[];
}

/** Looks for faults in some lines of a text that a grammar has read; comments and strings are left alone. */
export function* findMechanicalFixes(
  text: string,
  range: LineRange,
  analysis: CodeAnalysis,
): Steps<MechanicalFix> {
  const { language } = analysis;
  const known = repairs.filter(
    ({ languages }) => language !== undefined && languages.includes(language),
  );
  if (known.length === 0) return { faults: [], units: [] };
  const { lineCount, lineOf } = yield* createCodeLines(text, analysis);
  const faults: { line: number; fault: Fault }[] = [];
  const changes: LineChange[] = [];
  const endLine = Math.min(range.endLine, lineCount);
  for (let number = range.startLine; number <= endLine; number += 1) {
    if (isPause(number)) yield;
    const line = lineOf(number);
    const found = line === undefined ? [] : findPatches(line, known);
    if (line === undefined || found.length === 0) continue;
    for (const fault of new Set(found.map((one) => one.fault)))
      faults.push({ line: number, fault });
    changes.push({ startLine: number, endLine: number, lines: [patch(line.source, found)] });
  }
  yield;
  const { units, left } = yield* toUnits(text, changes);
  const leftLines = new Set(left.map(({ startLine }) => startLine));
  return { faults: faults.map((one) => ({ ...one, isLeft: leftLines.has(one.line) })), units };
}

interface CodeLines {
  lineCount: number;
  /** By its 1-based number; undefined for what the text does not have, and for lines of programs. */
  lineOf: (number: number) => CodeLine | undefined;
}

function* createCodeLines(text: string, analysis: CodeAnalysis): Steps<CodeLines> {
  const lines = linesOfFile(text);
  const masked = yield* maskCode(text, analysis);
  const brackets = analysis.language === "python" ? bracketsAtLines(masked) : [];
  const bodies = flattenSymbols(analysis.symbols);
  const lineOf = (number: number): CodeLine | undefined => {
    const [source, code] = [lines[number - 1], masked[number - 1]];
    if (source === undefined || code === undefined || code.length > maxLine) return undefined;
    return {
      source,
      masked: code,
      brackets: brackets[number - 1] ?? "",
      isStatement: () => isInBody(bodies, number),
      below: (nth) => masked[number - 1 + nth],
    };
  };
  return { lineCount: lines.length, lineOf };
}

function isInBody(symbols: readonly CodeSymbol[], line: number): boolean {
  const inner = symbols.findLast(({ range }) => line >= range.startLine && line <= range.endLine);
  const { kind = "variable", body } = inner ?? {};
  if (!/^(?:function|method|constructor)$/.test(kind) || body === undefined) return false;
  return line > body.startLine && line < body.endLine;
}

interface Patch {
  start: number;
  end: number;
  text: string;
  fault: Fault;
}

/** In the order of the line; what overlaps an earlier one is left out. */
function findPatches(line: CodeLine, known: readonly Repair[]): Patch[] {
  const all = known.flatMap(({ pattern, write, fault }) =>
    [...line.masked.matchAll(pattern)].flatMap((found): Patch[] => {
      const text = write(found, line);
      if (text === undefined) return [];
      return [{ start: found.index, end: found.index + found[0].length, text, fault }];
    }),
  );
  let end = 0;
  return all
    .toSorted((a, b) => a.start - b.start)
    .filter((one) => {
      const isFree = one.start >= end;
      if (isFree) ({ end } = one);
      return isFree;
    });
}

function patch(line: string, patches: readonly Patch[]): string {
  let patched = "";
  let at = 0;
  for (const { start, end, text } of patches) {
    patched += line.slice(at, start) + text;
    at = end;
  }
  return patched + line.slice(at);
}
