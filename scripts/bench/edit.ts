// Measures the edit engine and prints what it reaches; it reports and does not judge. Absolute times are
// this machine's; the floor (a strict reader and `indexOf`) runs in the same rounds, so ratios are not.
// --quick takes small files, to see that it works.
import { parseArgs } from "node:util";
import {
  type BenchEdit,
  type GrowingEdit,
  type NamedEdit,
  applyEdit,
  createEdits,
  createManyUnits,
  createWorstEdits,
  growingEdits,
  outcomeOf,
} from "./edit/edits.ts";
import { applyStrictly } from "./edit/strict-floor.ts";
import {
  type Goal,
  describeMachine,
  inTurn,
  median,
  print,
  printGoal,
  printTable,
  runBench,
} from "./figures.ts";

const { values: given } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
/** In lines. */
const largeFile = given.quick ? 2_000 : 100_000;
const mediumFile = given.quick ? 1_000 : 10_000;
const worstFile = given.quick ? 500 : 5_000;
const fileSizes = given.quick ? [100, 1_000] : [100, 1_000, 10_000, 100_000];
const growing = given.quick ? [500, 1_000] : [25_000, 50_000, 100_000, 200_000];
const mostTimesFloor = 3;
/** Milliseconds: for an edit that is not exact, for 20 units, for a miss, and for the worst case. */
const [mostForLenient, mostForManyUnits, mostForMiss, mostForWorst] = [100, 5, 5, 100];
/** Twice the lines may take so many times as long: n log n and noise pass, a square does not. */
const mostGrowth = 2.8;
/** What is over so soon may grow as it likes: on a busy machine such times tell nothing. In milliseconds. */
const negligible = 50;
/** After such a time larger sizes are not tried: a square would take minutes, and all memory. */
const longest = 2_500;

const inLines = (count: number): string => `${count.toLocaleString("en")} lines`;
const below = (most: number) => (time: number) => ({
  text: `< ${most} ms`,
  isReached: time < most,
});

await runBench(async () => {
  print(
    `Edit engine; medians of rounds in turn, after warm-up; ${describeMachine()}, whose work makes times longer.\n`,
  );
  const large = createEdits(largeFile, 12);
  const floor = { name: "the floor: strict, exact", due: "", before: "", diff: "" };
  await printTimes(`One unit on a file of ${inLines(largeFile)}`, [floor, ...large], {
    rounds: 15,
    run: (edit) => {
      const [exact] = large;
      return edit === floor && exact !== undefined
        ? applyStrictly(exact.before, exact.diff)
        : applyEdit(edit);
    },
    goal: (time, { due }, first) => {
      if (due === "") return undefined;
      if (due !== "exact") return below(mostForLenient)(time);
      const isReached = time <= mostTimesFloor * first;
      return { text: `<= ${mostTimesFloor} x floor`, isReached };
    },
  });
  const many = (name: string, due: string, indent: string): NamedEdit => ({
    name,
    due,
    ...createManyUnits(mediumFile, 20, indent),
  });
  await printTimes(
    `20 units on a file of ${inLines(mediumFile)}`,
    [many("as they are there", "exact", ""), many("indented", "indentation", "  ")],
    { rounds: 25, goal: below(mostForManyUnits) },
  );
  const kinds = ["exact", "indentation", "one line mistyped", "a miss, no line is there"];
  const sized = fileSizes.flatMap((size) =>
    createEdits(size, 10)
      .filter(({ name }) => kinds.includes(name))
      .map((edit) => ({ ...edit, name: `${edit.name}, ${inLines(size)}` })),
  );
  await printTimes("One unit of ten lines", sized, {
    rounds: 15,
    goal: (time, { name }) =>
      name === `${kinds[3]}, ${inLines(10_000)}` ? below(mostForMiss)(time) : undefined,
  });
  await printTimes(
    `The worst case, on a file of ${inLines(worstFile)} like comments`,
    createWorstEdits(worstFile),
    { rounds: 9, goal: below(mostForWorst) },
  );
  print(`Growth (goal: twice the lines take at most ${mostGrowth} times as long):\n`);
  const head = ["lines", "outcome", ...growing.map((size) => size.toLocaleString("en")), "x2", ""];
  const rows: string[][] = [];
  for (const edit of growingEdits) rows.push(await measureGrowth(edit));
  print(printTable([head, ...rows]));
});

interface Timing {
  rounds: number;
  run?: (edit: NamedEdit) => string | undefined;
  /** @param first the time of the first edit */
  goal: (time: number, edit: NamedEdit, first: number) => Goal | undefined;
}

async function printTimes(
  about: string,
  edits: readonly NamedEdit[],
  { rounds, run = applyEdit, goal }: Timing,
): Promise<void> {
  const tasks = edits.map((edit) => () => timeOf(() => run(edit)));
  const times = (await inTurn(tasks, { warmUp: rounds >> 1, rounds })).map(median);
  const [first = Number.NaN] = times;
  const rows = edits.map((edit, nth) => {
    const time = times[nth] ?? Number.NaN;
    // An edit that ends otherwise than it was made for measures something else.
    const outcome = edit.due === "" ? "" : outcomeOf(edit);
    const said = outcome === edit.due ? outcome : `${outcome}, not ${edit.due}!`;
    const ratio = edits[0]?.due === "" ? (time / first).toFixed(2) : "";
    return [edit.name, said, `${time.toFixed(2)} ms`, ratio, ...printGoal(goal(time, edit, first))];
  });
  print(`${about}:\n`);
  print(`${printTable([["edit", "outcome", "time", "x floor", "goal", ""], ...rows])}\n`);
}

/** Times one kind of edit at sizes that double. */
async function measureGrowth([name, create]: GrowingEdit): Promise<string[]> {
  const times: number[] = [];
  let outcome = "";
  for (const size of growing) {
    const edit: BenchEdit = create(size);
    if (outcome === "") outcome = outcomeOf(edit);
    const [taken = []] = await inTurn([() => timeOf(() => applyEdit(edit))], {
      warmUp: 1,
      rounds: 3,
    });
    times.push(median(taken));
    if (median(taken) > longest) break;
  }
  const [first = Number.NaN, last = Number.NaN] = [times[0], times.at(-1)];
  const factor = (last / first) ** (1 / (times.length - 1));
  const isComplete = times.length === growing.length;
  const isReached = isComplete && (factor <= mostGrowth || last < negligible);
  const show = (time = Number.NaN): string =>
    Number.isNaN(time) ? "too long" : `${time.toFixed(time < 10 ? 2 : 0)} ms`;
  const shown = growing.map((_, nth) => show(times[nth]));
  const doubled = times.length === 1 ? "" : factor.toFixed(2);
  return [name, outcome, ...shown, doubled, isReached ? "reached" : "NOT reached"];
}

/** A text that was put together of pieces is copied when it is first read; that belongs to the price. */
function timeOf(task: () => string | undefined): number {
  const start = performance.now();
  const text = task();
  text?.charCodeAt(text.length >> 1);
  return performance.now() - start;
}
