// Measures Rightseat against the least that an endpoint can do (raw-pipe.ts). It reports and does
// not judge: the exit code is 1 only where streams were broken or a process did not start.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { median, print, printGoal, printTable, runBench } from "./figures.ts";
import { createLauncher } from "./launcher.ts";
import { type Effort, type Rounds, measure } from "./measure.ts";
import { type Measure, scenarios } from "./scenarios.ts";
import { measureSessions } from "./sessions.ts";
import { findStalls, measureStalls, printStalls } from "./stall/measure-stalls.ts";

/** The scenario that attacks a server instead of loading it. */
const stall = "stall";
/** Over stores and processes, beside the plain door. */
const session = "session";
const names = scenarios.map(({ name }) => name);
const usage = `Measures Rightseat against a raw pipe.

  npm run bench -- [options]

  --only NAMES   scenarios, separated by commas: ${names.join(", ")};
                 or ${session}: tasks of sessions over each store, and what idle ones take (on its own);
                 or ${stall}: what others see of a server while hostile requests are worked on (on its own)
  --rounds N     rounds of reference and Rightseat in turn (3)
  --seconds N    length of each measurement (4)
  --attack TEXT  of ${stall}, only attacks with this in their names
  --random N     random templates, and as many random files, that ${stall} sends (500)
  --quick        one round of one second, 1,000 held streams, less warm-up: to see that it works
  --judge        exits with 1 where ${stall} or ${session} finds a limit passed`;

await runBench(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: "string", default: names.join(",") },
      rounds: { type: "string" },
      seconds: { type: "string" },
      attack: { type: "string", default: "" },
      random: { type: "string" },
      judge: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return print(usage);
  const only = values.only.split(",").map((name) => name.trim());
  const known = [...names, session, stall];
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`Unknown scenario "${unknown}". There are: ${known.join(", ")}.`);
  const launcher = createLauncher();
  const rounds = parseCount("--rounds", values.rounds, values.quick ? 1 : 3);
  if (only.includes(stall)) {
    const random = values.random === "0" ? 0 : parseCount("--random", values.random, 500);
    const report = await measureStalls(launcher, { rounds, attack: values.attack, random });
    print(printStalls(report));
    const found = values.judge ? findStalls(report) : [];
    if (found.length > 0) throw new Error(found.join("\n"));
    return;
  }
  const effort = {
    rounds,
    seconds: parseCount("--seconds", values.seconds, values.quick ? 1 : 4),
    warmUp: values.quick ? 1 : 6,
    held: values.quick ? 1_000 : 10_000,
  };
  if (only.includes(session))
    return print(`\n${await measureSessions(launcher, effort, values.judge)}\n`);
  print(describeSetup(effort, launcher.isPinned));
  const ask = launcher.fork("load/load.ts");
  const outcomes: Outcome[] = [];
  for (const scenario of scenarios.filter(({ name }) => only.includes(name))) {
    const results = await measure(scenario, effort, launcher, ask);
    outcomes.push(...scenario.measures.flatMap((one) => compare(scenario.name, one, results)));
  }
  const heads = ["measure", "raw pipe", "Rightseat", "ratio", "target", "rounds"];
  print(`\n${printTable([heads, ...outcomes.map(toCells)])}\n`);
});

function parseCount(name: string, text: string | undefined, normal: number): number {
  if (text === undefined) return normal;
  if (!/^[1-9]\d*$/.test(text))
    throw new Error(`${name} must be a whole number from 1, not ${JSON.stringify(text)}.`);
  return Number(text);
}

function describeSetup({ rounds, seconds, warmUp }: Effort, isPinned: boolean): string {
  const where = isPinned
    ? "server on core 0, fake model and load generator on core 1"
    : `NOT pinned to cores (${availableParallelism()} here; it takes taskset and two), so expect noise`;
  return [
    `Rightseat against a raw pipe on node ${process.version}: ${where}.`,
    `${rounds} rounds in turn of ${seconds} s each, after a warm-up of ${warmUp} s for each server and scenario`,
    "(servers live long, so their code is compiled); ratios are Rightseat / raw pipe, medians of the rounds.",
    "Where generator and fake model take 95 % of their core or more, the ratio is a lower bound.",
  ].join("\n");
}

type Outcome = ReturnType<typeof compare>[number];

/** The figures of all rounds, and the median of their ratios; nothing where this system does not tell the figures. */
function compare(scenario: string, { read, ...rest }: Measure, results: Rounds) {
  const list = (who: keyof Rounds) => results[who].map((result) => read(result) ?? Number.NaN);
  const [reference, rightseat] = [list("reference"), list("rightseat")];
  const ratios = rightseat.map((value, round) => value / (reference[round] ?? Number.NaN));
  if (ratios.some(Number.isNaN)) return [];
  const ratio = median(ratios);
  const { ratio: due = 0, sign } = rest.target ?? {};
  const isReached = sign === ">=" ? ratio >= due : ratio <= due;
  return [{ scenario, ...rest, reference, rightseat, ratios, ratio, isReached }];
}

/** Medians of both servers, the ratio's median, the target, and all ratios. */
function toCells({ scenario, name, unit, target, ratio, isReached, ...figures }: Outcome) {
  const goal = target && { text: `${target.sign} ${target.ratio.toFixed(2)}`, isReached };
  return [
    `${scenario} ${name}`,
    `${format(median(figures.reference))} ${unit}`,
    `${format(median(figures.rightseat))} ${unit}`,
    ratio.toFixed(2),
    printGoal(goal).join(" "),
    figures.ratios.map((one) => one.toFixed(2)).join(" "),
  ];
}

function format(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 });
}
