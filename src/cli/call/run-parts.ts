// What the commands that ask an agent share: settings, the person's question, a terminal, and Ctrl-C.
import { type CliTexts, cliTexts } from "../texts.ts";
import { existsSync } from "node:fs";
import type { WriteStream } from "node:tty";
import { parseLocale } from "../../base/errors/locale.ts";
import { type Config, parseConfig } from "../../setup/config.ts";
import { configureLog } from "../../setup/configure-log.node.ts";
import { CliError } from "../cli-error.ts";
import { type Place, parsePlace } from "./collect/read-editor.ts";
import { withTerminalLocale } from "../read/read-settings-file.ts";
import { exitStopped, stopOnInterrupt } from "../fail-with.ts";
import { joinPrompt, readPipedText } from "../read/read-text-file.ts";
import {
  type PromptStreams,
  type Terminal,
  createSpinner,
  createTerminal,
  showsColours,
} from "./terminal.ts";
import { isCancel, text } from "@clack/prompts";
import type { Choice } from "./show/print-actions.ts";

/** @param file the settings of a file, as `parseConfig` takes them */
export async function openCall(
  language: string | undefined,
  file: unknown,
  environment = process.env,
): Promise<{ config: Config; texts: CliTexts }> {
  const config = parseConfig(environment, withTerminalLocale(file, process.env));
  // Who asks a server finds its log there; a person at a terminal wants the answer, and no more.
  if (config.logLevel === "debug") await configureLog(config);
  return { config, texts: cliTexts(parseLocale(language) ?? config.locale) };
}

/** The file and what is meant in it, from the argument or the options. @throws CliError where they contradict each other */
export function settlePlace(
  { file, lines, place }: { file?: string; lines?: string; place?: string | undefined },
  texts: CliTexts,
): Partial<Place> {
  if (file !== undefined && place !== undefined) throw new CliError(texts.twoFiles(file, place));
  const named = place ?? file;
  if (named === undefined) {
    if (lines !== undefined) throw new CliError(texts.linesOfWhat);
    return {};
  }
  const found = parsePlace(named, existsSync);
  if (lines === undefined) return found;
  if (found.file !== named) throw new CliError(texts.twoRanges(named, lines));
  return { file: named, lines };
}

export function canAsk(raw = false, output: WriteStream = process.stdout): boolean {
  return process.stdin.isTTY && output.isTTY && !raw;
}

/** @returns undefined where the person has no question. @throws CliError where one is needed, and nobody can be asked */
export async function readQuestion(
  { prompt: typed, raw }: { prompt?: string | undefined; raw?: boolean | undefined },
  isNeeded: boolean,
  name: string,
  texts: CliTexts,
): Promise<string | undefined> {
  const prompt = joinPrompt(typed, await readPipedText());
  if (prompt !== undefined || !isNeeded) return prompt;
  if (canAsk(raw)) return askQuestion(texts);
  throw new CliError(texts.needsQuestion(name));
}

/** The streams of this process, and what renders an answer there for a person at a screen. */
export async function openTerminal(
  { plain = false, raw = false }: { plain?: boolean | undefined; raw?: boolean | undefined },
  output: WriteStream = process.stdout,
): Promise<Terminal> {
  const isBare = plain || raw;
  const spinner =
    isBare || !showsColours(process.stderr) ? undefined : createSpinner(process.stderr);
  // What paints an answer is not loaded for a pipe or a file.
  const painting =
    isBare || !showsColours(output) ? undefined : await import("./show/markdown-painter.ts");
  const createPainter = painting?.createMarkdownPainter;
  return createTerminal(output, process.stderr, { plain, spinner, createPainter });
}

/** Tells that Ctrl-C has ended the command. @returns its exit code */
export function sayStopped(texts: CliTexts): number {
  process.stderr.write(`\n${texts.stopped}\n`);
  return exitStopped;
}

/** Does what Ctrl-C may stop. @param work says whether all was well; `stop` is for a Ctrl-C that a question has taken */
export async function runStoppable(
  texts: CliTexts,
  opened: { close(): Promise<void> },
  work: (signal: AbortSignal, stop: () => void) => Promise<boolean>,
): Promise<number> {
  const { signal, stop, release } = stopOnInterrupt();
  try {
    const isSound = await work(signal, stop);
    return isSound ? 0 : signal.aborted ? sayStopped(texts) : 1;
  } catch (thrown) {
    if (signal.aborted) return sayStopped(texts);
    throw thrown;
  } finally {
    release();
    await opened.close();
  }
}

/** Whether a command can do nothing without words of the person: it answers what they type, and nothing else. */
export function needsQuestion(command: string): boolean {
  return command === "chat";
}

/** Asks the person what they want to know; undefined when they press Ctrl-C. */
export async function askQuestion(
  texts: CliTexts,
  streams: PromptStreams = { input: process.stdin, output: process.stdout },
): Promise<string | undefined> {
  const question = await text({
    ...streams,
    message: texts.question,
    validate: (typed) => ((typed ?? "").trim() === "" ? texts.noQuestion : undefined),
  });
  streams.output.write("\n");
  return isCancel(question) ? undefined : question;
}

/** A choice with the question that the person puts: what a chat button says of itself is none. */
export async function withQuestion(
  choice: Choice | undefined,
  ask: () => Promise<string | undefined>,
): Promise<Choice | undefined> {
  if (choice === undefined || !needsQuestion(choice.command)) return choice;
  const prompt = await ask();
  return prompt === undefined ? undefined : { ...choice, prompt };
}
