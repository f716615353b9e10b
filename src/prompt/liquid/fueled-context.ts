import { Context, type Liquid, Tokenizer, toValue } from "liquidjs";
import type { Fuel } from "./fuel.ts";
import { countFields, weigh } from "./weigh.ts";

type Key = Parameters<Context["readProperty"]>[1];

/** What one step of a path costs, and each character of a name that is not an ordinary one. */
const [step, longNameCharacter] = [20, 0.5];

/** The values of Liquid's words for values of a kind. */
export interface Words {
  nil: unknown;
  empty: unknown;
  blank: unknown;
}

export function readWords(): Words {
  const read = (word: string): unknown => new Tokenizer(word).readLiteral()?.content;
  return { nil: read("nil"), empty: read("empty"), blank: read("blank") };
}

/** What a rendering reads and assigns, and the fuel that it takes. */
export class FueledContext extends Context {
  readonly fuel: Fuel;
  /** The longest text that may come out, in characters. */
  readonly maxLength: number;
  readonly words: Words;

  constructor(scope: object, liquid: Liquid, words: Words, fuel: Fuel, maxLength: number) {
    super(scope, liquid.options, { sync: true }, { liquid });
    this.words = words;
    this.fuel = fuel;
    this.maxLength = maxLength;
  }

  readonly isWord = (value: unknown): boolean =>
    value === this.words.nil || value === this.words.empty || value === this.words.blank;

  override _get(path: Key[]): IterableIterator<unknown> {
    // oxlint-disable-next-line no-underscore-dangle -- what Liquid calls for each variable.
    return super._get(path.map((key) => this.#toKey(key)));
  }

  override readProperty(holder: object, key: Key): unknown {
    this.fuel.use(step);
    const name = this.#toKey(key);
    if (name === "size" && typeof holder === "object" && holder !== null && !Array.isArray(holder))
      countFields(holder, this.fuel);
    return super.readProperty(holder, name);
  }

  /** A key may be any value; to find out its text is what costs. */
  #toKey(key: unknown): string | number {
    const value: unknown = toValue(key);
    if (typeof value === "number") return value;
    if (typeof value === "string") {
      if (value.length > 100) this.fuel.use(value.length * longNameCharacter);
      return value;
    }
    return textOfParts(value, this.fuel);
  }
}

/** The context of a rendering of ours. */
export function fueled(context: Context): FueledContext {
  if (context instanceof FueledContext) return context;
  throw new Error("A template is rendered without fuel.");
}

/** As JavaScript turns a value into text, with what that costs. */
export function textOfParts(value: unknown, fuel: Fuel): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) payForItems(value, fuel);
  return String(value);
}

/** As Liquid turns a value into text: lists are their items one after the other. */
export function textOf(given: unknown, fuel: Fuel): string {
  const value: unknown = toValue(given);
  if (value === undefined || value === null) return "";
  if (!Array.isArray(value)) return textOfParts(value, fuel);
  payForItems(value, fuel);
  return joined(value);
}

/** Only lists are printed item by item; an object is a word. */
function payForItems(list: readonly unknown[], fuel: Fuel): void {
  const { items, characters } = weigh(list, fuel);
  fuel.use(items * 12 + characters * 0.5);
}

function joined(items: readonly unknown[]): string {
  return items
    .map((given) => {
      const item: unknown = toValue(given);
      if (Array.isArray(item)) return joined(item);
      if (item === undefined || item === null) return "";
      // oxlint-disable-next-line typescript/no-base-to-string -- as Liquid prints an object.
      return String(item);
    })
    .join("");
}
