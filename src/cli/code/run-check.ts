import type { CliTexts } from "../texts.ts";
import { type ChildProcess, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { onAbort } from "../../base/wire/patient-timer.ts";
import type { RunCheck } from "../../flows/loop/coding.ts";
import type { Person } from "./ask.ts";
import { showWholeName } from "../call/terminal.ts";
import type { GuardedWatch } from "./guard.ts";

export interface CommandPlace {
  folder: string;
  environment: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** In milliseconds. */
  timeLimit: number;
  /** Of the output, in bytes; the end alone where absent. */
  keeps?: { head: number; tail: number };
  sandbox?: Sandbox | undefined;
}

/** A program that runs another one in a closed room, as `bwrap` does. */
export interface Sandbox {
  program: string;
  args: readonly string[];
}

export type CommandEnd =
  /** `output`: the end of both streams, without colours. `code` is null after a signal. */
  | { kind: "ended"; code: number | null; signal: string | null; output: string }
  | { kind: "timeout"; output: string }
  /** The program does not exist, or we may not run it. `code` is the system's: ENOENT. */
  | { kind: "not-started"; code: string };

/** Of the output, in bytes. */
const maxOutput = 64 * 1024;
/** What is left of a group after a polite request to end, and of its output after its end, in milliseconds. */
const [patience, afterglow] = [2_000, 500];

/**
 * Runs a program with arguments, without a shell. It has a process group of its own, which ends with it, with the
 * time limit, and with the signal.
 *
 * @param command at least one word
 * @throws the signal's reason
 */
export async function runCommand(
  [program = "", ...args]: readonly string[],
  { folder, environment, signal, timeLimit, keeps, sandbox }: CommandPlace,
): Promise<CommandEnd> {
  signal.throwIfAborted();
  const output = createTailBuffer(keeps?.tail ?? maxOutput, keeps?.head);
  const [first, ...others] =
    sandbox === undefined
      ? [program, ...args]
      : [sandbox.program, "--json-status-fd", "3", ...sandbox.args, "--", program, ...args];
  const child = spawn(first, others, {
    cwd: folder,
    env: environment,
    shell: false,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", sandbox === undefined ? "ignore" : "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (bytes: Uint8Array) => output.add(bytes));
  let status = "";
  const told: unknown = child.stdio[3];
  // At most two lines of JSON.
  if (told instanceof Readable) told.on("data", (bytes: Uint8Array) => (status += String(bytes)));
  using limits = endAtLimits(child, signal, timeLimit);
  const { error, code, by } = await settled(child);
  signal.throwIfAborted();
  const text = stripVTControlCharacters(output.text);
  if (error !== undefined) return { kind: "not-started", code: error };
  if (limits.isTimeOut) return { kind: "timeout", output: text };
  // It tells how the program ended, unless it could not begin it.
  if (sandbox !== undefined && by === null && !status.includes('"exit-code"'))
    return { kind: "not-started", code: text.trim() || "bwrap" };
  return { kind: "ended", code, signal: by, output: text };
}

/** Resolves when the process is over and its output has come, as far as its group has any to give. */
function settled(child: ChildProcess) {
  type End = { error?: string; code: number | null; by: string | null };
  const { promise, resolve } = Promise.withResolvers<End>();
  child.once("error", (error) =>
    resolve({ error: String(Reflect.get(error, "code") ?? error.message), code: null, by: null }),
  );
  child.once("close", (code, by) => resolve({ code, by }));
  child.once("exit", () => {
    // What it has left running would go on, and keep the output open.
    killGroup(child, "SIGKILL");
    setTimeout(() => child.stdio.forEach((stream) => stream?.destroy()), afterglow).unref();
  });
  return promise;
}

/** @returns whether the time was over; the end of the block takes the limits away */
function endAtLimits(child: ChildProcess, signal: AbortSignal, timeLimit: number) {
  let isTimeOut = false;
  let last: NodeJS.Timeout | undefined;
  const stop = (): void => {
    killGroup(child, "SIGTERM");
    last ??= setTimeout(killGroup, patience, child, "SIGKILL");
  };
  const timer = setTimeout(() => {
    isTimeOut = true;
    stop();
  }, timeLimit);
  // Ctrl-C pressed twice ends this process at once.
  const kill = (): void => killGroup(child, "SIGKILL");
  process.on("exit", kill);
  const forget = onAbort(signal, stop);
  return {
    get isTimeOut() {
      return isTimeOut;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      clearTimeout(last);
      process.off("exit", kill);
      forget();
    },
  };
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}

/**
 * Keeps the last bytes of a stream, and perhaps the first ones.
 *
 * @param most bytes that are kept of the end; `headSize`: of the beginning, besides
 */
export function createTailBuffer(most: number, headSize = 0) {
  let [head, tail, isCut] = [Buffer.alloc(0), Buffer.alloc(0), false];
  return {
    add(bytes: Uint8Array): void {
      const left = headSize - head.length;
      head = Buffer.concat([head, bytes.subarray(0, left)]);
      const all = Buffer.concat([tail, bytes.subarray(left)]);
      isCut ||= all.length > most;
      tail = all.subarray(-most);
    },

    /** What was kept, with "…" where something was left out. */
    get text(): string {
      if (!isCut) return Buffer.concat([head, tail]).toString("utf8");
      // Neither begins nor ends in the middle of a character.
      const start = tail.findIndex((byte) => (byte & 0xc0) !== 0x80);
      const beginning = new TextDecoder().decode(head, { stream: true });
      return `${beginning}${beginning === "" ? "" : "\n"}…${tail.toString("utf8", start)}`;
    },
  };
}

/** A command as a person types it in a shell. People and models read it; it is never run in this form. */
export function printCommand(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

export function quoteWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Of a name: what says that the value opens something. */
const secretNames = [
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|(?:ACCESS|PRIVATE|SIGNING|ENCRYPTION|AUTH)_KEY|WEBHOOK/i,
  /^(?:RIGHTSEAT_|COPILOT_|OPENAI_|ANTHROPIC_|NPM_CONFIG_\/\/)/i,
  /_(?:KEYS?|PASS|PWD|PAT|AUTH|DSN|JWT|COOKIE)$/i,
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|PGPASSFILE)$/i,
];
/** `https://ada:sesame@example.org`. */
const urlWithPassword = /:\/\/[^/\s:@]*:[^/\s@]+@/;

/**
 * What the check gets of the environment: all but what opens something, by its name or as an address with a
 * password. A list of what may go along would break the tools that nobody has thought of.
 *
 * @param secrets values that never go along, whatever they are called: the keys of the models
 */
export function createCheckEnvironment(
  environment: NodeJS.ProcessEnv,
  secrets: readonly string[] = [],
): Record<string, string> {
  const known = new Set(secrets.filter((secret) => secret !== ""));
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || secretNames.some((one) => one.test(name))) continue;
    if (known.has(value) || urlWithPassword.test(value)) continue;
    kept[name] = value;
  }
  return kept;
}

