import { type Liquid, LiquidError, type Template as Node, toValueSync } from "liquidjs";
import type { MessageTemplate } from "../turn/agent-definition.ts";
import type { TextMessage } from "../turn/chat-message.ts";
import { BoundedMap } from "../base/wire/bounded-map.ts";
import { createLiquid, explainFilter } from "./liquid-language.ts";
import { compilePlain } from "./plain-template.ts";
import { BudgetContext, createEmitter, RenderBudget } from "./render-budget.ts";
import { TemplateProblem } from "./template-problem.ts";
import { listVariables, type TemplateVariables } from "./template-variables.ts";

export interface Template extends Readonly<TemplateVariables> {
  /** @throws TemplateProblem when a limit is passed or a tag fails */
  render(scope: object, budget: RenderBudget): string;
}

export interface RoleTemplate {
  role: TextMessage["role"];
  template: Template;
  index: number;
}

/** The templates of one command, and what they read together; see {@link Template}. */
export interface CompiledTemplates {
  compiled: readonly RoleTemplate[];
  used: ReadonlySet<string>;
  isDynamic: boolean;
}

export interface TemplateEngine {
  /** One budget for all renderings of one prompt. */
  createBudget(): RenderBudget;
  /**
   * Parses a template, or answers from the cache: platforms send the same ones with every request.
   *
   * @param isOwn it is one of ours, which is not bounded, and is remembered by {@link lists}
   * @throws TemplateProblem when it is broken
   */
  compile(text: string, isOwn?: boolean): Template;
  /** The lists of templates that were compiled before and that nobody changes. */
  lists: WeakMap<readonly MessageTemplate[], CompiledTemplates>;
}

/** How much is kept parsed, in bytes, roughly; what one template takes, and a character of it. */
const [maxCached, templateBytes, characterBytes] = [20_000_000, 2_000, 40];

/**
 * Liquid, locked down, because templates arrive in requests: a closed list of tags and filters, no files, own
 * properties only, and bounded in length, work and time. Values are data and never rendered as templates.
 *
 * @param now milliseconds; need not be the time of day
 */
export function createTemplateEngine(now: () => number): TemplateEngine {
  const liquid = createLiquid();
  let ownLiquid: Liquid | undefined;
  const cache = new BoundedMap<string, { text: string; template: Template }>(
    maxCached,
    ({ text }) => templateBytes + characterBytes * text.length,
  );
  return {
    lists: new WeakMap(),
    createBudget: () => new RenderBudget(now),
    compile(text, isOwn = false) {
      if (isOwn)
        return compilePlain(text) ?? parse((ownLiquid ??= createLiquid(isOwn)), text, isOwn);
      const known = cache.get(text);
      if (known !== undefined) return known.template;
      const template = compilePlain(text) ?? parse(liquid, text);
      cache.set(text, { text, template });
      return template;
    },
  };
}

function parse(liquid: Liquid, text: string, isOwn = false): Template {
  const nodes = located(() => liquid.parse(text));
  const found = listVariables(nodes, isOwn);
  if (isOwn)
    return { ...found, render: (scope) => located(() => String(liquid.renderSync(nodes, scope))) };
  return {
    ...found,
    render: (scope, budget) =>
      budget.during(() => located(() => renderNodes(liquid, nodes, scope, budget))),
  };
}

function renderNodes(liquid: Liquid, nodes: Node[], scope: object, budget: RenderBudget): string {
  const out = createEmitter(budget);
  const context = new BudgetContext(scope, liquid, budget);
  toValueSync(liquid.renderer.renderTemplates(nodes, context, out));
  return out.buffer;
}

/** In characters: a message may quote the template. */
const maxMessage = 500;

/** Liquid says where in the message's tail; its own context lines would repeat the template. */
function located<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof TemplateProblem) throw thrown;
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    const [, message = text, line = "1", column = "1"] =
      /^(.*), line:(\d+), col:(\d+)$/s.exec(text) ?? [];
    const filter = /^undefined filter: (\w+)$/.exec(message)?.[1];
    const said = filter === undefined ? message : explainFilter(filter);
    throw new TemplateProblem(
      isTooDeep(thrown) ? "blocks are nested too deep" : said.slice(0, maxMessage),
      Number(line),
      Number(column),
    );
  }
}

function isTooDeep(thrown: unknown): boolean {
  return (thrown instanceof LiquidError ? thrown.originalError : thrown) instanceof RangeError;
}
