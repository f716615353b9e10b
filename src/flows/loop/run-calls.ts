import type { Message } from "../../errors/app-error.ts";
import type { Locale } from "../../errors/locale.ts";
import type { Toolbox } from "../../tools/toolbox.ts";
import { type FinishedCall, runCall } from "../../tools/run-call.ts";
import { printOutcome } from "../../tools/print-outcome.ts";
import type { ToolUse } from "../../tools/tool.ts";
import { fail } from "../../tools/workspace/outcome.ts";
import type { HistoryEntry } from "../../turn/history-entry.ts";
import type { ToolCall } from "../../turn/tool-call.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { CallResult } from "./conversation.ts";

/** Reads that run side by side. */
const maxAtOnce = 8;
/** Calls of one answer that are run, and more that are answered; what comes then is left out. */
const maxCalls = 128;
const maxAnswered = 256;
/** Groups of calls after which others have their turn: each may be quick, and there may be many. */
const groupsAtOnce = 10;

export interface CallRunner {
  tools: Toolbox;
  use: ToolUse;
  /** Milliseconds since 1970. */
  now: () => number;
  /** What a person is shown when a call is over. */
  showStep: (done: FinishedCall) => Iterable<TurnEvent>;
}

/**
 * Runs the calls of an answer: neighbouring reads side by side, each write alone, so that every call sees what
 * the writes before it have done. The results come in the order of the calls.
 */
export async function* runCalls(
  runner: CallRunner,
  calls: readonly ToolCall[],
): AsyncGenerator<TurnEvent, CallResult[], void> {
  const { tools, use, now, showStep } = runner;
  const results: CallResult[] = [];
  for (const [nth, group] of groupCalls(tools, calls.slice(0, maxCalls)).entries()) {
    if (nth % groupsAtOnce === groupsAtOnce - 1) await use.slices.breathe();
    for (const call of group) yield { type: "tool-call", call };
    const finished = await Promise.all(group.map((call) => runCall(call, tools, use)));
    for (const [place, done] of finished.entries()) {
      const call = group[place];
      if (call === undefined) continue;
      results.push({ call, ...done });
      yield { type: "tool-result", result: done.result, entry: toEntry(done, now()) };
      yield* showStep(done);
    }
  }
  for (const call of calls.slice(maxCalls, maxAnswered)) {
    yield { type: "tool-call", call };
    const done = leaveOut(call, use.locale);
    results.push({ call, ...done });
    yield { type: "tool-result", result: done.result, entry: toEntry(done, now()) };
  }
  return results;
}

function leaveOut({ id, name }: ToolCall, locale: Locale): FinishedCall {
  const outcome = fail(locale, "too-many-calls", tooMany);
  const content = printOutcome(outcome);
  return { tool: name, params: {}, outcome, result: { id, content, isError: true } };
}

const tooMany: Message = {
  en: `Not run: only the first ${maxCalls} calls of an answer are. Call it again if it is still needed.`,
  zh: `未执行：一次回答只执行前 ${maxCalls} 个调用。如仍有需要，请重新调用。`,
};

export function isWrite(tools: Toolbox, name: string): boolean {
  return tools.find(name)?.effect === "write";
}

function groupCalls(tools: Toolbox, calls: readonly ToolCall[]): ToolCall[][] {
  const groups: ToolCall[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const isAlone = isWrite(tools, call.name);
    const last = groups.at(-1);
    if (isOpen && !isAlone && last !== undefined && last.length < maxAtOnce) last.push(call);
    else groups.push([call]);
    isOpen = !isAlone;
  }
  return groups;
}

function toEntry({ tool, params: given, outcome }: FinishedCall, now: number): HistoryEntry {
  const { explanation, instructions, ...params } = given;
  const reason = explanation ?? instructions;
  return {
    tool,
    reason: typeof reason === "string" ? reason : "",
    params,
    result: outcome,
    timestamp: new Date(now).toISOString(),
  };
}
