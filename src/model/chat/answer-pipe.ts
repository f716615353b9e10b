import { AppError } from "../../base/errors/app-error.ts";
import type { RelayEnd } from "../../turn/relay.ts";
import type { TurnFigures } from "../../turn/figures/turn-figures.ts";
import type { ChunkHead, RelaySink } from "../../turn/turn-event.ts";
import { AnswerReader } from "./answer/answer-reader.ts";
import type { ChatApi, ChatCall } from "./chat-api.ts";
import { type BodyReader, type PushedBody, toPushed } from "./upstream.ts";
import { sendWithRetry } from "./send-with-retry.ts";
import { describeConnection } from "../../base/errors/describe-connection.ts";
import { explainReported, whereTo } from "./refusal/upstream-facts-of.ts";
import { Watch } from "./watch.ts";

/** How long a stream may stay open after its finish reason, in milliseconds, for usage and end marker. */
const graceAfterFinish = 1_000;

export interface PipeOptions {
  signal: AbortSignal;
  /** Whether plain frames may go into the sink as bytes. */
  as: "frames" | "deltas";
  sink: RelaySink;
  /** Is told how the answer ended. */
  end: RelayEnd;
  /** Are told what the call comes to. */
  figures: TurnFigures | undefined;
  /** A call that fails is not sent again. */
  isOnce: boolean;
}

/**
 * One question and its answer: what the transport pushes goes through the reader into the sink at once,
 * with no promise in between. Nothing reaches the sink once it has ended.
 */
export class AnswerPipe implements BodyReader {
  readonly #api: ChatApi;
  readonly #call: ChatCall;
  readonly #sink: RelaySink;
  readonly #end: RelayEnd;
  readonly #reader: AnswerReader;
  readonly #watch: Watch;
  readonly #figures: TurnFigures | undefined;
  readonly #isOnce: boolean;
  #body: PushedBody | undefined;

  constructor(
    api: ChatApi,
    call: ChatCall,
    { signal, as, sink, end, figures, isOnce }: PipeOptions,
  ) {
    this.#isOnce = isOnce;
    this.#api = api;
    this.#call = call;
    this.#sink = sink;
    this.#end = end;
    this.#figures = figures;
    // Where nothing is passed on as it came, what would be passed is read.
    const isRead = as === "deltas" && call.toolUse === "passed";
    const toolUse = isRead ? "read" : call.toolUse;
    this.#reader = new AnswerReader(
      as,
      api.limits,
      () => fallbackHead(api, call),
      toolUse,
      (reported) => explainReported(reported, call, api.secrets ?? []),
    );
    this.#watch = new Watch(signal, api.times, api.timers, () => whereTo(call));
  }

  /** Posts to `/chat/completions` and lets the answer flow. */
  async ask(): Promise<void> {
    try {
      this.#watch.beginWait();
      const response = await sendWithRetry(this.#api, this.#call, this.#watch.signal, {
        onBusy: () => this.#sink.take({ type: "model-busy" }),
        figures: this.#figures,
        isOnce: this.#isOnce,
      });
      if (this.#end.isOver) {
        response.discard();
        return;
      }
      this.#body = toPushed(response.body);
      this.#body.pipe(this);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  push(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#end.isOver) return undefined;
    const { signal } = this.#watch;
    try {
      if (!signal.aborted) return this.#pass(bytes);
      this.end(signal.reason);
    } catch (thrown) {
      this.#fail(thrown);
    }
    return undefined;
  }

  /** After the finish reason a broken or silent stream is a whole answer all the same. */
  end(broken?: unknown): void {
    if (this.#end.isOver) return;
    if (broken === undefined || this.#reader.reason !== undefined) this.#finish();
    else if (broken instanceof AppError) this.#fail(broken);
    else {
      const message = {
        en: "The connection to the model broke in the middle of its answer.",
        zh: "模型的回答进行到一半时，连接中断。",
      };
      const upstream = { ...whereTo(this.#call), connection: describeConnection(broken) };
      this.#fail(new AppError("upstream_truncated", message, { cause: broken }, upstream));
    }
  }

  /** Ends the request, whatever has become of it. */
  abort(reason: AppError): void {
    this.#watch.abort(reason);
    this.#close();
  }

  #pass(bytes: Uint8Array): Promise<void> | undefined {
    const reader = this.#reader;
    const { rules } = reader;
    const watch = this.#watch;
    const seen = rules.dataEvents;
    let isFree = true;
    for (const event of reader.push(bytes)) isFree = this.#sink.take(event) && isFree;
    if (seen === 0 && rules.dataEvents > 0) this.#figures?.sawToken();
    if (rules.done) {
      this.#finish();
      return undefined;
    }
    if (rules.dataEvents > seen) watch.sawData();
    if (rules.reason !== undefined) watch.endWithin(graceAfterFinish);
    if (isFree) {
      watch.beginWait();
      return undefined;
    }
    watch.endWait();
    return this.#drained();
  }

  async #drained(): Promise<void> {
    await this.#sink.drained();
    this.#watch.beginWait();
  }

  #finish(): void {
    try {
      for (const event of this.#reader.finish()) {
        if (event.type === "usage") this.#figures?.addUsage(event.usage);
        this.#sink.take(event);
      }
      const reason = this.#reader.end();
      this.#close();
      this.#end.end(reason);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #fail(thrown: unknown): void {
    const { signal } = this.#watch;
    this.#close();
    this.#end.fail(signal.aborted ? signal.reason : thrown);
  }

  #close(): void {
    this.#watch.close();
    this.#body?.leave();
  }
}

function fallbackHead({ createId, now }: ChatApi, { name }: ChatCall): ChunkHead {
  return {
    id: `chatcmpl-${createId()}`,
    model: name,
    created: Math.floor(now() / 1_000),
  };
}
