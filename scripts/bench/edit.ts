// Measures the edit engine and prints what it reaches; it reports and does not judge. Absolute times are
// this machine's; the floor (a strict reader and `indexOf`) runs in the same rounds, so ratios are not.
// --quick takes small files, to see that it works.
import { parseArgs } from "node:util";
import {
  type NamedCode,
  type NamedEdit,
  applyEdit,
  createCodes,
  createEdits,
  createHostileCodes,
  createManyUnits,
  createWorstEdits,
  outcomeOf,
} from "./edit/edits.ts";
import { applyCodeAside } from "../../src/edit/apply-code-edit.ts";
import { applyStrictly } from "./edit/strict-floor.ts";
import { type Goal, inTurn, median, print, printGoal, printTable, runBench } from "./figures.ts";

const { values: given } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
/** In lines. */
const largeFile = given.quick ? 2_000 : 100_000;
const mediumFile = given.quick ? 1_000 : 10_000;
const worstFile = given.quick ? 500 : 5_000;
const mostTimesFloor = 3;
/** Milliseconds: for an edit that is not exact, for 20 units, and for the worst case. */
const [mostForLenient, mostForManyUnits, mostForWorst] = [100, 5, 100];
/** Lines of code without an explicit from and to; milliseconds that it may hold the loop, and the worst of it. */
const [codeLines, mostForCode, mostForWorstCode] = [40, 20, 100];

const inLines = (count: number): string => `${count.toLocaleString("en")} lines`;
const below = (most: number) => (time: number) => ({
  text: `< ${most} ms`,
  isReached: time < most,
});

await runBench(async () => {
  print(`Edit engine on node ${process.version}; medians of rounds in turn, after warm-up.\n`);
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
  await printTimes(
    `The worst case, on a file of ${inLines(worstFile)} like comments`,
    createWorstEdits(worstFile),
    { rounds: 9, goal: below(mostForWorst) },
  );
  const of = `Code of ${codeLines} lines in a file of ${inLines(mediumFile)}`;
  const usual = await printCodes(`${of}, on the loop`, createCodes(mediumFile, codeLines));
  const worst = await printCodes(
    "The same where nothing tells places apart",
    createHostileCodes(mediumFile, codeLines),
  );
  const [all, most] = [median(usual), Math.max(...worst)];
  const rows = [
    ["median", `${all.toFixed(1)} ms`, ...printGoal(below(mostForCode)(all))],
    ["worst", `${most.toFixed(1)} ms`, ...printGoal(below(mostForWorstCode)(most))],
  ];
  print(`${of}:\n\n${printTable(rows)}\n`);
});

/** What code takes of the loop's thread, whatever else the machine does; the median times. */
async function printCodes(about: string, codes: readonly NamedCode[]): Promise<number[]> {
  const { signal } = new AbortController();
  const apply = ({ before, code }: NamedCode) =>
    applyCodeAside(before, code, {}, undefined, signal);
  const tasks = codes.map((code) => async () => {
    const start = process.threadCpuUsage();
    await apply(code);
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  });
  const times = (await inTurn(tasks, { warmUp: 4, rounds: 9 })).map(median);
  const outcomes = await Promise.all(codes.map(apply));
  const rows = outcomes.map((outcome, nth) => [
    codes[nth]?.name ?? "",
    outcome.ok ? "applied" : outcome.error.code,
    `${(times[nth] ?? Number.NaN).toFixed(1)} ms`,
  ]);
  print(`${about}:\n\n${printTable([["code", "outcome", "time"], ...rows])}\n`);
  return times;
}

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

/** A text that was put together of pieces is copied when it is first read; that belongs to the price. */
function timeOf(task: () => string | undefined): number {
  const start = performance.now();
  const text = task();
  text?.charCodeAt(text.length >> 1);
  return performance.now() - start;
}
