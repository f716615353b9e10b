// Attacks a running server, one attack at a time, and tells what everybody else saw of it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readCpuSeconds, readResidentBytes } from "../load/process-counters.ts";
import type { Launcher, RunningProgram } from "../launcher.ts";
import { type Attack, editorOf, repeatLines, toBody } from "./attack.ts";
import { attacks } from "./attacks/attacks.ts";
import { randomAttacks } from "./attacks/random.ts";
import { sendAttack, sendFlood } from "./send-attack.ts";
import { type Probe, startProbe } from "./start-probe.ts";

export interface StallOptions {
  /** Each attack so often. */
  rounds: number;
  /** What the names of attacks must hold. */
  attack: string;
  /** Random templates, and as many random files. */
  random: number;
  progress: (text: string) => void;
}

interface StallResult {
  group: Attack["group"];
  name: string;
  status: number;
  /** Of each round: the longest wait of the stream and of /healthz, in milliseconds. */
  waits: number[];
}

interface LeaveResult {
  name: string;
  /** Of each round: milliseconds from the client's leaving until the server is idle. */
  waits: number[];
}

export interface StallReport {
  /** Without any attack: the noise of the machine. */
  quiet: number[];
  results: StallResult[];
  left: LeaveResult[];
  /** Before the first attack, after each has come, and in the end. */
  memory: Memory[];
}

/** In bytes. */
interface Memory {
  when: string;
  /** Undefined where the system does not tell. */
  resident: number | undefined;
  /** Of the main thread's heap. */
  inUse: number;
}

/** What a gap may be; longer ones are measured again, since the machine has stalls of its own. */
export const longestWait = 250;
/** What may go on after a client has left, in milliseconds. */
export const longestLeave = 300;
const tries = 5;
const settling = 150;
const leaveAfter = 150;

interface Target {
  server: RunningProgram;
  probe: Probe;
  /** Where the server writes how much of its heap is in use. */
  heapFile: string;
  /** How many requests of attacks were made. */
  sent: number;
}

export async function measureStalls(
  launcher: Launcher,
  options: StallOptions,
): Promise<StallReport> {
  const folder = writeKnowledge();
  const heapFolder = mkdtempSync(join(tmpdir(), "stall-"));
  const heapFile = join(heapFolder, "heap");
  try {
    const model = await launcher.start({ args: [here("stall-model.ts")], core: "load" });
    const row = { name: "*", baseUrl: model.url, model: "any", contextWindow: 1_000_000 };
    const environment = {
      RIGHTSEAT_MODELS: JSON.stringify([row]),
      RIGHTSEAT_KNOWLEDGE: folder,
      RIGHTSEAT_PORT: "0",
      RIGHTSEAT_LOG_LEVEL: "error",
      STALL_HEAP_FILE: heapFile,
    };
    const collect = ["--expose-gc", "--import", here("collect-on-signal.ts")];
    const args = [...collect, here("../../../src/cli.ts"), "serve"];
    const server = await launcher.start({ args, environment, core: "server" });
    // Who attacks must not take the time of who watches.
    for (const pid of [process.pid, model.pid]) setPriority(pid, 10);
    const target = { server, probe: startProbe(launcher, server.url), heapFile, sent: 0 };
    await wait(2_000);
    const report = await attackAll(target, options);
    await Promise.all([server.stop(), model.stop()]);
    return report;
  } finally {
    for (const path of [folder, heapFolder]) rmSync(path, { recursive: true });
  }
}

async function attackAll(target: Target, options: StallOptions): Promise<StallReport> {
  const quiet: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) quiet.push(await measureQuiet(target));
  await warmUp(target);
  const memory = [await readMemory(target, "before")];
  const results: StallResult[] = [];
  const chosen = attacks.filter(({ name }) => name.includes(options.attack));
  for (const attack of chosen) {
    const result = await repeat(attack, target, options.rounds);
    options.progress(`${attack.name}: ${Math.max(...result.waits).toFixed(0)} ms`);
    results.push(result);
  }
  memory.push(await readMemory(target, "after the attacks"));
  results.push(...(await attackAtRandom(target, options)));
  const left: LeaveResult[] = [];
  for (const attack of chosen.filter(({ group }) => group === "file" || group === "answer"))
    left.push(await measureLeaving(attack, target, options.rounds));
  memory.push(await readMemory(target, "in the end"));
  return { quiet, results, left, memory };
}

/** What is loaded and compiled once is nobody's attack. */
async function warmUp(target: Target): Promise<void> {
  const files = [
    ["a.ts", "typescript"],
    ["a.js", "javascript"],
    ["a.py", "python"],
    ["a.cpp", "cpp"],
  ] as const;
  for (const [path, language] of files) {
    for (const command of ["explain", "fix", "unittest", "docstring"]) {
      const contextVariables = [editorOf("a = 1\n".repeat(200), path, language)];
      const body = toBody("offline", { command, contextVariables });
      await sendAttack(target.server.url, {}, body);
    }
  }
}

