import type { Timers } from "../../../base/wire/patient-timer.ts";
import { BytePieces } from "../../../base/wire/byte-pieces.ts";
import { toPushed } from "../pulled-body.ts";
import type { BodyReader, UpstreamResponse } from "../upstream.ts";

/** Some servers send the whole request back; more than that says nothing more of the reason. In bytes. */
const maxBytes = 1024 * 1024;
/** A refusal that comes slowly is not waited for, in milliseconds: somebody waits for an answer. */
const maxTime = 500;

/**
 * The beginning of a refusal's body as text; "" where it is packed. It never throws, and the request is over
 * when it resolves.
 */
export async function readRefusalBody(response: UpstreamResponse, timers: Timers): Promise<string> {
  if ((response.header("content-encoding") ?? "identity") !== "identity") {
    response.discard();
    return "";
  }
  const beginning = new Beginning();
  const stop = timers.start(beginning.close, maxTime);
  toPushed(response.body).pipe(beginning);
  await beginning.over;
  stop();
  if (!beginning.isWhole) response.discard();
  return new TextDecoder().decode(beginning.pieces.take());
}

class Beginning implements BodyReader {
  readonly pieces = new BytePieces();
  /** The body came to its end. */
  isWhole = false;
  readonly over: Promise<void>;
  readonly #over = Promise.withResolvers<void>();

  constructor() {
    this.over = this.#over.promise;
  }

  push(bytes: Uint8Array): undefined {
    const left = maxBytes - this.pieces.byteLength;
    if (left > 0) this.pieces.add(bytes.subarray(0, left));
    if (bytes.byteLength >= left) this.close();
  }

  end(broken?: unknown): void {
    this.isWhole = broken === undefined;
    this.close();
  }

  readonly close = (): void => this.#over.resolve();
}
