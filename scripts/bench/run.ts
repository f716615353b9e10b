// Measures Rightseat against the least that an endpoint can do (raw-pipe.ts). It reports and does
// not judge: the exit code is 1 only where streams were broken or a process did not start.
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Launcher, createLauncher } from "./launcher.ts";
import { startLoadGenerator } from "./load-generator.ts";
import { type Bench, measureHolds, measureRuns } from "./measure.ts";
import { type BenchOptions, parseOptions, stall, usage } from "./options.ts";
import { type Outcome, createOutcome, findLimits } from "./outcome.ts";
import { printOutcomes, printUtilisation } from "./print-report.ts";
import { type HoldScenario, type RunScenario, scenarios } from "./scenarios.ts";
import { measureStalls } from "./stall/measure-stalls.ts";
import { findStalls, printStalls } from "./stall/print-stalls.ts";

/** What one scenario has brought, and what else is to be said about it. */
interface Report {
  outcomes: Outcome[];
  remarks: string[];
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) {
    print(usage);
    return;
  }
  const launcher = createLauncher();
  if (options.only.includes(stall)) {
    await attack(options, launcher);
    return;
  }
  print(describeSetup(options, launcher));
  const reports = await measureAll(options, launcher);
  const outcomes = reports.flatMap((report) => report.outcomes);
  print(`\n${printOutcomes(outcomes)}\n`);
  for (const remark of reports.flatMap((report) => report.remarks)) print(`  ${remark}`);
  if (options.json !== undefined) {
    writeFileSync(
      options.json,
      `${JSON.stringify({ options, isPinned: launcher.isPinned, outcomes }, null, 2)}\n`,
    );
  }
}

/** What the server does under attack; the exit code says more only where it is asked to. */
async function attack(options: BenchOptions, launcher: Launcher): Promise<void> {
  const { isJudged, json } = options;
  const progress = (text: string): void => void process.stderr.write(`  ${text}\n`);
  const report = await measureStalls(launcher, { ...options, progress });
  print(printStalls(report));
  if (json !== undefined)
    writeFileSync(json, `${JSON.stringify({ options, ...report }, null, 2)}\n`);
  const found = isJudged ? findStalls(report) : [];
  if (found.length > 0) throw new Error(found.join("\n"));
}

async function measureAll(options: BenchOptions, launcher: Launcher): Promise<Report[]> {
  const bench: Bench = {
    launcher,
    options,
    load: startLoadGenerator(launcher),
    progress: (text) => void process.stderr.write(`  ${text}\n`),
  };
  const reports: Report[] = [];
  for (const scenario of scenarios.filter(({ name }) => options.only.includes(name))) {
    const isRun = scenario.kind === "run";
    reports.push(await (isRun ? reportRuns(scenario, bench) : reportHolds(scenario, bench)));
  }
  return reports;
}

async function reportRuns(scenario: RunScenario, bench: Bench): Promise<Report> {
  const rounds = await measureRuns(scenario, bench);
  const outcomes = scenario.measures.map((measure) =>
    createOutcome(scenario.name, measure, rounds),
  );
  const utilisation = printUtilisation(scenario.name, rounds);
  return {
    outcomes: outcomes.filter(isPresent),
    remarks: [utilisation, ...findLimits(scenario.name, rounds, bench.launcher.isPinned)],
  };
}

async function reportHolds(scenario: HoldScenario, bench: Bench): Promise<Report> {
  const rounds = await measureHolds(scenario, bench);
  const outcomes = scenario.measures
    .map((measure) => createOutcome(scenario.name, measure, rounds))
    .filter(isPresent);
  const counts = new Set(
    rounds.flatMap(({ reference, rightseat }) => [reference.complete, rightseat.complete]),
  );
  const remarks = [
    `${scenario.name}: ${[...counts].join(", ")} streams held at once by fresh processes`,
  ];
  if (outcomes.length === 0)
    remarks.push(`${scenario.name}: this system does not tell how much memory a process takes.`);
  return { outcomes, remarks };
}

function describeSetup({ rounds, seconds, warmUp }: BenchOptions, { isPinned }: Launcher): string {
  const where = isPinned
    ? "server on core 0, fake model and load generator on core 1"
    : `NOT pinned to cores (${availableParallelism()} here; it takes taskset and two), so expect noise`;
  return [
    `Rightseat against a raw pipe on node ${process.version}: ${where}.`,
    `${rounds} rounds in turn of ${seconds} s each, after a warm-up of ${warmUp} s for each server and scenario`,
    "(servers live long, so their code is compiled); ratios are Rightseat / raw pipe, medians of the rounds.",
  ].join("\n");
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function isPresent<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

try {
  await main();
  process.exit(0);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exit(1);
}
