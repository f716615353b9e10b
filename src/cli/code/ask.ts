import type { CliTexts } from "../texts.ts";
import { isCancel, select, text } from "@clack/prompts";
import type {
  ApprovalQuestion,
  AskApproval,
  AskCall,
  AskedCall,
  Decision,
} from "../../tools/tool.ts";
import type { PersonQuestion } from "../../tools/ask-person.ts";
import { escapeControls, escapeLine } from "../call/show/escape-controls.ts";
import {
  type PromptStreams,
  type Terminal,
  printApprovalDiff,
  showWholeName,
} from "../call/terminal.ts";
import type { Guard } from "./guard.ts";
import type { Readable } from "node:stream";
import type { ReadStream } from "node:tty";
import { setTimeout as sleep } from "node:timers/promises";
import type { Approvals } from "../../workspace/approvals.ts";
import { createLocks } from "../../workspace/locks.ts";
import type { PathTest } from "../../workspace/search/match-glob.ts";
import type { FileChange } from "../../workspace/workspace.ts";

export type Answer = { kind: "yes" } | { kind: "all" } | { kind: "no"; why?: string };

export type Question =
  /** `guard`: why they are always asked for this one. */
  | (ApprovalQuestion & { kind: "change" } & { guard: Guard | undefined })
  | (ApprovalQuestion & { kind: "read" })
  /** `changed`: files that somebody has changed, and that decide what runs. */
  | { kind: "check"; command: readonly string[]; changed: readonly string[] }
  /** `mayBeAll`: yes may hold for the same call again. */
  | { kind: "call"; call: AskedCall; mayBeAll: boolean };

/** Who is asked. Every method throws the signal's reason when they press Ctrl-C. */
export interface Person {
  judge(question: Question): Promise<Answer>;
  answer(asked: PersonQuestion): Promise<string>;
}

