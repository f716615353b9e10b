import { Drop, toValue } from "liquidjs";
import type { Steps } from "../edit/steps.ts";
import type { Fuel } from "./liquid/fuel.ts";
import { countOdd, weigh } from "./liquid/weigh.ts";

const asText = Symbol("asText");

/** A text that is made when it is first asked for, and once. */
class OwnText {
  readonly #make: () => Steps<string>;
  #made: string | undefined;

  constructor(make: () => Steps<string>) {
    this.#make = make;
  }

  *read(): Steps<string> {
    return (this.#made ??= yield* this.#make());
  }
}

/** Gives a value the text that `{{ value }}` stands for; its fields stay reachable as they are. */
export function withText<Value extends object>(value: Value, text: () => Steps<string>): Value {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  Object.defineProperty(copy, asText, { value: new OwnText(text) });
  // A spread copy has the same own fields, and templates reach own fields only.
  return copy as Value;
}

/** What a value looks like in a prompt: its own text, else JSON for objects, else the plain value. */
export function* printValue(given: unknown, fuel: Fuel): Steps<string> {
  const value: unknown = given instanceof Drop ? toValue(given) : given;
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value !== "object") return JSON.stringify(value) ?? "";
  const own: unknown = Reflect.get(value, asText);
  return own instanceof OwnText ? yield* own.read() : toJson(value, fuel, 2);
}

/** What JSON costs for an item, a character, one that it prints slowly, and a blank of an indent. */
const [item, character, oddCharacter, blank] = [16, 0.6, 8, 0.1];

/** @param indent blanks a level, as `JSON.stringify` takes it */
export function toJson(value: unknown, fuel: Fuel, indent: number): string {
  const { items, characters, oddCharacters, depths } = weigh(value, fuel);
  const odd = typeof value === "string" ? countOdd(value, fuel) : oddCharacters;
  const blanks = Math.min(Math.max(indent, 0) || 0, 10) * depths;
  fuel.use(items * item + characters * character + odd * oddCharacter + blanks * blank);
  return JSON.stringify(value, null, indent) ?? "";
}
