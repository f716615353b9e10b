import type { RunResult } from "./load/messages.ts";
import type { Rounds } from "./measure.ts";
import { type Outcome, median, percent } from "./outcome.ts";

/** One line a measure: medians of both servers, the ratio's median, the target, and all ratios. */
export function printOutcomes(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((outcome) => [
    `${outcome.scenario} ${outcome.name}`,
    `${format(median(outcome.reference))} ${outcome.unit}`,
    `${format(median(outcome.rightseat))} ${outcome.unit}`,
    outcome.ratio.toFixed(2),
    printTarget(outcome),
    outcome.ratios.map((ratio) => ratio.toFixed(2)).join(" "),
  ]);
  return printTable([["measure", "raw pipe", "Rightseat", "ratio", "target", "rounds"], ...rows]);
}

/** How busy everybody was: a server below 90 % of its core was not what limited the streams. */
export function printUtilisation(scenario: string, rounds: Rounds<RunResult>): string {
  const shareOf = (
    name: "reference" | "rightseat",
    read: (result: RunResult) => number | undefined,
  ): string => {
    const shares = rounds.map((round) => read(round[name])).filter((share) => share !== undefined);
    return shares.length === 0 ? "unknown" : percent(median(shares));
  };
  const one = (name: "reference" | "rightseat"): string =>
    [
      `server ${shareOf(name, ({ utilisation }) => utilisation.server)}`,
      `generator ${shareOf(name, ({ utilisation }) => utilisation.generator)}`,
      `fake model ${shareOf(name, ({ utilisation }) => utilisation.upstream)}`,
    ].join(", ");
  return `  ${scenario}, CPU of a core: raw pipe's turn: ${one("reference")}; Rightseat's turn: ${one("rightseat")}`;
}

function printTarget({ target, isReached }: Outcome): string {
  if (target === undefined) return "";
  const sign = target.direction === "at least" ? ">=" : "<=";
  return `${sign} ${target.ratio.toFixed(2)} ${isReached ? "reached" : "NOT reached"}`;
}

function printTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const printRow = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        isFigure(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("   ");
  return rows.map((row) => `  ${printRow(row).trimEnd()}`).join("\n");
}

function isFigure(column: number): boolean {
  return column >= 1 && column <= 3;
}

function format(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 });
}
