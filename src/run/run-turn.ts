import type { Flow, Services } from "../flows/flow.ts";
import { nameCaller } from "../turn/chat-model.ts";
import type { Turn } from "../turn/turn.ts";
import type {
  ChunkHead,
  EndReason,
  PlainEvent,
  Relay,
  RelayedEvent,
  TurnEvent,
} from "../turn/turn-event.ts";
import type { Admission } from "./admissions.ts";
import type { TurnFigures } from "../turn/figures.ts";
import {
  AppError,
  describeUpstream,
  toAppError,
  withoutMessage,
} from "../base/errors/app-error.ts";
import { relayAnswer, relayed } from "../turn/relay.ts";
import { breathe } from "../base/wire/patient-timer.ts";
import { readDeltas } from "../model/chat/chat-chunk.ts";
import type { Logger } from "@logtape/logtape";
import { describeFault, nameCause } from "../base/errors/describe-cause.ts";
import { cutName } from "../base/errors/names.ts";

/**
 * Runs what answers a turn; its events keep the contract of `settle`. When they are over, or whoever
 * reads them leaves, the admission ends. Nothing happens before the first event is asked for.
 */
export function runTurn(
  admission: Admission,
  turn: Turn,
  flow: Flow,
  services: Services,
): AsyncGenerator<TurnEvent, void, void> {
  const { figures } = admission;
  // With figures of each call, which what relays its answer keeps.
  const model = relayed(turn.model, (request, options) =>
    relayAnswer(turn.model, request, { ...options, figures }),
  );
  const measured = { ...turn, model };
  const focus = turn.given === undefined ? undefined : { facts: turn.given };
  return settle(flow(measured, services, focus), turn.signal, (failure, reason) => {
    figures.reason = reason;
    admission.end(turn, failure);
  });
}

/**
 * Sits once between flows and doors, and makes the contract of events true for whatever is
 * inside: nothing throws, a failure is one `turn-error`, and exactly one `turn-end` comes last.
 * A relay that is not over when the next event is asked for, or when the reader leaves, is cancelled.
 * An abort whose reason is an AppError (draining, say) is told as that error; of what comes after it only results of
 * calls pass, since what was written is written.
 *
 * @param onEnd is told once that it is over, whoever has ended it, of what it failed, and the reason of the
 * `turn-end` if that has come
 */
export async function* settle(
  events: AsyncIterable<TurnEvent>,
  signal: AbortSignal,
  onEnd?: (failure: AppError | undefined, reason: EndReason | undefined) => void,
): AsyncGenerator<TurnEvent, void, void> {
  let failure: AppError | undefined;
  let reason: EndReason | undefined;
  let relay: Relay | undefined;
  try {
    try {
      for await (const event of events) {
        if (signal.aborted && event.type !== "tool-result") break;
        if (event.type === "turn-error") failure ??= event.error;
        reason = event.type === "turn-end" ? event.reason : undefined;
        if (failure === undefined && (reason === "error" || reason === "aborted")) {
          failure = endedBadly();
          yield { type: "turn-error", error: failure };
        }
        relay = event.type === "relay" ? event.relay : undefined;
        yield event;
        relay?.cancel();
        if (reason !== undefined) return;
      }
      throw new AppError("internal", {
        en: "The command ended without an end.",
        zh: "指令没有正常结束。",
      });
    } catch (thrown) {
      // A source that fails to let go spoils nothing.
      if (reason !== undefined) return;
      relay?.cancel();
      const error = toAppError(signal.aborted ? signal.reason : thrown);
      const isTold = failure !== undefined;
      failure ??= error;
      if (!isTold) yield { type: "turn-error", error };
      reason = error.code === "aborted" ? "aborted" : "error";
      yield { type: "turn-end", reason };
    }
  } finally {
    relay?.cancel();
    // A reader that aborts the turn and leaves has been told nothing, and may have failed itself.
    if (signal.aborted) failure ??= toAppError(signal.reason);
    onEnd?.(failure, reason);
  }
}

function endedBadly(): AppError {
  const message = { en: "The model ended with an error.", zh: "模型因错误而中止。" };
  return new AppError("upstream_error", message);
}

/** Turns an event into a protocol's text or bytes, empty where it has nothing to say; `turn-end` into all that ends the answer. */
export interface EventEncoder<Piece extends string | Uint8Array = string | Uint8Array> {
  (event: PlainEvent): Piece;
  /** For protocols that are OpenAI-shaped: whole frames of a model. Without it they come as deltas. */
  frames?(bytes: Uint8Array, head: ChunkHead): Piece;
}

interface AnswerSink<Piece extends string | Uint8Array = string | Uint8Array> {
  /** Sees each event before it is encoded; frames it does not see. */
  see(event: PlainEvent): void;
  /** Takes a piece that is not empty; false says that no more is wanted before it has drained. */
  write(piece: Piece): boolean;
  /** Resolves when more may come; it never rejects. */
  drained(): Promise<void>;
  /** Takes the last piece, which may be empty. */
  end(piece: Piece, reason: EndReason): void;
}

export interface PumpOptions<Piece extends string | Uint8Array = string | Uint8Array> {
  events: AsyncIterable<TurnEvent>;
  encode: EventEncoder<Piece>;
  sink: AnswerSink<Piece>;
  /** Ends the turn, with the reason that is logged. */
  abort: (reason: AppError) => void;
}

