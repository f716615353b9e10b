// Attacks a running server, one attack at a time, and tells what everybody else saw of it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { median, printRange, progress } from "../figures.ts";
import type { Launcher, RunningProgram } from "../launcher.ts";
import { readCpuSeconds } from "../load/process-counters.ts";
import { type Attack, attackBy, attacks, editor, randomAttacks } from "./attacks.ts";
import type { ProbeQuestion } from "./probe.ts";
import { sendAttack, sendFlood } from "./send-attack.ts";

export interface StallOptions {
  /** Each attack so often. */
  rounds: number;
  /** What the names of attacks must hold. */
  attack: string;
  /** Random templates, and as many random files. */
  random: number;
}

/** Of an attack; the waits are of each round, in milliseconds. */
interface StallResult {
  group: Attack["group"];
  name: string;
  /** The HTTP status; 0 where the connection broke or nothing came in time. */
  status: number;
  waits: number[];
}

export interface StallReport {
  /** Without any attack: the noise of the machine. */
  quiet: number[];
  /** How many times longer than usual a fixed piece of work took, each time that a wait was over a limit. */
  slowness: number[];
  /** The longest wait of the stream and of /healthz. */
  results: StallResult[];
  /** From the client's leaving until the server is idle. */
  left: StallResult[];
}

/** What a gap may be, where the fixed piece of work takes as long as usual; longer ones are measured again, since the machine has stalls of its own. */
const longestWait = 250;
/** What may go on after a client has left, likewise, in milliseconds. */
const longestLeave = 300;
/** In milliseconds: the fixed piece of work on the machine whose limits these are. */
const usualWork = 60;
/** A machine that is slower than that has too much to do to be measured. */
const mostSlowness = 2;
const tries = 8;
const settling = 150;
const leaveAfter = 150;

interface Target {
  server: RunningProgram;
  /** @returns the longest wait since the last reset */
  probe: (question: ProbeQuestion) => Promise<unknown>;
  /** How many requests of attacks were made. */
  sent: number;
  slowness: number[];
}

