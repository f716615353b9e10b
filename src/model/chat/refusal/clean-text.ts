/** So many characters in a row that are also in the prompt are a piece of it. */
const maxShared = 20;
/** Prompts are looked through in blocks: every shared run holds at least one whole block. */
const block = maxShared / 2;
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

/** Escapes are read, since a text that is quoted in a text has them twice; control characters become spaces. */
function toLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    .replace(/\\[nrt]/g, " ")
    .replace(/\\(["'\\/])/g, "$1")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
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
  const places = new Map<string, number[]>();
  for (const [at, run] of windowsOf(line, maxShared).entries()) {
    const known = places.get(run);
    if (known === undefined) places.set(run, [at]);
    else known.push(at);
  }
  const blocks = new Set(windowsOf(line, block));
  for (const prompt of prompts) {
    for (let at = 0; at + block <= prompt.length; at += block) {
      if (places.size === 0) return;
      if (!blocks.has(prompt.slice(at, at + block))) continue;
      markAround(prompt, at, places, marked);
    }
  }
}

/** Marks what the runs that hold the block at `at` are in the line. Each run is marked once. */
function markAround(
  prompt: string,
  at: number,
  places: Map<string, number[]>,
  marked: Uint8Array,
): void {
  for (let from = Math.max(0, at + block - maxShared); from <= at; from++) {
    const run = prompt.slice(from, from + maxShared);
    for (const place of places.get(run) ?? []) marked.fill(1, place, place + maxShared);
    places.delete(run);
  }
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
