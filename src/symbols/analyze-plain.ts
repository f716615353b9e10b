import { trimEndSigns } from "../edit/trim-signs.ts";
import type { PlacedBranch } from "./branches.ts";
import type {
  CodeAnalysis,
  CodeBranch,
  CodeImport,
  CodeRange,
  CodeSymbol,
  SymbolKind,
} from "./code-analysis.ts";
import { createLookups } from "./create-lookups.ts";
import { type Stretch, findDirectives } from "./directives.ts";
import { type Lexemes, findLexemes } from "./find-lexemes.ts";
import type { LexicalRules } from "./lexical-rules.ts";
import { type Line, commentLines, linesInside, readLines } from "./plain-lines.ts";
import { type SourceText, createSourceText, oneLine, shorten } from "./source-text.ts";

/** Comments of longer texts are not told, as no grammar reads them either. */
const mostLexed = 1_000_000;

/**
 * Reads what lines and indentation tell in any language, for an outline: declarations by keyword,
 * with the indented lines below them. Problems cannot be seen this way.
 *
 * @param rules what tells comments and strings; without them none is listed, and only the outline
 *   guesses at lines that are comments
 */
export function analyzePlain(text: string, rules?: LexicalRules): CodeAnalysis {
  const source = createSourceText(text);
  const lines = readLines(source);
  const lexemes = rules && text.length <= mostLexed ? findLexemes(text, rules) : undefined;
  const isComment =
    lexemes === undefined ? commentLines(lines) : linesInside(lines, lexemes.comments);
  const code = lines.filter(({ number }) => !isComment.has(number));
  const whole = (line: Line): CodeSymbol["range"] =>
    source.rangeOf(line.start, line.start + source.line(line.number).trim().length);
  return {
    language: undefined,
    symbols: findSymbols(code, lines, isComment, source),
    imports: code.flatMap((line) => readImport(line, whole(line))),
    ...readLexemes(source, rules, lexemes),
    problems: [],
    ...createLookups(
      source,
      code.flatMap(readIdentifiers),
      code.flatMap((line) => readBranch(line, whole(line))),
    ),
  };
}

type LexemeRanges = Pick<CodeAnalysis, "areCommentsKnown" | "comments" | "directives" | "strings">;

function readLexemes(
  source: SourceText,
  rules: LexicalRules | undefined,
  lexemes: Lexemes | undefined,
): LexemeRanges {
  const { comments = [], strings = [] } = lexemes ?? {};
  const toRange = (at: Stretch): CodeRange => source.rangeOf(...at);
  return {
    areCommentsKnown: lexemes !== undefined,
    comments: comments.map(toRange),
    directives: findDirectives(comments, source, rules?.directives).map(toRange),
    strings: strings.map(toRange),
  };
}

