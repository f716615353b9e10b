import { printTable } from "./print-table.ts";
import type { Ratio, Summary } from "./summarize.ts";

interface Column {
  head: readonly [string, string];
  /** `-` where a flow has no such thing. */
  print: (row: Summary) => string;
}

const columns: readonly Column[] = [
  { head: ["", "flow"], print: ({ flow }) => flow },
  { head: ["", "cases"], print: ({ cases }) => String(cases) },
  { head: ["applied", "at first"], print: (row) => ofEdits(row, row.appliedFirst) },
  { head: ["after", "repair"], print: (row) => ofEdits(row, row.appliedAfterRepair) },
  { head: ["", "refused"], print: (row) => ofEdits(row, row.refused) },
  { head: ["no", "edit"], print: (row) => ofEdits(row, row.noEdit) },
  { head: ["syntax", "kept"], print: ({ syntaxKept }) => printRatio(syntaxKept) },
  { head: ["code", "same"], print: ({ codeSame }) => printRatio(codeSame) },
  { head: ["JSON", "at first"], print: ({ jsonAtFirst }) => printRatio(jsonAtFirst) },
  { head: ["JSON", "valid"], print: ({ jsonValid }) => printRatio(jsonValid) },
  { head: ["defect", "gone"], print: ({ defectGone }) => printRatio(defectGone) },
  { head: ["context", "held"], print: ({ contextHeld }) => printRatio(contextHeld) },
  { head: ["whole", "answer"], print: ({ whole }) => printRatio(whole) },
  { head: ["", "failed"], print: ({ failed }) => String(failed) },
  { head: ["model", "calls"], print: ({ calls }) => String(calls) },
  { head: ["prompt", "tokens"], print: ({ promptTokens }) => String(promptTokens ?? "-") },
  { head: ["answer", "tokens"], print: ({ completionTokens }) => String(completionTokens ?? "-") },
  { head: ["seconds", "a turn"], print: ({ secondsPerTurn }) => secondsPerTurn.toFixed(2) },
];

/** The table: one row for each flow, and the total. */
export function printSummary(rows: readonly Summary[]): string {
  const heads = [0, 1].map((line) => columns.map(({ head }) => head[line] ?? ""));
  const body = rows.map((row) => columns.map(({ print }) => print(row)));
  return printTable([...heads, ...body], (column) => column > 0);
}

function ofEdits(
  { appliedFirst, appliedAfterRepair, refused, noEdit }: Summary,
  value: number,
): string {
  return appliedFirst + appliedAfterRepair + refused + noEdit === 0 ? "-" : String(value);
}

function printRatio({ yes, of }: Ratio): string {
  return of === 0 ? "-" : `${yes}/${of}`;
}