/** So many pieces are written before the event loop may turn. */
const maxAtOnce = 100;

/**
 * Passes the events of a turn through an encoder into a sink, relays in the form that costs least. A slow sink slows
 * the turn. It ends with `turn-end`, and the sink has ended before the turn lets go of its place.
 *
 * @throws what the encoder or the sink throws
 */
export async function pumpTurn<Piece extends string | Uint8Array>({
  events,
  encode,
  sink,
  abort,
}: PumpOptions<Piece>): Promise<void> {
  let written = 0;
  const take = (event: PlainEvent | RelayedEvent): boolean => {
    let piece: Piece;
    if (event.type !== "upstream-frames") {
      sink.see(event);
      piece = encode(event);
    } else if (encode.frames === undefined)
      return deltasOf(event.bytes).reduce((isFree, delta) => take(delta) && isFree, true);
    else piece = encode.frames(event.bytes, event.head);
    if (piece.length === 0) return true;
    written += 1;
    return sink.write(piece) && written % maxAtOnce !== 0;
  };
  const drained = async (): Promise<void> => {
    await sink.drained();
    // A flow that has all its events at hand would keep everybody else from theirs.
    if (written % maxAtOnce === 0) await breathe();
  };
  for await (const event of events) {
    if (event.type === "relay") {
      await event.relay.pipe({ take, drained });
      continue;
    }
    try {
      if (event.type === "turn-end") return sink.end(encode(event), event.reason);
      if (!take(event)) await drained();
    } catch (thrown) {
      // Before the loop lets go of the turn, so that it ends as one that failed.
      abort(toAppError(thrown));
      throw thrown;
    }
  }
}

/** What frames say, with neighbours of one kind joined. */
function deltasOf(frames: Uint8Array): { type: "text-delta" | "reasoning-delta"; text: string }[] {
  const deltas: ReturnType<typeof deltasOf> = [];
  const add = (type: "text-delta" | "reasoning-delta", text: string | null | undefined): void => {
    if (!text) return;
    const last = deltas.at(-1);
    if (last?.type === type) last.text += text;
    else deltas.push({ type, text });
  };
  for (const { content, reasoning_content: reasoning } of readDeltas(frames)) {
    add("reasoning-delta", reasoning);
    add("text-delta", content);
  }
  return deltas;
}

/**
 * One line a turn; who asked and what became of it, never what was said. What a model refused, and faults of
 * ours, are warnings.
 */
export function logTurn(
  log: Logger,
  id: string,
  turn: Turn | undefined,
  failure: AppError | undefined,
  figures: TurnFigures,
): void {
  // Of a request that asked for no turn there is nothing to tell.
  if (failure === undefined && (turn === undefined || !log.isEnabledFor("info"))) return;
  const facts = factsOf(id, turn, failure, figures);
  if (failure === undefined)
    log.info("turn {id} {agent}/{command} by {model} took {milliseconds} ms", facts);
  else if (failure.status >= 500 || failure.upstream !== undefined) {
    const { upstream } = failure;
    log.warn(
      "turn {id} {agent}/{command} by {model} failed after {milliseconds} ms: {code} {message} {cause}",
      {
        ...facts,
        message: failure.message,
        upstream: upstream && withoutMessage(upstream),
        cause: causeOf(failure),
      },
    );
    if (upstream?.message !== undefined)
      log.debug("turn {id}: the model said {said}", { id, said: upstream.message });
  } else log.info("turn {id} was refused or stopped after {milliseconds} ms: {code}", facts);
}

function factsOf(
  id: string,
  turn: Turn | undefined,
  failure: AppError | undefined,
  { status, firstToken, usage, reason, retries, elapsed, answeredBy }: TurnFigures,
): Record<string, unknown> {
  return {
    id,
    agent: turn === undefined ? undefined : cutName(turn.agent),
    command: turn === undefined ? undefined : cutName(turn.command),
    model: [...answeredBy].join(", ") || turn?.model.name,
    caller: turn === undefined ? undefined : nameCaller(turn.caller),
    status: status ?? failure?.status,
    milliseconds: elapsed,
    firstToken,
    promptTokens: usage?.prompt_tokens,
    answerTokens: usage?.completion_tokens,
    reason,
    retries,
    ...(failure === undefined ? {} : { code: failure.code }),
  };
}

function causeOf({ code, details: { cause }, upstream }: AppError): string {
  if (upstream !== undefined) return describeUpstream(withoutMessage(upstream));
  return code === "internal" ? describeFault(cause) : nameCause(cause);
}

/** One line for what fails outside of a turn: a fault of ours, or a guard that lets nobody in, with its reason. */
export function logRefusal(log: Logger, error: AppError, requestId: string): void {
  const { code, status, details } = error;
  if (code === "internal") {
    const cause = describeFault(error.cause);
    log.error("request {requestId} failed: {cause}", { requestId, cause });
  } else if (status >= 500 && details.cause !== undefined) {
    const cause = details.reason ?? describeFault(details.cause);
    log.warn("request {requestId} was refused: {code}, {cause}", { requestId, code, cause });
  } else if (details.reason !== undefined) {
    const { reason } = details;
    log.info("request {requestId} was refused: {code}, {reason}", { requestId, code, reason });
  } else log.info("request {requestId} was refused: {code}", { requestId, code });
}
