import { AppError, toAppError } from "../base/errors/app-error.ts";
import { breathe, untilAborted } from "../base/wire/patient-timer.ts";
import { ReasoningSplitter, type SplitPiece } from "../base/text/reasoning.ts";
import type { ChatModel, ChatRequest, StreamOptions } from "./chat-model.ts";
import type {
  EndReason,
  ModelEvent,
  PlainEvent,
  Relay,
  RelaySink,
  TurnEvent,
} from "./turn-event.ts";

/** Asks a model for an answer that is passed on as it comes; nothing is sent before it is taken. */
export function relayAnswer(model: ChatModel, request: ChatRequest, options: StreamOptions): Relay {
  return model.relay?.(request, options) ?? streamRelay(model, request, options);
}

/**
 * A model that is asked by a relay.
 *
 * @param about what it says of itself: mostly another model, whose fields are read by name, as it may be of a class
 */
export function relayed(
  about: Omit<ChatModel, "stream" | "relay">,
  relay: NonNullable<ChatModel["relay"]>,
): Required<ChatModel> {
  const { name, contextWindow, answerReserve } = about;
  const { toolCalls = "tools", isDeterministic = false } = about;
  return {
    name,
    contextWindow,
    answerReserve,
    toolCalls,
    isDeterministic,
    relay,
    stream: (request, options) => relay(request, options).deltas(),
  };
}

/**
 * What becomes of a model's events, one after the other, and at their end. The model is let go of however the reader goes on.
 *
 * @returns why the answer ended
 */
export async function* mapAnswer<Event, Shown>(
  events: AsyncGenerator<Event, EndReason, void>,
  map: (event: Event) => AsyncIterable<Shown> | Iterable<Shown>,
  atEnd: () => Iterable<Shown> = () => [],
): AsyncGenerator<Shown, EndReason, void> {
  try {
    for (;;) {
      const next = await events.next();
      yield* next.done === true ? atEnd() : map(next.value);
      if (next.done === true) return next.value;
    }
  } finally {
    await events.return("aborted");
  }
}

/** The same events; what the model thinks aloud in its text (`<think>` and the like) comes as reasoning. */
function splitReasoning(
  events: AsyncGenerator<ModelEvent, EndReason, void>,
): AsyncGenerator<ModelEvent, EndReason, void> {
  const splitter = new ReasoningSplitter();
  return mapAnswer(
    events,
    (event) => (event.type === "text-delta" ? toSpoken(splitter.push(event.text)) : [event]),
    () => toSpoken(splitter.end()),
  );
}

/** Pieces of an answer as events of its model. */
export function toSpoken(pieces: readonly SplitPiece[]): ModelEvent[] {
  return pieces.map((piece) => {
    if (piece.type === "text-was-reasoning") return piece;
    return { type: piece.type === "text" ? "text-delta" : "reasoning-delta", text: piece.text };
  });
}

/** Whether an answer has text, and not only blanks, with its next event. */
export function hasTextAfter(hadText: boolean, event: ModelEvent): boolean {
  if (event.type === "text-was-reasoning") return false;
  return hadText || (event.type === "text-delta" && event.text.trim() !== "");
}

/** A turn's events for whoever reads deltas; each relay is replaced by what it passes on. */
export async function* expandRelays(
  events: AsyncIterable<TurnEvent>,
): AsyncGenerator<PlainEvent, void, void> {
  for await (const event of events) {
    if (event.type !== "relay") {
      yield event;
      continue;
    }
    try {
      yield* event.relay.deltas();
    } catch {
      // The flow gets the same failure from `ended`, and tells it.
    }
  }
}

/** How a relay ends: once. */
export class RelayEnd {
  isOver = false;
  hasText = false;
  /** Resolves then; it never rejects. */
  readonly over: Promise<void>;
  readonly promise: Promise<EndReason>;
  readonly #settled = Promise.withResolvers<EndReason>();