async function repeat(attack: Attack, target: Target, rounds: number): Promise<StallResult> {
  const waits: number[] = [];
  let status = 0;
  for (let round = 0; round < rounds; round += 1) {
    const measured = await measure(attack, target);
    waits.push(measured.wait);
    ({ status } = measured);
  }
  return { group: attack.group, name: attack.name, status, waits };
}

/** A seed makes the same attacks each time; only the worst ones are told. */
async function attackAtRandom(target: Target, options: StallOptions): Promise<StallResult[]> {
  const found: StallResult[] = [];
  for (const attack of randomAttacks(options.random)) {
    const { wait: waited, status } = await measure(attack, target);
    found.push({ group: "random", name: attack.name, status, waits: [waited] });
    if (found.length % 100 === 0) options.progress(`${found.length} random attacks`);
  }
  return found;
}

/** When nothing runs and what nobody holds is collected. */
async function readMemory({ server: { pid }, heapFile }: Target, when: string): Promise<Memory> {
  for (let count = 0; count < 3; count += 1) {
    await wait(1_000);
    process.kill(pid, "SIGUSR2");
  }
  await wait(1_000);
  const inUse = Number(readFileSync(heapFile, "utf8"));
  return { when, resident: readResidentBytes(pid), inUse };
}

async function measureQuiet({ probe }: Target): Promise<number> {
  probe.reset();
  await wait(1_000);
  const { stream, health } = await probe.read();
  return Math.max(stream, health);
}

/** The least of some tries, where one is over the limit: a server's own stall comes each time. */
async function measure(attack: Attack, target: Target): Promise<{ wait: number; status: number }> {
  let least = { wait: Number.POSITIVE_INFINITY, status: 0 };
  for (let count = 0; count < tries && least.wait > longestWait; count += 1) {
    const measured = await measureOnce(attack, target);
    if (measured.wait < least.wait) least = measured;
  }
  return least;
}

async function measureOnce(
  attack: Attack,
  target: Target,
): Promise<{ wait: number; status: number }> {
  const { server, probe } = target;
  const bodies = Array.from({ length: attack.parallel ?? 1 }, () => nextBody(attack, target));
  probe.reset();
  const parallel = bodies.map((body) =>
    attack.flood === undefined
      ? sendAttack(server.url, attack, body)
      : sendFlood(server.url, attack.flood),
  );
  const answers = await Promise.all(parallel);
  await wait(attack.group === "random" ? 15 : settling);
  const { stream, health } = await probe.read();
  return { wait: Math.max(stream, health), status: answers[0]?.status ?? 0 };
}

function nextBody(attack: Attack, target: Target): ReturnType<Attack["body"]> {
  target.sent += 1;
  return attack.body(target.sent);
}

async function measureLeaving(
  attack: Attack,
  target: Target,
  rounds: number,
): Promise<LeaveResult> {
  const waits: number[] = [];
  const { url, pid } = target.server;
  for (let round = 0; round < rounds; round += 1) {
    let least = Number.POSITIVE_INFINITY;
    for (let count = 0; count < tries && least > longestLeave; count += 1) {
      await sendAttack(url, attack, nextBody(attack, target), leaveAfter);
      least = Math.min(least, await waitForIdle(pid));
    }
    waits.push(least);
  }
  return { name: attack.name, waits };
}

/** Milliseconds until the process uses less than a quarter of a core. */
async function waitForIdle(pid: number): Promise<number> {
  const start = performance.now();
  let used = readCpuSeconds(pid) ?? 0;
  for (let since = 0; since < 20_000;) {
    const from = performance.now();
    await wait(40);
    const now = readCpuSeconds(pid) ?? 0;
    if ((now - used) * 1_000 < (performance.now() - from) / 4) return from - start;
    used = now;
    since = performance.now() - start;
  }
  return performance.now() - start;
}

/** A folder of documents, so that searching it takes its time. */
function writeKnowledge(): string {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-stall-"));
  mkdirSync(join(folder, "docs"));
  const words = "adapter folder index token passage search retrieve heading symbol cache".split(
    " ",
  );
  for (let file = 0; file < 1_500; file += 1) {
    const text = repeatLines(60, (line) =>
      line % 10 === 0
        ? `# ${words[(file + line) % 10]} ${file}`
        : `The ${words[(file * 7 + line) % 10]}${(file * line) % 997} of ${words[line % 10]} 配置${file % 50}知识库 is ${line}.`,
    );
    writeFileSync(join(folder, "docs", `file-${file}.md`), text);
  }
  return folder;
}

function here(path: string): string {
  return join(import.meta.dirname, path);
}
