import { breathe } from "../../base/wire/patient-timer.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import {
  bareCode,
  differsByComments,
  isSameCode,
  withoutDescriptions,
} from "../../code/same-code.ts";
import type { Locale } from "../../base/errors/locale.ts";
import type { DocStyle, MakeExample } from "../../prompt/worked-example.ts";
import type { Turn } from "../../turn/turn.ts";
import { editCommand } from "../edit/edit-command.ts";
import type { CheckChange, Refusal } from "../edit/show-edit.ts";
import type { EditTarget } from "../place/edit-target.ts";
import type { Services } from "../flow.ts";

/**
 * Writes or replaces the doc comment of the code in focus. A change of anything but comments is
 * refused, and so is any change where it is not clear what is a comment and what is code.
 */
export const docstring = editCommand((turn, services, target) => ({
  example: exampleOfDocstring,
  facts: () => ({ docStyle: docStyleOf(target.language) }),
  check: commentsOnly(turn, services, target),
}));

function commentsOnly(
  { signal }: Turn,
  { code }: Services,
  { language, path }: EditTarget,
): CheckChange {
  return async (before, after) => {
    // All of it documents.
    if (/^(?:markdown|plaintext|restructuredtext|asciidoc)$/i.test(language)) return undefined;
    const read = (text: string): Promise<CodeAnalysis> =>
      code.analyze(withoutDescriptions(text, language), language, path, { signal });
    const [was, is] = [await read(before), await read(after)];
    if (!was.areCommentsKnown || !is.areCommentsKnown) {
      if (differsByComments(before, after)) return undefined;
      return refuse(
        "unknown-comments",
        `Comments of ${language || "this language"} and code look alike here, so the change cannot be checked.`,
      );
    }
    // All of it takes long where the file is.
    const old = bareCode(was);
    await breathe();
    const now = bareCode(is);
    await breathe();
    if (isSameCode(old, now)) return undefined;
    return refuse("touches-code", "The change touches code, and only comments may change.");
  };
}

function refuse(code: Refusal["code"], message: string): Refusal {
  const forModel = `${message} Nothing was changed. Send units that keep to that.`;
  return { code, message, forModel };
}

const styles: ReadonlyMap<string, string> = new Map([
  ["javascript", "JSDoc"],
  ["javascriptreact", "JSDoc"],
  ["typescript", "JSDoc (TSDoc), without types"],
  ["typescriptreact", "JSDoc (TSDoc), without types"],
  ["python", "Python docstring (PEP 257)"],
  ["go", "Go doc comment"],
  ["java", "Javadoc"],
  ["kotlin", "KDoc"],
  ["scala", "Scaladoc"],
  ["swift", "Swift documentation comment (///)"],
  ["dart", "dartdoc (///)"],
  ["rust", "rustdoc (///)"],
  ["c", "Doxygen"],
  ["cpp", "Doxygen"],
  ["csharp", "C# XML documentation (///)"],
  ["ruby", "YARD"],
  ["php", "PHPDoc"],
  ["r", "roxygen2 (#')"],
]);

/** How doc comments are written in a language, by the editor's language id, in any case. */
export function docStyleOf(language: string): string {
  return styles.get(language.toLowerCase()) ?? "the usual doc comment of the language";
}

/** The doc comment of a function in the style of its language. */
export const exampleOfDocstring: MakeExample = ({ code, head, doc }, locale) => {
  const indent = /^\s*/.exec(head)?.[0] ?? "";
  const comment = forms[doc](exampleTexts[locale]);
  const inner = doc === "python" ? `${indent}    ` : indent;
  const printed = comment.map((line) => `${inner}${line}`.trimEnd()).join("\n");
  const replace = doc === "python" ? `${head}\n${printed}` : `${printed}\n${head}`;
  return { code, search: head, replace };
};

type DocTexts = Record<"summary" | "values" | "count" | "scale" | "result", string>;

const exampleTexts: Record<Locale, DocTexts> = {
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

const tags = (
  texts: DocTexts,
  result: string,
  names: readonly ("values" | "count" | "scale")[] = ["values", "scale"],
): string[] => [
  texts.summary,
  "",
  ...names.map((name) => `@param ${name} ${texts[name]}`),
  `${result} ${texts.result}`,
];
const behind = (mark: string, lines: readonly string[]): string[] =>
  lines.map((line) => mark + line);
const inStars = (lines: readonly string[]): string[] => ["/**", ...behind(" * ", lines), " */"];

/** The lines of a doc comment; what is blank at their ends is not meant. */
const forms: Record<DocStyle, (texts: DocTexts) => string[]> = {
  jsdoc: (texts) => inStars(tags(texts, "@returns")),
  block: (texts) => inStars(tags(texts, "@return")),
  doxygen: (texts) => inStars(tags(texts, "@return", ["values", "count", "scale"])),
  hashes: (texts) => behind("# ", tags(texts, "@return")),
  python: ({ summary, values, scale, result }) => [
    `"""${summary}`,
    "",
    "Args:",
    ...behind("    ", [`values: ${values}`, `scale: ${scale}`]),
    "",
    "Returns:",
    `    ${result}`,
    '"""',
  ],
  go: ({ summary, result }) =>
    behind("// ", [`Total ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`, result]),
  slashes: ({ summary, values, scale, result }) => {
    const list = [`- \`values\`: ${values}`, `- \`scale\`: ${scale}`];
    return behind("/// ", [summary, "", ...list, "", result]);
  },
  xml: ({ summary, values, scale, result }) =>
    behind("/// ", [
      `<summary>${summary}</summary>`,
      `<param name="values">${values}</param>`,
      `<param name="scale">${scale}</param>`,
      `<returns>${result}</returns>`,
    ]),
};
