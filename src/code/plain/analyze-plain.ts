import { findLineStarts, foldSpaces, trimEndSigns } from "../../base/text/lines.ts";
import type { CodeAnalysis, CodeParser, CodeRange, CodeSymbol } from "../code-analysis.ts";
import { type FoundCode, createAnalysis, maxLevels, packFacts } from "../code-facts.ts";
import { type Stretch, findDirectives, guessComments } from "../directives.ts";
import { type LexicalRules, findLexemes } from "./lexical-rules.ts";
import { createSourceText } from "../source-text.ts";
import { lexicalRulesOf } from "../language-of.ts";

/** Lines of a text, and characters of a line, that the patterns see: the time stays linear. */
const [maxLines, maxLine] = [20_000, 500];

/** A line that is not empty: its text, trimmed and cut, and its place without the indentation. */
type Line = Record<"number" | "indent" | "start" | "end", number> & { code: string };

/**
 * Reads what lines and indentation show in any language, for an outline: declarations by keyword, with the
 * lines indented below them, and no problems. Without rules comments are guessed, and not listed.
 */
export function analyzePlain(text: string, rules?: LexicalRules): FoundCode {
  const starts = findLineStarts(text);
  const source = createSourceText(text, starts);
  const lexemes = rules && findLexemes(text, rules);
  const { comments = [], strings = [] } = lexemes ?? {};
  const rangeOf = (start: number, end: number): CodeRange => source.rangeOf(start, end);
  const found = lexemes?.comments ?? guessComments(text);
  const code: Line[] = [];
  const symbols: CodeSymbol[] = [];
  const around: { symbol: CodeSymbol; line: Line }[] = [];
  let doc: Line | undefined;
  const open = (line: Line, { groups: { name = "", ...words } = {}, indices }: RegExpExecArray) => {
    const outer = around.at(-1)?.symbol;
    const own = outer && !/^(?:function|method|module)$/.test(outer.kind) ? "method" : "function";
    const at = indices?.groups?.["name"]?.[0] ?? 0;
    const symbol: CodeSymbol = {
      name,
      kind: symbolKinds.find((kind) => words[kind] !== undefined) ?? own,
      range: rangeOf(line.start, line.end),
      nameRange: rangeOf(line.start + at, line.start + at + name.length),
      signature: trimEndSigns(foldSpaces(line.code).replace(/\{[^]*|(?::|=>|=)$/, ""), " "),
      ...(doc?.number === line.number - 1 && { docComment: rangeOf(doc.start, doc.end) }),
      ...(outer && { container: [outer.container, outer.name].filter(Boolean).join(".") }),
      children: [],
    };
    (outer?.children ?? symbols).push(symbol);
    around.push({ symbol, line });
  };
  const close = ({ indent, code: words }: Pick<Line, "indent" | "code">, line?: Line): void => {
    for (let last = around.at(-1); last && last.line.indent >= indent; last = around.at(-1)) {
      const isSame = last.line.indent === indent;
      if (isSame && /^[{()]/.test(words)) return;
      const end = isSame && /^(?:[}\]]|end\b)/.test(words) ? line : code.at(-1);
      last.symbol.range = rangeOf(last.line.start, (end ?? last.line).end);
      around.pop();
    }
  };
  for (const line of readLines(text, starts, found)) {
    if (line.isComment) {
      doc = doc?.number === line.number - 1 ? { ...line, start: doc.start } : line;
      continue;
    }
    close(line, line);
    code.push(line);
    const match = declarations.map((pattern) => pattern.exec(line.code)).find(Boolean);
    if (match && around.length < maxLevels) open(line, match);
  }
  close({ indent: -1, code: "" });
  return {
    language: undefined,
    docComment: undefined,
    problems: [],
    lines: starts,
    areCommentsKnown: lexemes !== undefined,
    comments,
    strings,
    directives: findDirectives(comments, source, rules?.directives),
    identifiers: code.flatMap(readIdentifiers),
    symbols,
    imports: code.flatMap(({ code: words, start, end }) => {
      const [, module, from = module] = imported.exec(words) ?? [];
      return from === undefined ? [] : [{ range: rangeOf(start, end), source: from }];
    }),
  };
}

function* readLines(text: string, starts: readonly number[], comments: readonly Stretch[]) {
  let next = 0;
  for (const [index, first] of starts.slice(0, maxLines).entries()) {
    const whole = text.slice(first, starts[index + 1]);
    const words = whole.trim();
    if (words === "") continue;
    const start = first + whole.indexOf(words);
    const end = start + words.length;
    while ((comments[next]?.[1] ?? Infinity) <= start) next++;
    const [from, to] = comments[next] ?? [Infinity, 0];
    const isComment = from <= start && end <= to;
    const indent = text.slice(first, start).replaceAll("\t", "    ").length;
    yield { number: index + 1, indent, code: words.slice(0, maxLine), start, end, isComment };
  }
}