const kinds: Readonly<Record<string, SymbolKind>> = {
  class: "class",
  object: "class",
  actor: "class",
  record: "class",
  extension: "class",
  interface: "interface",
  protocol: "interface",
  struct: "struct",
  trait: "trait",
  enum: "enum",
  module: "module",
  namespace: "module",
};
/** Strict, because the text may as well be prose. */
const declarations: readonly RegExp[] = [
  /^(?:@[\w.]+(?:\([^()]*\))? )*(?:[a-z]+ ){0,4}?(?:enum class|(?:data|sealed|case) )?(?<kind>class|object|actor|record|extension|interface|protocol|struct|trait|enum|module|namespace) (?<name>\p{Lu}[\p{L}\w.]*)(?![\p{L}\w.])[^.;]*$/du,
  /^(?:@[\w.]+(?:\([^()]*\))? )*(?:[a-z]+ ){0,4}?(?:function|func|fun|fn|def|sub|proc|procedure) (?<name>[\p{L}_][\p{L}\w.:]*[?!]?) ?(?:\(.*|\{|=.*)$/du,
  /^(?:export )?(?:const|let|var|local) (?<name>[\p{L}\w$]+) ?= ?(?:async )?(?:function\b|\(?[^()=]*\)? ?=>)/du,
  /^(?<name>[\w-]+) ?\(\) ?\{/d,
  // `int total(int a) {` and `total(a) {`, but no statement and no call with a callback.
  /^(?!(?:if|for|foreach|while|until|switch|catch|else|return|new|with|using|lock|synchronized|do|try|throw|await|yield|when|case)\b)(?:[\p{L}\w<>[\],.*&:?]+ )*[*&]*(?<name>~?[\p{L}_$#][\p{L}\w$]*(?:::~?\w+)*) ?\((?!["'`])[^;"'`]*\)[^;=()]*\{\}?$/du,
];

interface Open {
  symbol: CodeSymbol;
  indent: number;
}

function findSymbols(
  code: readonly Line[],
  lines: readonly Line[],
  isComment: ReadonlySet<number>,
  source: SourceText,
): CodeSymbol[] {
  const top: CodeSymbol[] = [];
  const around: Open[] = [];
  let last: Line | undefined;
  const places = new Map(lines.map((line, at) => [line, at]));
  for (const line of code) {
    close(around, line, last, source);
    last = line;
    const match = declarations.map((pattern) => pattern.exec(line.code)).find((found) => found);
    const { name, kind = "" } = match?.groups ?? {};
    if (name === undefined) continue;
    const outer = around.at(-1)?.symbol;
    const at = line.start + (match?.indices?.groups?.["name"]?.[0] ?? 0);
    const symbol = createSymbol(line, { name, at }, kinds[kind], outer, source);
    const doc = docAbove(lines, isComment, places.get(line) ?? 0, source);
    if (doc !== undefined) symbol.docComment = doc;
    (outer?.children ?? top).push(symbol);
    around.push({ symbol, indent: line.indent });
  }
  close(
    around,
    { number: source.lineCount, indent: -1, code: "", start: source.text.length },
    last,
    source,
  );
  return top;
}

/** Ends what a line at this indentation stands outside of. */
function close(around: Open[], line: Line, last: Line | undefined, source: SourceText): void {
  for (
    let open = around.at(-1);
    open !== undefined && open.indent >= line.indent;
    open = around.at(-1)
  ) {
    const isOpening = /^[{(]/.test(line.code) && open.indent === line.indent;
    if (isOpening) return;
    const isEnd = open.indent === line.indent && /^(?:[})\]]|end\b)/.test(line.code);
    const end = isEnd ? line : last;
    if (end !== undefined) {
      open.symbol.range.endLine = end.number;
      open.symbol.range.endColumn = source.line(end.number).trimEnd().length + 1;
    }
    around.pop();
  }
}

function createSymbol(
  { code, start }: Line,
  { name, at }: { name: string; at: number },
  kind: SymbolKind | undefined,
  outer: CodeSymbol | undefined,
  source: SourceText,
): CodeSymbol {
  const isMember = outer !== undefined && !/^(?:function|method|module)$/.test(outer.kind);
  return {
    name,
    kind: kind ?? (isMember ? "method" : "function"),
    range: source.rangeOf(start, start + code.length),
    nameRange: source.rangeOf(at, at + name.length),
    signature: oneLine(code)
      .replace(/\{[^]*|(?::|=>|=)$/, "")
      .trimEnd(),
    parameters: [],
    isAsync: /\b(?:async|suspend)\b/.test(code.slice(0, at - start)),
    isExported: !/\b(?:private|local|fileprivate)\b/.test(code.slice(0, at - start)),
    ...(outer === undefined
      ? {}
      : {
          container:
            outer.container === undefined ? outer.name : `${outer.container}.${outer.name}`,
        }),
    children: [],
  };
}

function docAbove(
  lines: readonly Line[],
  isComment: ReadonlySet<number>,
  index: number,
  source: SourceText,
): CodeSymbol["range"] | undefined {
  let first: Line | undefined;
  for (let above = index - 1; above >= 0; above--) {
    const candidate = lines[above];
    const below = (first ?? lines[index])?.number ?? 0;
    if (
      candidate === undefined ||
      !isComment.has(candidate.number) ||
      candidate.number !== below - 1
    )
      break;
    first = candidate;
  }
  const end = lines[index - 1];
  return first === undefined || end === undefined
    ? undefined
    : source.rangeOf(first.start, end.start + end.code.length);
}

function readImport({ code }: Line, range: CodeImport["range"]): CodeImport[] {
  const source =
    /^(?:import|using|use|require|include|from|#\s*include|open) *(?:\( *)?(?:static )?["'<]?([\w@./:\\-]+)["'>]?\)?;?$/.exec(
      code,
    )?.[1] ?? /^(?:import|export)\b.*\bfrom ["']([^"']+)["'];?$/.exec(code)?.[1];
  return source === undefined ? [] : [{ range, source, names: [] }];
}

const keywords: ReadonlySet<string> = new Set(
  (
    "if else elif elsif unless for foreach while until do loop switch case when match default break continue return " +
    "function func fun fn def sub proc procedure class object struct trait interface protocol enum extension module " +
    "namespace package import export from use using include require var let const val local global static public " +
    "private protected internal open override abstract final async await yield throw raise try catch except rescue " +
    "finally ensure end begin then new delete this self super null nil none true false and or not in is as of with " +
    "void int string bool float double char"
  ).split(" "),
);

function readIdentifiers({ code, start }: Line): { start: number; name: string }[] {
  // Escaped quotes begin no string: each would be tried up to the end of the line.
  const plain = code.replaceAll(/\\["'\\]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (text) =>
    " ".repeat(text.length),
  );
  return [...plain.matchAll(/[\p{L}_$][\p{L}\w$]*/gu)]
    .filter(([name]) => !keywords.has(name.toLowerCase()))
    .map(({ 0: name, index }) => ({ start: start + index, name }));
}

const branchWords: readonly (readonly [RegExp, CodeBranch["kind"]])[] = [
  [/^(?:\} ?)?(?:else ?if|elif|elsif|elseif)\b(.*)/, "if"],
  [/^(?:if|unless)\b(.*)/, "if"],
  [/^guard\b(.*)/, "guard"],
  [/^(?:\} ?)?else\b()/, "else"],
  [/^(?:case|when)\b(.*)/, "case"],
  [/^default ?:()/, "case"],
  [/^(?:for|foreach|while|until|loop|repeat)\b(.*)/, "loop"],
  [/^(?:\} ?)?(?:catch|except|rescue)\b(.*)/, "catch"],
  [/^(?:throw|raise)\b(.*)/, "throw"],
  [/^return\b(.*)/, "return"],
];

function readBranch({ code, start }: Line, range: CodeBranch["range"]): PlacedBranch[] {
  for (const [pattern, kind] of branchWords) {
    const text = pattern.exec(code)?.[1];
    if (text === undefined) continue;
    const condition = trimEndSigns(text.trim(), "{:;").replace(/\b(?:then|do)$/, "");
    const words = trimEndSigns(condition, "{:;")
      .trimEnd()
      .replace(/^\((.*)\)$/, "$1");
    return [
      {
        start,
        branch: { range, kind, text: shorten(kind === "case" && words === "" ? "default" : words) },
      },
    ];
  }
  return [];
}
