import { Liquid } from "liquidjs";
import type { Steps } from "../edit/steps.ts";
import type { MessageTemplate } from "../turn/agent-definition.ts";
import type { TextMessage } from "../turn/chat-message.ts";
import { BoundedMap } from "../wire/bounded-map.ts";
import { registerFilters, removedFilters } from "./liquid/filters.ts";
import { Fuel } from "./liquid/fuel.ts";
import { FueledContext, fueled, readWords } from "./liquid/fueled-context.ts";
import { lookAtNodes } from "./liquid/look-at-nodes.ts";
import { operators } from "./liquid/operators.ts";
import { parseTemplate } from "./liquid/parse-template.ts";
import { drive, pausing } from "./liquid/drive.ts";
import { createNodeLoop, FueledEmitter, nodePrice } from "./liquid/render-nodes.ts";
import { registerTags } from "./liquid/tags.ts";
import { compilePlain, type PlainTemplate } from "./plain-template.ts";
import { printValue } from "./readable.ts";
import { type TemplateLimits, TemplateProblem } from "./template-problem.ts";
import { checkSize, type TemplateSize, TemplateSum } from "./template-size.ts";

export interface Template {
  /** The top-level names that the template reads: `activeEditor` for `{{ activeEditor.content }}`. */
  variables: ReadonlySet<string>;
  /** It reads further names, which it finds while it renders. */
  isDynamic: boolean;
  size: TemplateSize;
  /** @throws TemplateProblem when a limit is passed or a tag fails */
  render(scope: object, fuel: Fuel): Steps<string>;
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
  /** Fuel for all renderings of one prompt. */
  createFuel(): Fuel;
  /** Counts the templates of one command together. */
  createSum(): TemplateSum;
  /**
   * Parses a template, or answers from the cache: platforms send the same ones with every request.
   *
   * @throws TemplateProblem when it is broken, or larger than allowed
   */
  compile(text: string): Template;
  /** The lists of templates that were compiled before, as long as there is room. */
  lists: Pick<BoundedMap<readonly MessageTemplate[], CompiledTemplates>, "get" | "set">;
}

/** How much is kept parsed, in bytes, roughly. */
const maxCached = 20_000_000;
/** What a template, and each word in its tags, takes when it is parsed. */
const [templateBytes, wordBytes] = [2_000, 400];

/**
 * Liquid, locked down, because templates arrive in requests: no files, own properties only, and
 * bounded in length, work, time and memory. Values are data and never rendered as templates.
 *
 * @param now milliseconds; need not be the time of day
 */
export function createTemplateEngine(limits: TemplateLimits, now: () => number): TemplateEngine {
  const parse = createParser(limits);
  const cache = new BoundedMap<string, Template>(maxCached, bytesOf);
  const lists = new BoundedMap<readonly MessageTemplate[], CompiledTemplates>(
    maxCached,
    ({ compiled }) => compiled.reduce((sum, { template }) => sum + bytesOf(template), 0),
  );
  return {
    lists,
    createFuel: () => new Fuel(limits, now),
    createSum: () => new TemplateSum(limits.templateLength),
    compile(text) {
      const known = cache.get(text);
      if (known !== undefined) return known;
      if (text.length > limits.templateLength)
        throw new TemplateProblem(
          `a template may be ${limits.templateLength} characters long (templateLength)`,
        );
      const plain = compilePlain(text, limits.renderMemory);
      const template = plain === undefined ? parse(text) : fromPlain(text, plain);
      cache.set(text, template);
      return template;
    },
  };
}

function bytesOf({ size }: Template): number {
  return templateBytes + 2 * size.characters + wordBytes * size.words;
}

function fromPlain(text: string, plain: PlainTemplate): Template {
  const { paths } = plain;
  const words = paths.reduce((sum, path) => sum + path.length, 0);
  const size = { characters: text.length, tags: paths.length, words };
  checkSize(size);
  return {
    variables: new Set(paths.map(([name = ""]) => String(name))),
    isDynamic: false,
    size,
    *render(scope, fuel) {
      fuel.start();
      try {
        return yield* plain.render(scope, fuel);
      } finally {
        fuel.stop();
      }
    },
  };
}

function createParser(limits: TemplateLimits): (text: string) => Template {
  const liquid = createLiquid(limits);
  const words = readWords();
  const prices = new WeakMap<object, number>();
  liquid.renderer.renderTemplates = createNodeLoop((node) => prices.get(node) ?? nodePrice);
  return (text) => {
    const { nodes, size } = located(() => parseTemplate(liquid, text), limits);
    const facts = lookAtNodes(nodes);
    for (const [node, price] of facts.prices) prices.set(node, price);
    return {
      variables: facts.variables,
      isDynamic: facts.isDynamic,
      size,
      *render(scope, fuel) {
        fuel.start();
        try {
          const context = new FueledContext(scope, liquid, words, fuel, limits.renderMemory);
          const out = new FueledEmitter(context);
          yield* drive(liquid.renderer.renderTemplates(nodes, context, out), fuel);
          return out.buffer;
        } catch (thrown) {
          throw toProblem(thrown, limits);
        } finally {
          fuel.stop();
        }
      },
    };
  };
}

function createLiquid({ renderMemory }: TemplateLimits): Liquid {
  const liquid = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    memoryLimit: renderMemory,
    operators,
    // Liquid runs what a filter gives, and this is its last filter, so it may be a generator.
    outputEscape: printOutput as (value: unknown) => string,
  });
  registerFilters(liquid);
  registerTags(liquid);
  return liquid;
}

function printOutput(this: { context: FueledContext }, value: unknown): unknown {
  if (typeof value === "string") return value;
  return pausing(printValue(value, fueled(this.context).fuel));
}

function located<Result>(run: () => Result, limits: TemplateLimits): Result {
  try {
    return run();
  } catch (thrown) {
    throw toProblem(thrown, limits);
  }
}

/** In characters: a message may quote the template. */
const maxMessage = 300;

/** Liquid says where in the message's tail; its own context lines would repeat the template. */
function toProblem(thrown: unknown, { renderMemory }: TemplateLimits): TemplateProblem {
  if (thrown instanceof TemplateProblem) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const [, message = text, line = "1", column = "1"] =
    /^(.*), line:(\d+), col:(\d+)$/s.exec(text) ?? [];
  const said = explain(message, renderMemory).slice(0, maxMessage);
  return new TemplateProblem(said, Number(line), Number(column));
}

function explain(message: string, renderMemory: number): string {
  if (message.startsWith("memory alloc limit"))
    return `a rendering may make ${renderMemory} characters and items (renderMemory)`;
  const filter = /^undefined filter: (\w+)$/.exec(message)?.[1] ?? "";
  const reason = Object.hasOwn(removedFilters, filter) ? removedFilters[filter] : undefined;
  return reason === undefined ? message : `the filter ${filter} is not available: ${reason}`;
}
