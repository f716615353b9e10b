import { printValue } from "./readable.ts";
import type { RenderBudget } from "./render-budget.ts";
import type { TemplateVariables } from "./template-variables.ts";

/** One `{{ path }}` of a plain template: the names and indexes that lead to a value. */
type Path = readonly (string | number)[];

export interface PlainTemplate extends TemplateVariables {
  operations: 0;
  render(scope: object, budget: RenderBudget): string;
}

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
export function compilePlain(template: string): PlainTemplate | undefined {
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
          const found = lookUp(scope, path);
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
