import { type Context, isFalsy, isTruthy, type Operators, toValue } from "liquidjs";
import { TemplateProblem } from "../template-problem.ts";
import { includesText } from "./find-text.ts";
import type { Fuel } from "./fuel.ts";
import { type FueledContext, fueled, textOfParts } from "./fueled-context.ts";
import { countFields } from "./weigh.ts";

/** What a comparison costs, and each character that it looks at. */
const [comparison, character] = [15, 0.05];
const maxDepth = 200;

/** Liquid's operators, each of which takes fuel for what it compares. */
export const operators: Operators = {
  "==": (left, right, context) => isEqual(left, right, fueled(context)),
  "!=": (left, right, context) => !isEqual(left, right, fueled(context)),
  "<": (left, right, context) => compare(left, right, fueled(context), (a, b) => a < b),
  "<=": (left, right, context) => compare(left, right, fueled(context), (a, b) => a <= b),
  ">": (left, right, context) => compare(left, right, fueled(context), (a, b) => a > b),
  ">=": (left, right, context) => compare(left, right, fueled(context), (a, b) => a >= b),
  contains: (left, right, context) => contains(toValue(left), right, fueled(context)),
  not: (value: unknown, context: Context) => isFalsy(toValue(value), context),
  and: (left, right, context) =>
    isTruthy(toValue(left), context) && isTruthy(toValue(right), context),
  or: (left, right, context) =>
    isTruthy(toValue(left), context) || isTruthy(toValue(right), context),
};

/** Liquid's equality: lists by their items, objects by identity, `nil`, `empty` and `blank` by kind. */
export function isEqual(left: unknown, right: unknown, context: FueledContext, depth = 0): boolean {
  const { fuel } = context;
  fuel.use(comparison);
  if (depth > maxDepth) throw new TemplateProblem(`lists may be nested ${maxDepth} levels deep`);
  if (context.isWord(left)) return isOfKind(left, right, context);
  if (context.isWord(right)) return isOfKind(right, left, context);
  const [one, two]: unknown[] = [toValue(left), toValue(right)];
  if (Array.isArray(one)) {
    return (
      Array.isArray(two) &&
      one.length === two.length &&
      one.every((item, index) => isEqual(item, two[index], context, depth + 1))
    );
  }
  if (typeof one === "string" && typeof two === "string" && one.length === two.length)
    fuel.use(one.length * character);
  return one === two;
}

/** Whether a value is what the words `nil`, `empty` and `blank` stand for. */
function isOfKind(word: unknown, given: unknown, { words, fuel, isWord }: FueledContext): boolean {
  const value: unknown = toValue(given);
  const isNil = value === undefined || value === null;
  if (word === words.nil || isNil) return isNil && word !== words.empty;
  if (word === words.blank && value === false) return true;
  // Of the words themselves, none is empty.
  if (isWord(given)) return false;
  if (typeof value === "string")
    return value === "" || (word === words.blank && isBlank(value, fuel));
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && countFields(value, fuel) === 0;
}

function isBlank(text: string, fuel: Fuel): boolean {
  const part = 1_000;
  for (let from = 0; from < text.length; from += part) {
    fuel.use(part * character);
    if (/\S/.test(text.slice(from, from + part))) return false;
  }
  return true;
}

function compare(
  left: unknown,
  right: unknown,
  { fuel, isWord }: FueledContext,
  test: (left: string | number, right: string | number) => boolean,
): boolean {
  fuel.use(comparison);
  if (isWord(left) || isWord(right)) return false;
  const [one, two] = [toComparable(left, fuel), toComparable(right, fuel)];
  if (typeof one === "string" && typeof two === "string")
    fuel.use(Math.min(one.length, two.length) * character);
  else for (const text of [one, two]) if (typeof text === "string") fuel.use(text.length);
  return test(one, two);
}

/** What JavaScript compares by `<`: texts and numbers, objects by their text. */
function toComparable(given: unknown, fuel: Fuel): string | number {
  const value: unknown = toValue(given);
  return typeof value === "object" && value !== null
    ? textOfParts(value, fuel)
    : (value as string | number);
}

function contains(holder: unknown, item: unknown, context: FueledContext): boolean {
  const { fuel } = context;
  fuel.use(comparison);
  if (Array.isArray(holder)) return holder.some((value) => isEqual(value, item, context));
  if (typeof holder !== "string") return false;
  return includesText(holder, textOfParts(toValue(item), fuel), fuel);
}
