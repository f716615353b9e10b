// The part of Liquid that templates may use. They arrive in requests, so it is a closed list.
import {
  type Arguments,
  CaptureTag,
  CaseTag,
  type Context,
  type Emitter,
  ForTag,
  Liquid,
  Output,
  Tag,
  type TagToken,
  type Template,
  type Token,
  type TopLevelToken,
  TypeGuards,
  Value,
  evalToken,
  filters as liquidFilters,
  tags as liquidTags,
  toValue,
  toValueSync,
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
  boundRange,
  budgetOf,
  counted,
  countedOperators,
  createEmitter,
  payFor,
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
    liquid.registerFilter(name, function (value: unknown, given: unknown) {
      return filter(payer(this.context), value, given);
    });
  for (const name of Object.keys(liquid.tags)) {
    const allowed = allowedTags[name];
    liquid.registerTag(name, (isOwn && allowed ? liquidTags[name] : allowed) ?? RefusedTag);
  }
  return liquid;
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

/** Cuts text on a line border so that it costs at most `most` tokens, and says how much was cut. */
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

// One walk through a parsed template, linear in its size: Liquid's own analysis is quadratic. It also prepares the
// nodes for rendering.

type Argument = Arguments extends Iterable<infer Item> ? Item : never;

export interface TemplateVariables {
  /** The top-level names that the template reads and has not made itself: `a` for `{{ a.b }}`. */
  variables: Set<string>;
  /** It reads further names, which it finds while it renders: `{{ [name] }}`. */
  isDynamic: boolean;
  /** Filters, operators and further values in its tags: what is computed each time. */
  operations: number;
}

/** @param isOwn rendering them costs nothing */
export function listVariables(nodes: readonly Template[], isOwn = false): TemplateVariables {
  const found: TemplateVariables = { variables: new Set(), isDynamic: false, operations: 0 };
  const made = new Set<string>();
  const inBlocks = new Map<string, number>();
  const addToken = (token: Token): void => {
    if (TypeGuards.isRangeToken(token)) {
      addToken(token.lhs);
      addToken(token.rhs);
      boundRange(token);
    } else if (TypeGuards.isPropertyAccessToken(token)) {
      const [root, ...steps] = token.props;
      if (token.variable !== undefined) addToken(token.variable);
      if (root !== undefined && (token.variable !== undefined || !("content" in root))) {
        found.isDynamic ||= token.variable === undefined;
        addToken(root);
      } else if (root !== undefined && "content" in root && typeof root.content === "string") {
        const name = root.content;
        if (!made.has(name) && (inBlocks.get(name) ?? 0) === 0) found.variables.add(name);
      }
      for (const step of steps) addToken(step);
    }
  };
  /** @returns how many values it computes */
  const addArgument = (argument: Argument | Token): number => {
    if (!(argument instanceof Value)) {
      addToken(argument);
      return 1;
    }
    const { initial, filters } = argument;
    for (const token of initial.postfix) addToken(token);
    for (const { args } of filters) {
      for (const arg of args) {
        const token = Array.isArray(arg) ? arg[1] : arg;
        if (token !== undefined) addToken(token);
      }
    }
    return filters.reduce((sum, { args }) => sum + 1 + args.length, initial.postfix.length);
  };
  const visit = (node: Template): void => {
    let values = 0;
    for (const argument of node.arguments?.() ?? []) values += addArgument(argument);
    // The last filter of an output is what prints it.
    found.operations += Math.max(values - (node instanceof Output ? 2 : 1), 0);
    if (!isOwn) payFor(node, values);
    for (const { content } of node.localScope?.() ?? []) made.add(content);
    const block = [...(node.blockScope?.() ?? [])];
    for (const name of block) inBlocks.set(name, (inBlocks.get(name) ?? 0) + 1);
    // Tags that would load other templates are refused; the others know their children.
    const children: Template[] = node.children ? toValueSync(node.children(false, true)) : [];
    for (const child of children) visit(child);
    for (const name of block) inBlocks.set(name, (inBlocks.get(name) ?? 0) - 1);
  };
  for (const node of nodes) visit(node);
  return found;
}
