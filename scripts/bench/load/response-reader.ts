export interface ResponseHead {
  status: number;
  isEventStream: boolean;
  /** The server closes the connection after this answer. */
  isLast: boolean;
}

export interface ResponseListener {
  onHead(head: ResponseHead): void;
  /** A piece of the body lies at `from..to`; it is valid during the call only. */
  onBody(bytes: Buffer, from: number, to: number): void;
  /** The answer is over; `problem` tells what is wrong with its framing. */
  onEnd(problem: string | undefined): void;
}

type Part =
  | "head"
  | "sized"
  | "until-close"
  | "chunk-size"
  | "chunk-extension"
  | "chunk"
  | "chunk-end"
  | "trailer"
  | "over";

const headEnd = "\r\n\r\n";
const lineFeed = 10;
const carriageReturn = 13;
const semicolon = 59;

/** Reads one HTTP/1.1 answer after the other, cut anywhere, without copying bodies. */
export class ResponseReader {
  #part: Part = "head";
  #head = "";
  /** Bytes of the body or of its chunk that are still to come; while a chunk's size is read, the size so far. */
  #left = 0;
  readonly #listener: ResponseListener;

  constructor(listener: ResponseListener) {
    this.#listener = listener;
  }

  reset(): void {
    this.#part = "head";
    this.#head = "";
    this.#left = 0;
  }

  push(bytes: Buffer, length: number): void {
    let position = this.#part === "head" ? this.#readHead(bytes, length) : 0;
    while (position < length) {
      switch (this.#part) {
        case "head":
          return;
        case "until-close":
          this.#listener.onBody(bytes, position, length);
          return;
        case "sized":
        case "chunk": {
          const to = Math.min(position + this.#left, length);
          this.#left -= to - position;
          this.#listener.onBody(bytes, position, to);
          position = to;
          if (this.#left > 0) break;
          if (this.#part === "chunk") this.#part = "chunk-end";
          else return this.#end(position < length);
          break;
        }
        case "chunk-size":
          if (!this.#readSize(bytes[position++] ?? 0)) return this.#fail();
          break;
        case "chunk-extension":
          if (bytes[position++] === lineFeed) this.#part = this.#left === 0 ? "trailer" : "chunk";
          break;
        case "chunk-end":
          if (bytes[position++] === lineFeed) this.#part = "chunk-size";
          break;
        case "trailer":
          if (bytes[position++] === lineFeed) return this.#end(position < length);
          break;
        case "over":
          return this.#fail();
      }
    }
  }

  /** The peer sends nothing more; this ends a body that has neither length nor chunks. */
  pushEnd(): void {
    if (this.#part === "until-close") this.#end(false);
  }

  #readHead(bytes: Buffer, length: number): number {
    const before = this.#head.length;
    this.#head += bytes.toString("latin1", 0, length);
    const end = this.#head.indexOf(headEnd);
    if (end < 0) return length;
    const head = this.#head.slice(0, end).toLowerCase();
    const size = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
    this.#head = "";
    this.#left = Number(size ?? 0);
    if (head.includes("\r\ntransfer-encoding: chunked")) this.#part = "chunk-size";
    else this.#part = size === undefined ? "until-close" : "sized";
    this.#listener.onHead({
      status: Number(head.slice(9, 12)),
      isEventStream: head.includes("\r\ncontent-type: text/event-stream"),
      isLast: head.includes("\r\nconnection: close"),
    });
    if (size === "0") this.#end(false);
    return end + headEnd.length - before;
  }

  #readSize(byte: number): boolean {
    if (byte === carriageReturn) return true;
    if (byte === semicolon) {
      this.#part = "chunk-extension";
      return true;
    }
    if (byte === lineFeed) {
      this.#part = this.#left === 0 ? "trailer" : "chunk";
      return true;
    }
    const digit = hexDigit(byte);
    this.#left = this.#left * 16 + digit;
    return digit >= 0;
  }

  #end(hasMore: boolean): void {
    this.#part = "over";
    this.#listener.onEnd(hasMore ? "bytes after the end of the answer" : undefined);
  }

  #fail(): void {
    this.#part = "over";
    this.#listener.onEnd("broken framing");
  }
}

/** @returns -1 for what is none */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
