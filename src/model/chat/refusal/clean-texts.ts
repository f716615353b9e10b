import { markShared, normalize } from "./shared-runs.ts";

/** A piece of a secret, at least as long, is left out as well: servers like to show how a key begins. */
const pieceOfSecret = 8;
/** Stands for what was left out. */
const gap = "…";

/** What must not come through. */
export interface Confidential {
  /** In any form; an empty text never counts. */
  secrets: readonly string[];
  /** The texts of the prompt. */
  prompts: readonly string[];
}

export interface Unclean {
  text: string;
  /** Of what comes through, in characters. */
  maxLength: number;
}

/**
 * The texts without secrets, and without any run of 20 or more characters that a prompt has, too, be it
 * escaped, or in letters of another case; each on one line. The time grows with the lengths of the texts and
 * of the prompts, never with their product: the prompts are read once, and again where something was cut.
 *
 * @returns undefined where nothing is left, or where what is left makes a secret or a piece of a prompt anew
 */
export function cleanTexts(
  unclean: readonly Unclean[],
  hidden: Confidential,
): (string | undefined)[] {
  const texts = unclean.map(({ text }) => text);
  const marks = texts.map(createMarks);
  markShared(texts, hidden.prompts, marks);
  const cleaned = unclean.map(({ text, maxLength }, index) => {
    const marked = marks[index] ?? createMarks(text);
    markSecrets(text, hidden.secrets, marked);
    const line = toLine(leaveOut(text, marked));
    const markedLine = createMarks(line);
    markSecrets(line, hidden.secrets, markedLine);
    return shorten(leaveOut(line, markedLine), maxLength);
  });
  const isBad = findBad(cleaned, texts, hidden);
  return cleaned.map((text, index) => (isBad[index] === true ? undefined : text));
}

/** Which of the cleaned texts say nothing, or something that must not come through after all. */
function findBad(
  cleaned: readonly string[],
  texts: readonly string[],
  { secrets, prompts }: Confidential,
): boolean[] {
  const marks = cleaned.map(createMarks);
  const isChanged = cleaned.map(
    (text, index) => !normalize(texts[index] ?? "").includes(normalize(text)),
  );
  if (isChanged.includes(true)) markShared(cleaned, prompts, marks);
  return cleaned.map((text, index) => {
    const marked = marks[index] ?? createMarks(text);
    markSecrets(text, secrets, marked);
    return !/[^\s…]/.test(text) || marked.includes(1);
  });
}

function createMarks(text: string): Uint8Array {
  return new Uint8Array(text.length);
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

/** All that isGap (fold-code.ts) has. */
const gaps =
  /[\0- \u007f-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+/g;

function markSecrets(line: string, secrets: readonly string[], marked: Uint8Array): void {
  for (const secret of new Set(secrets)) {
    if (secret === "") continue;
    const length = Math.min(secret.length, pieceOfSecret);
    const pieces = new Set(windowsOf(secret, length));
    for (let at = 0; at + length <= line.length; at++)
      if (pieces.has(line.slice(at, at + length))) marked.fill(1, at, at + length);
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

/** Cut behind so many characters, with a sign of it. */
export function shorten(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}${gap}`;
}