const symbolKinds = ["class", "interface", "struct", "trait", "enum", "module"] as const;
/** Strict, because the text may as well be prose. */
const declarations: readonly RegExp[] = [
  /^(?:@[\w.]+(?:\([^()]*\))? )*(?:[a-z]+ ){0,4}?(?:enum class|(?:data|sealed|case) )?(?:(?<class>class|object|actor|record|extension)|(?<interface>interface|protocol)|(?<struct>struct)|(?<trait>trait)|(?<enum>enum)|(?<module>module|namespace)) (?<name>\p{Lu}[\p{L}\w.]*)(?![\p{L}\w.])[^.;]*$/du,
  /^(?:@[\w.]+(?:\([^()]*\))? )*(?:[a-z]+ ){0,4}?(?:function|func|fun|fn|def|sub|proc|procedure) (?<name>[\p{L}_][\p{L}\w.:]*[?!]?)(?:<[^()]*>)? ?(?:\(.*|\{|=.*)$/du,
  /^type (?<name>[\p{L}_][\p{L}\w]*) (?:(?<struct>struct)|(?<interface>interface)) ?\{/du,
  /^(?<struct>message|service) (?<name>\p{L}[\p{L}\w.]*) ?\{/du,
  /^create (?:(?:or replace|temp|temporary|unique|materialized) )*(?:(?<struct>table|view|type)|function|procedure|trigger) (?:if not exists )?(?<name>[\p{L}_][\p{L}\w.]*)/diu,
  /^(?:export )?(?:const|let|var|local) (?<name>[\p{L}\w$]+) ?= ?(?:async )?(?:function\b|\(?[^()=]*\)? ?=>)/du,
  /^(?<name>[\w-]+) ?\(\) ?\{/d,
  // `int total(int a) {` and `total(a) {`, but no statement and no call with a callback.
  /^(?!(?:if|for|foreach|while|until|switch|catch|else|return|new|with|using|lock|synchronized|do|try|throw|await|yield|when|case)\b)(?:[\p{L}\w<>[\],.*&:?]+ )*[*&]*(?<name>~?[\p{L}_$#][\p{L}\w$]*(?:::~?\w+)*) ?\((?!["'`])[^;"'`]*\)[^;=()]*\{\}?$/du,
];

const imported =
  /^(?:import|using|use|require|include|from|#\s*include|open) *(?:\( *)?(?:static )?["'<]?([\w@./:\\-]+)["'>]?\)?;?$|^(?:import|export)\b.*\bfrom ["']([^"']+)["'];?$/;
const keywords =
  /^(?:if|else|elif|elsif|unless|for|foreach|while|until|do|loop|switch|case|when|match|default|break|continue|return|function|func|fun|fn|def|sub|proc|procedure|class|object|struct|trait|interface|protocol|enum|extension|module|namespace|package|import|export|from|use|using|include|require|var|let|const|val|local|global|static|public|private|protected|internal|open|override|abstract|final|async|await|yield|throw|raise|try|catch|except|rescue|finally|ensure|end|begin|then|new|delete|this|self|super|null|nil|none|true|false|and|or|not|in|is|as|of|with|void|int|string|bool|float|double|char)$/i;

function readIdentifiers({ code, start }: Line): Stretch[] {
  // Escaped quotes begin no string: each would be tried up to the end of the line.
  const strings = /\\["'\\]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
  const plain = code.replaceAll(strings, (text) => " ".repeat(text.length));
  return [...plain.matchAll(/[\p{L}_$][\p{L}\w$]*/gu)]
    .filter(([name]) => !keywords.test(name))
    .map(({ 0: { length }, index }) => [start + index, start + index + length]);
}

/**
 * The plain analysis of the beginning of a text, in time that the event loop can spare. Comments and
 * strings are known if the beginning is all of it.
 *
 * @param maxCharacters what is behind them is not seen; 16,000 take about 10 ms on a usual machine
 */
export function readPlainly(
  text: string,
  rules: LexicalRules | undefined,
  maxCharacters = 16_000,
): CodeAnalysis {
  const isAll = text.length <= maxCharacters;
  const found = analyzePlain(
    isAll ? text : text.slice(0, maxCharacters),
    isAll ? rules : undefined,
  );
  return createAnalysis(packFacts(found), text);
}

const maxCharacters = 1_000_000;

/**
 * Reads every language by its indentation and keywords, without any grammar; of a text of more than
 * 1,000,000 characters the beginning.
 */
export const plainCodeParser: CodeParser = {
  // An aborted signal is a rejection, as it is with any other parser.
  async analyze(text, language, path, { signal } = {}) {
    signal?.throwIfAborted();
    return readPlainly(text, lexicalRulesOf(language, path), maxCharacters);
  },
};
