import * as marker from "../marker.ts";

export interface MarkerListener {
  /** A marker came; `time` is 0 where the chunk is not timed. */
  onMarker(number: number, time: number): void;
  onBadMarker(): void;
}

const tailLength = 48;

/** Finds the markers in one stream's bytes, cut anywhere, and keeps the stream's last bytes. */
export class MarkerScanner {
  /** The number of the last marker. */
  last = 0;
  #tail = "";
  /** The beginning of a marker that a cut has split. */
  #carry = "";
  readonly #expected: number;
  readonly #listener: MarkerListener;

  /** @param expected how many markers there will be; they are not looked for any further */
  constructor(expected: number, listener: MarkerListener) {
    this.#expected = expected;
    this.#listener = listener;
  }

  /** Begins a new stream. */
  reset(): void {
    this.last = 0;
    this.#tail = "";
    this.#carry = "";
  }

  scan(bytes: Buffer, from: number, to: number): void {
    let position = this.#carry === "" ? from : this.#finishCarry(bytes, from, to);
    while (this.last < this.#expected && position < to) {
      const start = bytes.indexOf(marker.at, position);
      if (start < 0 || start >= to) break;
      if (to - start <= marker.lastOffset) {
        this.#carry = bytes.toString("latin1", start, to);
        break;
      }
      this.#read(bytes, start);
      position = start + marker.lastOffset + 1;
    }
    // Until the last marker the tail cannot matter, and a string for each chunk would cost.
    if (this.last < this.#expected) return;
    const text = bytes.toString("latin1", Math.max(from, to - tailLength), to);
    this.#tail = text.length < tailLength ? (this.#tail + text).slice(-tailLength) : text;
  }

  get hasEndMarker(): boolean {
    return /data: ?\[(?:DONE|Done)\]$/.test(this.#tail.trimEnd());
  }

  #finishCarry(bytes: Buffer, from: number, to: number): number {
    const rest = Math.min(marker.lastOffset + 1 - this.#carry.length, to - from);
    this.#carry += bytes.toString("latin1", from, from + rest);
    if (this.#carry.length > marker.lastOffset) {
      const whole = Buffer.from(this.#carry, "latin1");
      this.#carry = "";
      this.#read(whole, 0);
    }
    return from + rest;
  }

  #read(bytes: Buffer, start: number): void {
    const isWhole =
      bytes[start + marker.colonOffset] === marker.colon &&
      bytes[start + marker.lastOffset] === marker.at;
    const number = marker.readDigits(bytes, start + marker.numberOffset, marker.numberDigits);
    if (!isWhole || number !== this.last + 1) this.#listener.onBadMarker();
    this.last = number;
    this.#listener.onMarker(
      number,
      marker.readDigits(bytes, start + marker.timeOffset, marker.timeDigits),
    );
  }
}
