import { escapeControls, escapeLine } from "../call/show/escape-controls.ts";
import { type CreatePainter, type PrintedAnswer, printAnswer } from "../call/show/print-answer.ts";
import type { AnswerPart } from "../call/read-answer.ts";
import type { Terminal } from "../call/terminal.ts";
import type { CallTexts } from "../call/texts.ts";
import type { AgentTalk, Heard } from "./ask-agent.ts";
import type { Step } from "./find-steps.ts";
import { type RequestSources, buildRequest } from "./send/build-request.ts";
import type { WsTexts } from "./texts.ts";
import { hasCases, keepTicked, type TickCases } from "./tick-cases.ts";

export interface StepsOptions {
  talk: AgentTalk;
  sources: RequestSources;
  terminal: Terminal;
  texts: CallTexts & { ws: WsTexts };
  /** The listener prints the messages, and the answer is not printed. */
  raw: boolean;
  createPainter: CreatePainter | undefined;
  /** Asks which cases are meant; without it all of them are. */
  tick?: TickCases | undefined;
}

/**
 * Sends the requests of a command one after the other, and prints their answers.
 *
 * @param first the request of the first step
 * @returns whether all of it came without a failure, and no limit stopped work on files
 */
export async function runSteps(
  steps: readonly Step[],
  first: Record<string, unknown>,
  options: StepsOptions,
): Promise<boolean> {
  const { terminal, sources, texts, raw } = options;
  let request = first;
  for (const nth of steps.keys()) {
    const heard: Heard = { text: "", models: [], taskId: undefined };
    terminal.wait(sources.command);
    const { failed, isCut } = await hear(options.talk.ask(request, heard), options);
    terminal.rest();
    // Work that a limit has stopped is not done, as for `rightseat code`.
    if (failed || (isCut === true && steps[nth]?.needs === "work")) return false;
    if (!raw) for (const name of heard.models) terminal.out(`${escapeLine(name)}\n`);
    const next = steps[nth + 1];
    if (next === undefined) break;
    const { text: cases, taskId } = heard;
    if (!hasCases(cases)) {
      terminal.err(`${terminal.errStyle("dim", texts.ws.noCases)}\n`);
      break;
    }
    const kept = options.tick === undefined ? cases : await keepTicked(cases, options.tick);
    if (kept === "") {
      terminal.err(`${terminal.errStyle("dim", texts.ws.noneTicked)}\n`);
      break;
    }
    if (!raw) terminal.out("\n");
    request = buildRequest(next, nth + 2, sources, { cases: kept, taskId });
  }
  return true;
}

async function hear(
  parts: AsyncIterable<AnswerPart>,
  { terminal, texts, raw, createPainter }: StepsOptions,
): Promise<Pick<PrintedAnswer, "failed" | "isCut">> {
  if (!raw) return printAnswer(parts, terminal, texts, createPainter);
  const heard: { failed: boolean; isCut?: true } = { failed: false };
  for await (const part of parts) {
    if (part.type === "cut") heard.isCut = true;
    if (part.type !== "failure") continue;
    heard.failed = true;
    terminal.err(`${terminal.errStyle("red", escapeControls(part.message))}\n`);
  }
  return heard;
}
