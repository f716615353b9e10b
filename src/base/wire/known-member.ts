import { deepFreeze, endOfValue, isRecord } from "../text/json.ts";

export interface KnownMemberLimits {
  /** The longest text of a value that is kept, in characters. */
  maxText: number;
  /** Of all texts together, in characters. */
  maxKept: number;
}

/** A body without its value of the member. */
export interface ShortBody {
  json: string;
  /**
   * Puts the value into the parsed body.
   *
   * @returns false where the value belongs elsewhere; then the whole text must be parsed
   */
  complete(body: unknown): boolean;
}

interface Known {
  text: string;
  value: object;
}

/** So much of a text is looked up; shorter texts are not worth it. */
const prefixLength = 96;
/** Texts that begin alike that are kept. */
const maxAlike = 4;

/**
 * Recognises the value of one member of JSON bodies by its text: what comes with every request is parsed
 * once, and is one frozen object for all, about which further facts can be remembered.
 */
export class KnownMember {
  readonly #key: string;
  readonly #maxText: number;
  readonly #name: string;
  readonly #byPrefix: BoundedMap<string, readonly Known[]>;
  /** Stands for the value; nobody outside can know it. */
  readonly #placeholder = crypto.randomUUID();
  readonly #approved = new WeakSet();

  constructor(name: string, { maxText, maxKept }: KnownMemberLimits) {
    this.#name = name;
    this.#key = JSON.stringify(name);
    this.#maxText = maxText;
    this.#byPrefix = new BoundedMap(maxKept, lengthOf);
  }

  /** @returns undefined where the text has no value that is known */
  shorten(json: string): ShortBody | undefined {
    const start = this.#findValue(json);
    if (start === -1) return undefined;
    const alike = this.#byPrefix.get(json.slice(start, start + prefixLength));
    const known = alike?.find(({ text }) => json.startsWith(text, start));
    if (known === undefined) return undefined;
    const placeholder = this.#placeholder;
    const name = this.#name;
    const rest = json.slice(start + known.text.length);
    return {
      json: `${json.slice(0, start)}"${placeholder}"${rest}`,
      complete(body) {
        if (!isRecord(body) || body[name] !== placeholder) return false;
        body[name] = known.value;
        return true;
      },
    };
  }

  /** Remembers the value in this JSON, which must be valid. */
  learn(json: string): void {
    const start = this.#findValue(json);
    if (start === -1) return;
    const end = endOfValue(json, start, start + this.#maxText);
    if (end - start < prefixLength) return;
    // A slice would keep the whole body.
    const text = JSON.parse(JSON.stringify(json.slice(start, end))) as string;
    // An object, since it begins like one.
    const value = deepFreeze(JSON.parse(text) as object);
    const prefix = text.slice(0, prefixLength);
    const alike = this.#byPrefix.get(prefix) ?? [];
    this.#byPrefix.set(prefix, [{ text, value }, ...alike.slice(0, maxAlike - 1)]);
  }

  /** Remembers that a value was found good; only of values of ours, which stay as they are. */
  approve(value: object): void {
    if (Object.isFrozen(value)) this.#approved.add(value);
  }

  isApproved(value: object): boolean {
    return this.#approved.has(value);
  }

  /** Where the first object under the key begins; -1 if there is none. */
  #findValue(json: string): number {
    const key = json.indexOf(this.#key);
    if (key === -1 || json[key - 1] === "\\") return -1;
    const colon = skipBlanks(json, key + this.#key.length);
    if (json[colon] !== ":") return -1;
    const start = skipBlanks(json, colon + 1);
    return json[start] === "{" ? start : -1;
  }
}

function lengthOf(list: readonly Known[]): number {
  return list.reduce((sum, { text }) => sum + text.length, 0);
}

function skipBlanks(json: string, from: number): number {
  let at = from;
  while (blanks.has(json.charCodeAt(at))) at++;
  return at;
}

/** Those of JSON: tab, line feed, carriage return, blank. */
const blanks = new Set([9, 10, 13, 32]);

/** A map that forgets what was put in first once all values together weigh more than it may hold. */
export class BoundedMap<Key, Value> {
  /** Of all values, as they weighed when they were put in. */
  weight = 0;
  readonly #most: number;
  readonly #weigh: (value: Value) => number;
  readonly #map = new Map<Key, { value: Value; weight: number }>();

  constructor(most: number, weigh: (value: Value) => number) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    const weight = this.#weigh(value);
    this.#map.set(key, { value, weight });
    this.weight += weight;
    for (const oldest of this.#map.keys()) {
      if (this.weight <= this.#most) break;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.weight -= this.#map.get(key)?.weight ?? 0;
    this.#map.delete(key);
  }
}