/** How a program ended, or why it did not begin. @param timeLimit in milliseconds */
export function printEnd(end: CommandEnd, timeLimit: number, texts: CliTexts): string {
  if (end.kind === "not-started") return texts.checkNotStarted(end.code);
  if (end.kind === "timeout") return texts.tookTooLong(Math.round(timeLimit / 1_000));
  return texts.exitCode(end.code, end.signal);
}

interface CheckParts {
  command: readonly string[];
  run: (signal: AbortSignal) => Promise<CommandEnd>;
  /** In milliseconds. */
  timeLimit: number;
  /** The person has said beforehand that it may run. */
  isYes: boolean;
  person: Pick<Person, "judge"> | undefined;
  watch: GuardedWatch;
  texts: CliTexts;
}

/**
 * The person's own check. It runs once they have agreed; if files that decide what it runs have changed behind their
 * back, they are asked again.
 */
export function createCheck(parts: CheckParts): RunCheck {
  const { command: words, run, timeLimit, isYes, person, watch, texts } = parts;
  const command = printCommand(words);
  let isAgreed = isYes;
  let isDeclined = false;
  const findObstacle = async (): Promise<string | undefined> => {
    const changed = await watch.findChanged();
    if (isDeclined) return texts.checkDeclined;
    if (isAgreed && changed.length === 0) return undefined;
    if (person === undefined)
      return changed.length > 0 && isAgreed
        ? texts.checkChanged(changed.map(showWholeName).join(", "))
        : texts.checkUnasked;
    const answer = await person.judge({ kind: "check", command: words, changed });
    isAgreed = answer.kind === "yes";
    isDeclined = !isAgreed;
    return isAgreed ? undefined : texts.checkDeclined;
  };
  return async (signal) => {
    const obstacle = await findObstacle();
    if (obstacle !== undefined) return { ran: false, command, reason: obstacle };
    const end = await run(signal);
    await watch.renew();
    if (end.kind === "not-started")
      return { ran: false, command, reason: printEnd(end, timeLimit, texts) };
    const passed = end.kind === "ended" && end.code === 0;
    return {
      ran: true,
      passed,
      command,
      exit: printEnd(end, timeLimit, texts),
      output: end.output,
    };
  };
}
