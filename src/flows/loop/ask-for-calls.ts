import { AppError } from "../../base/errors/app-error.ts";
import { putCallsInText } from "../../model/chat/openai-compatible.ts";
import { CallReader } from "../../tools/text-calls/call-reader.ts";
import type { Toolbox } from "../../tools/tool.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { Turn } from "../../turn/turn.ts";
import type { ChunkHead, EndReason, ModelEvent, TurnEvent, Usage } from "../../turn/turn-event.ts";
import { addUsage } from "../../turn/figures.ts";
import { hearModel } from "../ask/answer.ts";
import type { Page } from "../edit/page.ts";
import { countTokens } from "./conversation.ts";
import { loopTexts } from "./loop-texts.ts";
import { type Timers, sleep } from "../../base/wire/patient-timer.ts";

export interface CallAnswer extends Pick<CallReader, "raw" | "calls" | "areWritten" | "faults"> {
  /** What of its text is for the person. */
  said: string;
  reason: EndReason;
  usage: Usage | undefined;
  /** As the model's server names it; undefined for models without one. */
  head: Pick<ChunkHead, "id" | "model"> | undefined;
  /** What it has cost with its question, and answers that broke off before, as far as we estimate them. */
  tokens: number;
}

export interface AskParts {
  turn: Turn;
  tools: Toolbox;
  /** Shows the model's words, and ours on what it is waited for. */
  page: Pick<Page, "write" | "block">;
  patience: Patience;
}

interface Asked {
  request: ChatRequest;
  /** Makes the ids of calls in the text unique: in the turn, or further. */
  round: number | string;
  /** The person has read it already; an answer that says just this once more is not shown. */
  known: string;
}

/**
 * Asks the model, passes its words on as they come, and keeps its calls back. A model that fails in a way that passes is
 * asked again, and what it has said before counts for nothing.
 */
export async function* askForCalls(
  { turn, tools, page, patience }: AskParts,
  { request, round, known: shown }: Asked,
): AsyncGenerator<TurnEvent, CallAnswer, void> {
  const { messages } = request;
  const known = shown.trim();
  const told = turn.model.toolCalls === "text" ? putCallsInText(request) : request;
  let lost = 0;
  for (;;) {
    let reader = new CallReader(tools, round);
    const heard: Pick<CallAnswer, "said" | "usage" | "head"> = {
      said: "",
      usage: undefined,
      head: undefined,
    };
    /** The beginning of what is for the person, as long as it may be what they have read already. */
    let echo = known === "" ? undefined : "";
    const show = function* (text: string): Generator<TurnEvent, void, void> {
      if (text === "") return;
      heard.said += text;
      const all = (echo ?? "") + text;
      const isEcho = echo !== undefined && known.startsWith(all.trim());
      echo = isEcho ? all : undefined;
      if (!isEcho) yield* page.write(all);
    };
    const hear = (event: ModelEvent): Iterable<TurnEvent> => {
      if (event.type === "text-delta") return show(reader.push(event.text));
      if (event.type === "tool-call") {
        reader.add(event.call);
        return [];
      }
      if (event.type === "usage") heard.usage = addUsage(heard.usage, event.usage);
      // It may have been shown already; nothing of it counts.
      if (event.type === "text-was-reasoning") {
        reader = new CallReader(tools, round);
        heard.said = "";
      }
      return [event];
    };
    try {
      const reason = yield* hearModel(turn, told, hear, (head) => void (heard.head = head));
      yield* show(reader.end({ isStopped: reason === "stop" || reason === "tool_calls" }));
      if ((echo ?? "").trim() !== known) yield* page.write(echo ?? "");
      patience.rest();
      const { raw, calls, areWritten, faults } = reader;
      const written = raw + calls.map((call) => call.arguments).join("");
      return {
        ...heard,
        raw,
        calls,
        areWritten,
        faults,
        reason,
        // To count a conversation takes long, and not everybody asks.
        get tokens() {
          return lost + (heard.usage?.total_tokens ?? countTokens(messages, written));
        },
      };
    } catch (thrown) {
      turn.signal.throwIfAborted();
      const wait = thrown instanceof AppError ? patience.next(thrown) : undefined;
      if (wait === undefined || !(thrown instanceof AppError)) throw thrown;
      const { waiting, isVoid } = loopTexts(turn.locale);
      const hasBegun = reader.raw.trim() !== "";
      if (hasBegun) lost += countTokens(messages, reader.raw);
      const why = thrown.messageIn(turn.locale) + (hasBegun ? isVoid : "");
      yield* page.block(`${waiting(Math.ceil(wait / 1_000), why)}\n`);
      yield { type: "model-busy", isVoid: true };
      await patience.wait(wait, turn.signal);
    }
  }
}

/** Of work in steps, which is lost with its turn; in milliseconds. */
const maxInAll = 120_000;
/** The first wait where nobody says how long, and the longest; each is twice the one before. */
const [firstWait, longestWait] = [1_000, 30_000];

type Patience = ReturnType<typeof createPatience>;

/**
 * How long a turn waits for a model that fails in a way that passes: it is busy, away, or its answer broke off.
 *
 * @param inAll milliseconds that it waits, and spends on asking again, in all
 */
export function createPatience(timers: Timers, inAll = maxInAll) {
  let [left, tries] = [inAll, 0];
  /** When the model was asked again. */
  let since: number | undefined;
  return {
    /** @returns milliseconds to wait before asking again; undefined where that makes no sense */
    next(error: AppError): number | undefined {
      if (since !== undefined) left -= timers.now() - since;
      const usual = Math.min(firstWait * 2 ** tries, longestWait, left);
      const wait = Math.max((error.details.retryAfter ?? 0) * 1_000, usual);
      const { isRetried, code } = error;
      const passes = isRetried || code === "upstream_truncated" || code === "upstream_timeout";
      return passes && left > 0 && wait <= left ? wait : undefined;
    },

    /** @throws the signal's reason, as soon as it is aborted */
    async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
      await sleep(milliseconds, timers, signal);
      left -= milliseconds;
      tries += 1;
      since = timers.now();
    },

    rest(): void {
      tries = 0;
      since = undefined;
    },
  };
}
