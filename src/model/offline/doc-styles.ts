// How doc comments are written, by language.
import type { OfflineTexts } from "./texts.ts";

/** What a signature shows. */
export interface Doc {
  name: string;
  parameters: readonly string[];
  hasResult: boolean;
}

/**
 * The lines of a comment, without indentation. `p?` begins a line for what has parameters, `r?` for what has a
 * result, `t?` for what has one of them. A line with `{parameter}` comes for each.
 */
interface DocStyle {
  lines: readonly string[];
  /** For what has neither. */
  short?: readonly string[];
  /** It is the first statement of the body. */
  isInside?: true;
}

const jsdoc = block("@returns");
const javadoc = block("@return");
const slashes = { lines: ["/// {summary}"] };
const hashes = { lines: ["# {summary}"] };
const dashes = { lines: ["-- {summary}"] };
const python: DocStyle = {
  lines: [
    ...['"""{summary}', "p?", "p?Args:", "p?    {parameter}: {todo}"],
    ...["r?", "r?Returns:", "r?    {todo}", '"""'],
  ],
  short: ['"""{summary}"""'],
  isInside: true,
};
const xml = {
  lines: [
    ...["/// <summary>", "/// {summary}", "/// </summary>"],
    ...['p?/// <param name="{parameter}">{todo}</param>', "r?/// <returns>{todo}</returns>"],
  ],
};

/** By the language of a grammar, or the editor's language id where no grammar reads it. */
const styles: readonly (readonly [languages: string, style: DocStyle])[] = [
  ["javascript typescript tsx vue", jsdoc],
  ["java php kotlin groovy scala c cpp", javadoc],
  ["python", python],
  ["go", { lines: ["// {name} {go}"] }],
  ["rust swift dart zig", slashes],
  ["csharp", xml],
  ["ruby", { lines: ["# {summary}", "p?# @param {parameter} {todo}", "r?# @return {todo}"] }],
  ["lua", { lines: ["--- {summary}", "p?--- @param {parameter} {todo}"] }],
  ["shellscript bash sh perl r", hashes],
  ["sql haskell", dashes],
];

/** Undefined where it is not known how a language writes them. */
export function docStyleFor(language: string): DocStyle | undefined {
  const name = language.toLowerCase();
  return styles.find(([languages]) => languages.split(" ").includes(name))?.[1];
}

export function writeDoc({ lines, short }: DocStyle, doc: Doc, texts: OfflineTexts): string[] {
  const { name, parameters, hasResult } = doc;
  const has = { p: parameters.length > 0, r: hasResult, t: parameters.length > 0 || hasResult };
  const words: Readonly<Record<string, string>> = {
    name,
    summary: texts.docSummary(name),
    todo: texts.docTodo,
    go: texts.docGo,
  };
  return (has.t ? lines : (short ?? lines)).flatMap((line) => {
    const [, flag, text = ""] = /^(?:([prt])\?)?(.*)$/.exec(line) ?? [];
    if (flag !== undefined && !has[flag as keyof typeof has]) return [];
    const write = (parameter: string): string =>
      text.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? parameter);
    return text.includes("{parameter}") ? parameters.map(write) : [write("")];
  });
}

function block(result: string): DocStyle {
  const tags = ["p? * @param {parameter} {todo}", `r? * ${result} {todo}`];
  return { lines: ["/**", " * {summary}", "t? *", ...tags, " */"] };
}
