import { foldSpaces } from "../../edit/fold-spaces.ts";
import { trimEndSigns } from "../../edit/trim-signs.ts";
import type { CodeBranch, CodeImport, CodeSymbol, SymbolKind } from "../code-analysis.ts";
import type { FoundCode, PlacedBranch } from "../facts/code-facts.ts";
import { type Stretch, findDirectives } from "../tree/directives.ts";
import { type Lexemes, findLexemes } from "../tree/find-lexemes.ts";
import type { LexicalRules } from "./lexical-rules.ts";
import { maxLevels } from "../facts/pack-symbols.ts";
import { type Line, commentLines, linesInside, maxLines, readLines } from "./plain-lines.ts";
import { type SourceText, createSourceText, findLineStarts, shorten } from "../tree/source-text.ts";

/** In characters: comments of longer texts are not told, as no grammar reads them either. */
const maxLexed = 1_000_000;

/**
 * Reads what lines and indentation tell in any language, for an outline: declarations by keyword,
 * with the indented lines below them. Problems cannot be seen this way.
 *
 * @param rules what tells comments and strings; without them none is listed, and only the outline
 *   guesses at lines that are comments
 */
export function analyzePlain(text: string, rules?: LexicalRules): FoundCode {
  const isShort = text.length <= maxLexed;
  // Of a long text only the first lines are read, so that the others need no place in the table.
  const starts = findLineStarts(text, isShort ? Infinity : maxLines + 1);
  const source = createSourceText(text, starts);
  const lines = readLines(source);
  const lexemes = rules && isShort ? findLexemes(text, rules) : undefined;
  const isComment =
    lexemes === undefined ? commentLines(lines) : linesInside(lines, lexemes.comments);
  const code = lines.filter(({ number }) => !isComment.has(number));
  const whole = (line: Line): CodeSymbol["range"] =>
    source.rangeOf(line.start, line.start + source.line(line.number).trim().length);
  return {
    language: undefined,
    lines: starts,
    text,
    docComment: undefined,
    ...readLexemes(source, rules, lexemes),
    identifiers: code.flatMap(readIdentifiers),
    branches: code.flatMap((line) => readBranch(line, () => whole(line))),
    symbols: findSymbols(code, lines, isComment, source),
    imports: code.flatMap((line) => readImport(line, () => whole(line))),
    problems: [],
  };
}

type FoundLexemes = Pick<FoundCode, "areCommentsKnown" | "comments" | "directives" | "strings">;

function readLexemes(
  source: SourceText,
  rules: LexicalRules | undefined,
  lexemes: Lexemes | undefined,
): FoundLexemes {
  const { comments = [], strings = [] } = lexemes ?? {};
  const directives = findDirectives(comments, source, rules?.directives);
  return { areCommentsKnown: lexemes !== undefined, comments, directives, strings };
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
  const placeOf = new Map(lines.map((line, place) => [line, place]));
  let last: Line | undefined;
  for (const line of code) {
    close(around, line, last, source);
    last = line;
    if (around.length >= maxLevels) continue;
    const match = findDeclaration(line.code);
    const { name, kind = "" } = match?.groups ?? {};
    if (name === undefined) continue;
    const outer = around.at(-1)?.symbol;
    const at = line.start + (match?.indices?.groups?.["name"]?.[0] ?? 0);
    const symbol = createSymbol(line, { name, at }, kinds[kind], outer, source);
    const doc = docAbove(lines, placeOf.get(line) ?? 0, isComment, source);
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

function findDeclaration(code: string): RegExpExecArray | undefined {
  for (const pattern of declarations) {
    const match = pattern.exec(code);
    if (match !== null) return match;
  }
  return undefined;
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
    signature: foldSpaces(code)
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
  index: number,
  isComment: ReadonlySet<number>,
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

function readImport({ code }: Line, whole: () => CodeImport["range"]): CodeImport[] {
  const source =
    /^(?:import|using|use|require|include|from|#\s*include|open) *(?:\( *)?(?:static )?["'<]?([\w@./:\\-]+)["'>]?\)?;?$/.exec(
      code,
    )?.[1] ?? /^(?:import|export)\b.*\bfrom ["']([^"']+)["'];?$/.exec(code)?.[1];
  return source === undefined ? [] : [{ range: whole(), source, names: [] }];
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

function readIdentifiers({ code, start }: Line): Stretch[] {
  // Escaped quotes begin no string: each would be tried up to the end of the line.
  const plain = code.replaceAll(/\\["'\\]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (text) =>
    " ".repeat(text.length),
  );
  return [...plain.matchAll(/[\p{L}_$][\p{L}\w$]*/gu)]
    .filter(([name]) => !keywords.has(name.toLowerCase()))
    .map(({ 0: name, index }) => [start + index, start + index + name.length]);
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

function readBranch({ code, start }: Line, whole: () => CodeBranch["range"]): PlacedBranch[] {
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
        branch: {
          range: whole(),
          kind,
          text: shorten(kind === "case" && words === "" ? "default" : words),
        },
      },
    ];
  }
  return [];
}
