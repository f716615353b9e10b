// What was read off a text, in the form that goes from one thread to another: few large lists of numbers,
// which are handed over, and one text. Copying thousands of small objects would hold the loop of whoever
// gets them.
import type {
  CodeBranch,
  CodeImport,
  CodeLanguage,
  CodeMatch,
  CodeProblem,
  CodeSymbol,
} from "../code-analysis.ts";
import type { Stretch } from "../tree/directives.ts";
import { packImports, packSymbols } from "./pack-symbols.ts";
import { type PackedTexts, TextTable } from "./text-table.ts";

/** Offsets are 0-based UTF-16 code units. A pair is a start and the offset after the end. */
export interface CodeFacts {
  language: CodeLanguage | undefined;
  areCommentsKnown: boolean;
  /** Where lines start. */
  lines: Uint32Array<ArrayBuffer>;
  docComment: Stretch | undefined;
  /** Pairs. */
  comments: Uint32Array<ArrayBuffer>;
  directives: Uint32Array<ArrayBuffer>;
  strings: Uint32Array<ArrayBuffer>;
  /** Pairs: the first place of each distinct identifier. */
  names: Uint32Array<ArrayBuffer>;
  /** Pairs of another kind: where an identifier starts, and the place of its name in `names`. */
  identifiers: Uint32Array<ArrayBuffer>;
  /** As `branchWidth` says. */
  branches: Uint32Array<ArrayBuffer>;
  /** As pack-symbols.ts says. */
  symbols: Uint32Array<ArrayBuffer>;
  imports: Uint32Array<ArrayBuffer>;
  problems: CodeProblem[];
  matches: readonly CodeMatch[];
  texts: PackedTexts;
}

/** A branch with the offset at which it starts. */
export interface PlacedBranch {
  start: number;
  branch: CodeBranch;
}

/** What a reader finds, in the order of the text. */
export interface FoundCode {
  language: CodeLanguage | undefined;
  areCommentsKnown: boolean;
  lines: ArrayLike<number>;
  text: string;
  docComment: Stretch | undefined;
  comments: readonly Stretch[];
  directives: readonly Stretch[];
  strings: readonly Stretch[];
  identifiers: readonly Stretch[];
  branches: readonly PlacedBranch[];
  symbols: readonly CodeSymbol[];
  imports: readonly CodeImport[];
  problems: CodeProblem[];
  /** Absent where nothing was looked for. */
  matches?: readonly CodeMatch[];
}

/** Branches of a text. */
const maxBranches = 20_000;
/** Start, range (4), kind, text. */
export const branchWidth = 7;
export const branchKinds = [
  "if",
  "else",
  "case",
  "loop",
  "catch",
  "throw",
  "return",
  "ternary",
  "logical",
  "guard",
] as const satisfies readonly PlacedBranch["branch"]["kind"][];

export function packFacts(found: FoundCode): CodeFacts {
  const texts = new TextTable();
  return {
    language: found.language,
    areCommentsKnown: found.areCommentsKnown,
    lines: Uint32Array.from(found.lines),
    docComment: found.docComment,
    comments: packPairs(found.comments),
    directives: packPairs(found.directives),
    strings: packPairs(found.strings),
    ...packIdentifiers(found),
    branches: packBranches(found.branches.slice(0, maxBranches), texts),
    symbols: packSymbols(found.symbols, texts),
    imports: packImports(found.imports, texts),
    problems: found.problems,
    matches: found.matches ?? [],
    texts: texts.pack(),
  };
}

/** What is handed over instead of copied. */
export function buffersOf(facts: CodeFacts): ArrayBuffer[] {
  const { lines, comments, directives, strings, names, identifiers, branches, symbols } = facts;
  const lists = [lines, comments, directives, strings, names, identifiers, branches, symbols];
  return [...lists, facts.imports, facts.texts.ends].map(({ buffer }) => buffer);
}

function packPairs(stretches: readonly Stretch[]): Uint32Array<ArrayBuffer> {
  const packed = new Uint32Array(stretches.length * 2);
  for (const [index, at] of stretches.entries()) packed.set(at, index * 2);
  return packed;
}

function packIdentifiers({
  text,
  identifiers,
}: FoundCode): Pick<CodeFacts, "names" | "identifiers"> {
  const names: Stretch[] = [];
  const known = new Map<string, number>();
  const used = identifiers.map((at): Stretch => {
    const name = text.slice(...at);
    let index = known.get(name);
    if (index === undefined) {
      index = names.push(at) - 1;
      known.set(name, index);
    }
    return [at[0], index];
  });
  return { names: packPairs(names), identifiers: packPairs(used) };
}

function packBranches(
  branches: readonly PlacedBranch[],
  texts: TextTable,
): Uint32Array<ArrayBuffer> {
  const packed = new Uint32Array(branches.length * branchWidth);
  for (const [index, { start, branch }] of branches.entries()) {
    const { startLine, startColumn, endLine, endColumn } = branch.range;
    const kind = branchKinds.indexOf(branch.kind);
    const record = [start, startLine, startColumn, endLine, endColumn, kind];
    packed.set([...record, texts.add(branch.text)], index * branchWidth);
  }
  return packed;
}
