// Liquid's filters of lists that look at their items, with what each look costs.
import { Tokenizer, toValue } from "liquidjs";
import type { OwnFilter } from "./filter.ts";
import { type FueledContext, textOf, textOfParts } from "./fueled-context.ts";
import { isEqual } from "./operators.ts";
import { countFields, weigh } from "./weigh.ts";

/** What one item costs: to copy it, to look at it, to compare it in a sort. */
const [copied, looked, sorted] = [2, 20, 8];
/** What a character costs: to make it small, to read it as a part of a number. */
const [lowered, parsed] = [6, 0.3];

type Path = readonly (string | number)[];
type Steps<Result> = Generator<unknown, Result, unknown>;

export const listFilters: Readonly<Record<string, OwnFilter>> = {
  map: function* (context, value, property) {
    const path = splitPath(property, context);
    return yield* eachItem(context, value, (item) => readPath(context, item, path));
  },
  sum: function* (context, value, property) {
    const path = property === undefined ? [] : splitPath(property, context);
    const found = yield* eachItem(context, value, (item) =>
      Number(plain(context, readPath(context, item, path))),
    );
    return found.reduce((sum, number) => sum + (Number.isNaN(number) ? 0 : number), 0);
  },
  where: (context, value, property, expected) => pick(context, value, property, expected, true),
  reject: (context, value, property, expected) => pick(context, value, property, expected, false),
  has: function* (context, value, property, expected) {
    return (yield* findIn(context, value, property, expected)) !== undefined;
  },
  find: function* (context, value, property, expected) {
    return (yield* findIn(context, value, property, expected))?.item;
  },
  find_index: function* (context, value, property, expected) {
    return (yield* findIn(context, value, property, expected))?.index;
  },
  group_by: function* (context, value, property) {
    const path = parsePath(property, context);
    const groups = new Map<unknown, unknown[]>();
    const items = toItems(context, value);
    const keys = yield* eachItem(context, items, (item) => readPath(context, item, path));
    for (const [index, key] of keys.entries()) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [items[index]]);
      else group.push(items[index]);
    }
    return [...groups].map(([name, group]) => ({ name, items: group }));
  },
  sort: (context, value, property) => sortBy(context, value, property, (key) => key),
  sort_natural: (context, value, property) =>
    sortBy(context, value, property, (key) => {
      const text = textOfParts(toValue(key), context.fuel);
      context.fuel.use(text.length * lowered);
      return text.toLowerCase();
    }),
  uniq: (context, value) => {
    const list = toList(context, value, looked);
    for (const item of list) if (typeof item === "string") context.fuel.use(item.length * 0.2);
    return [...new Set(list)];
  },
  compact: (context, value) =>
    toList(context, value, looked).filter((given) => {
      const item: unknown = toValue(given);
      return item !== undefined && item !== null;
    }),
  reverse: (context, value) => toList(context, toValue(value)).toReversed(),
  concat: (context, value, more) => [
    ...toList(context, value),
    ...toList(context, more === undefined ? [] : more),
  ],
  push: (context, value, item) => [...toList(context, value), item],
  unshift: (context, value, item) => [item, ...toList(context, value)],
  pop: (context, value) => toList(context, value).slice(0, -1),
  shift: (context, value) => toList(context, value).slice(1),
  slice: (context, given, begin, length = 1) => {
    const value: unknown = toValue(given);
    if (value === undefined || value === null) return [];
    const whole = Array.isArray(value) ? toList(context, value) : textOf(value, context.fuel);
    const [at, count] = [Number(plain(context, begin)), Number(plain(context, length))];
    const from = at < 0 ? whole.length + at : at;
    return from < 0 || count < 0 ? whole.slice(0, 0) : whole.slice(from, from + count);
  },
  join: (context, value, separator) => {
    const list = toList(context, toValue(value));
    const between =
      separator === undefined || separator === null ? " " : textOf(separator, context.fuel);
    const { items, characters } = weigh(list, context.fuel);
    context.fuel.use(items * 15 + characters * 0.5 + list.length * between.length * 0.2);
    return list.join(between);
  },
  array_to_sentence_string: (context, value, connector = "and") => {
    const texts = toList(context, value, looked).map((item) => textOfParts(item, context.fuel));
    const word = textOf(connector, context.fuel);
    if (texts.length <= 2) return texts.join(` ${word} `);
    return `${texts.slice(0, -1).join(", ")}, ${word} ${texts.at(-1)}`;
  },
};

