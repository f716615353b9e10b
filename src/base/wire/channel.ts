/** A connection that carries texts both ways, a WebSocket say. */
export interface Channel {
  /** The texts that come, in their order; it ends when the connection is over. Who reads slowly slows the sender. */
  receive: AsyncIterable<string>;
  /**
   * Sends a text; nothing happens once the connection is over.
   *
   * @returns false where the client is slower than we are: wait for `drained`
   */
  send(text: string): boolean;
  /** Resolves when more can be sent, also when there is nobody left to send it to. */
  drained(): Promise<void>;
  /** Ends the connection. @param code as RFC 6455, section 7.4, has it */
  close(code?: number, reason?: string): void;
  /**
   * Keeps a message, the last one that is given, which comes once more when the connection's owner wakes up
   * after a sleep. Present where it may sleep: then nothing should wait by a timer while nothing is done.
   */
  remember?(message: string): void;
}

/** Takes a connection as soon as it is open. */
export type TakeChannel = (channel: Channel) => void;

/** Why a connection is closed: codes of RFC 6455 and its registry, and of our own from 4000 on. */
export const closeCodes = {
  normal: 1000,
  /** The server goes down; another one may take over at once. */
  restart: 1012,
  /** The client reads too slowly. */
  slow: 1013,
  unsupported: 1003,
  tooLarge: 1009,
  unauthorized: 4401,
  idle: 4408,
  tooMany: 4429,
} as const;

/** A reason as far as a closing frame can hold it: 123 bytes (RFC 6455, section 5.5). */
export function cutReason(reason: string): string {
  const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(123));
  return reason.slice(0, read);
}
