import { Liquid } from "liquidjs";
import { fence } from "../context/fence.ts";
import { languageOf } from "../context/language.ts";
import { cutToTokens } from "./cut-to-tokens.ts";
import { compilePlain } from "./plain-template.ts";
import { toText } from "./readable.ts";
import { type TemplateLimits, TemplateProblem } from "./template-problem.ts";

export interface Template {
  /** The top-level names that the template reads: `activeEditor` for `{{ activeEditor.content }}`. */
  variables: ReadonlySet<string>;
  /** @throws TemplateProblem when a limit is passed or a tag fails */
  render(scope: object): string;
}

export interface TemplateEngine {
  /** The longest that all renderings of one prompt may take together, in milliseconds. */
  readonly renderTime: number;
  /** Parses a template, or answers from the cache: platforms send the same ones with every request. */
  compile(text: string): Template;
}

/** How much is kept parsed, in characters of the templates; a parsed one takes some hundred times as much. */
const mostCached = 500_000;
/** The analysis of a template takes time quadratic in its tags. */
const mostTags = 2_000;

/**
 * Liquid, locked down, because templates arrive in requests: no files, own properties only, and
 * bounded in length, time and memory. Values are data and never rendered as templates.
 */
export function createTemplateEngine(limits: TemplateLimits): TemplateEngine {
  const liquid = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: limits.templateLength,
    renderLimit: limits.renderTime,
    memoryLimit: limits.renderMemory,
    outputEscape: toText,
  });
  registerFilters(liquid);
  const cache = new Map<string, Template>();
  let cached = 0;
  return {
    renderTime: limits.renderTime,
    compile(text) {
      const known = cache.get(text);
      if (known !== undefined) return known;
      const template = parseTemplate(liquid, text, limits);
      cache.set(text, template);
      cached += text.length;
      for (const oldest of cache.keys()) {
        if (cached <= mostCached) break;
        cache.delete(oldest);
        cached -= oldest.length;
      }
      return template;
    },
  };
}

function registerFilters(liquid: Liquid): void {
  const define = (name: string, filter: (value: unknown, argument: unknown) => string): void => {
    // Liquid counts and times what its own filters do, and ours must not be a way around it.
    liquid.registerFilter(name, function (value: unknown, argument?: unknown) {
      this.context.renderLimit.check(performance.now());
      const text = filter(value, argument);
      this.context.memoryLimit.use(text.length);
      return text;
    });
  };
  define("fence", (value, info) =>
    fence(toText(value), typeof info === "string" ? languageOf(info) || info : ""),
  );
  define("line_numbers", (value, first) =>
    numberLines(toText(value), Number.isInteger(first) ? Number(first) : 1),
  );
  define("tokens", (value, most) => cutToTokens(toText(value), Number(most)));
  define("json", (value, indent) => JSON.stringify(value ?? null, null, Number(indent ?? 0)) ?? "");
}

function numberLines(text: string, first: number): string {
  const lines = text.split("\n");
  const width = String(first + lines.length - 1).length;
  return lines
    .map((line, index) => `${String(first + index).padStart(width)} | ${line}`)
    .join("\n");
}

function parseTemplate(liquid: Liquid, text: string, limits: TemplateLimits): Template {
  if ((text.match(/\{[{%]/g)?.length ?? 0) > mostTags) {
    throw new TemplateProblem(`a template may hold ${mostTags} tags and outputs`);
  }
  const parsed = located(() => liquid.parse(text));
  const renderLiquid = (scope: object): string =>
    located(() => boundLength(String(liquid.renderSync(parsed, scope)), limits));
  return {
    variables: new Set(located(() => liquid.globalVariablesSync(parsed))),
    render: compilePlain(text, limits) ?? renderLiquid,
  };
}

/** Liquid counts what its filters make, but not what comes out in the end. */
function boundLength(text: string, limits: TemplateLimits): string {
  if (text.length > limits.renderMemory)
    throw new TemplateProblem("the result is longer than allowed");
  return text;
}

/** Liquid says where in the message's tail; its own context lines would repeat the template. */
function located<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof TemplateProblem) throw thrown;
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    const [, message = text, line = "1", column = "1"] =
      /^(.*), line:(\d+), col:(\d+)$/s.exec(text) ?? [];
    const said = message.startsWith("ENOENT") ? "templates may not load other templates" : message;
    throw new TemplateProblem(said, Number(line), Number(column));
  }
}