/** A list as it is, anything else as the only item of one. */
function toList(context: FueledContext, given: unknown, price = copied): readonly unknown[] {
  const value: unknown = toValue(given);
  const list = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  context.fuel.use(list.length * price);
  return list;
}

/** What a loop goes through: a list's items, a text as one item, an object's fields as pairs. */
export function toItems(context: FueledContext, given: unknown): readonly unknown[] {
  const value: unknown = toValue(given);
  if (typeof value === "string") return value === "" ? [] : [value];
  if (Array.isArray(value)) return toList(context, value);
  if (typeof value !== "object" || value === null) return [];
  context.fuel.use(countFields(value, context.fuel) * looked);
  return Object.entries(value);
}

/** Takes each item's price, and lets others have a turn between them. */
function* eachItem<Found>(
  context: FueledContext,
  value: unknown,
  look: (item: unknown) => Found,
): Steps<Found[]> {
  const { fuel } = context;
  const found: Found[] = [];
  for (const item of toList(context, value)) {
    fuel.use(looked);
    found.push(look(item));
    if (fuel.isStepDone) yield;
  }
  return found;
}

function* pick(
  context: FueledContext,
  value: unknown,
  property: unknown,
  expected: unknown,
  isWanted: boolean,
): Steps<unknown[]> {
  const list = toList(context, value);
  const test = matcher(context, property, expected);
  const matches = yield* eachItem(context, list, test);
  return list.filter((_, index) => matches[index] === isWanted);
}

function* findIn(
  context: FueledContext,
  value: unknown,
  property: unknown,
  expected: unknown,
): Steps<{ item: unknown; index: number } | undefined> {
  const test = matcher(context, property, expected);
  for (const [index, item] of toList(context, value).entries()) {
    context.fuel.use(looked);
    if (test(item)) return { item, index };
    if (context.fuel.isStepDone) yield;
  }
  return undefined;
}

function matcher(
  context: FueledContext,
  property: unknown,
  expected: unknown,
): (item: unknown) => boolean {
  const path = parsePath(property, context);
  return (item) => {
    const value = readPath(context, item, path);
    if (expected !== undefined) return isEqual(value, expected, context);
    return value !== undefined && value !== null && value !== false;
  };
}

/** Sorts by keys that are read once; what has none comes last. */
function sortBy(
  context: FueledContext,
  value: unknown,
  property: unknown,
  toKey: (key: unknown) => unknown,
): unknown[] {
  const { fuel } = context;
  const list = toList(context, value, looked);
  const path = property ? splitPath(property, context) : [];
  const entries = list.map((item) => {
    const key = readPath(context, item, path);
    if (key === undefined || key === null) return { item, key: undefined };
    const text = plain(context, toKey(key));
    return { item, key: text as string | number };
  });
  const texts = entries.reduce(
    (sum, { key }) => sum + (typeof key === "string" ? key.length : 0),
    0,
  );
  const rounds = Math.ceil(Math.log2(list.length + 1));
  fuel.use(rounds * (list.length * sorted + texts * 0.05));
  return entries.sort((left, right) => compareKeys(left.key, right.key)).map(({ item }) => item);
}

function compareKeys(
  left: string | number | undefined,
  right: string | number | undefined,
): number {
  if (left === undefined || right === undefined)
    return Number(left === undefined) - Number(right === undefined);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A list or object as its text, so that no comparison has to make it. */
function plain(context: FueledContext, given: unknown): unknown {
  const value: unknown = toValue(given);
  if (typeof value === "string") context.fuel.use(value.length * parsed);
  return typeof value === "object" && value !== null ? textOfParts(value, context.fuel) : value;
}

function splitPath(property: unknown, context: FueledContext): Path {
  const text = textOf(property, context.fuel);
  context.fuel.use(text.length * 2);
  return text.split(".");
}

/** A path as `where` reads it, with indexes and quotes: `a.b[0]["c"]`. */
function parsePath(property: unknown, context: FueledContext): Path | undefined {
  const text = textOf(property, context.fuel);
  context.fuel.use(text.length * 50);
  const token = new Tokenizer(text).readScopeValue();
  if (token === undefined || !("props" in token)) return undefined;
  // Names, quoted names and numbers; a path in brackets would be one of the item's own.
  return token.props.map((step) => ("content" in step ? (step.content as string | number) : ""));
}

function readPath(context: FueledContext, item: unknown, path: Path | undefined): unknown {
  // Liquid asks values of all kinds for properties.
  return path?.reduce<unknown>((holder, key) => context.readProperty(holder as object, key), item);
}
