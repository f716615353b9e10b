import { ReasoningSplitter, type SplitPiece } from "../../edit/read/reasoning-splitter.ts";
import type { Message } from "../../errors/app-error.ts";
import { TextCallReader } from "../../tools/text-calls/text-call-reader.ts";
import type { Toolbox } from "../../tools/toolbox.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { Slices } from "../../turn/slices.ts";
import type { ToolCall } from "../../turn/tool-call.ts";
import type { Turn } from "../../turn/turn.ts";
import {
  addUsage,
  type EndReason,
  type ModelEvent,
  type TurnEvent,
  type Usage,
} from "../../turn/turn-event.ts";
import type { Page } from "../edit/page.ts";

/** An answer of the model. */
export interface CallAnswer {
  /** All of its text with the calls in it, without what it thought aloud. */
  raw: string;
  reason: EndReason;
  calls: readonly ToolCall[];
  /** The calls are part of its text. */
  areWritten: boolean;
  /** Told to the model: what in its text looks like a call, but is not one. */
  faults: readonly Message[];
  usage: Usage | undefined;
}

interface AskParts {
  turn: Turn;
  tools: Toolbox;
  page: Page;
  slices: Slices;
}

/**
 * Asks the model, passes its words on as they come, and keeps its calls back. Calls in its text count where it
 * has made no others: some models write them down though they were offered the tools.
 *
 * @param round makes the ids of calls in the text unique in the turn
 */
export async function* askForCalls(
  parts: AskParts,
  request: ChatRequest,
  round: number,
): AsyncGenerator<TurnEvent, CallAnswer, void> {
  const { turn, page, tools, slices } = parts;
  const { model, signal, caller } = turn;
  const heard = new Heard(tools, page);
  const made: ToolCall[] = [];
  let usage: Usage | undefined;
  const events = model.stream(request, { signal, caller });
  try {
    for (;;) {
      const next = await events.next();
      if (next.done === true) {
        const reason = next.value;
        const isStopped = reason === "stop" || reason === "tool_calls";
        const last = await slices.run("answer", heard.end(isStopped), signal);
        for (const event of last) yield event;
        const { raw, faults } = heard;
        const written = heard.calls.map((call) => ({ ...call, id: `${call.id}_${round}` }));
        const areWritten = made.length === 0 && isStopped;
        const calls = areWritten ? written : made;
        return { raw, reason, calls, areWritten, faults: areWritten ? faults : [], usage };
      }
      const event: ModelEvent = next.value;
      if (event.type === "tool-call") made.push(event.call);
      else if (event.type === "text-delta") yield* heard.push(event.text);
      else {
        if (event.type === "usage") usage = addUsage(usage, event.usage);
        yield event;
      }
    }
  } finally {
    await events.return("aborted");
  }
}

/** The text of an answer as it comes. */
class Heard {
  raw = "";
  readonly #tools: Toolbox;
  readonly #page: Page;
  readonly #splitter = new ReasoningSplitter();
  #reader: TextCallReader;

  constructor(tools: Toolbox, page: Page) {
    this.#tools = tools;
    this.#page = page;
    this.#reader = new TextCallReader(tools);
  }

  get calls(): readonly ToolCall[] {
    return this.#reader.calls;
  }

  get faults(): readonly Message[] {
    return this.#reader.faults;
  }

  *push(text: string): Generator<TurnEvent, void, void> {
    for (const piece of this.#splitter.push(text)) yield* this.#take(piece);
  }

  *end(isStopped: boolean): Generator<void, TurnEvent[], void> {
    const events = this.#splitter.end().flatMap((piece) => [...this.#take(piece)]);
    for (const event of yield* this.#reader.endInSteps({ isStopped }))
      if (event.type === "text") events.push(...this.#page.write(event.text));
    return events;
  }

  *#take(piece: SplitPiece): Generator<TurnEvent, void, void> {
    if (piece.type === "reasoning") yield { type: "reasoning-delta", text: piece.text };
    else if (piece.type === "text-was-reasoning") {
      // It may have been shown already; nothing of it counts.
      this.raw = "";
      this.#reader = new TextCallReader(this.#tools);
    } else {
      this.raw += piece.text;
      for (const event of this.#reader.push(piece.text))
        if (event.type === "text") yield* this.#page.write(event.text);
    }
  }
}
