// All that the product says in its own words, to people and to models, by the place where it is written.
import rightseat from "../../agent-definitions/rightseat.json" with { type: "json" };
import type { Locale } from "../../src/base/errors/locale.ts";
import { promptsIn } from "../../src/prompt/prompt-library.ts";

const sources = Object.entries(
  import.meta.glob("/{src,eval}/**/*.{ts,html}", { query: "?raw", import: "default", eager: true }),
);
const prompts = Object.entries(
  import.meta.glob("/src/flows/**/*.liquid", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
).flatMap(([path, text]) => promptsIn(path, text));
/** The offline model and the linter have words of their own; the others read words of models and people. */
const others = [
  "/src/model/offline/",
  "/src/cli/lint/",
  "/src/edit/read/",
  "/src/edit/placeholder.ts",
  "/src/flows/test/case-words.ts",
  "/src/flows/test/parse-cases.ts",
  "/src/knowledge/tokenize.ts",
];

/** Texts in quotes that begin on a line of code; where something is filled in there is an `X`. */
const quoted = /"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\\n]|\\.)*)`/g;

export function listTexts(locale: Locale): [string, string][] {
  const found: [string, string][] = [];
  for (const [path, source] of sources) {
    if (others.some((other) => path.startsWith(other))) continue;
    const code = source.replace(/\/\*[^]*?\*\/|^ *\/\/.*$/gm, "");
    for (const [, plain, template] of code.matchAll(quoted)) {
      const text = fillIn(plain ?? template ?? "");
      if (isTextIn(locale, text)) found.push([`${path}: ${text.slice(0, 60)}`, text]);
    }
  }
  for (const { description } of [rightseat, ...rightseat.commands])
    found.push([`the definition: ${description[locale]}`, description[locale]]);
  return found;
}

/** The prompts without their tags. */
export function listPrompts(locale: Locale): [string, string][] {
  return prompts
    .filter(([name]) => name.startsWith(`${locale}/`))
    .map(([name, text]) => [
      name,
      text.replace(/\{%-?[^]*?-?%\}/g, "").replace(/\{\{.*?\}\}/g, "「」"),
    ]);
}

/** The names of what is filled in say nothing of the language. */
function fillIn(text: string): string {
  let filled = text;
  // Innermost first, since they may hold one another.
  for (let left = -1; left !== filled.length;) {
    left = filled.length;
    filled = filled.replace(/\$\{[^{}]*\}/g, "「」");
  }
  return filled.replaceAll("\\n", "\n").replaceAll("\\`", "`").replaceAll('\\"', '"');
}

/** A sentence has several words. */
function isTextIn(locale: Locale, text: string): boolean {
  const isZh = /\p{Script=Han}/u.test(text);
  if (text.includes("${")) return false;
  return locale === "zh" ? isZh : !isZh && /[a-z]+ [a-z]+ [a-z]+/.test(text);
}