  constructor() {
    this.promise = this.#settled.promise;
    // Besides, a turn that was left asks nobody how its relay ended.
    this.over = this.promise.then(ignore, ignore);
  }

  end(reason: EndReason): void {
    this.isOver = true;
    this.#settled.resolve(reason);
  }

  fail(thrown: unknown): void {
    this.isOver = true;
    this.#settled.reject(toAppError(thrown));
  }
}

/** Events that are passed on before others get a turn. */
const eventsAtOnce = 5_000;

const ignore = (): void => undefined;

interface RelayedAnswer {
  /** Begins to fill the sink, and tells `end` how the answer ended. It never throws. */
  start: (as: "frames" | "deltas", sink: RelaySink, end: RelayEnd) => void;
  /** Nobody wants the answer any more. */
  abort: (reason: AppError) => void;
}

/** A relay whose answer is put into a sink; who wants deltas gets them out of a queue. */
export function createRelay({ start, abort }: RelayedAnswer): Relay {
  const end = new RelayEnd();
  const cancel = (): void => {
    if (end.isOver) return;
    const reason = new AppError("aborted", {
      en: "The model's answer was not wanted any more.",
      zh: "不再需要模型的回答。",
    });
    end.fail(reason);
    abort(reason);
  };
  return {
    ended: end.promise,
    heard: end,
    cancel,
    pipe(sink) {
      if (!end.isOver) start("frames", sink, end);
      return end.over;
    },
    async *deltas() {
      const queue = new EventQueue();
      if (!end.isOver) start("deltas", queue, end);
      void end.over.then(queue.close);
      let taken = 0;
      try {
        for (;;) {
          const events = await queue.next();
          if (events.length === 0) return await end.promise;
          yield* events;
          taken += events.length;
          // What has all come already would not let anybody else have a turn.
          if (taken < eventsAtOnce) continue;
          taken = 0;
          await breathe();
        }
      } finally {
        cancel();
      }
    },
  };
}

/** The relay of a model that yields deltas. */
function streamRelay(model: ChatModel, request: ChatRequest, options: StreamOptions): Relay {
  const { figures } = options;
  const controller = new AbortController();
  const run = async (sink: RelaySink, end: RelayEnd): Promise<void> => {
    const signal = AbortSignal.any([options.signal, controller.signal]);
    try {
      const events = splitReasoning(model.stream(request, { ...options, signal }));
      try {
        for (;;) {
          const next = await events.next();
          // Nothing comes after an abort, whatever the model makes of it.
          signal.throwIfAborted();
          if (next.done === true) return end.end(next.value);
          figures?.sawToken();
          const { value: event } = next;
          if (event.type === "usage") figures?.addUsage(event.usage);
          end.hasText = hasTextAfter(end.hasText, event);
          // Who has left never takes any more.
          if (!sink.take(event)) await untilAborted(sink.drained(), signal);
        }
      } finally {
        await events.return("aborted");
      }
    } catch (thrown) {
      end.fail(signal.aborted ? signal.reason : thrown);
    }
  };
  return createRelay({
    start: (_, sink, end) => void run(sink, end),
    abort: (reason) => controller.abort(reason),
  });
}

/** Keeps what is pushed until its one reader asks for it; no more is wanted before it asks again. */
export class EventQueue implements RelaySink {
  #events: ModelEvent[] = [];
  #isClosed = false;
  #wake: (() => void) | undefined;
  #release: (() => void) | undefined;

  take(event: ModelEvent): boolean {
    this.#events.push(event);
    this.#wake?.();
    return false;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  /** What has come, at least one event; none only after the queue was closed. */
  async next(): Promise<readonly ModelEvent[]> {
    if (this.#events.length === 0 && !this.#isClosed) {
      this.#release?.();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Nothing is pushed any more. */
  readonly close = (): void => {
    this.#isClosed = true;
    this.#wake?.();
  };
}
