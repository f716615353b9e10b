// What the templates of one prompt may do together: one count of work, and a look at the clock. Liquid's own limits
// look at the clock between its nodes only, and a filter in one node can take minutes.
import {
  Context,
  Drop,
  type Emitter,
  type FilterImplOptions,
  type Liquid,
  type Operators,
  type RangeToken,
  type Template,
  TokenKind,
  type ValueToken,
  defaultOperators,
  evalToken,
  toValue,
} from "liquidjs";

/** What is wrong with a template, and where. Lines and columns are 1-based. */
export class TemplateProblem extends Error {
  override readonly name = "TemplateProblem";
  readonly line: number;
  readonly column: number;

  constructor(message: string, line = 1, column = 1) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Work of all renderings of one prompt, each unit of about a microsecond. */
const maxWork = 50_000;
/** Milliseconds of the same; it bounds what was counted too low. */
const maxTime = 250;
/** The longest text that comes out of one rendering, in characters. */
const maxLength = 20_000_000;

/** The longest text that may be an end of a range. */
const maxDigits = 30;

/** What an item and a character of a filter's value cost. */
export interface Price {
  item: number;
  character: number;
  /** It compares the items with each other. */
  sorts?: true;
  /** Its arguments are looked at once, not for each item. */
  once?: true;
}

/** All that a value holds, at all depths. */
interface Size {
  items: number;
  characters: number;
}

export class RenderBudget {
  readonly #now: () => number;
  readonly #sizes = new WeakMap<object, Size>();
  #work = 0;
  #time = 0;
  #since = 0;

  /** @param now milliseconds; need not be the time of day */
  constructor(now: () => number) {
    this.#now = now;
  }

  get work(): number {
    return this.#work;
  }

  during<Result>(render: () => Result): Result {
    this.#since = this.#now();
    try {
      return render();
    } finally {
      this.#time += this.#now() - this.#since;
    }
  }

