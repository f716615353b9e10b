/** So many characters in a row that are also in the prompt are a piece of it. */
const maxShared = 20;
/** A piece of a secret, at least as long, is left out as well: servers like to show how a key begins. */
const pieceOfSecret = 8;
/** Stands for what was left out. */
const gap = "…";

/** What must not come through. */
export interface Confidential {
  /** In any form; the empty text is none. */
  secrets: readonly string[];
  /** The texts of the prompt. */
  prompts: readonly string[];
}

/**
 * The text without secrets, and without any run of 20 or more characters that a prompt has, too; on one
 * line. The time grows with the lengths of the text and of the prompts, never with their product.
 *
 * @returns undefined where nothing is left, or where what is left makes a secret or a piece of a prompt anew
 */
export function cleanText(
  text: string,
  hidden: Confidential,
  maxLength: number,
): string | undefined {
  const line = toLine(text);
  const marked = new Uint8Array(line.length);
  markSecrets(line, hidden.secrets, marked);
  markPrompts(line, hidden.prompts, marked);
  const cleaned = cut(leaveOut(line, marked), maxLength);
  if (!/[^\s…]/.test(cleaned)) return undefined;
  const again = new Uint8Array(cleaned.length);
  markSecrets(cleaned, hidden.secrets, again);
  markPrompts(cleaned, hidden.prompts, again);
  return again.includes(1) ? undefined : cleaned;
}

/** Escapes are read, since a text that is quoted in a text has them twice; runs of gaps become one space. */
function toLine(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    .replace(/\\[nrt]/g, " ")
    .replace(/\\(["'\\/])/g, "$1")
    .toWellFormed()
    .replace(gaps, " ")
    .trim();
}

/** White space, control characters, and signs that are not seen. */
const gaps =
  /[\0- \u007f-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+/g;

/** Whether {@link gaps} has it; common letters are told at once. */
function isGap(code: number): boolean {
  if (code > 0x20 && code < 0x7f) return false;
  if (code <= 0xa0 || code === 0xad || code === 0x1680 || code === 0x180e) return true;
  if (code < 0x2000 || code > 0x3000) return code === 0xfeff;
  return (
    code <= 0x200f ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x205f && code <= 0x206f) ||
    code === 0x3000
  );
}

function markSecrets(line: string, secrets: readonly string[], marked: Uint8Array): void {
  for (const secret of new Set(secrets)) {
    if (secret === "") continue;
    const length = Math.min(secret.length, pieceOfSecret);
    const pieces = new Set(windowsOf(secret, length));
    for (let at = 0; at + length <= line.length; at++)
      if (pieces.has(line.slice(at, at + length))) marked.fill(1, at, at + length);
  }
}

function markPrompts(line: string, prompts: readonly string[], marked: Uint8Array): void {
  const runs = new Runs(line, marked);
  for (const prompt of prompts) runs.markThoseOf(prompt);
}

/** Rolling sums are kept within 32 bits. */
const base = 16_777_619;
/** What the first of so many characters counts in their sum. */
const outgoing = powerOf(base, maxShared - 1);
/** So many that few sums meet one of the line's, so few that they stay in the processor's cache. */
const buckets = 1 << 16;

/**
 * The runs of a line, to be found in prompts of megabytes: each character of a prompt is looked at once, and
 * a run is compared only where its sum is that of one which was not found before.
 */
class Runs {
  readonly #marked: Uint8Array;
  /** Where each run begins. */
  readonly #places = new Map<string, number[]>();
  /** How many of the runs have this sum, and how many one of this bucket. */
  readonly #sums = new Map<number, number>();
  readonly #counts = new Uint16Array(buckets);

  constructor(line: string, marked: Uint8Array) {
    this.#marked = marked;
    for (const [at, run] of windowsOf(line, maxShared).entries()) {
      const known = this.#places.get(run);
      if (known !== undefined) known.push(at);
      else {
        this.#places.set(run, [at]);
        this.#count(sumOf(run), 1);
      }
    }
  }

  /** The prompt is read with its gaps as single spaces, as the line has them. */
  markThoseOf(prompt: string): void {
    const counts = this.#counts;
    const sums = this.#sums;
    const last = new Uint16Array(maxShared);
    let slot = 0;
    let sum = 0;
    let length = 0;
    let wasGap = false;
    for (let at = 0; at < prompt.length && this.#places.size > 0; at++) {
      let code = prompt.charCodeAt(at);
      const isSpace = isGap(code);
      if (isSpace && wasGap) continue;
      wasGap = isSpace;
      if (isSpace) code = 0x20;
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
    for (const place of places) this.#marked.fill(1, place, place + maxShared);
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

function windowsOf(text: string, length: number): string[] {
  const count = Math.max(0, text.length - length + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + length));
}

function leaveOut(line: string, marked: Uint8Array): string {
  let text = "";
  let at = 0;
  while (at < line.length) {
    const isMarked = marked[at] === 1;
    let end = at;
    while (end < line.length && (marked[end] === 1) === isMarked) end++;
    text += isMarked ? gap : line.slice(at, end);
    at = end;
  }
  return text.toWellFormed();
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}${gap}`;
}
