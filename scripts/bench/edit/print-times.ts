import type { GrowthTimes } from "./measure-growth.ts";
import { printTable } from "../../../eval/print-table.ts";

/** One measure: what it took, as a multiple of the floor if that makes sense, and its goal. */
export interface TimeRow {
  name: string;
  outcome: string;
  milliseconds: number;
  ratio: number | undefined;
  goal: { text: string; isReached: boolean } | undefined;
}

export function printTimes(rows: readonly TimeRow[]): string {
  const head = ["edit", "outcome", "time", "x floor", "goal", ""];
  const body = rows.map(({ name, outcome, milliseconds, ratio, goal }) => [
    name,
    outcome,
    `${milliseconds.toFixed(2)} ms`,
    ratio === undefined ? "" : ratio.toFixed(2),
    goal?.text ?? "",
    goal === undefined ? "" : sayReached(goal.isReached),
  ]);
  return printTable([head, ...body], (column) => column === 2 || column === 3);
}

export function printGrowth(rows: readonly GrowthTimes[], sizes: readonly number[]): string {
  const head = ["lines", "outcome", ...sizes.map((size) => size.toLocaleString("en")), "x2", ""];
  const body = rows.map(({ name, outcome, milliseconds, factor, isReached }) => [
    name,
    outcome,
    ...sizes.map((_, nth) => printTime(milliseconds[nth])),
    Number.isNaN(factor) ? "" : factor.toFixed(2),
    sayReached(isReached),
  ]);
  return printTable([head, ...body], (column) => column >= 2 && column < head.length - 1);
}

function printTime(time: number | undefined): string {
  return time === undefined ? "too long" : `${time.toFixed(time < 10 ? 2 : 0)} ms`;
}

function sayReached(isReached: boolean): string {
  return isReached ? "reached" : "NOT reached";
}
