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
import { explainReported, sendCall, whereTo } from "./sending.ts";
import { describeConnection } from "../../base/errors/describe-cause.ts";
import { createPatientTimer, type Timers, onAbort } from "../../base/wire/patient-timer.ts";

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
 * Asks one question and lets its answer flow: what the transport pushes goes through the reader into the sink at once,
 * with no promise in between. Nothing reaches the sink once it has ended.
 *
 * @returns ends the request, whatever has become of it
 */
export function askForAnswer(
  api: ChatApi,
  call: ChatCall,
  options: PipeOptions,
): (reason: AppError) => void {
  const { as, signal, sink, end, figures } = options;
  // Where nothing is passed on as it came, what would be passed is read.
  const toolUse = as === "deltas" && call.toolUse === "passed" ? "read" : call.toolUse;
  const reader = new AnswerReader(
    as,
    api.limits,
    () => fallbackHead(api, call),
    toolUse,
    (reported) => explainReported(reported, call, api.secrets ?? []),
  );
  const { rules } = reader;
  const watch = watchAnswer(signal, api.times, api.timers, () => whereTo(call));
  let body: PushedBody | undefined;

  const close = (): void => {
    watch.close();
    body?.leave();
  };
  const fail = (thrown: unknown): void => {
    close();
    end.fail(watch.signal.aborted ? watch.signal.reason : thrown);
  };
  const finish = (): void => {
    try {
      for (const event of reader.finish()) {
        if (event.type === "usage") figures?.addUsage(event.usage);
        sink.take(event);
      }
      const reason = reader.end();
      if (rules.head !== undefined) options.onHead?.(rules.head);
      close();
      end.hasText = rules.hasText;
      end.end(reason);
    } catch (thrown) {
      fail(thrown);
    }
  };
  const drained = async (): Promise<void> => {
    await sink.drained();
    watch.beginWait();
  };
  const pass = (bytes: Uint8Array): Promise<void> | undefined => {
    const seen = rules.dataEvents;
    let isFree = true;
    for (const event of reader.push(bytes)) isFree = sink.take(event) && isFree;
    if (seen === 0 && rules.dataEvents > 0) figures?.sawToken();
    if (rules.done) {
      finish();
      return undefined;
    }
    if (rules.dataEvents > seen) watch.sawData();
    if (rules.reason !== undefined) watch.endWithin(graceAfterFinish);
    if (isFree) {
      watch.beginWait();
      return undefined;
    }
    watch.endWait();
    return drained();
  };
  const taker: BodyReader = {
    push(bytes) {
      if (end.isOver) return undefined;
      try {
        if (!watch.signal.aborted) return pass(bytes);
        taker.end(watch.signal.reason);
      } catch (thrown) {
        fail(thrown);
      }
      return undefined;
    },
    /** After the finish reason a broken or silent stream is a whole answer all the same. */
    end(broken) {
      if (end.isOver) return;
      if (broken === undefined || rules.reason !== undefined) finish();
      else if (broken instanceof AppError) fail(broken);
      else {
        const message = {
          en: "The connection to the model broke in the middle of its answer.",
          zh: "模型的回答进行到一半时，连接中断。",
        };
        const upstream = { ...whereTo(call), connection: describeConnection(broken) };
        fail(new AppError("upstream_truncated", message, { cause: broken }, upstream));
      }
    },
  };
  const ask = async (): Promise<void> => {
    try {
      watch.beginWait();
      const onBusy = (): unknown => sink.take({ type: "model-busy" });
      const sending = { ...options, signal: watch.signal, onBusy };
      const response = await sendCall(api, call, sending);
      if (end.isOver) {
        response.discard();
        return;
      }
      body = toPushed(response.body);
      body.pipe(taker);
    } catch (thrown) {
      fail(thrown);
    }
  };
  void ask();
  return (reason) => {
    watch.abort(reason);
    close();
  };
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
 *
 * @param where the host that the request goes to, for the log
 */
export function watchAnswer(
  outer: AbortSignal,
  { firstToken, idle, total }: AnswerTimes,
  timers: Timers,
  where: () => Pick<UpstreamFacts, "host" | "model">,
) {
  const controller = new AbortController();
  const started = timers.now();
  let end = started + total;
  let deadline = started + firstToken;
  let [isEnding, hasBegun, isFresh, isWaiting] = [false, false, false, false];
  /** The limit that has passed, with its setting. */
  const describeLimit = (isSilent: boolean): string => {
    if (!isSilent) return `no whole answer within ${total} ms (RIGHTSEAT_ANSWER_TIMEOUT_MS)`;
    return hasBegun
      ? `silent for ${idle} ms (RIGHTSEAT_IDLE_TIMEOUT_MS)`
      : `no first token within ${firstToken} ms (RIGHTSEAT_FIRST_TOKEN_TIMEOUT_MS)`;
  };
  const timer = createPatientTimer(timers, () => {
    const now = timers.now();
    const isSilent = isWaiting && now >= deadline;
    if (isSilent || now >= end) {
      const message = isSilent
        ? { en: "The model stayed silent for too long.", zh: "模型长时间没有响应。" }
        : { en: "The model took too long.", zh: "模型用时过长。" };
      const upstream = { ...where(), connection: describeLimit(isSilent) };
      controller.abort(new AppError("upstream_timeout", message, {}, upstream));
      return;
    }
    // Data that comes later sets a nearer deadline than the one of the first token.
    const next = Math.min(isWaiting ? deadline : end, now + idle, end);
    timer.set(Math.max(next - now, 1));
  });
  /** Stops following the caller's signal. */
  const leave = onAbort(outer, () => controller.abort(outer.reason));
  timer.set(Math.min(firstToken, total, idle));
  return {
    signal: controller.signal,
    /** From here on somebody waits for the model, and its silence counts. */
    beginWait(): void {
      if (isFresh) deadline = timers.now() + idle;
      [isFresh, isWaiting] = [false, true];
    },
    endWait(): void {
      isWaiting = false;
    },
    /** A data event came: silence is counted anew from the next wait on. */
    sawData(): void {
      isFresh = true;
      hasBegun = true;
    },
    /** The answer is whole; only its trailer is waited for, and not for long. Counts once. */
    endWithin(milliseconds: number): void {
      if (isEnding) return;
      isEnding = true;
      const now = timers.now();
      end = Math.min(end, now + milliseconds);
      timer.set(Math.max(end - now, 1));
    },
    /** Ends the request. */
    abort: (reason: AppError): void => controller.abort(reason),
    /** Lets go of timer and listener. Call it in every case. */
    close(): void {
      timer.stop();
      leave();
    },
  };
}
