import { TemplateProblem } from "../template-problem.ts";
import type { Fuel, Weight } from "./fuel.ts";

/** Deeper ones overflow the stack of whoever walks them. */
const maxDepth = 200;
/** What a look at an item, at a field with its name, and at a character costs. */
const [lookAtItem, lookAtField, lookAtCharacter] = [5, 15, 0.2];

/**
 * Weighs a value before something is done with all of it. Each list and object is walked once for a
 * prompt, which costs fuel, too; what stands in a list ten times weighs ten times.
 *
 * @throws TemplateProblem when that takes too much fuel, or lists are nested too deep
 */
export function weigh(value: unknown, fuel: Fuel): Weight {
  if (typeof value !== "object" || value === null) {
    const characters = typeof value === "string" ? value.length : 5;
    return { items: 1, characters, oddCharacters: 0, depths: 0, height: 0 };
  }
  const known = fuel.weights.get(value);
  if (known !== undefined) return known;
  const weight = { items: 0, characters: 0, oddCharacters: 0, depths: 0, height: 0 };
  weight.height = addObject(value, weight, fuel, 0);
  return weight;
}

/** Smaller ones are walked again: to remember them takes longer. */
const leastKnown = 32;

/** Adds what an object weighs to a sum. @returns its height */
function addObject(value: object, sum: Weight, fuel: Fuel, depth: number): number {
  const known = fuel.weights.get(value);
  if (known !== undefined) {
    sum.items += known.items;
    sum.characters += known.characters;
    sum.oddCharacters += known.oddCharacters;
    sum.depths += known.depths + known.items * depth;
    return checkDepth(known.height, depth);
  }
  const before = { ...sum };
  sum.items += 1;
  sum.depths += depth;
  let height = 0;
  if (Array.isArray(value)) {
    fuel.use(value.length * lookAtItem);
    for (const item of value) height = Math.max(height, add(item, sum, fuel, depth + 1));
  } else {
    countFields(value, fuel);
    for (const name of Object.keys(value)) {
      sum.characters += name.length;
      height = Math.max(height, add(Reflect.get(value, name), sum, fuel, depth + 1));
    }
  }
  const weight = {
    items: sum.items - before.items,
    characters: sum.characters - before.characters,
    oddCharacters: sum.oddCharacters - before.oddCharacters,
    depths: sum.depths - before.depths - (sum.items - before.items) * depth,
    height: height + 1,
  };
  if (weight.items >= leastKnown) fuel.weights.set(value, weight);
  return checkDepth(weight.height, depth);
}

function add(item: unknown, sum: Weight, fuel: Fuel, depth: number): number {
  if (typeof item === "object" && item !== null) {
    if (depth > maxDepth) throw tooDeep();
    return addObject(item, sum, fuel, depth);
  }
  sum.items += 1;
  sum.depths += depth;
  if (typeof item === "string") {
    sum.characters += item.length;
    sum.oddCharacters += countOdd(item, fuel);
  } else sum.characters += 5;
  return 0;
}

function checkDepth(height: number, depth: number): number {
  if (height + depth > maxDepth) throw tooDeep();
  return height;
}

function tooDeep(): TemplateProblem {
  return new TemplateProblem(`lists may be nested ${maxDepth} levels deep`);
}

/** The text's length if JSON prints it slowly, else 0: control characters and halves of characters. */
export function countOdd(text: string, fuel: Fuel): number {
  fuel.use(text.length * lookAtCharacter);
  if (text.length < 16 && isPlain(text)) return 0;
  // oxlint-disable-next-line no-control-regex
  const isOdd = !text.isWellFormed() || /[\u0000-\u0008\v\f\u000e-\u001f\u007f]/.test(text);
  return isOdd ? text.length : 0;
}

/** How many fields an object has; to look at them all costs fuel each time. */
export function countFields(value: object, fuel: Fuel): number {
  const known = fuel.fieldCounts.get(value);
  const count = known ?? Object.keys(value).length;
  if (known === undefined && count >= leastKnown) fuel.fieldCounts.set(value, count);
  fuel.use((count + 1) * lookAtField);
  return count;
}

/** Of short texts, a look at each character is cheaper than a search. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 32 || code > 126) return false;
  }
  return true;
}
