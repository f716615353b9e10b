// The worked example of an edit prompt: a question about a made-up file, and the edit that answers it, in the
// language at hand. The prompts hold the sentences around it.
import { printActiveEditor } from "../../turn/context/print-active-editor.ts";
import type { Locale } from "../../base/errors/locale.ts";
import type { PromptFacts } from "../../turn/focus.ts";
import { type DocStyle, type Sample, samples } from "./samples.ts";

/** What an example shows: a repair, an improvement, or a doc comment. */
export type ExampleKind = "fix" | "optimize" | "docstring";

/** Language ids of editors that share a sample. */
const alike: Readonly<Record<string, string>> = {
  javascriptreact: "javascript",
  typescriptreact: "typescript",
  tsx: "typescript",
  jsx: "javascript",
};

/** @param language the editor's language id; of an unknown one JavaScript is shown */
export function workedExample(
  kind: ExampleKind,
  language: string,
  locale: Locale,
): Required<
  Pick<PromptFacts, "example" | "examplePath" | "exampleLine" | "exampleSearch" | "exampleReplace">
> {
  const id = language.toLowerCase();
  const name = Object.hasOwn(alike, id) ? (alike[id] ?? "") : id;
  const all: Readonly<Record<string, Sample>> = samples;
  const sample = (Object.hasOwn(all, name) ? all[name] : undefined) ?? samples.javascript;
  const { code, search, replace } = makers[kind](sample, locale);
  const lines = code.split("\n");
  const place = kind === "optimize" ? sample.work[0] : (search.split("\n")[0] ?? "");
  const editor = { filePath: sample.path, language: sample.language, content: code };
  return {
    example: printActiveEditor(editor),
    examplePath: sample.path,
    exampleLine: String(lines.indexOf(place) + 1),
    exampleSearch: search,
    exampleReplace: replace,
  };
}

interface Example {
  code: string;
  search: string;
  replace: string;
}

const makers: Record<ExampleKind, (sample: Sample, locale: Locale) => Example> = {
  fix: ({ code, loop: [right, wrong] }) => ({
    code: code.replace(right, () => wrong),
    search: wrong,
    replace: right,
  }),
  optimize({ code, loop: [loop], work: [slow, fast, before] }) {
    const from = code.indexOf(loop);
    const search = code.slice(from, code.indexOf(slow) + slow.length);
    const replace = `${before}\n${search.slice(0, -slow.length)}${fast}`;
    return { code, search, replace };
  },
  docstring({ code, head, doc }, locale) {
    const indent = /^\s*/.exec(head)?.[0] ?? "";
    const comment = docs[doc](texts[locale]);
    const inner = doc === "python" ? `${indent}    ` : indent;
    const printed = comment.map((line) => `${inner}${line}`.trimEnd()).join("\n");
    const replace = doc === "python" ? `${head}\n${printed}` : `${printed}\n${head}`;
    return { code, search: head, replace };
  },
};

interface DocTexts {
  summary: string;
  values: string;
  count: string;
  scale: string;
  result: string;
}

const texts: Record<Locale, DocTexts> = {
  en: {
    summary: "Adds up the values, each divided by the square root of the scale.",
    values: "What is added up; may be empty.",
    count: "The number of values.",
    scale: "Greater than zero.",
    result: "The sum is 0 without values.",
  },
  zh: {
    summary: "将各值除以比例的平方根后求和。",
    values: "要求和的值，可以为空。",
    count: "值的个数。",
    scale: "大于零的比例。",
    result: "没有值时，总和为 0。",
  },
};

function blockOf({ summary, values, scale }: Omit<DocTexts, "count">): string[] {
  return ["/**", ` * ${summary}`, " *", ` * @param values ${values}`, ` * @param scale ${scale}`];
}

const docs: Record<DocStyle, (texts: DocTexts) => string[]> = {
  jsdoc: (given) => [...blockOf(given), ` * @returns ${given.result}`, " */"],
  block: (given) => [...blockOf(given), ` * @return ${given.result}`, " */"],
  doxygen: ({ count, ...given }) => [
    ...blockOf(given).toSpliced(-1, 0, ` * @param count ${count}`),
    ` * @return ${given.result}`,
    " */",
  ],
  python: ({ summary, values, scale, result }) => [
    `"""${summary}`,
    "",
    "Args:",
    `    values: ${values}`,
    `    scale: ${scale}`,
    "",
    "Returns:",
    `    ${result}`,
    '"""',
  ],
  go: ({ summary, result }) => [
    `// Total ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    `// ${result}`,
  ],
  slashes: ({ summary, values, scale, result }) => [
    `/// ${summary}`,
    "///",
    `/// - \`values\`: ${values}`,
    `/// - \`scale\`: ${scale}`,
    "///",
    `/// ${result}`,
  ],
  xml: ({ summary, values, scale, result }) => [
    `/// <summary>${summary}</summary>`,
    `/// <param name="values">${values}</param>`,
    `/// <param name="scale">${scale}</param>`,
    `/// <returns>${result}</returns>`,
  ],
  hashes: ({ summary, values, scale, result }) => [
    `# ${summary}`,
    "#",
    `# @param values ${values}`,
    `# @param scale ${scale}`,
    `# @return ${result}`,
  ],
};
