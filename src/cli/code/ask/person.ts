import { isCancel, select, text } from "@clack/prompts";
import type { ApprovalQuestion } from "../../../tools/tool.ts";
import { escapeLine } from "../../call/show/escape-controls.ts";
import type { PromptStreams, Terminal } from "../../call/terminal.ts";
import type { CodeTexts } from "../code-texts.ts";
import { printApprovalDiff, showName } from "./print-approval-diff.ts";
import type { Guard } from "../guard/create-guard.ts";
import type { Readable } from "node:stream";
import type { ReadStream } from "node:tty";
import { setTimeout as sleep } from "node:timers/promises";

export type Answer = { kind: "yes" } | { kind: "all" } | { kind: "no"; why?: string };

/** Whoever is asked. Every method throws the signal's reason when they press Ctrl-C. */
export interface Person {
  /** @param guard why they are always asked for this one */
  judgeChange(
    question: ApprovalQuestion & { kind: "change" },
    guard: Guard | undefined,
  ): Promise<Answer>;
  judgeRead(question: ApprovalQuestion & { kind: "read" }): Promise<Answer>;
  /** @param changed files that somebody has changed, and that decide what runs */
  judgeCheck(command: readonly string[], changed: readonly string[]): Promise<boolean>;
}

export interface PersonParts {
  terminal: Terminal;
  streams: PromptStreams;
  texts: CodeTexts;
  /** Of the run. */
  signal: AbortSignal;
  /** Ends the line that is open, before something is shown. */
  rest: () => void;
  /** Ends the run: they pressed Ctrl-C at a question. */
  stop: () => void;
}

/** Of words of a model that are shown, in characters. */
const maxWhy = 500;

/** Asks at the terminal: shows what it is about, and lets them choose. */
export function createPerson({
  terminal,
  streams,
  texts,
  signal,
  rest,
  stop,
}: PersonParts): Person {
  const choose = async <Value extends string>(
    message: string,
    options: { value: Value; label: string }[],
  ): Promise<Value> => {
    if (await dropTyped(streams.input)) return leave();
    const chosen = await select<string>({
      message,
      options,
      signal,
      showInstructions: false,
      ...streams,
    });
    if (isCancel(chosen)) return leave();
    const found = options.find(({ value }) => value === chosen);
    return found === undefined ? leave() : found.value;
  };
  const leave = (): never => {
    stop();
    signal.throwIfAborted();
    throw new Error("The run goes on though the person has left.");
  };
  const choice = <Value extends "yes" | "all" | "no" | "noWhy">(value: Value) => ({
    value,
    label: texts[value],
  });
  const judge = async (message: string, mayBeAll: boolean): Promise<Answer> => {
    const options = [
      choice("yes"),
      ...(mayBeAll ? [choice("all")] : []),
      choice("no"),
      choice("noWhy"),
    ];
    const chosen = await choose(message, options);
    if (chosen === "noWhy") return { kind: "no", ...(await askWhy()) };
    return { kind: chosen };
  };
  const askWhy = async (): Promise<{ why?: string }> => {
    const typed = await text({ message: texts.instead, signal, ...streams });
    if (isCancel(typed)) return leave();
    const why = (typed ?? "").trim();
    return why === "" ? {} : { why };
  };
  const show = (...lines: string[]): void => {
    rest();
    terminal.out(`\n${lines.map((line) => `${line}\n`).join("")}`);
  };
  const sayWhy = (why: string): string[] => {
    const words = escapeLine(why).slice(0, maxWhy);
    return words === "" ? [] : ["", terminal.outStyle("dim", texts.modelSays(words))];
  };

  return {
    async judgeChange({ changes, diff, why }, guard) {
      const shown = printApprovalDiff(diff, terminal);
      const warning =
        guard === undefined ? [] : ["", terminal.outStyle("yellow", texts.always(guard))];
      show(shown === "" ? texts.emptyFile : shown, ...sayWhy(why), ...warning);
      return judge(nameChange(changes, texts), guard === undefined);
    },
    async judgeRead({ path, why }) {
      show(...sayWhy(why).slice(1));
      return judge(texts.read(showName(path)), false);
    },
    async judgeCheck(command, changed) {
      const words = command.map((word) => `"${showName(word)}"`).join(" ");
      const paths = changed.map(showName).join(", ");
      const warning =
        changed.length === 0 ? [] : [terminal.outStyle("yellow", texts.changedSince(paths))];
      show(`${texts.checkIsArguments} ${words}`, ...warning);
      return (await choose(texts.runCheck, [choice("yes"), choice("no")])) === "yes";
    },
  };
}

function nameChange(
  changes: (ApprovalQuestion & { kind: "change" })["changes"],
  texts: CodeTexts,
): string {
  const [change, ...others] = changes;
  if (change === undefined || others.length > 0) return texts.several(changes.length);
  const path = showName(change.path);
  if (change.after === undefined) return texts.remove(path);
  return change.before === undefined ? texts.create(path) : texts.change(path);
}

/** In milliseconds; what was typed before is there at once. */
const pause = 40;
const interrupt = "\u0003";

/**
 * Throws away what was typed before the question: it does not answer it.
 *
 * @returns whether Ctrl-C was among it
 */
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
  try {
    await sleep(pause);
  } finally {
    input.off("data", take);
    input.pause();
    input.setRawMode?.(wasRaw);
  }
  return typed.includes(interrupt);
}
