import type { AppError } from "../base/errors/app-error.ts";
import { breathe } from "../base/wire/patient-timer.ts";
import { toAppError } from "../base/errors/to-app-error.ts";
import { readDeltas } from "../model/chat/answer/upstream-chunk.ts";
import type {
  ChunkHead,
  EndReason,
  PlainEvent,
  RelaySink,
  RelayedEvent,
  TurnEvent,
} from "../turn/turn-event.ts";

/** Turns an event into a protocol's text or bytes, empty where it has nothing to say; `turn-end` into all that ends the answer. */
export interface EventEncoder<Piece extends string | Uint8Array = string | Uint8Array> {
  (event: PlainEvent): Piece;
  /** For protocols that are OpenAI-shaped: whole frames of a model. Without it they come as deltas. */
  frames?(bytes: Uint8Array, head: ChunkHead): Piece;
}

/** Takes the pieces of an answer. */
export interface AnswerSink<Piece extends string | Uint8Array = string | Uint8Array> {
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
  const pump = new Pump(encode, sink);
  for await (const event of events) {
    if (event.type === "relay") {
      await event.relay.pipe(pump);
      continue;
    }
    try {
      if (event.type === "turn-end") return sink.end(encode(event), event.reason);
      if (!pump.take(event)) await pump.drained();
    } catch (thrown) {
      // Before the loop lets go of the turn, so that it ends as one that failed.
      abort(toAppError(thrown));
      throw thrown;
    }
  }
}

class Pump<Piece extends string | Uint8Array> implements RelaySink {
  readonly #encode: EventEncoder<Piece>;
  readonly #sink: AnswerSink<Piece>;
  #written = 0;

  constructor(encode: EventEncoder<Piece>, sink: AnswerSink<Piece>) {
    this.#encode = encode;
    this.#sink = sink;
  }

  take(event: PlainEvent | RelayedEvent): boolean {
    let piece: Piece;
    if (event.type !== "upstream-frames") {
      this.#sink.see(event);
      piece = this.#encode(event);
    } else if (this.#encode.frames === undefined)
      return deltasOf(event.bytes).reduce((isFree, delta) => this.take(delta) && isFree, true);
    else piece = this.#encode.frames(event.bytes, event.head);
    if (piece.length === 0) return true;
    this.#written += 1;
    return this.#sink.write(piece) && this.#written % maxAtOnce !== 0;
  }

  async drained(): Promise<void> {
    await this.#sink.drained();
    // A flow that has all its events at hand would keep everybody else from theirs.
    if (this.#written % maxAtOnce === 0) await breathe();
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