  /** @throws TemplateProblem when that is more work than is left, or the time is over */
  spend(units: number): void {
    this.#work += units;
    if (this.#work > maxWork)
      throw new TemplateProblem(
        `rendering takes more than ${maxWork} units of work; loop over less, or use fewer filters`,
      );
    if (this.#time + this.#now() - this.#since > maxTime)
      throw new TemplateProblem(`rendering takes longer than ${maxTime} ms`);
  }

  /** @throws TemplateProblem when the two are longer than a rendering may be */
  append(before: string, text: string): string {
    this.spend(text.length * 0.0005);
    if (before.length + text.length > maxLength)
      throw new TemplateProblem(`the result is longer than ${maxLength} characters`);
    return before + text;
  }

  /** Takes the price of a filter or a search; each argument is looked at for each item of the value. */
  take(value: unknown, given: readonly unknown[], { item, character, sorts, once }: Price): void {
    const unitsOf = ({ items, characters }: Size): number =>
      (items * item + characters * character) * (sorts ? Math.log2(items + 2) : 1);
    const units = unitsOf(this.measure(value));
    const sizes = given.map((part) => this.measure(part));
    this.spend(
      once
        ? sizes.reduce((sum, size) => sum + unitsOf(size), 0.2 + units)
        : 0.2 + units * sizes.reduce((sum, size) => sum + size.items - 1 + size.characters / 10, 1),
    );
  }

  /** @throws TemplateProblem as soon as a value holds more than all work could look at */
  measure(value: unknown): Size {
    if (typeof value === "string") return { items: 1, characters: value.length };
    if (typeof value !== "object" || value === null) return { items: 1, characters: 0 };
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    const size = { items: 1, characters: 0 };
    for (const part of Array.isArray(value) ? value : Object.values(value)) {
      const { items, characters } = this.measure(part);
      size.items += items;
      size.characters += characters;
      if (size.items > 4 * maxWork) this.spend(size.items);
    }
    this.#sizes.set(value, size);
    return size;
  }
}

class Unbounded extends RenderBudget {
  override spend(): void {}
}

export const unbounded: RenderBudget = new Unbounded(() => 0);

/** What templates may read of Liquid's own objects: the fields of `forloop`. */
const loopFields: ReadonlySet<unknown> = new Set(
  "first index index0 last length name rindex rindex0".split(" "),
);

/** The context of one rendering; Liquid asks its limits for each node, and before it makes a list or a text. */
export class BudgetContext extends Context {
  readonly budget: RenderBudget;

  constructor(scope: object, liquid: Liquid, budget: RenderBudget) {
    super(scope, liquid.options, { sync: true }, { liquid });
    this.budget = budget;
    const use = (count: number): void => budget.spend(0.4 + (count > 0 ? count / 100 : 0));
    // Liquid does not export the class of its limits; these two methods are all that it calls.
    this.memoryLimit = { use } as unknown as Context["memoryLimit"];
    this.renderLimit = { check: () => budget.spend(1) } as unknown as Context["renderLimit"];
  }

  /** Each step of a path is paid. To say how many fields an object has, all are listed. */
  override readProperty(holder: object, key: Parameters<Context["readProperty"]>[1]): unknown {
    if (holder instanceof Drop && !loopFields.has(key)) return undefined;
    const isCounted = key === "size" && typeof holder === "object" && !Array.isArray(holder);
    this.budget.spend(isCounted ? 0.3 * this.budget.measure(holder).items : 0.4);
    return super.readProperty(holder, key);
  }

  override spawn(scope: object = {}): Context {
    return new BudgetContext(scope, this.liquid, this.budget);
  }
}

/** Takes what is rendered, and lets it grow as long as that is paid. */
export function createEmitter(budget: RenderBudget): Emitter {
  let rendered = "";
  return {
    get buffer() {
      return rendered;
    },
    write(value) {
      rendered = budget.append(rendered, typeof value === "string" ? value : String(value ?? ""));
    },
  };
}

/** Each time that a node is rendered, it costs what is written in it. */
export function payFor(node: Template, values: number): void {
  const inner = node.render.bind(node);
  node.render = (context, emitter) => {
    budgetOf(context).spend(1 + values * 0.5);
    return inner(context, emitter);
  };
}

/** Liquid counts from one end of a range to the other, which never ends where a number is too large to grow by one. */
export function boundRange(range: RangeToken): void {
  range.lhs = bounded(range.lhs);
  range.rhs = bounded(range.rhs);
}

function bounded(end: ValueToken): ValueToken {
  const initial = {
    *evaluate(context: Context, lenient?: boolean): Generator<unknown, number, unknown> {
      const value = toValue(yield evalToken(end, context, lenient));
      const isLong = typeof value === "object" || String(value).length > maxDigits;
      const number = isLong ? Number.NaN : Number(value ?? Number.NaN);
      return Math.abs(number) <= Number.MAX_SAFE_INTEGER / 2 ? number : Number.NaN;
    },
  };
  // Liquid knows a value with filters by its kind; this is one without.
  return { kind: TokenKind.FilteredValue, initial, filters: [] } as unknown as ValueToken;
}

export function budgetOf(context: Context): RenderBudget {
  if (context instanceof BudgetContext) return context.budget;
  throw new Error("A template is rendered without a budget.");
}

/** Liquid's own filter, which takes its price first; without one it looks into nothing. */
export function counted(filter: FilterImplOptions, price: Price | undefined): FilterImplOptions {
  const inner = typeof filter === "function" ? filter : filter.handler;
  return function (value: unknown, ...given: unknown[]): unknown {
    const budget = budgetOf(this.context);
    if (price === undefined) budget.spend(0.2);
    else budget.take(value, given, price);
    return inner.apply(this, [value, ...given]);
  };
}

/** Liquid's operators, which take a price for what they compare. */
export const countedOperators: Operators = {
  ...defaultOperators,
  ...Object.fromEntries(
    ["==", "!=", "<", "<=", ">", ">=", "contains"].map((name) => [name, countedOperator(name)]),
  ),
};

function countedOperator(name: string): Operators[string] {
  const inner = defaultOperators[name];
  if (inner === undefined) throw new Error(`Liquid has no operator ${name}.`);
  const isOrder = /[<>]/.test(name);
  return (left: unknown, right: unknown, context: Context) => {
    const budget = budgetOf(context);
    if (name === "contains") budget.take(left, [right], { item: 0.2, character: 0.005 });
    else {
      const [one, two] = [budget.measure(left), budget.measure(right)];
      // The words `blank`, `empty` and `nil` look at the beginning of a text, or at nothing.
      const isWord = left instanceof Drop || right instanceof Drop;
      const shorter = isWord ? 0 : Math.min(one.characters, two.characters);
      // A list is made a text before it is more or less than something.
      const made = isOrder
        ? [left, right].reduce<number>(
            (sum, value) =>
              sum + (typeof value === "object" ? budget.measure(value).characters : 0),
            0,
          )
        : 0;
      budget.spend((one.items + two.items) * 0.1 + (shorter + made) * 0.005);
    }
    return inner(left, right, context);
  };
}

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
