import { type Channel, closeCodes, cutReason } from "./channel.ts";
import { Inbox } from "./inbox.ts";
import type { Timers } from "./patient-timer.ts";

/** What a channel needs of a WebSocket whose runtime tells its owner what comes. */
export interface ToldSocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

export interface SleepingChannelOptions {
  /** Of a message, in bytes. */
  maxMessage: number;
  /** Keeps a message that is taken once more after a sleep. */
  remember: (text: string) => void;
  timers: Pick<Timers, "start">;
}

/** Messages that wait to be taken, in characters. */
const maxWaiting = 4 * 1_024 * 1_024;
/** What a message counts beside its text: empty ones fill a memory, too. */
const messageCost = 64;
/** What is sent to a client that says nothing meanwhile, in characters. */
const maxUnanswered = 8 * 1_024 * 1_024;

/**
 * A channel that is told what comes, and whose owner may be put to sleep. The runtime tells neither how much
 * waits to be sent nor of pings. So what was sent since the client's last message is bounded instead.
 */
export class SleepingChannel implements Channel {
  readonly #socket: ToldSocket;
  readonly #maxMessage: number;
  readonly remember: (text: string) => void;
  readonly #inbox: Inbox;
  #waiting = 0;
  #unanswered = 0;
  #isOver = false;

  constructor(socket: ToldSocket, { maxMessage, remember, timers }: SleepingChannelOptions) {
    this.#socket = socket;
    this.#maxMessage = maxMessage;
    this.remember = remember;
    this.#inbox = new Inbox(
      () => new Promise((resolve) => timers.start(resolve, 0)),
      ({ length }) => (this.#waiting -= length + messageCost),
    );
  }

  get receive(): AsyncIterable<string> {
    return this.#inbox.read();
  }

  /** Takes what has come. */
  push(message: string | ArrayBuffer): void {
    if (this.#isOver) return;
    this.#unanswered = 0;
    if (typeof message !== "string")
      return this.close(closeCodes.unsupported, "Only text messages are read here.");
    // No character takes less than a byte.
    if (message.length > this.#maxMessage)
      return this.close(closeCodes.tooLarge, "The message is too large.");
    this.#waiting += message.length + messageCost;
    if (this.#waiting > maxWaiting)
      return this.close(closeCodes.slow, "Too many messages are waiting.");
    this.#inbox.push(message);
  }

  send(text: string): boolean {
    if (this.#isOver) return true;
    this.#unanswered += text.length;
    if (this.#unanswered > maxUnanswered) {
      this.close(closeCodes.slow, "The client reads too slowly.");
      return true;
    }
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
    this.#socket.close(code, cutReason(reason));
  }

  /** The connection is over. */
  finish(): void {
    this.#isOver = true;
    this.#inbox.finish();
  }
}