export interface PersonParts {
  terminal: Terminal;
  streams: PromptStreams;
  texts: CliTexts;
  signal: AbortSignal;
  rest: () => void;
  /** Ends the run: they pressed Ctrl-C at a question. */
  stop: () => void;
  /** Lasts as long as a question does, where somebody else reads the keys. */
  lend?: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** Asks at the terminal, one question after the other: shows what it is about, and lets them choose. */
export function createPerson(parts: PersonParts): Person {
  const { terminal, streams, texts, signal, rest, stop, lend = (work) => work() } = parts;
  const leave = (): never => {
    stop();
    signal.throwIfAborted();
    throw new Error("The run goes on though the person has left.");
  };
  const pick = async (message: string, labels: readonly string[]): Promise<number> => {
    if (await dropTyped(streams.input)) return leave();
    const options = labels.map((label, value) => ({ value, label }));
    const shared = { signal, showInstructions: false, ...streams };
    const chosen = await select<number>({ message, options, ...shared });
    return isCancel(chosen) ? leave() : chosen;
  };
  const type = async (message: string): Promise<string> => {
    const typed = await text({ message, signal, ...streams });
    return isCancel(typed) ? leave() : (typed ?? "").trim();
  };
  const show = (...pieces: string[]): void => {
    rest();
    const shown = pieces.filter((piece) => piece !== "").map((piece) => `${piece}\n`);
    terminal.out(`\n${shown.join("\n")}`);
  };
  const turns = createLocks();
  const inTurn =
    <Given extends unknown[], Value>(ask: (...given: Given) => Promise<Value>) =>
    (...given: Given): Promise<Value> =>
      turns.run("", async () => {
        signal.throwIfAborted();
        return lend(() => ask(...given));
      });
  return {
    judge: inTurn(async (question) => {
      const { title, lines, why, warning, options } = describeQuestion(question, texts);
      const diff = "diff" in question ? printApprovalDiff(question.diff, terminal) : "";
      const [dim, yellow] = [terminal.outStyle("dim", why), terminal.outStyle("yellow", warning)];
      show(diff, lines.join("\n"), why && dim, warning && yellow);
      const labels = options.map(([, label]) => label);
      const isForModel = question.kind !== "check";
      const chosen = await pick(title, isForModel ? [...labels, texts.noWhy] : labels);
      const [kind] = options[chosen] ?? [];
      if (kind !== undefined) return { kind };
      const reason = await type(texts.instead);
      return { kind: "no", ...(reason === "" ? {} : { why: reason }) };
    }),
    answer: inTurn(async ({ question, choices }) => {
      const labels = [...choices.map((each) => escapeLine(each)), texts.otherAnswer];
      show(terminal.outStyle("bold", escapeControls(question)));
      const chosen = choices.length === 0 ? 0 : await pick(texts.yourAnswer, labels);
      return choices[chosen] ?? type(texts.yourAnswer);
    }),
  };
}

export const runCommandName = "run_command";
const shell = /(?:^|[\\/])(?:(?:ba|da|z|k|fi|c|tc)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i;

const maxWhy = 500;

/**
 * A question in words, free of what a screen would hide.
 *
 * @returns `lines`: what it is about, besides a diff: exactly what would be run or sent; `why`, `warning`: the model's
 * reason, and what the person should know, or ""
 */
export function describeQuestion(question: Question, texts: CliTexts) {
  const asked = (title: string, lines: string[], warning: string, all?: string) => {
    const reason = "why" in question ? escapeLine(question.why).slice(0, maxWhy) : "";
    const more = all === undefined ? [] : [["all", all] as const];
    const options = [["yes", texts.yes] as const, ...more, ["no", texts.no] as const];
    return { title, lines, why: reason && texts.modelSays(reason), warning, options };
  };
  switch (question.kind) {
    case "change": {
      const { changes, diff, guard } = question;
      const lines = diff === "" ? [texts.emptyFile] : [];
      const warning = guard === undefined ? "" : texts.always(guard);
      return asked(nameChange(changes, texts), lines, warning, guard ? undefined : texts.all);
    }
    case "read":
      return asked(texts.read(showWholeName(question.path)), [], "");
    case "check": {
      const paths = question.changed.map(showWholeName).join(", ");
      const line = `${texts.checkIsArguments} ${showWords(question.command)}`;
      return asked(texts.runCheck, [line], paths && texts.checkChangedSince(paths));
    }
    case "call": {
      const { title, lines, warning } = describeCall(question.call, texts);
      return asked(title, lines, warning, question.mayBeAll ? texts.again : undefined);
    }
  }
}

function describeCall(call: AskedCall, texts: CliTexts) {
  const { tool, target, arguments: given } = call;
  const command = commandOf(call);
  if (command === undefined) {
    const fields = Object.entries(given).map(
      ([name, value]) => `  ${showWholeName(name)}: ${showWholeName(JSON.stringify(value) ?? "")}`,
    );
    const lines = [texts.callOf(showWholeName(tool), showWholeName(target)), ...fields];
    return { title: texts.makeCall, lines, warning: "" };
  }
  const isShell = shell.test(command[0] ?? "");
  const words = isShell ? showWords(command) : `${texts.checkIsArguments} ${showWords(command)}`;
  const lines = [words, texts.runsIn(showWholeName(target), given["sandbox"] === true)];
  return { title: texts.runCommand, lines, warning: isShell ? texts.shellLine : "" };
}

function commandOf({ tool, arguments: { command } }: AskedCall): readonly string[] | undefined {
  return tool === runCommandName && Array.isArray(command) ? command.map(String) : undefined;
}

function showWords(words: readonly string[]): string {
  return words.map((word) => `"${showWholeName(word)}"`).join(" ");
}

type AskCallParts = Pick<AskParts, "person" | "texts" | "onRefusal"> & { allowed: Set<string> };

/**
 * Asks the person for a call of a tool. A yes may hold for the same command in the same folder, as long as nothing is
 * written that they were not asked for; a yes to anything else counts once.
 *
 * @param allowed what holds already; kept from one turn to the next
 */
export function createAskCall({ person, texts, allowed, onRefusal }: AskCallParts): AskCall {
  return async (call, signal) => {
    const key = JSON.stringify([call.tool, call.target, call.arguments]);
    const command = commandOf(call);
    if (command !== undefined && allowed.has(key)) return { ok: true };
    signal.throwIfAborted();
    if (person === undefined) {
      onRefusal([command === undefined ? `${call.tool} (${call.target})` : command.join(" ")]);
      return { ok: false, reason: texts.nobodyForCall };
    }
    const answer = await person.judge({ kind: "call", call, mayBeAll: command !== undefined });
    if (answer.kind === "no") return sayNo(answer, texts);
    if (answer.kind === "all" && command !== undefined) allowed.add(key);
    return { ok: true };
  };
}

function sayNo({ why }: Answer & { kind: "no" }, texts: CliTexts) {
  const reason = why === undefined ? texts.declined : texts.declinedBecause(why);
  return { ok: false, reason } as const;
}

function nameChange(changes: readonly FileChange[], texts: CliTexts): string {
  const [change, ...others] = changes;
  if (change === undefined || others.length > 0) return texts.several(changes.length);
  const path = showWholeName(change.path);
  if (change.after === undefined) return texts.remove(path);
  return change.before === undefined ? texts.create(path) : texts.change(path);
}

/** In milliseconds; what was typed before is there at once. */
const pause = 40;
const interrupt = "\u0003";

/** Throws away what was typed before the question: it does not answer it. @returns whether Ctrl-C was among it */
async function dropTyped(
  input: Readable & Partial<Pick<ReadStream, "isTTY" | "isRaw" | "setRawMode">>,
): Promise<boolean> {
  if (input.isTTY !== true) return false;
  let typed = "";
  const take = (bytes: Uint8Array | string): void => {
    typed += String(bytes);
  };
  const wasRaw = input.isRaw === true;
  input.setRawMode?.(true);
  input.on("data", take);
  // The question before has paused it.
  input.resume();
  try {
    await sleep(pause);
  } finally {
    input.off("data", take);
    input.pause();
    input.setRawMode?.(wasRaw);
  }
  return typed.includes(interrupt);
}

interface AskParts {
  /** What the person has allowed before the run: source files, all or those of some paths. */
  rules: {
    isYes: boolean;
    allows: PathTest;
    /** Why a file is asked for all the same; undefined for the sources that may pass. */
    guardOf: (path: string) => Promise<Guard | undefined>;
  };
  approvals: Approvals;
  person: Pick<Person, "judge"> | undefined;
  texts: CliTexts;
  /** Something was not done since nobody could be asked. */
  onRefusal: (paths: readonly string[]) => void;
  /** The person has said yes to a change of a file that is always asked for. */
  onGuarded?: (path: string) => void;
  /** The rules of the run have let a change pass. */
  onAllowed?: (diff: string) => void;
}

/**
 * Decides on changes and on secret files, by the rules of the run, else by the person. Questions come one after
 * the other. What is approved is exactly what was shown.
 */
export function createAsk(parts: AskParts): AskApproval {
  const { rules, approvals, person, texts, onRefusal, onGuarded, onAllowed } = parts;
  const turns = createLocks();
  /** The person has said yes to all further changes. */
  let isAll = false;
  const refuse = (paths: readonly string[], reason: string): Decision => {
    onRefusal(paths);
    return { ok: false, reason };
  };
  const decideChange = async (question: ApprovalQuestion & { kind: "change" }) => {
    const { changes, diff } = question;
    const approve = async (): Promise<Decision> => ({
      ok: true,
      approval: await approvals.approve(changes),
    });
    const paths = changes.map(({ path }) => path);
    // One file that is asked for is enough to ask for all.
    const guards = await Promise.all(paths.map(rules.guardOf));
    const guard = guards.find((each) => each !== undefined);
    const isCovered = paths.every((path) => rules.isYes || isAll || rules.allows(path));
    if (guard === undefined && isCovered && paths.length > 0) {
      onAllowed?.(diff);
      return approve();
    }
    if (person === undefined)
      return refuse(paths, guard === undefined ? texts.nobodyToAsk : texts.guarded(guard));
    const answer = await person.judge({ ...question, guard });
    if (answer.kind === "no") return sayNo(answer, texts);
    if (answer.kind === "all") isAll = true;
    if (guard !== undefined) for (const path of paths) onGuarded?.(path);
    return approve();
  };
  const decideRead = async (question: ApprovalQuestion & { kind: "read" }): Promise<Decision> => {
    if (person === undefined) return refuse([question.path], texts.secret);
    const answer = await person.judge(question);
    if (answer.kind === "no") return sayNo(answer, texts);
    // Nothing is written with it.
    return { ok: true, approval: await approvals.approve([]) };
  };
  return (question, signal) =>
    turns.run("", async () => {
      signal.throwIfAborted();
      return question.kind === "read" ? decideRead(question) : decideChange(question);
    });
}
