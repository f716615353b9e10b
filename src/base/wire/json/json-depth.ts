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
  if (typeof value !== "object" || value === null) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, limit - 1));
  // Objects that JSON made have no inherited fields.
  for (const name in value) if (isDeeper(Reflect.get(value, name), limit - 1)) return true;
  return false;
}

/** Characters of one step; about a millisecond. */
const stepLength = 128 * 1_024;

/**
 * Tells which limit JSON text exceeds, in steps, without parsing it: a parsed giant would already have cost
 * the memory, and later copies of it overflow the stack. The parser, which cannot be stopped, needs about as
 * long for each value as for each name that it has not seen before. Text that is no JSON gets some answer.
 */
export function* scanJson(
  json: string,
  limits: JsonLimits,
): Generator<void, JsonExcess | undefined, void> {
  const scan = new JsonScan(json, limits);
  for (let end = stepLength; ; end += stepLength) {
    const excess = scan.goTo(Math.min(end, json.length));
    if (excess !== undefined || end >= json.length) return excess;
    yield;
  }
}

/**
 * Where the object that begins at `start` ends, in valid JSON.
 *
 * @returns the index behind it; -1 if that lies beyond `most`
 */
export function endOfObject(json: string, start: number, most: number): number {
  let depth = 0;
  for (let at = start; at < Math.min(most, json.length); at++) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      do at = json.indexOf('"', at + 1);
      while (at !== -1 && isEscaped(json, at));
      if (at === -1) return -1;
    } else if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

class JsonScan {
  readonly #json: string;
  readonly #limits: JsonLimits;
  #at = 0;
  #depth = 0;
  #values = 0;
  /** Of the last string. */
  #start = 0;
  #isInString = false;
  readonly #names = new Set<string>();

  constructor(json: string, limits: JsonLimits) {
    this.#json = json;
    this.#limits = limits;
  }

  /** Goes on to this index, or to the next quote behind it. */
  goTo(end: number): JsonExcess | undefined {
    const json = this.#json;
    const { maxDepth, maxValues } = this.#limits;
    const countsNames = maxValues < json.length;
    let at = this.#at;
    let depth = this.#depth;
    // Each value is the first of its object or array, or comes after a comma.
    let values = this.#values;
    if (this.#isInString) at = this.#skipString(at, end);
    for (; at < end; at++) {
      const code = json.charCodeAt(at);
      if (code === quote) {
        this.#start = at;
        at = this.#skipString(at + 1, end) - 1;
      } else if (code === openBrace || code === openBracket) {
        depth++;
        values++;
        if (depth > maxDepth) return "too_deep";
      } else if (code === closeBrace || code === closeBracket) {
        depth--;
      } else if (code === comma) {
        values++;
        if (values + this.#names.size > maxValues) return "too_many_values";
      } else if (code === colon && countsNames) {
        this.#names.add(json.slice(this.#start, at));
      }
    }
    this.#at = at;
    this.#depth = depth;
    this.#values = values;
    return values + this.#names.size > maxValues ? "too_many_values" : undefined;
  }

  /**
   * Jumps from quote to quote, since most of a request is the text of files.
   *
   * @returns the index behind the string; behind a quote in it, if that lies beyond `end`
   */
  #skipString(from: number, end: number): number {
    const json = this.#json;
    let at = json.indexOf('"', from);
    while (at !== -1 && isEscaped(json, at)) {
      this.#isInString = at >= end;
      if (this.#isInString) return at + 1;
      at = json.indexOf('"', at + 1);
    }
    this.#isInString = false;
    return at === -1 ? json.length : at + 1;
  }
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json.charCodeAt(at - 1 - slashes) === backslash) slashes++;
  return slashes % 2 === 1;
}
