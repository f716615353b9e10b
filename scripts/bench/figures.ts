// What all benches do with their figures, and how they begin and end.
import { resolve } from "node:path";

/** One figure of the rounds: its name, how to show it, and what it should be. */
export interface Goal {
  text: string;
  isReached: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(
    Math.ceil(middle) - 1,
    Math.floor(middle) + 1,
  );
  return (low + high) / 2;
}

/** `12 (10 to 15)`: the median, and the range. */
export function printRange(values: readonly number[], show = (value: number) => value.toFixed(0)) {
  return `${show(median(values))} (${show(Math.min(...values))} to ${show(Math.max(...values))})`;
}

/** Of a goal, in two cells: what it is, and whether it is reached. */
export function printGoal(goal: Goal | undefined): string[] {
  return goal === undefined ? ["", ""] : [goal.text, goal.isReached ? "reached" : "NOT reached"];
}

/** Rows as columns of equal width. */
export function printTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number): string => cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => `  ${row.map(pad).join("  ").trimEnd()}`).join("\n");
}

/**
 * Runs tasks in turn, so that what slows the machine slows all of them, and drops the rounds that warm up.
 *
 * @returns what they gave, by task
 */
export async function inTurn<Figure>(
  tasks: readonly (() => Figure | Promise<Figure>)[],
  { warmUp, rounds }: { warmUp: number; rounds: number },
): Promise<Figure[][]> {
  const figures: Figure[][] = tasks.map(() => []);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    // Which comes first changes, too.
    const entries = [...tasks.entries()];
    for (const [nth, task] of round % 2 === 0 ? entries : entries.toReversed()) {
      const figure = await task();
      if (round >= warmUp) figures[nth]?.push(figure);
    }
  }
  return figures;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Tells what goes on, for whoever waits. */
export function progress(text: string): void {
  process.stderr.write(`  ${text}\n`);
}

/** A path as the person wrote it; npm starts scripts in the folder of their package.json, and tells where it was called. */
export function fromCaller(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? "", path);
}

/** Runs a bench and ends the process: with 1 and the message where it throws. */
export async function runBench(main: () => Promise<void>): Promise<never> {
  try {
    await main();
    process.exit(0);
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exit(1);
  }
}
