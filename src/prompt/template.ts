import { type Liquid, LiquidError, type Template as Node, toValueSync } from "liquidjs";
import type { MessageTemplate } from "../turn/agent-definition.ts";
import type { TextMessage } from "../turn/chat-message.ts";
import { BoundedMap } from "../base/wire/known-member.ts";
import {
  type TemplateVariables,
  createLiquid,
  explainFilter,
  listVariables,
} from "./liquid-language.ts";
import {
  BudgetContext,
  RenderBudget,
  TemplateProblem,
  createEmitter,
  printValue,
} from "./render-budget.ts";

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
    const origin = thrown instanceof LiquidError ? thrown.originalError : thrown;
    throw new TemplateProblem(
      origin instanceof RangeError ? "blocks are nested too deep" : said.slice(0, maxMessage),
      Number(line),
      Number(column),
    );
  }
}

type Path = readonly (string | number)[];

/** Names that mean something else to Liquid, or that it computes; they are left to it. */
const special = new Set(
  "size first last blank empty nil null true false and or not contains".split(" "),
);
/** In characters: short values are paid together. */
const maxUnpaid = 8_192;
const output = /\{\{[ \t\r\n]*([a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*|\[\d+\])*)[ \t\r\n]*\}\}/g;

/**
 * Compiles a template that holds nothing but text and plain `{{ a.b[0].c }}` outputs. Most prompts
 * are such, and Liquid takes ten times as long for them; the result is the same, which a property
 * test holds against Liquid.
 *
 * @returns undefined when the template needs Liquid
 */
export function compilePlain(template: string): Template | undefined {
  const texts: string[] = [];
  const paths: Path[] = [];
  let from = 0;
  for (const match of template.matchAll(output)) {
    const path = parsePath(match[1] ?? "");
    if (path.some((key) => special.has(String(key)))) return undefined;
    texts.push(template.slice(from, match.index));
    paths.push(path);
    from = match.index + match[0].length;
  }
  const end = template.slice(from);
  if ([...texts, end].some((text) => text.includes("{{") || text.includes("{%"))) return undefined;
  return {
    variables: new Set(paths.map(([name = ""]) => String(name))),
    isDynamic: false,
    operations: 0,
    render: (scope, budget) =>
      budget.during(() => {
        let rendered = "";
        let unpaid = "";
        for (const [nth, path] of paths.entries()) {
          let found: unknown = scope;
          for (const key of path) {
            // Own properties only, as in Liquid. A text has some, too: its length and its characters.
            const holder: object = Object(found ?? {});
            found = Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
          }
          unpaid += texts[nth] ?? "";
          unpaid += typeof found === "string" ? found : printValue(found, budget);
          if (unpaid.length < maxUnpaid) continue;
          rendered = budget.append(rendered, unpaid);
          unpaid = "";
        }
        return budget.append(rendered, unpaid) + end;
      }),
  };
}

function parsePath(path: string): Path {
  return path
    .split(/[.[\]]+/)
    .filter((key) => key !== "")
    .map((key) => (/^\d/.test(key) ? Number(key) : key));
}
