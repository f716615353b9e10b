// The part of Liquid that templates may use. They arrive in requests, so it is a closed list.
import {
  CaptureTag,
  CaseTag,
  type Context,
  type Emitter,
  type FilterImplOptions,
  ForTag,
  Liquid,
  Tag,
  type TagToken,
  type TopLevelToken,
  evalToken,
  filters as liquidFilters,
  tags as liquidTags,
  toValue,
} from "liquidjs";
import { fence } from "../base/text/fence.ts";
import { languageOf } from "../turn/context/language.ts";
import { cutNote } from "../turn/context/active-editor.ts";
import { countLineFeeds } from "../base/text/lines.ts";
import { suggestName } from "../base/errors/names.ts";
import {
  type Price,
  type RenderBudget,
  TemplateProblem,
  budgetOf,
  counted,
  countedOperators,
  createEmitter,
  printValue,
  toJson,
  unbounded,
} from "./render-budget.ts";
import { estimateTokens } from "../turn/tokens.ts";

const ofText: Price = { item: 1, character: 0.005 };
const ofTexts: Price = { ...ofText, once: true };
const ofList: Price = { item: 1, character: 0 };

/** Liquid's filters that templates may use, with their prices. */
const prices: Readonly<Record<string, Price | undefined>> = {
  append: ofTexts,
  default: undefined,
  downcase: ofText,
  first: undefined,
  join: ofText,
  last: undefined,
  map: ofList,
  minus: ofTexts,
  plus: ofTexts,
  prepend: ofTexts,
  replace: { item: 1, character: 0.01 },
  reverse: ofList,
  size: undefined,
  slice: ofList,
  sort: { item: 1, character: 0.0005, sorts: true },
  split: { item: 1, character: 0.05 },
  strip: { item: 1, character: 0.03 },
  truncate: ofText,
  uniq: { item: 1, character: 0.01, sorts: true },
  upcase: ofText,
  where: { item: 2, character: 0 },
};

/** The filters of ours. They print a value as an output does. */
const ownFilters: Readonly<
  Record<string, (budget: RenderBudget, value: unknown, given: unknown) => string>
> = {
  fence(budget, value, info) {
    const text = printValue(value, budget);
    const word = typeof info === "string" ? info : "";
    budget.spend((text.length + word.length) * 0.01);
    return fence(text, languageOf(word) || word);
  },
  line_numbers(budget, value, first) {
    const text = printValue(value, budget);
    const count = countLineFeeds(text) + 1;
    budget.spend(count * 0.25 + text.length * 0.01);
    const from = Number.isInteger(first) ? Number(first) : 1;
    const width = String(from + count - 1).length;
    return text
      .split("\n")
      .map((line, nth) => `${String(from + nth).padStart(width)} | ${line}`)
      .join("\n");
  },
  tokens(budget, value, most) {
    const text = printValue(value, budget);
    budget.spend(text.length * 0.01);
    return cutToTokens(text, typeof most === "number" ? most : Number.NaN, () =>
      budget.spend(0.25),
    );
  },
  json: (budget, value, indent) => toJson(value ?? null, budget, Number(indent ?? 0)),
};

/** The filters that templates may use, 25 in all. */
export const filterNames: readonly string[] = [
  ...Object.keys(prices),
  ...Object.keys(ownFilters),
].sort();

/** A collection that Liquid copies before the first round is paid with all that it holds. */
class CountedFor extends ForTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void | string, never> {
    const items: unknown = toValue(yield evalToken(this.collection, context));
    if (Array.isArray(items)) budgetOf(context).spend(items.length * 0.01);
    else if (typeof items === "object" && items !== null)
      budgetOf(context).spend(Object.keys(items).length * 0.3);
    return yield super.render(context, emitter);
  }
}

/** Every value of a branch is compared with the target. */
class CountedCase extends CaseTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const budget = budgetOf(context);
    const { items, characters } = budget.measure(toValue(yield this.value.value(context)));
    const count = this.branches.reduce((sum, { values }) => sum + values.length, 0);
    budget.spend(count * (items * 0.1 + characters * 0.001));
    yield super.render(context, emitter);
  }
}

