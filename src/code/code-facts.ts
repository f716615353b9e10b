// What was read off a text, in the form that goes from one thread to another: few large lists of numbers, which are handed
// over, and JSON, which is read when somebody asks. Copying thousands of small objects would hold the loop of whoever gets
// them.
import type {
  CodeBranch,
  CodeImport,
  CodeLanguage,
  CodeMatch,
  CodeProblem,
  CodeSymbol,
} from "./code-analysis.ts";
import type { Stretch } from "./directives.ts";

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
  /** JSON of {@link PlacedBranch}es, symbols and imports. */
  branches: string;
  symbols: string;
  imports: string;
  problems: CodeProblem[];
  matches: readonly CodeMatch[];
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

/** Symbols of a text: nobody looks through more. */
export const maxSymbols = 20_000;
/** Symbols within symbols: what reads them may recurse. */
export const maxLevels = 100;
/** Branches of a text. */
const maxBranches = 20_000;
/** Imports of a text, and names that they bring. */
const [maxImports, maxNames] = [5_000, 20_000];

/** @param found has at most as many symbols and levels as are told */
export function packFacts(found: FoundCode): CodeFacts {
  return {
    language: found.language,
    areCommentsKnown: found.areCommentsKnown,
    lines: Uint32Array.from(found.lines),
    docComment: found.docComment,
    comments: packPairs(found.comments),
    directives: packPairs(found.directives),
    strings: packPairs(found.strings),
    ...packIdentifiers(found),
    branches: JSON.stringify(found.branches.slice(0, maxBranches)),
    symbols: JSON.stringify(found.symbols),
    imports: JSON.stringify(limitNames(found.imports.slice(0, maxImports))),
    problems: found.problems,
    matches: found.matches ?? [],
  };
}

/** What is handed over instead of copied. */
export function buffersOf(facts: CodeFacts): ArrayBuffer[] {
  const { lines, comments, directives, strings, names, identifiers } = facts;
  return [lines, comments, directives, strings, names, identifiers].map(({ buffer }) => buffer);
}

function limitNames(imports: readonly CodeImport[]): CodeImport[] {
  let left = maxNames;
  return imports.map(({ names, ...others }) => {
    const kept = names.slice(0, left);
    left -= kept.length;
    return { ...others, names: kept };
  });
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
