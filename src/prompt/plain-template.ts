import { toText } from "./readable.ts";

/** One `{{ path }}` of a plain template: the names and indexes that lead to a value. */
type Path = readonly (string | number)[];

/** Names that Liquid computes where a value has no such field; they are left to Liquid. */
const computed = new Set([
  "size",
  "first",
  "last",
  "blank",
  "empty",
  "nil",
  "null",
  "true",
  "false",
]);
const output = /\{\{\s*([a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*|\[\d+\])*)\s*\}\}/g;

/**
 * Compiles a template that holds nothing but text and plain `{{ a.b[0].c }}` outputs. Most prompts
 * are such, and Liquid takes ten times as long for them; the result is the same, which a property
 * test holds against Liquid.
 *
 * @returns undefined when the template needs Liquid
 */
export function compilePlain(template: string): ((scope: object) => string) | undefined {
  const texts: string[] = [];
  const paths: Path[] = [];
  let from = 0;
  for (const match of template.matchAll(output)) {
    const path = parsePath(match[1] ?? "");
    if (path.some((key) => computed.has(String(key)))) return undefined;
    texts.push(template.slice(from, match.index));
    paths.push(path);
    from = match.index + match[0].length;
  }
  texts.push(template.slice(from));
  if (texts.some((text) => text.includes("{{") || text.includes("{%"))) return undefined;
  return (scope) => {
    let rendered = texts[0] ?? "";
    for (let index = 0; index < paths.length; index++) {
      rendered += toText(lookUp(scope, paths[index] ?? [])) + (texts[index + 1] ?? "");
    }
    return rendered;
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
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
