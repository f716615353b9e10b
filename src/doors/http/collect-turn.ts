import type { AppError } from "../../base/errors/app-error.ts";
import { toAppError } from "../../base/errors/to-app-error.ts";
import type { ContextReceipt } from "../../turn/context-receipt.ts";
import type { Slices } from "../../turn/slices.ts";
import { expandRelays } from "../../turn/relay.ts";
import type { TurnFigures } from "../../turn/figures/turn-figures.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { Exchange, FrameSink } from "../../base/wire/exchange.ts";
import type { DoorHost } from "./door.ts";
import { BytePieces } from "../../base/wire/byte-pieces.ts";
import { encodeText } from "../../base/wire/encode-text.ts";
import { type EventEncoder, maxEventsAtOnce, printReceipt, readReceipt } from "./stream-turn.ts";

interface CollectOptions {
  id: string;
  events: AsyncIterable<TurnEvent>;
  encode: EventEncoder;
  /** Ends the turn, with the reason that is logged. */
  abort: (reason: AppError) => void;
  /** Get the status of a refusal before the turn ends with it. */
  figures: Pick<TurnFigures, "status">;
  slices: Pick<Slices, "breathe">;
}

const wholeAnswer = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/**
 * Waits for the end of a turn and answers with one JSON body: all that the encoder gave.
 *
 * @throws AppError of which the turn failed
 */
export async function collectTurn({
  id,
  events,
  encode,
  abort,
  figures,
  slices,
}: CollectOptions): Promise<Response> {
  const body = new BytePieces();
  const headers = new Headers({ ...wholeAnswer, "x-request-id": id });
  let taken = 0;
  let receipt: ContextReceipt | undefined;
  for await (const event of expandRelays(events)) {
    if (event.type === "turn-error") {
      figures.status = event.error.status;
      throw event.error;
    }
    const changed = readReceipt(event, receipt);
    if (changed !== undefined) {
      receipt = changed;
      headers.set("x-rightseat-context", printReceipt(receipt));
    }
    try {
      const piece = encode(event);
      if (piece.length > 0) body.add(typeof piece === "string" ? encodeText(piece) : piece);
    } catch (thrown) {
      const error = toAppError(thrown);
      figures.status = error.status;
      abort(error);
      throw thrown;
    }
    taken += 1;
    if (taken % maxEventsAtOnce === 0) await slices.breathe();
  }
  // The pieces are our own, never in shared memory.
  return new Response(body.take() as Uint8Array<ArrayBuffer>, { headers });
}

/**
 * Writes to whoever waits for a whole answer, so that it is noticed when they have left: after a silence the head
 * goes out, and spaces, which readers of JSON pass over. What is refused from then on is a body with a status of 200.
 */
export function sendSpaces(
  exchange: Exchange,
  id: string,
  answer: Promise<Response>,
  { timers, stream: { heartbeat } }: Pick<DoorHost, "timers" | "stream">,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let sink: FrameSink | undefined;
    const beat = (): void => {
      if (sink === undefined) {
        const opened = exchange.open({ ...wholeAnswer, "x-request-id": id });
        sink = opened.sink;
        resolve(opened.response);
      }
      sink.write(" ");
      stop = timers.start(beat, heartbeat);
    };
    let stop = timers.start(beat, heartbeat);
    const send = async (response: Response): Promise<void> => {
      stop();
      if (sink === undefined) resolve(response);
      else sink.end(await response.text());
    };
    answer.then(send).catch(reject);
  });
}
