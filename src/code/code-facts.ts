// What was read off a text, in the form that goes from one thread to another: few large lists of numbers, which are handed
// over, and JSON, which is read when somebody asks. Copying thousands of small objects would hold the loop of whoever gets
// them.
import type {
  CodeAnalysis,
  CodeBranch,
  CodeImport,
  CodeLanguage,
  CodeMatch,
  CodeProblem,
  CodeRange,
  CodeSymbol,
  Stretches,
} from "./code-analysis.ts";
import { type Stretch, guessComments } from "./directives.ts";
import { type SourceText, createSourceText, shorten } from "./source-text.ts";
import { countWhile, trimEndSigns } from "../base/text/lines.ts";

/** Offsets are 0-based UTF-16 code units. A pair is a start and the offset after the end. */
export interface CodeFacts
  extends
    Pick<FoundCode, "language" | "areCommentsKnown" | "docComment" | "problems" | "matches">,
    Record<"comments" | "directives" | "strings" | "identifiers", Uint32Array<ArrayBuffer>> {
  /** Where lines start; all others are pairs. */
  lines: Uint32Array<ArrayBuffer>;
  /** JSON, as are the imports. */
  symbols: string;
  imports: string;
}

/** What a reader finds, in the order of the text. */
export interface FoundCode {
  language: CodeLanguage | undefined;
  areCommentsKnown: boolean;
  lines: ArrayLike<number>;
  docComment: Stretch | undefined;
  comments: readonly Stretch[];
  directives: readonly Stretch[];
  strings: readonly Stretch[];
  identifiers: readonly Stretch[];
  symbols: readonly CodeSymbol[];
  imports: readonly CodeImport[];
  problems: CodeProblem[];
  /** Absent where nothing was looked for. */
  matches?: readonly CodeMatch[];
}

/** Symbols of a text: nobody looks through more. */
export const maxSymbols = 20_000;
/** Symbols within symbols: what reads them may recurse. */
export const maxLevels = 100;
/** Imports of a text. */
const maxImports = 5_000;

/** @param found has at most as many symbols and levels as are told */
export function packFacts(found: FoundCode): CodeFacts {
  return {
    ...found,
    lines: Uint32Array.from(found.lines),
    comments: packPairs(found.comments),
    directives: packPairs(found.directives),
    strings: packPairs(found.strings),
    identifiers: packPairs(found.identifiers),
    symbols: JSON.stringify(found.symbols),
    imports: JSON.stringify(found.imports.slice(0, maxImports)),
  };
}

/** What is handed over instead of copied. */
export function buffersOf(facts: CodeFacts): ArrayBuffer[] {
  const { lines, comments, directives, strings, identifiers } = facts;
  return [lines, comments, directives, strings, identifiers].map(({ buffer }) => buffer);
}

function packPairs(stretches: readonly Stretch[]): Uint32Array<ArrayBuffer> {
  const packed = new Uint32Array(stretches.length * 2);
  for (const [index, at] of stretches.entries()) packed.set(at, index * 2);
  return packed;
}

/** Different identifiers of one range. */
const maxIdentifiers = 10_000;

/**
 * Answers from facts, each when it is first asked for.
 *
 * @param text the one that the facts were read off
 */