export async function measureStalls(
  launcher: Launcher,
  options: StallOptions,
): Promise<StallReport> {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-stall-"));
  try {
    writeKnowledge(join(folder, "docs"));
    const model = await launcher.start({ args: ["stall/stall-model.ts"], core: "load" });
    const row = { name: "*", baseUrl: model.url, model: "any", contextWindow: 1_000_000 };
    const server = await launcher.startRightseat(undefined, {
      environment: {
        RIGHTSEAT_MODELS: JSON.stringify([row]),
        RIGHTSEAT_KNOWLEDGE: join(folder, "docs"),
        RIGHTSEAT_LOG_LEVEL: "error",
      },
    });
    // Who attacks must not take the time of who watches.
    for (const pid of [process.pid, model.pid]) setPriority(pid, 10);
    const probe: Target["probe"] = launcher.fork("stall/probe.ts");
    await probe({ kind: "start", url: server.url });
    await wait(2_000);
    const report = await attackAll({ server, probe, sent: 0, slowness: [] }, options);
    await Promise.all([server.stop(), model.stop()]);
    return report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function attackAll(
  target: Target,
  { rounds, attack, random }: StallOptions,
): Promise<StallReport> {
  const quiet: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await target.probe({ kind: "reset" });
    await wait(1_000);
    quiet.push(Number(await target.probe({ kind: "read" })));
  }
  await warmUp(target);
  await target.probe({ kind: "work" });
  const results: StallResult[] = [];
  const chosen = attacks.filter(({ name }) => name.includes(attack));
  for (const one of chosen) {
    const result = await repeat(one, rounds, longestWait, target, attackOnce);
    progress(`${one.name}: ${Math.max(...result.waits).toFixed(0)} ms`);
    results.push(result);
  }
  for (const one of randomAttacks(random)) {
    results.push(await repeat(one, 1, longestWait, target, attackOnce));
    if (results.length % 100 === 0) progress(`after ${results.length} attacks`);
  }
  const left: StallResult[] = [];
  for (const one of chosen.filter(({ group }) => group === "file" || group === "answer"))
    left.push(await repeat(one, rounds, longestLeave, target, leaveOnce));
  return { quiet, slowness: target.slowness, results, left };
}

/** What is loaded and compiled once is nobody's attack. */
async function warmUp({ server }: Target): Promise<void> {
  const files = ["a.ts typescript", "a.js javascript", "a.py python", "a.cpp cpp"];
  for (const [path, language] of files.map((file) => file.split(" "))) {
    for (const command of ["explain", "fix", "unittest", "docstring"]) {
      const variables = [editor("a = 1\n".repeat(200), path, language)];
      const { body } = attackBy("file", "", () => ({ model: "offline", command, variables }));
      await sendAttack(server.url, {}, body(0));
    }
  }
}

/**
 * Each round the least of some tries, where one is over the limit: a server's own stall comes each time. What is
 * over it on a machine that is slow at that moment is told as it would be on the usual one.
 */
async function repeat(
  attack: Attack,
  rounds: number,
  limit: number,
  target: Target,
  act: (attack: Attack, target: Target) => Promise<{ waited: number; status: number }>,
): Promise<StallResult> {
  const { group, name } = attack;
  const result: StallResult = { group, name, status: 0, waits: [] };
  for (let round = 0; round < rounds; round += 1) {
    let least = Number.POSITIVE_INFINITY;
    for (let count = 0; count < tries && least > limit; count += 1) {
      const { waited, status } = await act(attack, target);
      const usual = waited > limit ? waited / (await takeSlowness(target)) : waited;
      if (usual < least) [least, result.status] = [usual, status];
    }
    result.waits.push(least);
  }
  return result;
}

async function takeSlowness({ probe, slowness }: Target): Promise<number> {
  const worked = Number(await probe({ kind: "work" }));
  const times = Math.min(Math.max(1, worked / usualWork), mostSlowness);
  slowness.push(times);
  return times;
}

async function attackOnce(attack: Attack, target: Target) {
  const { server, probe } = target;
  const bodies = Array.from({ length: attack.parallel ?? 1 }, () => attack.body(++target.sent));
  await probe({ kind: "reset" });
  const [status = 0] = await Promise.all(
    bodies.map((body) =>
      attack.flood === undefined
        ? sendAttack(server.url, attack, body)
        : sendFlood(server.url, attack.flood),
    ),
  );
  await wait(attack.group === "random" ? 15 : settling);
  return { waited: Number(await probe({ kind: "read" })), status };
}

async function leaveOnce(attack: Attack, target: Target) {
  const { url, pid } = target.server;
  const status = await sendAttack(url, attack, attack.body(++target.sent), leaveAfter);
  return { waited: await waitForIdle(pid), status };
}

/** Milliseconds until the process uses less than a quarter of a core. */
async function waitForIdle(pid: number): Promise<number> {
  const start = performance.now();
  let used = readCpuSeconds(pid);
  for (let since = 0; since < 20_000; since = performance.now() - start) {
    const from = performance.now();
    await wait(40);
    const now = readCpuSeconds(pid);
    // NaN, where the system does not tell, is idle.
    if (!((now - used) * 1_000 >= (performance.now() - from) / 4)) return from - start;
    used = now;
  }
  return performance.now() - start;
}

/** A folder of documents, so that searching it takes its time. */
function writeKnowledge(folder: string): void {
  mkdirSync(folder);
  const names = "adapter folder index token passage search retrieve heading symbol cache";
  const words = names.split(" ");
  for (let file = 0; file < 1_500; file += 1) {
    const lines = Array.from({ length: 60 }, (_, line) => {
      if (line % 10 === 0) return `# ${words[(file + line) % 10]} ${file}\n`;
      const subject = `${words[(file * 7 + line) % 10]}${(file * line) % 997}`;
      return `The ${subject} of ${words[line % 10]} 配置${file % 50}知识库 is ${line}.\n`;
    });
    writeFileSync(join(folder, `file-${file}.md`), lines.join(""));
  }
}

/** A line for each attack, the worst of the random ones, and what it comes to. */
export function printStalls({ quiet, slowness, results, left }: StallReport): string {
  const fixed = results.filter(({ group }) => group !== "random");
  const random = results
    .filter(({ group }) => group === "random")
    .toSorted((a, b) => median(b.waits) - median(a.waits));
  const medians = (of: readonly StallResult[]): number[] => of.map(({ waits }) => median(waits));
  const show = (value: number): string => value.toFixed(0);
  const worst = (of: readonly StallResult[]): string => show(Math.max(...medians(of)));
  const slowest = left.find(({ waits }) => show(median(waits)) === worst(left))?.name ?? "nobody";
  const printResult = ({ name, status, group, waits }: StallResult): string =>
    `  ${name.padEnd(52)} ${group === "random" ? "   " : String(status).padStart(3)}  ${printRange(waits)}`;
  return [
    "Longest wait of a paced stream and of /healthz while one attack runs, in ms: median (range of the rounds)",
    "",
    ...[...fixed, ...random.slice(0, 5)].map(printResult),
    "",
    `  nothing at all: ${printRange(quiet)}`,
    `  waits over a limit were measured again ${slowness.length} times, on a machine slower than usual by the factor ${slowness.length === 0 ? 1 : printFactors(slowness)}`,
    `  ${fixed.length} attacks: worst ${worst(fixed)} ms (at most ${longestWait}), median ${show(median(medians(fixed)))} ms (at most 50)`,
    ...(random.length === 0
      ? []
      : [
          `  ${random.length} random attacks: worst ${worst(random)} ms, median ${show(median(medians(random)))} ms`,
        ]),
    `  ${left.length} clients that leave: idle after ${show(median(medians(left)))} ms, at worst ${worst(left)} ms (at most ${longestLeave}): ${slowest}`,
  ].join("\n");
}

function printFactors(slowness: readonly number[]): string {
  const show = (factor: number): string => factor.toFixed(2);
  return `${show(median(slowness))} (${show(Math.min(...slowness))} to ${show(Math.max(...slowness))})`;
}

/** What is over the limits, a sentence each. */
export function findStalls({ results, left }: StallReport): string[] {
  const over = (of: readonly StallResult[], limit: number): StallResult[] =>
    of.filter(({ waits }) => median(waits) > limit);
  return [
    ...over(results, longestWait).map(
      ({ name, waits }) => `${name}: others wait ${printRange(waits)} ms.`,
    ),
    ...results
      .filter(({ status }) => status === 0 || status === 500)
      .map(({ name, status }) => `${name}: the answer has status ${status}.`),
    ...over(left, longestLeave).map(
      ({ name, waits }) =>
        `${name}: works on for ${printRange(waits)} ms after its client has left.`,
    ),
  ];
}
