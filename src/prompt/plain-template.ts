import type { Steps } from "../edit/steps.ts";
import type { Fuel } from "./liquid/fuel.ts";
import { printValue } from "./readable.ts";
import { TemplateProblem } from "./template-problem.ts";

/** One `{{ path }}` of a plain template: the names and indexes that lead to a value. */
type Path = readonly (string | number)[];

export interface PlainTemplate {
  /** The paths of its outputs, in order. */
  paths: readonly Path[];
  /** @throws TemplateProblem when it takes too much fuel, or the result grows longer than allowed */
  render(scope: object, fuel: Fuel): Steps<string>;
}

/** Names that mean something else to Liquid, or that it computes; they are left to it. */
const special = new Set(
  "size first last blank empty nil null true false and or not contains".split(" "),
);
const output = /\{\{[ \t\r\n]*([a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*|\[\d+\])*)[ \t\r\n]*\}\}/g;

/** What an output costs, a step of its path, and a character that comes out. */
const [outputPrice, stepPrice, character] = [60, 12, 0.03];

/**
 * Compiles a template that holds nothing but text and plain `{{ a.b[0].c }}` outputs. Most prompts
 * are such, and Liquid takes ten times as long for them; the result is the same, which a property
 * test holds against Liquid.
 *
 * @param maxLength of the result, in characters
 * @returns undefined when the template needs Liquid
 */
export function compilePlain(template: string, maxLength: number): PlainTemplate | undefined {
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
  texts.push(template.slice(from));
  if (texts.some((text) => text.includes("{{") || text.includes("{%"))) return undefined;
  return {
    paths,
    *render(scope, fuel) {
      let rendered = "";
      for (let index = 0; index < texts.length; index++) {
        const text = texts[index] ?? "";
        const path = paths[index - 1] ?? [];
        fuel.use(outputPrice + path.length * stepPrice);
        const found = index === 0 ? "" : lookUp(scope, path);
        const value =
          typeof found === "string" ? found : yield* fuel.pausing(printValue(found, fuel));
        fuel.use((value.length + text.length) * character);
        rendered += value + text;
        if (rendered.length > maxLength)
          throw new TemplateProblem(
            `the result is longer than ${maxLength} characters (renderMemory)`,
          );
        if (fuel.isStepDone) yield* fuel.pause();
      }
      return rendered;
    },
  };
}

function parsePath(path: string): Path {
  return path
    .split(/[.[\]]+/)
    .filter((key) => key !== "")
    .map((key) => (/^\d/.test(key) ? Number(key) : key));
}

/** Own properties only, as in Liquid. */
function lookUp(scope: object, path: Path): unknown {
  let value: unknown = scope;
  for (const key of path) {
    if (value === undefined || value === null) return undefined;
    // A text has own properties, too: its length and its characters.
    const holder: object = Object(value);
    if (!Object.hasOwn(holder, key)) return undefined;
    value = Reflect.get(holder, key);
  }
  return value;
}
