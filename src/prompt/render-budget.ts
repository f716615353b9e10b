// What the templates of one prompt may do together: one count of work, and a look at the clock. Liquid's own limits
// look at the clock between its nodes only, and a filter in one node can take minutes.
import {
  Context,
  defaultOperators,
  Drop,
  type FilterImplOptions,
  type Liquid,
  type Operators,
} from "liquidjs";
import { TemplateProblem } from "./template-problem.ts";

/** Work of all renderings of one prompt, each unit of about a microsecond. */
export const maxWork = 50_000;
/** Milliseconds of the same; it bounds what was counted too low. */
const maxTime = 250;
/** The longest text that comes out of one rendering, in characters. */
const maxLength = 20_000_000;

/** What an item and a character of a filter's value cost. */
export interface Price {
  item: number;
  character: number;
  /** It compares the items with each other. */
  sorts?: true;
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

  /** Renders, and counts the time. */
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
  take(value: unknown, given: readonly unknown[], { item, character, sorts }: Price): void {
    const { items, characters } = this.measure(value);
    const times = given.reduce<number>((sum, part) => {
      const size = this.measure(part);
      return sum + size.items - 1 + size.characters / 10;
    }, 1);
    const units = items * item * (sorts ? Math.log2(items + 2) : 1) + characters * character;
    this.spend(0.2 + units * times);
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
      size.characters += isOdd(part) ? characters * 10 : characters;
      if (size.items > 4 * maxWork) this.spend(size.items);
    }
    this.#sizes.set(value, size);
    return size;
  }
}

/** JSON prints control characters and halves of characters ten times as slowly as others. */
export function isOdd(value: unknown): boolean {
  // oxlint-disable-next-line no-control-regex
  return typeof value === "string" && /[\0-\u0008\v\f\u000e-\u001f\ud800-\udfff]/.test(value);
}

/** The context of one rendering; Liquid asks its limits for each node, and before it makes a list or a text. */
export class BudgetContext extends Context {
  readonly budget: RenderBudget;

  constructor(scope: object, liquid: Liquid, budget: RenderBudget) {
    super(scope, liquid.options, { sync: true }, { liquid });
    this.budget = budget;
    const use = (count: number): void => budget.spend(count > 0 ? count / 200 : 0);
    // Liquid does not export the class of its limits; these two methods are all that it calls.
    this.memoryLimit = { use } as unknown as Context["memoryLimit"];
    this.renderLimit = { check: () => budget.spend(1) } as unknown as Context["renderLimit"];
  }

  /** To say how many fields an object has, all are listed. */
  override readProperty(holder: object, key: Parameters<Context["readProperty"]>[1]): unknown {
    if (key === "size" && !Array.isArray(holder))
      this.budget.spend(this.budget.measure(holder).items * 0.3);
    return super.readProperty(holder, key);
  }

  override spawn(scope: object = {}): Context {
    return new BudgetContext(scope, this.liquid, this.budget);
  }
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
  return (left: unknown, right: unknown, context: Context) => {
    const budget = budgetOf(context);
    if (name === "contains") budget.take(left, [right], { item: 0.2, character: 0.005 });
    else {
      const [one, two] = [budget.measure(left), budget.measure(right)];
      // The words `blank`, `empty` and `nil` look at the beginning of a text, or at nothing.
      const isWord = left instanceof Drop || right instanceof Drop;
      const characters = isWord ? 0 : Math.min(one.characters, two.characters);
      budget.spend((one.items + two.items) * 0.1 + characters * 0.005);
    }
    return inner(left, right, context);
  };
}
