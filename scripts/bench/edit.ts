// Measures the edit engine and prints what it reaches; it reports and does not judge. Absolute times are
// this machine's; the floor (a strict reader and `indexOf`) runs in the same rounds, so ratios are not.
// --quick takes small files, to see that it works.
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { applyEdit, outcomeOf } from "./edit/bench-edit.ts";
import { growingEdits } from "./edit/growth-edits.ts";
import { createManyUnits, createMatchEdits, type MatchEdit } from "./edit/match-edits.ts";
import { measureGrowth, mostGrowth } from "./edit/measure-growth.ts";
import { measureTimes } from "./edit/measure-times.ts";
import { type TimeRow, printGrowth, printTimes } from "./edit/print-times.ts";
import { createSizeEdits, createWorstEdits } from "./edit/size-edits.ts";
import { applyStrictly } from "./edit/strict-floor.ts";

const { values: given } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
/** In lines. */
const largeFile = given.quick ? 2_000 : 100_000;
const mediumFile = given.quick ? 1_000 : 10_000;
const sizes = given.quick ? [500, 1_000] : [25_000, 50_000, 100_000, 200_000];
/** In lines. */
const fileSizes = given.quick ? [100, 1_000] : [100, 1_000, 10_000, 100_000];
const worstFile = given.quick ? 500 : 5_000;
const mostTimesFloor = 3;
/** Milliseconds. */
const mostForLenient = 100;
const mostForManyUnits = 5;
const mostForMiss = 5;
const mostForWorst = 100;

print(
  `Edit engine on node ${process.version}; medians of rounds in turn, after warm-up.${describeLoad()}\n`,
);
print(`One unit on a file of ${largeFile.toLocaleString("en")} lines:\n`);
print(`${printTimes(measureMatches())}\n`);
print(`20 units on a file of ${mediumFile.toLocaleString("en")} lines:\n`);
print(`${printTimes(measureManyUnits())}\n`);
print("One unit of ten lines:\n");
print(`${printTimes(fileSizes.flatMap(measureSize))}\n`);
print(`The worst case, on a file of ${worstFile.toLocaleString("en")} lines like comments:\n`);
print(`${printTimes(measureEach(createWorstEdits(worstFile), 9, mostForWorst))}\n`);
print(`Growth (goal: twice the lines take at most ${mostGrowth} times as long):\n`);
print(
  printGrowth(
    growingEdits.map((edit) => measureGrowth(edit, sizes)),
    sizes,
  ),
);

function measureMatches(): TimeRow[] {
  const edits = createMatchEdits(largeFile);
  const [exact] = edits;
  if (exact === undefined) return [];
  const [floor = Number.NaN, ...times] = measureTimes(
    [() => applyStrictly(exact.before, exact.diff), ...edits.map((edit) => () => applyEdit(edit))],
    { warmUp: 5, rounds: 15 },
  );
  const floorRow = { name: "the floor: strict, exact", outcome: "", milliseconds: floor, ratio: 1 };
  return [
    { ...floorRow, goal: undefined },
    ...edits.map((edit, nth): TimeRow => {
      const milliseconds = times[nth] ?? Number.NaN;
      const ratio = milliseconds / floor;
      return {
        name: edit.name,
        outcome: checkOutcome(edit.due, outcomeOf(edit)),
        milliseconds,
        ratio,
        goal:
          edit.due === "exact"
            ? { text: `<= ${mostTimesFloor} x floor`, isReached: ratio <= mostTimesFloor }
            : { text: `< ${mostForLenient} ms`, isReached: milliseconds < mostForLenient },
      };
    }),
  ];
}

function measureManyUnits(): TimeRow[] {
  const kinds = [
    { name: "as they stand there", due: "exact", edit: createManyUnits(mediumFile, 20, "") },
    { name: "indented", due: "indentation", edit: createManyUnits(mediumFile, 20, "  ") },
  ];
  const times = measureTimes(
    kinds.map(
      ({ edit }) =>
        () =>
          applyEdit(edit),
    ),
    { warmUp: 10, rounds: 25 },
  );
  return kinds.map(({ name, due, edit }, nth) => {
    const milliseconds = times[nth] ?? Number.NaN;
    return {
      name,
      outcome: checkOutcome(due, outcomeOf(edit)),
      milliseconds,
      ratio: undefined,
      goal: { text: `< ${mostForManyUnits} ms`, isReached: milliseconds < mostForManyUnits },
    };
  });
}

function measureSize(lineCount: number): TimeRow[] {
  const rows = measureEach(createSizeEdits(lineCount), 15);
  return rows.map((row): TimeRow => {
    const name = `${row.name}, ${lineCount.toLocaleString("en")} lines`;
    const isGoal = row.name === "miss" && lineCount === 10_000;
    const isReached = row.milliseconds <= mostForMiss;
    return { ...row, name, goal: isGoal ? { text: `<= ${mostForMiss} ms`, isReached } : undefined };
  });
}

function measureEach(edits: readonly MatchEdit[], rounds: number, most?: number): TimeRow[] {
  const times = measureTimes(
    edits.map((edit) => () => applyEdit(edit)),
    { warmUp: rounds, rounds },
  );
  return edits.map((edit, nth): TimeRow => {
    const milliseconds = times[nth] ?? Number.NaN;
    return {
      name: edit.name,
      outcome: checkOutcome(edit.due, outcomeOf(edit)),
      milliseconds,
      ratio: undefined,
      goal:
        most === undefined ? undefined : { text: `< ${most} ms`, isReached: milliseconds < most },
    };
  });
}

/** Who shares the cores waits for them, and the clock goes on. */
function describeLoad(): string {
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  if (load < cores / 2) return "";
  return `\nNote: ${load.toFixed(1)} other tasks share the ${cores} cores, so times are longer than they need be.`;
}

/** An edit that ends otherwise than it was made for measures something else. */
function checkOutcome(due: string, outcome: string): string {
  return due === outcome ? outcome : `${outcome}, not ${due}!`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
