import { AppError, type UpstreamFacts } from "../../base/errors/app-error.ts";
import type { RelayEnd } from "../../turn/relay.ts";
import type { StreamOptions } from "../../turn/chat-model.ts";
import type { ChunkHead, RelaySink } from "../../turn/turn-event.ts";
import { AnswerReader } from "./answer-reader.ts";
import {
  type AnswerTimes,
  type BodyReader,
  type ChatApi,
  type ChatCall,
  type PushedBody,
  toPushed,
} from "./chat-api.ts";
import { Sending, explainReported, whereTo } from "./sending.ts";
import { describeConnection } from "../../base/errors/describe-cause.ts";
import { PatientTimer, type Timers, onAbort } from "../../base/wire/patient-timer.ts";

/** How long a stream may stay open after its finish reason, in milliseconds, for usage and end marker. */
const graceAfterFinish = 1_000;

interface PipeOptions extends StreamOptions {
  /** Whether plain frames may go into the sink as bytes. */
  as: "frames" | "deltas";
  sink: RelaySink;
  /** Is told how the answer ended. */
  end: RelayEnd;
}

/**
 * One question and its answer: what the transport pushes goes through the reader into the sink at once,
 * with no promise in between. Nothing reaches the sink once it has ended.
 */
export class AnswerPipe implements BodyReader {
  readonly #api: ChatApi;
  readonly #call: ChatCall;
  readonly #options: PipeOptions;
  readonly #reader: AnswerReader;
  readonly #watch: Watch;
  #body: PushedBody | undefined;

  constructor(api: ChatApi, call: ChatCall, options: PipeOptions) {
    this.#api = api;
    this.#call = call;
    this.#options = options;
    const { as, signal } = options;
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
      const { sink, end } = this.#options;
      const onBusy = (): unknown => sink.take({ type: "model-busy" });
      const options = { ...this.#options, signal: this.#watch.signal, onBusy };
      const response = await new Sending(this.#api, this.#call, options).send();
      if (end.isOver) {
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
    if (this.#options.end.isOver) return undefined;
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
    if (this.#options.end.isOver) return;
    if (broken === undefined || this.#reader.rules.reason !== undefined) this.#finish();
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
    for (const event of reader.push(bytes)) isFree = this.#options.sink.take(event) && isFree;
    if (seen === 0 && rules.dataEvents > 0) this.#options.figures?.sawToken();
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
    await this.#options.sink.drained();
    this.#watch.beginWait();
  }

  #finish(): void {
    try {
      for (const event of this.#reader.finish()) {
        if (event.type === "usage") this.#options.figures?.addUsage(event.usage);
        this.#options.sink.take(event);
      }
      const reason = this.#reader.end();
      const { head, hasText } = this.#reader.rules;
      if (head !== undefined) this.#options.onHead?.(head);
      this.#close();
      this.#options.end.hasText = hasText;
      this.#options.end.end(reason);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #fail(thrown: unknown): void {
    const { signal } = this.#watch;
    this.#close();
    this.#options.end.fail(signal.aborted ? signal.reason : thrown);
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

/**
 * Watches over one upstream request: aborts it when the caller's signal does, or when the model
 * stays silent too long. Time during which nobody waits for the model (a slow client) is not
 * counted as silence, and neither is time in which the event loop was held. One timer serves the whole
 * answer, since most answers need none.
 */
export class Watch {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  readonly #times: AnswerTimes;
  #end: number;
  #isEnding = false;
  #hasBegun = false;
  #deadline: number;
  #fresh = false;
  #waiting = false;
  readonly #timers: Timers;
  readonly #timer: PatientTimer;
  readonly #where: () => Pick<UpstreamFacts, "host" | "model">;
  /** Stops following the caller's signal. */
  readonly #leave: () => void;

  /** @param where the host that the request goes to, for the log */
  constructor(
    outer: AbortSignal,
    times: AnswerTimes,
    timers: Timers,
    where: () => Pick<UpstreamFacts, "host" | "model">,
  ) {
    this.#where = where;
    this.#times = times;
    this.#timers = timers;
    this.#timer = new PatientTimer(timers, this.#check);
    const now = timers.now();
    this.#end = now + times.total;
    this.#deadline = now + times.firstToken;
    this.#leave = onAbort(outer, () => this.#controller.abort(outer.reason));
    this.#timer.set(Math.min(times.firstToken, times.total, times.idle));
  }

  /** From here on somebody waits for the model, and its silence counts. */
  beginWait(): void {
    if (this.#fresh) this.#deadline = this.#timers.now() + this.#times.idle;
    this.#fresh = false;
    this.#waiting = true;
  }

  endWait(): void {
    this.#waiting = false;
  }

  /** A data event came: silence is counted anew from the next wait on. */
  sawData(): void {
    this.#fresh = true;
    this.#hasBegun = true;
  }

  /** The answer is whole; only its trailer is waited for, and not for long. Counts once. */
  endWithin(milliseconds: number): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const now = this.#timers.now();
    this.#end = Math.min(this.#end, now + milliseconds);
    this.#timer.set(Math.max(this.#end - now, 1));
  }

  /** Ends the request. */
  abort(reason: AppError): void {
    this.#controller.abort(reason);
  }

  /** Lets go of timer and listener. Call it in every case. */
  close(): void {
    this.#timer.stop();
    this.#leave();
  }

  /** The limit that has passed, with its setting. */
  #describeLimit(isSilent: boolean): string {
    const { firstToken, idle, total } = this.#times;
    if (!isSilent) return `no whole answer within ${total} ms (RIGHTSEAT_ANSWER_TIMEOUT_MS)`;
    return this.#hasBegun
      ? `silent for ${idle} ms (RIGHTSEAT_IDLE_TIMEOUT_MS)`
      : `no first token within ${firstToken} ms (RIGHTSEAT_FIRST_TOKEN_TIMEOUT_MS)`;
  }

  readonly #check = (): void => {
    const now = this.#timers.now();
    const isSilent = this.#waiting && now >= this.#deadline;
    if (isSilent || now >= this.#end) {
      this.#controller.abort(
        new AppError(
          "upstream_timeout",
          isSilent
            ? { en: "The model stayed silent for too long.", zh: "模型长时间没有响应。" }
            : { en: "The model took too long.", zh: "模型用时过长。" },
          {},
          { ...this.#where(), connection: this.#describeLimit(isSilent) },
        ),
      );
      return;
    }
    // Data that comes later sets a nearer deadline than the one of the first token.
    const next = Math.min(
      this.#waiting ? this.#deadline : this.#end,
      now + this.#times.idle,
      this.#end,
    );
    this.#timer.set(Math.max(next - now, 1));
  };
}
