const quote = 34;
const backslash = 92;
const comma = 44;
const colon = 58;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;

export interface JsonLimits {
  /** Levels of nested objects and arrays. */
  maxDepth: number;
  /** Values, and different names of fields, of the whole text. */
  maxValues: number;
}

export type JsonExcess = "too_deep" | "too_many_values";

/** Tells whether a parsed value nests objects and arrays deeper than `limit`; looks no deeper than that. */
export function isDeeper(value: unknown, limit: number): boolean {
  let level: object[] = typeof value === "object" && value !== null ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === limit) return true;
    const next: object[] = [];
    for (const nested of level)
      for (const item of Object.values(nested))
        if (typeof item === "object" && item !== null) next.push(item);
    level = next;
  }
  return false;
}

/**
 * Tells which limit JSON text exceeds, without parsing it: a parsed giant would already have cost the memory, and
 * later copies of it overflow the stack. The parser needs about as long for each value as for each name that it has
 * not seen before. Text that is no JSON gets some answer.
 */
export function scanJson(
  json: string,
  { maxDepth, maxValues }: JsonLimits,
): JsonExcess | undefined {
  const countsNames = maxValues < json.length;
  const names = new Set<string>();
  // Each value is the first of its object or array, or comes after a comma.
  let [depth, values, start] = [0, 0, 0];
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      start = at;
      at = endOfString(json, at);
      if (at === -1) break;
    } else if (code === openBrace || code === openBracket) {
      depth++;
      values++;
      if (depth > maxDepth) return "too_deep";
    } else if (code === closeBrace || code === closeBracket) {
      depth--;
    } else if (code === comma) {
      values++;
      if (values + names.size > maxValues) return "too_many_values";
    } else if (code === colon && countsNames) {
      names.add(json.slice(start, at));
    }
  }
  return values + names.size > maxValues ? "too_many_values" : undefined;
}

/**
 * Where the object, list or text that begins at `start` ends, in valid JSON.
 *
 * @returns the index behind it; -1 if that lies beyond `most`
 */
export function endOfValue(json: string, start: number, most: number): number {
  let depth = 0;
  for (let at = start; at < Math.min(most, json.length); at++) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      at = endOfString(json, at);
      if (at === -1) return -1;
    } else if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) depth--;
    else continue;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** The index of the quote that ends the string which begins at `at`; -1 if none does. */
export function endOfString(json: string, at: number): number {
  let end = at;
  do end = json.indexOf('"', end + 1);
  while (end !== -1 && isEscaped(json, end));
  return end;
}

/** Whether a backslash before the sign at `at` counts: no other one comes before it. */
export function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++;
  return slashes % 2 === 1;
}

/** Undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object: its keys are strings, and its values may be anything. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Freezes a value that JSON can hold, with all that is in it. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
