import { WebSocket } from "ws";
import { type Channel, closeCodes, cutReason } from "./channel.ts";
import { PatientTimer, type Timers } from "./patient-timer.ts";

export interface NodeChannelOptions {
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

/** A WebSocket of ws as a channel; create it as soon as the socket is there, or messages are lost. */
export function createNodeChannel(socket: WebSocket, options: NodeChannelOptions): Channel {
  return new NodeChannel(socket, options);
}

class NodeChannel implements Channel {
  readonly #socket: WebSocket;
  readonly #options: NodeChannelOptions;
  readonly #inbox: string[] = [];
  #wake: (() => void) | undefined;
  #onDrained: (() => void)[] = [];
  #stall: PatientTimer | undefined;
  #isOver = false;

  constructor(socket: WebSocket, options: NodeChannelOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on("message", this.#take);
    socket.on("close", this.#finish);
    // ws closes the socket itself then, with the code that says why.
    socket.on("error", ignore);
  }

  get receive(): AsyncIterable<string> {
    return this.#receive();
  }

  send(text: string): boolean {
    const socket = this.#socket;
    if (this.#isOver || socket.readyState !== WebSocket.OPEN) return true;
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
    this.#stall ??= new PatientTimer(this.#options.timers, () => this.#closeSlow());
    if (this.#onDrained.length === 0) this.#stall.set(this.#options.maxStall);
    return new Promise((resolve) => this.#onDrained.push(resolve));
  }

  close(code: number = closeCodes.normal, reason = ""): void {
    if (this.#isOver) return;
    this.#socket.close(code, cutReason(reason));
    this.#finish();
  }

  async *#receive(): AsyncGenerator<string, void, void> {
    for (;;) {
      const text = this.#inbox.shift();
      if (text !== undefined) {
        if (this.#inbox.length === 0 && this.#socket.isPaused) this.#socket.resume();
        yield text;
      } else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
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
    this.#wake?.();
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
    this.#inbox.length = 0;
    this.#wake?.();
    this.#sent();
  };

  #closeSlow(): void {
    this.close(closeCodes.slow, "The client reads too slowly.");
  }
}

const sendOptions = { compress: false };

function ignore(): void {}
