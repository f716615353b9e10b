// A doc comment that says what a signature shows.
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import type { OfflineTexts } from "./texts.ts";

/** What a comment says: a sentence, what is taken, and whether something is given back. */
interface Doc {
  name: string;
  summary: string;
  parameters: readonly string[];
  hasResult: boolean;
}

/** The lines of a comment, without indentation. */
type DocStyle = (doc: Doc, texts: OfflineTexts) => string[];

/** @param result the tag for what is given back; absent where a language has no tags */
function tagged(line: string, result?: string, [open, close]: readonly string[] = []): DocStyle {
  return ({ summary, parameters, hasResult }) => {
    const tags = parameters.map((name) => `${line} @param ${name} TODO`);
    if (hasResult) tags.push(`${line} ${result} TODO`);
    const shown = result === undefined ? [] : tags;
    if (open === undefined || close === undefined) return [`${line} ${summary}`, ...shown];
    const gap = shown.length === 0 ? [] : [line];
    return [open, `${line} ${summary}`, ...gap, ...shown, close];
  };
}

const block = ["/**", " */"];
const python: DocStyle = ({ summary, parameters, hasResult }) => {
  const takes = parameters.map((name) => `    ${name}: TODO`);
  const parts = takes.length === 0 ? [] : ["", "Args:", ...takes];
  if (hasResult) parts.push("", "Returns:", "    TODO");
  return parts.length === 0 ? [`"""${summary}"""`] : [`"""${summary}`, ...parts, '"""'];
};

/** By the language of a grammar, or the editor's language id where no grammar reads it. */
const styles: readonly (readonly [languages: string, style: DocStyle])[] = [
  ["javascript typescript tsx vue", tagged(" *", "@returns", block)],
  ["java php kotlin groovy scala c cpp", tagged(" *", "@return", block)],
  ["python", python],
  ["go", ({ name }, { docGo }) => [`// ${name} ${docGo}`]],
  ["csharp", ({ summary }) => ["/// <summary>", `/// ${summary}`, "/// </summary>"]],
  ["rust swift dart zig", tagged("///")],
  ["ruby", tagged("#", "@return")],
  ["lua", tagged("---", "@return")],
  ["shellscript bash sh perl r", tagged("#")],
  ["sql haskell", tagged("--")],
];

/**
 * The text with a doc comment before (in Python: in) a declaration; undefined where none can be written.
 *
 * @param language the editor's language id, for what no grammar reads
 */
export function addDocComment(
  language: string,
  { language: known, source }: CodeAnalysis,
  symbol: CodeSymbol,
  texts: OfflineTexts,
): string | undefined {
  const isKnown = ([names]: (typeof styles)[number]): boolean =>
    names.split(" ").includes(known ?? language.toLowerCase());
  const style = styles.find(isKnown)?.[1];
  const at = style === python ? symbol.body : symbol.range;
  if (style === undefined || at === undefined) return undefined;
  const { text } = source;
  const [start] = source.offsetsOf(at);
  const indent = text.slice(text.lastIndexOf("\n", start - 1) + 1, start).replace("\uFEFF", "");
  const isShared = style === python && at.startLine <= symbol.range.startLine;
  if (isShared || indent.trim() !== "") return undefined;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const [first = "", ...rest] = style(toDoc(symbol, texts), texts);
  const lines = [first, ...rest.map((line) => (indent + line).trimEnd())].map((line) => line + end);
  return `${text.slice(0, start)}${lines.join("")}${indent}${text.slice(start)}`;
}

function toDoc(
  { name, parameters, returnType = "" }: CodeSymbol,
  { docSummary }: OfflineTexts,
): Doc {
  const result = returnType.replace(/^[:\->\s]+/, "");
  // A pattern has no name that a comment could use.
  const isName = /^[$@&*]*[\p{L}_][\p{L}\w$]*$/u;
  return {
    name,
    summary: docSummary(name),
    parameters: parameters.map((one) => one.name).filter((one) => isName.test(one)),
    hasResult: result !== "" && !/^(?:void|None|unit|\(\))$/.test(result),
  };
}
