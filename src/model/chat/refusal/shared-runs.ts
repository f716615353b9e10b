import { NormalForm } from "./normal-form.ts";

/** So many characters in a row that are also in the prompt are a piece of it. */
const maxShared = 20;
/** Rolling sums are kept within 32 bits. */
const base = 16_777_619;
/** What the first of so many characters counts in their sum. */
const outgoing = powerOf(base, maxShared - 1);
/** So many that few sums meet one of the texts', so few that they stay in the processor's cache. */
const buckets = 1 << 16;

/**
 * Marks what texts share with prompts, which may have megabytes, in the normal form of both.
 *
 * @param marks one for each text and as long, set to 1 where the text shares 20 characters in a row
 */
export function markShared(
  texts: readonly string[],
  prompts: readonly string[],
  marks: readonly Uint8Array[],
): void {
  const normal = texts.map((text) => new Normalized(text));
  const runs = new Runs(normal);
  for (const prompt of prompts) runs.findIn(prompt);
  for (const [index, text] of normal.entries()) {
    const marked = marks[index];
    if (marked !== undefined) text.markIn(marked);
  }
}

/** A text as it is compared. */
export function normalize(text: string): string {
  return new Normalized(text).text;
}

class Normalized {
  readonly text: string;
  /** Of each character. */
  readonly isShared: Uint8Array;
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  constructor(raw: string) {
    const form = new NormalForm(raw);
    const characters: string[] = [];
    for (let code = form.next(); code !== -1; code = form.next()) {
      characters.push(String.fromCharCode(code));
      this.#from.push(form.from);
      this.#to.push(form.at);
    }
    this.text = characters.join("");
    this.isShared = new Uint8Array(this.text.length);
  }

  /** With what is between two that are shared. */
  markIn(marked: Uint8Array): void {
    for (let at = 0; at < this.text.length; at++) {
      if (this.isShared[at] !== 1) continue;
      const from = at > 0 && this.isShared[at - 1] === 1 ? this.#to[at - 1] : this.#from[at];
      marked.fill(1, from, this.#to[at]);
    }
  }
}

interface Place {
  text: Normalized;
  at: number;
}

/**
 * The runs of texts, to be found in prompts: each character of a prompt is looked at once, and a run is
 * compared only where its sum is that of one which was not found before.
 */
class Runs {
  readonly #places = new Map<string, Place[]>();
  /** How many of the runs have this sum, and how many one of this bucket. */
  readonly #sums = new Map<number, number>();
  readonly #counts = new Uint16Array(buckets);

  constructor(texts: readonly Normalized[]) {
    for (const text of texts)
      for (let at = 0; at + maxShared <= text.text.length; at++) this.#add({ text, at });
  }

  #add(place: Place): void {
    const run = place.text.text.slice(place.at, place.at + maxShared);
    const known = this.#places.get(run);
    if (known !== undefined) known.push(place);
    else {
      this.#places.set(run, [place]);
      this.#count(sumOf(run), 1);
    }
  }

  findIn(prompt: string): void {
    const counts = this.#counts;
    const sums = this.#sums;
    const last = new Uint16Array(maxShared);
    const form = new NormalForm(prompt);
    let slot = 0;
    let sum = 0;
    let length = 0;
    while (this.#places.size > 0) {
      const code = form.next();
      if (code === -1) return;
      // Before there are so many, what goes is nothing.
      sum = (sum - Math.imul(last[slot] ?? 0, outgoing)) | 0;
      sum = (Math.imul(sum, base) + code) | 0;
      last[slot] = code;
      slot = slot === maxShared - 1 ? 0 : slot + 1;
      length += 1;
      if (counts[bucketOf(sum)] !== 0 && length >= maxShared && sums.has(sum))
        this.#mark(textOf(last, slot), sum);
    }
  }

  #mark(run: string, sum: number): void {
    const places = this.#places.get(run);
    if (places === undefined) return;
    for (const { text, at } of places) text.isShared.fill(1, at, at + maxShared);
    this.#places.delete(run);
    this.#count(sum, -1);
  }

  #count(sum: number, change: 1 | -1): void {
    const bucket = bucketOf(sum);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + change;
    const left = (this.#sums.get(sum) ?? 0) + change;
    if (left > 0) this.#sums.set(sum, left);
    else this.#sums.delete(sum);
  }
}

function sumOf(run: string): number {
  let sum = 0;
  for (let at = 0; at < run.length; at++) sum = (Math.imul(sum, base) + run.charCodeAt(at)) | 0;
  return sum;
}

function bucketOf(sum: number): number {
  return (sum ^ (sum >>> 16)) & (buckets - 1);
}

/** @param first the slot of the oldest character */
function textOf(last: Uint16Array, first: number): string {
  return String.fromCharCode(...last.subarray(first), ...last.subarray(0, first));
}

function powerOf(factor: number, exponent: number): number {
  let power = 1;
  for (let count = 0; count < exponent; count++) power = Math.imul(power, factor);
  return power;
}
