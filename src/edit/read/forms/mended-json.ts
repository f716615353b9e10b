// JSON as models write it: quotes, commas and escapes are mended, what is left open is not.
import { jsonrepair } from "jsonrepair";
import { JsonDepth } from "./json-depth.ts";

/** In characters: what mending takes grows with the square of its faults. */
const maxMended = 16_384;

/** One value; undefined if something is left open or beyond mending. */
export function parseMended(text: string): unknown {
  return parseEach(text)?.[0];
}

/** One value, or one on each line; undefined if something is left open or beyond mending. */
export function parseEach(text: string): unknown[] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    if (/"""|'''/.test(text) || !isClosed(text)) return undefined;
  }
  if (text.length > maxMended) return parseLong(text);
  try {
    // What it makes of several values is a list.
    return [JSON.parse(jsonrepair(mendEscapes(text)))];
  } catch {
    return undefined;
  }
}

/** Of a long text only line ends and tabs in strings are mended. */
function parseLong(text: string): unknown[] | undefined {
  const parts = text.split(/(\\[^]|")/);
  let isString = false;
  const mended = parts.map((part) => {
    if (part === '"') isString = !isString;
    return isString ? part.replaceAll(/[\n\r\t]/g, (sign) => lineSigns[sign] ?? sign) : part;
  });
  try {
    return [JSON.parse(mended.join(""))];
  } catch {
    return undefined;
  }
}

const lineSigns: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A backslash before any other sign is meant itself: it is what models leave of `\\d`. */
function mendEscapes(text: string): string {
  return text.replaceAll(/\\(u[\da-fA-F]{4}|["\\/bfnrt'`\n])?/g, (whole, known?: string) =>
    known === undefined ? "\\\\" : whole,
  );
}

/** Whether every bracket and string is closed, as far as that shows. */
function isClosed(text: string): boolean {
  if (!/[}\]][ \t]*[,;]?$/.test(text)) return false;
  const depth = new JsonDepth();
  for (const line of text.split("\n")) depth.takes(line);
  return !depth.isOpen;
}