/** A text that grows is paid while it is made. */
class CountedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const out = createEmitter(budgetOf(context));
    yield this.liquid.renderer.renderTemplates(this.templates, context, out);
    Reflect.set(context.bottom(), this.variable, out.buffer);
  }
}

class RefusedTag extends Tag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid);
    throw new TemplateProblem(
      ["block", "include", "layout", "render"].includes(token.name)
        ? "templates may not load other templates"
        : `the tag ${token.name} is not available; templates may use ${Object.keys(allowedTags).join(", ")}`,
    );
  }

  override render(): void {}
}

/** The tags that templates may use. */
export const allowedTags: Readonly<Record<string, (typeof liquidTags)[string] | undefined>> = {
  assign: liquidTags["assign"],
  break: liquidTags["break"],
  capture: CountedCapture,
  case: CountedCase,
  comment: liquidTags["comment"],
  continue: liquidTags["continue"],
  for: CountedFor,
  if: liquidTags["if"],
  raw: liquidTags["raw"],
  unless: liquidTags["unless"],
};

/**
 * Liquid with nothing but these tags and filters, without files, and with values' own fields only.
 *
 * @param isOwn it renders our own templates, which nothing counts
 */
export function createLiquid(isOwn = false): Liquid {
  const payer = isOwn ? () => unbounded : budgetOf;
  const liquid = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    ...(isOwn ? {} : { operators: countedOperators }),
    // Liquid calls it as its last filter.
    outputEscape: isOwn
      ? (value: unknown) => printValue(value, unbounded)
      : (function (this: { context: Context }, value: unknown) {
          return printValue(value, budgetOf(this.context));
        } as (value: unknown) => string),
  });
  for (const name of Object.keys(liquid.filters)) liquid.unregisterFilter(name);
  for (const [name, price] of Object.entries(prices)) {
    const filter = liquidFilters[name];
    if (filter !== undefined) liquid.registerFilter(name, isOwn ? filter : counted(filter, price));
  }
  for (const [name, filter] of Object.entries(ownFilters))
    liquid.registerFilter(name, own(filter, payer));
  for (const name of Object.keys(liquid.tags)) {
    const allowed = allowedTags[name];
    liquid.registerTag(name, (isOwn && allowed ? liquidTags[name] : allowed) ?? RefusedTag);
  }
  return liquid;
}

function own(filter: (typeof ownFilters)[string], payer: typeof budgetOf): FilterImplOptions {
  return function (value: unknown, given: unknown): string {
    return filter(payer(this.context), value, given);
  };
}

/** What to use in place of a filter that templates may not use. */
export function explainFilter(name: string): string {
  const near = suggestName(name, filterNames);
  const hint =
    near === undefined ? `templates may use ${filterNames.join(", ")}` : `did you mean ${near}?`;
  const problem =
    name in liquidFilters ? `the filter ${name} is not available` : `undefined filter: ${name}`;
  return `${problem} (${hint})`;
}

/**
 * Cuts text on a line border so that it costs at most `most` tokens, and says how much was cut.
 *
 * @param onLine called for each line that is looked at
 */
export function cutToTokens(text: string, most: number, onLine?: () => void): string {
  if (!(most >= 0) || estimateTokens(text) <= most) return text;
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  let kept = 0;
  for (let cost = 0; kept <= end;) {
    onLine?.();
    const feed = text.indexOf("\n", kept);
    const next = feed === -1 || feed > end ? end + 1 : feed + 1;
    cost += estimateTokens(`${text.slice(kept, Math.min(next - 1, end))}\n`);
    if (cost > most) break;
    kept = next;
  }
  if (kept > end) return text.slice(0, end);
  const left = countLineFeeds(text.slice(kept, end)) + 1;
  return `${text.slice(0, kept)}${cutNote(left)}`;
}