export function createAnalysis(facts: CodeFacts, text: string): CodeAnalysis {
  const source = createSourceText(text, facts.lines);
  const offsets = {
    comments: createStretches(facts.comments),
    directives: createStretches(facts.directives),
    strings: createStretches(facts.strings),
  };
  const identifiers = createStretches(facts.identifiers);
  // What was packed is of these types.
  const symbols = once(() => JSON.parse(facts.symbols) as CodeSymbol[]);
  const imports = once(() => JSON.parse(facts.imports) as CodeImport[]);
  const analysis: CodeAnalysis = {
    language: facts.language,
    source,
    offsets,
    areCommentsKnown: facts.areCommentsKnown,
    problems: facts.problems,
    matches: facts.matches ?? [],
    ...(facts.docComment && { docComment: source.rangeOf(...facts.docComment) }),
    get symbols() {
      return symbols();
    },
    get imports() {
      return imports();
    },
    isCommented(startLine, endLine) {
      // Comments do not overlap: of those that begin up to here only the last can reach further.
      const last = countBefore(offsets.comments, source.startOf(startLine + 1)) - 1;
      if (last < 0 || startLine > source.lineCount) return false;
      const range = source.rangeOf(offsets.comments.start(last), offsets.comments.end(last));
      return range.endLine >= Math.max(startLine, endLine);
    },
    *placesIn(range) {
      const [start, end] = source.offsetsOf(range);
      const [first, last] = [countBefore(identifiers, start), countBefore(identifiers, end)];
      for (let nth = first; nth < last; nth += 1) {
        const at = identifiers.start(nth);
        yield { name: text.slice(at, identifiers.end(nth)), start: at };
      }
    },
    usesIn(range) {
      const found = new Map<string, number>();
      for (const { name, start } of analysis.placesIn(range)) {
        if (!found.has(name)) found.set(name, start);
        if (found.size === maxIdentifiers) break;
      }
      return Array.from(found, ([name, start]) => ({ name, start }));
    },
    identifiersIn: (range) => analysis.usesIn(range).map(({ name }) => name),
    branchesIn(range) {
      const isKnown = facts.areCommentsKnown;
      const comments = isKnown ? offsets.comments : createStretches(packPairs(guessComments(text)));
      return findBranches(source, { ...offsets, comments }, range);
    },
  };
  return analysis;
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function createStretches(pairs: Uint32Array): Stretches {
  return {
    count: pairs.length / 2,
    start: (index) => pairs[index * 2] ?? 0,
    end: (index) => pairs[index * 2 + 1] ?? 0,
  };
}

/** How many begin before an offset; they rise. */
function countBefore(stretches: Stretches, offset: number): number {
  return countWhile(stretches.count, (nth) => stretches.start(nth) < offset);
}

// Where code branches, by the words that its lines begin with: they are much the same in all languages.

const kinds = ["if", "guard", "else", "case", "loop", "catch", "throw", "return"] as const;
const branching =
  /^\s*(?:\} ?)?(?:(?<if>else ?if|elif|elsif|elseif|if|unless)|(?<guard>guard)|(?<else>else)|(?<case>case|when|default(?= ?:))|(?<loop>for|foreach|while|until|loop|repeat)|(?<catch>catch|except|rescue)|(?<throw>throw|raise)|(?<return>return))\b(?<text>.*)/;
/** What goes on behind a part of a condition in parentheses. */
const goesOn = /^\s*(?:[^\w\s{]|(?:and|or|in|is|not|if|as|instanceof)\b)/;
/** Characters of a line that are looked at, and branches of a range that are told. */
const [maxLine, maxBranches] = [500, 20_000];

/** The branches that begin on the lines of a range, outside of comments and strings. */
function findBranches(
  source: SourceText,
  { comments, strings }: Readonly<Record<"comments" | "strings", Stretches>>,
  { startLine, endLine, endColumn }: CodeRange,
): CodeBranch[] {
  const found: CodeBranch[] = [];
  const last = Math.min(endColumn > 1 ? endLine : endLine - 1, source.lineCount);
  for (let line = startLine; line <= last && found.length < maxBranches; line += 1) {
    const start = source.startOf(line);
    if (isInside(strings, start) || isInside(comments, start)) continue;
    const written = source.line(line).slice(0, maxLine);
    const nth = countBefore(comments, start);
    const end = nth < comments.count ? comments.start(nth) - start : written.length;
    for (let left = written.slice(0, end); left !== "";) {
      const { rest, ...branch } = readBranch(left) ?? { rest: "" };
      if ("kind" in branch) found.push({ line, ...branch });
      left = rest;
    }
  }
  return found;
}

function isInside(stretches: Stretches, offset: number): boolean {
  const last = countBefore(stretches, offset) - 1;
  return last >= 0 && stretches.end(last) > offset;
}

/** @returns with what comes behind the condition on the line */
function readBranch(line: string): (Omit<CodeBranch, "line"> & { rest: string }) | undefined {
  const { text = "", ...words } = branching.exec(line)?.groups ?? {};
  const kind = kinds.find((name) => words[name] !== undefined);
  if (kind === undefined) return undefined;
  const whole = trimEndSigns(text.trim(), "{:;").replace(/\b(?:then|do)$/, "");
  const isCase = kind === "case";
  const [tested = "", rest = ""] = isCase ? whole.split(/ (?:->|=>) |: /) : splitCondition(whole);
  const condition = trimEndSigns(tested, " {:;");
  if (kind === "else") return { kind, text: "", rest: whole };
  const isDefault = isCase && (condition === "" || words["case"] === "default");
  return { kind, text: isDefault ? "default" : shorten(condition), rest };
}

/** What is in the parentheses that a statement begins with, if they hold all of the condition; and what follows. */
function splitCondition(words: string): readonly [condition: string, rest?: string] {
  let depth = 0;
  for (let at = 0; at < words.length && words.startsWith("("); at += 1) {
    if (words[at] === "(") depth += 1;
    else if (words[at] === ")") depth -= 1;
    if (depth > 0) continue;
    const rest = words.slice(at + 1);
    return goesOn.test(rest) ? [words] : [words.slice(1, at), rest];
  }
  return [words];
}
