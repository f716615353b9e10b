import { type Channel, closeCodes } from "./channel.ts";

/** The server's end of a WebSocket whose runtime may put its owner to sleep: a Durable Object's. */
export interface SleepingSocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** Keeps a value beside the socket while its owner sleeps. */
  serializeAttachment(value: unknown): void;
  deserializeAttachment(): unknown;
}

/**
 * A channel that is told what comes. The runtime tells neither how much waits to be sent nor of pings: what
 * keeps it bounded is that a connection has one task, whose answer has a limit.
 */
export class SleepingChannel implements Channel {
  readonly #socket: SleepingSocket;
  readonly #maxMessage: number;
  readonly #inbox: string[] = [];
  #wake: (() => void) | undefined;
  #isOver = false;
  /** Keeps a message that is taken once more after a sleep. */
  readonly remember: (text: string) => void;

  /** @param maxMessage in bytes */
  constructor(socket: SleepingSocket, maxMessage: number, remember: (text: string) => void) {
    this.#socket = socket;
    this.#maxMessage = maxMessage;
    this.remember = remember;
  }

  get receive(): AsyncIterable<string> {
    return this.#receive();
  }

  /** Takes what has come. */
  push(message: string | ArrayBuffer): void {
    if (this.#isOver) return;
    if (typeof message !== "string")
      this.close(closeCodes.unsupported, "Only text messages are read here.");
    // No character takes less than a byte.
    else if (message.length > this.#maxMessage)
      this.close(closeCodes.tooLarge, "The message is too large.");
    else {
      this.#inbox.push(message);
      this.#wake?.();
    }
  }

  send(text: string): boolean {
    if (this.#isOver) return true;
    try {
      this.#socket.send(text);
    } catch {
      // The client has left, and the runtime tells so in a moment.
      this.finish();
    }
    return true;
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  close(code: number = closeCodes.normal, reason = ""): void {
    if (this.#isOver) return;
    this.finish();
    this.#socket.close(code, reason.slice(0, 40));
  }

  /** The connection is over. */
  finish(): void {
    this.#isOver = true;
    this.#inbox.length = 0;
    this.#wake?.();
  }

  async *#receive(): AsyncGenerator<string, void, void> {
    for (;;) {
      const text = this.#inbox.shift();
      if (text !== undefined) yield text;
      else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
