import type { TakeChannel } from "./channel.ts";

/** Thrown by `readBody` when the body is larger than allowed. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/**
 * Where a door's frames go, as bytes or as text to be sent in UTF-8. Writes never block: `write` answers false when the client is slower
 * than we are, and `drained` then tells when to go on (also when the client left).
 */
export interface FrameSink {
  write(piece: string | Uint8Array): boolean;
  drained(): Promise<void>;
  /** Ends the response, with a last piece if one is given. Nothing may be written afterwards. */
  end(piece?: string | Uint8Array): void;
}

/**
 * One request and its response, as bytes. The web implementation stands on streams, the Node one
 * on node's own objects, because there streams cost more than all our work may.
 */
export interface Exchange {
  /** A request header by its lower-case name; several of one name are joined by commas. */
  header(name: string): string | undefined;
  /** The names of all request headers, in lower case, each once. */
  headerNames(): readonly string[];
  /**
   * Reads the whole body.
   *
   * @param limit in bytes; a larger body rejects with BodyTooLarge and is not buffered further
   */
  readBody(limit: number): Promise<Uint8Array>;
  /** Calls back once when the client leaves before the response has ended; at once if it has. */
  onClose(listener: () => void): void;
  /** Sends a 200 head; call it at most once. The response is what the fetch handler must return. */
  open(headers: Record<string, string>): { sink: FrameSink; response: Response };
  /**
   * Opens the WebSocket that the client wants; present where it wants one and the runtime can. The response is
   * what the fetch handler must return.
   *
   * @param owner whose connection it is, where that is known: some runtimes keep those of one owner in one place
   */
  upgrade?(take: TakeChannel, owner?: string): Response | Promise<Response>;
  /** The runtime may notice only when something is written that the client has left. */
  noticesByWriting?: boolean;
}

export type CreateExchange = (request: Request, env: unknown) => Exchange;

/** Whether a header can carry a text; what is in a query may be anything. */
export function isHeaderValue(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
