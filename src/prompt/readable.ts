import { Drop, toValue } from "liquidjs";
import type { RenderBudget } from "./render-budget.ts";

const asText = Symbol("asText");

/** A text that is made when it is first asked for, and once. */
interface OwnText {
  readonly make: () => string;
  made?: string;
}

/** Gives a value the text that `{{ value }}` prints; its fields stay reachable as they are. */
export function withText<Value extends object>(value: Value, text: () => string): Value {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  Object.defineProperty(copy, asText, { value: { make: text } satisfies OwnText });
  // A spread copy has the same own fields, and templates reach own fields only.
  return copy as Value;
}

/** What a value looks like in a prompt: its own text, else JSON for objects, else the plain value. */
export function printValue(given: unknown, budget: RenderBudget): string {
  const value: unknown = given instanceof Drop ? toValue(given) : given;
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value !== "object") return JSON.stringify(value) ?? "";
  // Nobody else has the symbol.
  const own = Reflect.get(value, asText) as OwnText | undefined;
  return own === undefined ? toJson(value, budget, 2) : (own.made ??= own.make());
}

/** @param indent spaces a level, as `JSON.stringify` takes it */
export function toJson(value: unknown, budget: RenderBudget, indent: number): string {
  const { items, characters } = budget.measure(value);
  const spaces = Math.min(Math.max(indent, 0) || 0, 10);
  budget.spend(items * (0.2 + spaces * 0.05) + characters * 0.008);
  budget.spend(countOdd(value) * 0.08);
  return JSON.stringify(value, null, spaces) ?? "";
}

/** The characters of texts that JSON prints ten times as slowly: with control characters or halves of characters. */
function countOdd(value: unknown): number {
  // oxlint-disable-next-line no-control-regex
  const odd = /[\0-\u0008\v\f\u000e-\u001f\ud800-\udfff]/;
  if (typeof value === "string") return odd.test(value) ? value.length : 0;
  if (typeof value !== "object" || value === null) return 0;
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + countOdd(part), 0);
}
