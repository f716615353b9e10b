import type { AppError } from "../../base/errors/app-error.ts";
import type { ContextReceipt } from "../../turn/context-receipt.ts";
import { type PumpOptions, pumpTurn } from "../../run/pump-turn.ts";
import type { TurnFigures } from "../../turn/figures/turn-figures.ts";
import type { PlainEvent } from "../../turn/turn-event.ts";
import type { Exchange, FrameSink } from "../../base/wire/exchange.ts";
import type { DoorHost } from "./door.ts";
import { BytePieces } from "../../base/wire/byte-pieces.ts";
import { encodeText } from "../../base/wire/encode-text.ts";
import { printReceipt, readReceipt } from "./stream-turn.ts";

interface CollectOptions extends Omit<PumpOptions, "sink"> {
  id: string;
  /** Get the status of a refusal before the turn ends with it. */
  figures: Pick<TurnFigures, "status">;
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
  figures,
  abort,
  ...turn
}: CollectOptions): Promise<Response> {
  const body = new BytePieces();
  const headers = new Headers({ ...wholeAnswer, "x-request-id": id });
  let receipt: ContextReceipt | undefined;
  let failure: AppError | undefined;
  const write = (piece: string | Uint8Array): boolean => {
    body.add(typeof piece === "string" ? encodeText(piece) : piece);
    return true;
  };
  const fail = (error: AppError): void => {
    failure ??= error;
    figures.status = error.status;
  };
  const see = (event: PlainEvent): void => {
    if (event.type === "turn-error") fail(event.error);
    const changed = readReceipt(event, receipt);
    if (changed === undefined) return;
    receipt = changed;
    headers.set("x-rightseat-context", printReceipt(receipt));
  };
  await pumpTurn({
    ...turn,
    sink: { see, write, drained: () => Promise.resolve(), end: write },
    abort(error) {
      fail(error);
      abort(error);
    },
  });
  if (failure !== undefined) throw failure;
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
