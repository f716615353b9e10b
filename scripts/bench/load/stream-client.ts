import { type Socket, connect } from "node:net";
import { elapsed, markerLength, nowMicros } from "../fake-answer.ts";

/** What every connection of a load asks for, and what all of them together have seen. */
export interface Load {
  host: string;
  port: number;
  /** The whole HTTP request. */
  request: Buffer;
  /** How many chunks each stream must have. */
  chunks: number;
  tally: Tally;
}

export interface Tally {
  complete: number;
  failed: number;
  /** Chunks of all streams. */
  chunks: number;
  /** Why streams failed, and how often. */
  failures: Record<string, number>;
  /** Microseconds from the writing of a chunk at the fake model to its reading here, while it is defined. */
  latencies: number[] | undefined;
}

interface ClientEvents {
  onFirstChunk?(): void;
  /** A stream is over and counted; `isBroken` when its connection failed. */
  onEnd(client: StreamClient, isBroken: boolean): void;
}

/** One buffer serves all sockets, because what is read is used up before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(1 << 20);
const head = /^HTTP\/1\.1 200 [^]*?\r\ncontent-type: text\/event-stream[^]*?\r\n\r\n/i;
/** HTTP's chunked coding between two pieces of a body, the beginning of it, and what ends the last piece. */
const border = /\r\n[\da-f]+\r\n/gi;
const cutBorder = /\r(?:\n(?:[\da-f]+(?:\r\n?)?)?)?$/i;
const bodyEnd = "\r\n0\r\n\r\n";

/**
 * One keep-alive connection that asks for one stream at a time, and checks order and end of its chunks. It takes
 * HTTP's chunked coding away without looking at it, which costs least.
 */
export class StreamClient {
  #socket: Socket | undefined;
  #isBusy = false;
  #started = 0;
  /** The head, until it is whole; then a marker or a border that a cut has split. */
  #unread = "";
  /** Some of what was read last. */
  #tail = "";
  #hasHead = false;
  /** Bytes of the body that are still to come; undefined where it comes in chunks. */
  #left: number | undefined;
  /** The number of the last marker. */
  #last = 0;
  #problem: string | undefined;
  readonly #load: Load;
  readonly #events: ClientEvents;

  constructor(load: Load, events: ClientEvents) {
    this.#load = load;
    this.#events = events;
  }

  /** Asks for a stream. The one before must be over. */
  start(): void {
    this.#isBusy = true;
    this.#unread = this.#tail = "";
    this.#hasHead = false;
    this.#last = 0;
    this.#problem = undefined;
    this.#started = nowMicros();
    if (this.#socket === undefined) this.#connect();
    else this.#socket.write(this.#load.request);
  }

  /** Counts the running stream as failed if it has not ended by now. */
  failIfSlow(mostMicros: number): void {
    if (this.#isBusy && elapsed(this.#started, nowMicros()) > mostMicros)
      this.#drop("no end in time");
  }

  /** Closes the connection; a stream that still runs has failed. */
  close(): void {
    if (this.#isBusy) this.#drop("not over when the load ended");
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #connect(): void {
    const { host, port, request } = this.#load;
    const onread = {
      buffer: readBuffer,
      callback: (length: number): boolean => {
        this.#read(readBuffer.toString("latin1", 0, length));
        return true;
      },
    };
    const socket = connect({ host, port, noDelay: true, onread });
    this.#socket = socket;
    const lose = (code: unknown): void => {
      if (this.#socket === socket) this.#drop(`connection: ${String(code)}`);
    };
    socket.on("connect", () => socket.write(request));
    socket.on("error", (error) => lose(Reflect.get(error, "code")));
    socket.on("close", () => lose("closed"));
  }

  #read(bytes: string): void {
    if (!this.#isBusy) return this.#drop("bytes after the end of the answer");
    let text = this.#unread + bytes;
    if (!this.#hasHead) {
      this.#unread = text;
      if (!text.includes("\r\n\r\n")) return;
      const found = head.exec(text)?.[0];
      if (found === undefined) return this.#drop(`no event stream: ${text.slice(0, 12)}`);
      this.#hasHead = true;
      const length = /\r\ncontent-length: *(\d+)/i.exec(found)?.[1];
      this.#left = length === undefined ? undefined : Number(length);
      // The first size has a line end before it, as all others have.
      text = text.slice(found.length - (length === undefined ? 2 : 0));
      bytes = text;
    }
    if (this.#last < this.#load.chunks) this.#scan(text, nowMicros());
    this.#tail = (this.#tail + bytes).slice(-128);
    if (this.#left !== undefined) this.#left -= bytes.length;
    if (this.#left === undefined ? this.#tail.endsWith(bodyEnd) : this.#left <= 0) this.#end();
  }

  #scan(text: string, now: number): void {
    const { chunks, tally } = this.#load;
    const end = text.length - (cutBorder.exec(text.slice(-16))?.[0].length ?? 0);
    const body = text.slice(0, end).replaceAll(border, "");
    let start = body.indexOf("@");
    for (let from = 0; start >= 0 && start + markerLength <= body.length;) {
      from = start + markerLength;
      this.#take(body.slice(start, from), now);
      tally.chunks += 1;
      start = this.#last < chunks ? body.indexOf("@", from) : -1;
    }
    this.#unread = (start < 0 ? "" : body.slice(start)) + text.slice(end);
  }

  #take(marker: string, now: number): void {
    const number = Number(marker.slice(1, 7));
    const time = Number(marker.slice(8, 20));
    if (marker[7] !== ":" || marker[20] !== "@" || number !== this.#last + 1)
      this.#problem ??= `a chunk is lost, broken or out of order after ${this.#last}`;
    this.#last = number;
    if (number === 1) this.#events.onFirstChunk?.();
    if (time > 0) this.#load.tally.latencies?.push(elapsed(time, now));
  }

  #end(): void {
    const { chunks } = this.#load;
    if (this.#last !== chunks) this.#problem ??= `${this.#last} chunks of ${chunks}`;
    const text = this.#tail.replace(bodyEnd, "").replaceAll(border, "").trimEnd();
    if (!/data: ?\[done\]$/i.test(text)) this.#problem ??= "no end marker";
    this.#finish(this.#problem, false);
  }

  #drop(problem: string): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
    if (this.#isBusy) this.#finish(problem, true);
    else fail(this.#load.tally, problem);
  }

  #finish(problem: string | undefined, isBroken: boolean): void {
    this.#isBusy = false;
    if (problem === undefined) this.#load.tally.complete += 1;
    else fail(this.#load.tally, problem);
    this.#events.onEnd(this, isBroken);
  }
}

export function fail(tally: Tally, problem: string): void {
  tally.failed += 1;
  tally.failures[problem] = (tally.failures[problem] ?? 0) + 1;
}
