import type { WebSocket } from "ws";
import { type Channel, type Inbox, createInbox, closeCodes, cutReason } from "./channel.ts";
import { type PatientTimer, createPatientTimer, type Timers } from "./patient-timer.ts";
interface NodeChannelOptions {
  timers: Timers;
  /** Bytes that wait to be sent, above which nothing more should be. */
  highWater: number;
  /** Bytes that may wait to be sent before a further message; with more the connection is closed. */
  maxBuffered: number;
  /** Milliseconds that a client may read nothing while something waits to be sent. */
  maxStall: number;
}

/** Messages that wait to be taken; with more the socket is not read. */
const maxWaiting = 16;

export const channelSockets = {
  // ws would answer as many as come, however much waits to be sent.
  autoPong: false,
  // ws would take all frames that a read of the socket brought, and read on, before anything else has its turn.
  allowSynchronousEvents: false,
};

/** A WebSocket of ws as a channel; create it as soon as the socket is there, or messages are lost. */
export class NodeChannel implements Channel {
  readonly #socket: WebSocket;
  readonly #options: NodeChannelOptions;
  readonly #inbox: Inbox;
  /** A pong is on its way, and the ping that is answered after it. */
  #isPonging = false;
  #nextPing: Buffer | undefined;
  #onDrained: (() => void)[] = [];
  #stall: PatientTimer | undefined;
  #isOver = false;

  /** @param socket opened with `channelSockets` */
  constructor(socket: WebSocket, options: NodeChannelOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#inbox = createInbox(nextTurn, () => {
      if (this.#inbox.length === 0 && socket.isPaused) socket.resume();
    });
    socket.on("message", this.#take);
    socket.on("ping", this.#answerPing);
    socket.on("close", this.#finish);
    // ws closes the socket itself then, with the code that says why.
    socket.on("error", ignore);
  }

  get receive(): AsyncIterable<string> {
    return this.#inbox.read();
  }

  send(text: string): boolean {
    const socket = this.#socket;
    if (this.#isOver || socket.readyState !== socket.OPEN) return true;
    // What waits already counts: a client is not slow because one message is large.
    if (socket.bufferedAmount > this.#options.maxBuffered) {
      this.#closeSlow();
      return false;
    }
    socket.send(text, sendOptions, this.#sent);
    return socket.bufferedAmount <= this.#options.highWater;
  }

  drained(): Promise<void> {
    if (this.#isOver || this.#socket.bufferedAmount <= this.#options.highWater)
      return Promise.resolve();
    this.#stall ??= createPatientTimer(this.#options.timers, () => this.#closeSlow());
    if (this.#onDrained.length === 0) this.#stall.set(this.#options.maxStall);
    return new Promise((resolve) => this.#onDrained.push(resolve));
  }

  close(code: number = closeCodes.normal, reason = ""): void {
    if (this.#isOver) return;
    this.#socket.close(code, cutReason(reason));
    this.#finish();
  }

  readonly #take = (data: WebSocket.RawData, isBinary: boolean): void => {
    if (this.#isOver) return;
    if (isBinary) {
      this.close(closeCodes.unsupported, "Only text messages are read here.");
      return;
    }
    // Of text, ws gives one buffer.
    this.#inbox.push((data as Buffer).toString("utf8"));
    if (this.#inbox.length >= maxWaiting) this.#socket.pause();
  };

  /** One pong waits to be sent at most: of the pings that come meanwhile the last is answered (RFC 6455, section 5.5.3). */
  readonly #answerPing = (ping: Buffer): void => {
    if (this.#isOver) return;
    if (this.#isPonging) {
      this.#nextPing = ping;
      return;
    }
    this.#isPonging = true;
    this.#socket.pong(ping, false, () => {
      this.#isPonging = false;
      const next = this.#nextPing;
      this.#nextPing = undefined;
      if (next !== undefined) this.#answerPing(next);
    });
  };

  readonly #sent = (): void => {
    if (this.#onDrained.length === 0) return;
    if (!this.#isOver && this.#socket.bufferedAmount > this.#options.highWater) {
      this.#stall?.set(this.#options.maxStall);
      return;
    }
    this.#stall?.stop();
    for (const resolve of this.#onDrained.splice(0)) resolve();
  };

  readonly #finish = (): void => {
    this.#isOver = true;
    // Nobody is there who wants an answer to what still waits.
    this.#inbox.finish();
    this.#sent();
  };

  #closeSlow(): void {
    this.close(closeCodes.slow, "The client reads too slowly.");
  }
}

const sendOptions = { compress: false };

function ignore(): void {}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
