import { jsonrepair } from "jsonrepair";
import { readFencedCode } from "../../../turn/context/fenced-code.ts";
import { parseMended } from "../../../base/text/mended-json.ts";

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
        const value = parseMended(text.slice(start, end)) ?? parseWords(text.slice(start, end));
        if (value !== undefined) yield value;
      }
    }
    const lines = parseLines(text);
    if (lines.length > 0) yield lines;
  }
}

/** Characters: what mending takes grows with the square of its faults. */
const maxWords = 16_384;

/** Quotes in a text are mended, too: the cases are words for a person, and no code that would be written to a file. */
function parseWords(text: string): unknown {
  const count = (sign: string): number => text.split(sign).length;
  if (text.length > maxWords || count("{") !== count("}") || count("[") !== count("]")) return;
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
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

/** The objects of JSON lines; none unless there are at least two. */
function parseLines(text: string): unknown[] {
  const lines = text.split("\n", maxLines).filter((line) => /^\s*\{/.test(line));
  if (lines.length < 2) return [];
  const values = lines.flatMap((line) => parseMended(line) ?? []);
  return values.length === lines.length ? values : [];
}
