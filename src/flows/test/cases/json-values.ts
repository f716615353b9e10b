import { jsonrepair } from "jsonrepair";
import { readFencedCode } from "../../../context/fenced-code.ts";

/** In characters. The time that a repair takes grows with the square of its text. */
const maxRepaired = 16_384;
const maxBlocks = 20;
const maxLines = 1_000;

/**
 * The JSON values that an answer may mean, the likeliest first: all of it, its code blocks, what stands
 * between its first and its last bracket, and its lines as a list. Quotes, commas and escapes are mended, and what
 * was left open is not closed.
 */
export function* jsonValues(answer: string): Generator<unknown, void, void> {
  const blocks = readFencedCode(answer).slice(0, maxBlocks);
  for (const text of [...blocks.map((block) => block.text), answer]) {
    for (const start of startsOf(text)) {
      for (const end of endsOf(text)) {
        const value = parseLoosely(text.slice(start, end));
        if (value !== undefined) yield value;
      }
    }
    const lines = parseLines(text);
    if (lines.length > 0) yield lines;
  }
}

const known = /\{\s*["'“]?(?:test_?)?cases["'”]?\s*:/i;

/** Where an object of test cases begins, or else a value on a line of its own: brackets in a line are code. */
function startsOf(text: string): number[] {
  const first = /^[ \t]*[{[]/m.exec(text)?.index ?? -1;
  return [...new Set([text.search(known), first])].filter((start) => start !== -1);
}

/** After the last bracket, and after the last one that ends a line. */
function endsOf(text: string): number[] {
  const last = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  const ofLines = Math.max(...["}\n", "]\n"].map((end) => text.lastIndexOf(end)));
  return [...new Set([last + 1, ofLines + 1])].filter((end) => end > 0);
}

function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (text.length > maxRepaired || !isClosed(text)) return undefined;
  }
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

/** Whether all brackets are closed, those in strings left out or counted. */
function isClosed(text: string): boolean {
  return isBalanced(text) || isBalanced(withoutStrings(text));
}

function isBalanced(text: string): boolean {
  const count = (sign: string): number => text.split(sign).length;
  return count("{") === count("}") && count("[") === count("]");
}

const closingQuotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”" };

function withoutStrings(text: string): string {
  let left = "";
  for (let at = 0; at < text.length; at += 1) {
    const closing = closingQuotes[text.charAt(at)];
    left += text.charAt(at);
    if (closing === undefined) continue;
    for (at += 1; at < text.length && text.charAt(at) !== closing; at += 1) {
      if (text.charAt(at) === "\\") at += 1;
    }
  }
  return left;
}

/** The objects of JSON lines; none unless there are at least two. */
function parseLines(text: string): unknown[] {
  const lines = text.split("\n", maxLines).filter((line) => /^\s*\{/.test(line));
  if (lines.length < 2) return [];
  const values = lines.flatMap((line) => parseLoosely(line.trim().replace(/,$/, "")) ?? []);
  return values.length === lines.length ? values : [];
}
