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
  text: string;
  /** For what has neither. */
  short?: string;
  /** It is the first statement of the body. */
  isInside?: true;
}

const block = (result: string): DocStyle => ({
  text: `/**\n * {summary}\nt? *\np? * @param {parameter} {todo}\nr? * ${result} {todo}\n */`,
});
const python: DocStyle = {
  text: '"""{summary}\np?\np?Args:\np?    {parameter}: {todo}\nr?\nr?Returns:\nr?    {todo}\n"""',
  short: '"""{summary}"""',
  isInside: true,
};
const xml = `/// <summary>
/// {summary}
/// </summary>
p?/// <param name="{parameter}">{todo}</param>
r?/// <returns>{todo}</returns>`;

/** By the language of a grammar, or the editor's language id where no grammar reads it. */
const styles: readonly (readonly [languages: string, style: DocStyle])[] = [
  ["javascript typescript tsx vue", block("@returns")],
  ["java php kotlin groovy scala c cpp", block("@return")],
  ["python", python],
  ["go", { text: "// {name} {go}" }],
  ["rust swift dart zig", { text: "/// {summary}" }],
  ["csharp", { text: xml }],
  ["ruby", { text: "# {summary}\np?# @param {parameter} {todo}\nr?# @return {todo}" }],
  ["lua", { text: "--- {summary}\np?--- @param {parameter} {todo}" }],
  ["shellscript bash sh perl r", { text: "# {summary}" }],
  ["sql haskell", { text: "-- {summary}" }],
];

/** Undefined where it is not known how a language writes them. */
export function docStyleFor(language: string): DocStyle | undefined {
  const name = language.toLowerCase();
  return styles.find(([languages]) => languages.split(" ").includes(name))?.[1];
}

export function writeDoc(style: DocStyle, doc: Doc, texts: OfflineTexts): string[] {
  const { name, parameters, hasResult } = doc;
  const [p, r] = [parameters.length > 0, hasResult];
  const has: Readonly<Record<string, boolean>> = { p, r, t: p || r };
  const { docTodo: todo, docGo: go } = texts;
  const words: Readonly<Record<string, string>> = {
    name,
    summary: texts.docSummary(name),
    todo,
    go,
  };
  const lines = (p || r ? style.text : (style.short ?? style.text)).split("\n");
  return lines.flatMap((line) => {
    const [, flag, text = ""] = /^(?:([prt])\?)?(.*)$/.exec(line) ?? [];
    if (flag !== undefined && has[flag] !== true) return [];
    const write = (parameter: string): string =>
      text.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? parameter);
    return text.includes("{parameter}") ? parameters.map(write) : [write("")];
  });
}
