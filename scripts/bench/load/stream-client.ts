import { type Socket, connect } from "node:net";
import { at, elapsed, nowMicros } from "../marker.ts";
import { checkStrictly } from "./check-strictly.ts";
import { type MarkerListener, MarkerScanner } from "./marker-scanner.ts";
import { type ResponseHead, type ResponseListener, ResponseReader } from "./response-reader.ts";
import type { Tally } from "./tally.ts";

/** What every connection of a load asks for. */
export interface Target {
  host: string;
  port: number;
  /** The whole HTTP request. */
  request: Buffer;
  /** How many chunks each stream must have. */
  chunks: number;
  /** Parses every event of every stream. */
  isStrict: boolean;
}

export interface StreamClientEvents {
  onFirstChunk?(): void;
  /** A stream is over and counted; `isBroken` when its connection failed. */
  onEnd(client: StreamClient, isBroken: boolean): void;
}

/** One buffer serves all sockets, because what is read is used up before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(1 << 20);

/** One keep-alive connection that asks for one stream at a time, and checks it. */
export class StreamClient implements ResponseListener, MarkerListener {
  #socket: Socket | undefined;
  #isBusy = false;
  #isLast = false;
  #started = 0;
  #now = 0;
  #problem: string | undefined;
  #text: Buffer[] = [];
  readonly #reader = new ResponseReader(this);
  readonly #scanner: MarkerScanner;
  readonly #target: Target;
  readonly #tally: Tally;
  readonly #events: StreamClientEvents;

  constructor(target: Target, tally: Tally, events: StreamClientEvents) {
    this.#target = target;
    this.#tally = tally;
    this.#events = events;
    this.#scanner = new MarkerScanner(target.chunks, this);
  }

  /** Asks for a stream. The one before must be over. */
  start(): void {
    this.#isBusy = true;
    this.#isLast = false;
    this.#problem = undefined;
    this.#reader.reset();
    this.#scanner.reset();
    if (this.#socket === undefined) this.#connect();
    else this.#send(this.#socket);
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

  onHead({ status, isEventStream, isLast }: ResponseHead): void {
    this.#isLast = isLast;
    if (status !== 200) this.#problem = `status ${status}`;
    else if (!isEventStream) this.#problem = "no event stream";
  }

  onBody(bytes: Buffer, from: number, to: number): void {
    if (this.#target.isStrict) this.#text.push(Buffer.from(bytes.subarray(from, to)));
    this.#scanner.scan(bytes, from, to);
  }

  onMarker(number: number, time: number): void {
    this.#tally.chunks++;
    if (number === 1) {
      if (this.#tally.isMeasuring) this.#tally.firstChunk.add(elapsed(this.#started, this.#now));
      this.#events.onFirstChunk?.();
    }
    if (time > 0 && this.#tally.isMeasuring) this.#tally.latency.add(elapsed(time, this.#now));
  }

  onBadMarker(): void {
    this.#problem ??= `a chunk is lost, broken or out of order after ${this.#scanner.last}`;
  }

  onEnd(problem: string | undefined): void {
    // Where the framing is broken nobody knows what the connection's next bytes belong to.
    if (problem !== undefined) this.#isLast = true;
    this.#finish(problem ?? this.#problem ?? this.#findProblem(), false);
  }

  #connect(): void {
    const { host, port } = this.#target;
    const onread = {
      buffer: readBuffer,
      callback: (length: number): boolean => {
        this.#read(length);
        return true;
      },
    };
    const socket = connect({ host, port, noDelay: true, onread });
    this.#socket = socket;
    this.#started = nowMicros();
    socket.on("connect", () => this.#send(socket));
    socket.on("end", () => this.#reader.pushEnd());
    socket.on("error", (error) => this.#lose(socket, Reflect.get(error, "code")));
    socket.on("close", () => this.#lose(socket, "closed"));
  }

  #send(socket: Socket): void {
    this.#started = nowMicros();
    socket.write(this.#target.request);
  }

  #read(length: number): void {
    if (!this.#isBusy) {
      this.#tally.fail("bytes after the end of the answer");
      return;
    }
    // Stops the search for a marker at the end of what was read.
    if (length < readBuffer.length) readBuffer[length] = at;
    this.#now = nowMicros();
    this.#reader.push(readBuffer, length);
  }

  #findProblem(): string | undefined {
    const { chunks, isStrict } = this.#target;
    if (this.#scanner.last !== chunks) return `${this.#scanner.last} chunks of ${chunks}`;
    if (!this.#scanner.hasEndMarker) return "no end marker";
    if (!isStrict) return undefined;
    const checked = checkStrictly(Buffer.concat(this.#text).toString(), chunks);
    this.#text = [];
    if (!checked.ok) return checked.problem;
    this.#tally.actions += checked.actions;
    return undefined;
  }

  #lose(socket: Socket, code: unknown): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    if (this.#isBusy) this.#finish(`connection: ${String(code)}`, true);
  }

  #drop(problem: string): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
    this.#finish(problem, true);
  }

  #finish(problem: string | undefined, isBroken: boolean): void {
    this.#isBusy = false;
    if (problem === undefined) this.#tally.complete++;
    else this.#tally.fail(problem);
    if (this.#isLast) {
      const socket = this.#socket;
      this.#socket = undefined;
      socket?.destroy();
    }
    this.#events.onEnd(this, isBroken);
  }
}
