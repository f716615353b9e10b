// How doc comments are written, by language.
import type { OfflineTexts } from "./texts.ts";

/** What a signature shows. */
export interface Doc {
  name: string;
  parameters: readonly string[];
  hasResult: boolean;
}

export interface DocStyle {
  /** The lines of the comment, without indentation. */
  write: (doc: Doc, texts: OfflineTexts) => string[];
  /** It is the first statement of the body. */
  isInside?: true;
}

const jsdoc = block("@param", "@returns");
const javadoc = block("@param", "@return");
const doxygen = block("@param", "@return");
const slashes = lines("///");
const hashes = lines("#");
const dashes = lines("--");

/** By the language of a grammar, or the editor's language id where no grammar reads it. */
const styles: ReadonlyMap<string, DocStyle> = new Map([
  ["javascript", jsdoc],
  ["typescript", jsdoc],
  ["tsx", jsdoc],
  ["vue", jsdoc],
  ["java", javadoc],
  ["php", javadoc],
  ["kotlin", javadoc],
  ["groovy", javadoc],
  ["scala", javadoc],
  ["c", doxygen],
  ["cpp", doxygen],
  ["python", { write: writeDocstring, isInside: true }],
  ["go", { write: ({ name }, texts) => [`// ${name} ${texts.docGo}`] }],
  ["rust", slashes],
  ["csharp", { write: writeXml }],
  ["swift", slashes],
  ["dart", slashes],
  ["zig", slashes],
  ["ruby", { write: writeYard }],
  ["lua", { write: writeLua }],
  ["shellscript", hashes],
  ["bash", hashes],
  ["sh", hashes],
  ["perl", hashes],
  ["r", hashes],
  ["sql", dashes],
  ["haskell", dashes],
]);

/** Undefined where it is not known how a language writes them. */
export function docStyleFor(language: string): DocStyle | undefined {
  return styles.get(language.toLowerCase());
}

function lines(sign: string): DocStyle {
  return { write: ({ name }, texts) => [`${sign} ${texts.docSummary(name)}`] };
}

function block(parameterTag: string, resultTag: string): DocStyle {
  return {
    write({ name, parameters, hasResult }, texts) {
      const tags = [
        ...parameters.map((parameter) => ` * ${parameterTag} ${parameter} ${texts.docTodo}`),
        ...(hasResult ? [` * ${resultTag} ${texts.docTodo}`] : []),
      ];
      return [
        "/**",
        ` * ${texts.docSummary(name)}`,
        ...(tags.length > 0 ? [" *"] : []),
        ...tags,
        " */",
      ];
    },
  };
}

function writeDocstring({ name, parameters, hasResult }: Doc, texts: OfflineTexts): string[] {
  const summary = texts.docSummary(name);
  if (parameters.length === 0 && !hasResult) return [`"""${summary}"""`];
  return [
    `"""${summary}`,
    ...(parameters.length > 0 ? ["", "Args:"] : []),
    ...parameters.map((parameter) => `    ${parameter}: ${texts.docTodo}`),
    ...(hasResult ? ["", "Returns:", `    ${texts.docTodo}`] : []),
    '"""',
  ];
}

function writeXml({ name, parameters, hasResult }: Doc, texts: OfflineTexts): string[] {
  return [
    "/// <summary>",
    `/// ${texts.docSummary(name)}`,
    "/// </summary>",
    ...parameters.map((parameter) => `/// <param name="${parameter}">${texts.docTodo}</param>`),
    ...(hasResult ? [`/// <returns>${texts.docTodo}</returns>`] : []),
  ];
}

function writeYard({ name, parameters, hasResult }: Doc, texts: OfflineTexts): string[] {
  return [
    `# ${texts.docSummary(name)}`,
    ...parameters.map((parameter) => `# @param ${parameter} ${texts.docTodo}`),
    ...(hasResult ? [`# @return ${texts.docTodo}`] : []),
  ];
}

function writeLua({ name, parameters }: Doc, texts: OfflineTexts): string[] {
  return [
    `--- ${texts.docSummary(name)}`,
    ...parameters.map((parameter) => `-- @param ${parameter} ${texts.docTodo}`),
  ];
}
