// Wildcards in paths, in time that grows with pattern times path: both come from models and from anywhere.

/** How many patterns `{a,b}` may become; if it would become more, braces mean themselves. */
const maxAlternatives = 64;
/** Characters of a pattern with `?` or `[a-z]` times those of a name: no real ones have as many. */
const maxWork = 1_000_000;

/** The path of a file, or of a folder above it, relative and with "/". */
export type PathTest = (path: string) => boolean;

/** A pattern as its segments; "**" is any number of them. */
export type PathPattern = readonly (SegmentPattern | "**")[];

interface SegmentPattern {
  /** Set if there is no wildcard: the name itself. */
  literal: string | undefined;
  /** What is between the stars. */
  chunks: readonly (string | RegExp)[];
  /** Characters of the pattern. */
  weight: number;
}

/**
 * Glob patterns over relative paths: `*.ts` is meant at any depth, `src/*.ts` and `/a.ts` from the root, `src` and
 * `src/` with all that is inside; `*.ts` is a kind of file, and no folder `chart.ts`. `*`, `?`, `[a-z]`, `{a,b}`,
 * `**`; names with a dot before are as any other.
 */
export function createGlobTest(globs: readonly string[]): PathTest {
  const patterns = globs.flatMap(expandBraces).flatMap((glob): PathPattern[] => {
    const isAnchored = glob.replace(/^\.\//, "/").slice(0, -1).includes("/");
    const parts = glob.split("/").filter((part) => part !== "" && part !== ".");
    if (parts.length === 0) return [];
    const pattern = parts.map((part) => (part === "**" ? part : parseSegment(part)));
    // What fits a folder above is all that is inside of it.
    return [
      [
        ...(isAnchored ? [] : ["**"]),
        ...pattern,
        ...(isKindOfFile(glob) ? [] : ["**"]),
      ] as PathPattern,
    ];
  });
  return (path) => {
    const segments = path.split("/");
    return patterns.some((pattern) => matchPath(pattern, segments));
  };
}

/** Whether a pattern names no more than the ending of files, such as `*.ts`. */
export function isKindOfFile(glob: string): boolean {
  return /^\*\.[a-z0-9]+$/i.test(glob);
}

/**
 * Whether segments fit a pattern from the first to the last. Only the last "**" is ever tried again, which suffices:
 * what comes before it has been matched as early as possible.
 */
export function matchPath(pattern: PathPattern, segments: readonly string[]): boolean {
  let [part, at] = [0, 0];
  let [restart, again] = [-1, 0];
  while (at < segments.length) {
    const wanted = pattern[part];
    if (wanted === "**") {
      part += 1;
      [restart, again] = [part, at];
    } else if (wanted !== undefined && matchSegment(wanted, segments[at] ?? "")) {
      part += 1;
      at += 1;
    } else if (restart === -1) return false;
    else {
      again += 1;
      [part, at] = [restart, again];
    }
  }
  return pattern.slice(part).every((left) => left === "**");
}

/** Reads `*`, `?`, `[a-z]`, `[!a-z]` and `\` before a character that means itself. */
export function parseSegment(written: string): SegmentPattern {
  const characters = Array.from(written);
  /** Of each chunk its text, and its expression where it is no plain text. */
  let chunk = { text: "", source: "", isText: true };
  const chunks = [chunk];
  const lastBracket = characters.lastIndexOf("]");
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    const set = character === "[" && at < lastBracket ? readSet(characters, at) : undefined;
    if (character === "*") chunks.push((chunk = { text: "", source: "", isText: true }));
    else if (set !== undefined || character === "?") {
      chunk.source += set?.source ?? ".";
      chunk.isText = false;
      at = set?.end ?? at;
    } else {
      if (character === "\\" && at + 1 < characters.length) at += 1;
      chunk.text += characters[at] ?? "";
      chunk.source += escapeCode(codeOf(characters[at]));
    }
  }
  const compiled = chunks.map(({ text, source, isText }, nth) => {
    const [start, end] = [nth === 0 ? "^" : "", nth === chunks.length - 1 ? "$" : ""];
    // oxlint-disable-next-line patterns/no-built-pattern -- escaped characters of a fixed number: it never goes back
    return isText ? text : new RegExp(start + source + end, "gsu");
  });
  const [first] = compiled;
  const literal = compiled.length === 1 && typeof first === "string" ? first : undefined;
  return { literal, chunks: compiled, weight: characters.length };
}

/** The chunks in their order, each as early as possible, the first and the last at the ends of the name. */
function matchSegment({ literal, chunks, weight }: SegmentPattern, name: string): boolean {
  if (literal !== undefined) return name === literal;
  let at = 0;
  for (let nth = 0; nth < chunks.length; nth += 1) {
    const chunk = chunks[nth] ?? "";
    if (typeof chunk === "string") {
      const isLast = nth === chunks.length - 1;
      const found = nth === 0 ? 0 : isLast ? name.length - chunk.length : name.indexOf(chunk, at);
      if (found < at || !name.startsWith(chunk, found)) return false;
      at = found + chunk.length;
    } else {
      chunk.lastIndex = at;
      if (weight * name.length > maxWork || !chunk.test(name)) return false;
      at = chunk.lastIndex;
    }
  }
  return true;
}

/** The classes of ASCII, as in an expression. */
const classes = new Map([
  ["alnum", "0-9A-Za-z"],
  ["alpha", "A-Za-z"],
  ["blank", " \\t"],
  ["cntrl", "\\x00-\\x1f\\x7f"],
  ["digit", "0-9"],
  ["graph", "!-~"],
  ["lower", "a-z"],
  ["print", " -~"],
  ["punct", "!-\\/:-@\\[-`\\{-~"],
  ["space", "\\t-\\r "],
  ["upper", "A-Z"],
  ["xdigit", "0-9A-Fa-f"],
]);

/**
 * A set of characters as `[a-z]`, read as git reads it (wildmatch.c), as an expression.
 *
 * @returns undefined if the bracket at `start` is never closed, or names a class that does not exist
 */
export function readSet(
  characters: readonly string[],
  start: number,
): { source: string; /** Where its last bracket is. */ end: number } | undefined {
  const isNegated = /^[!^]$/.test(characters[start + 1] ?? "");
  const first = start + (isNegated ? 2 : 1);
  let source = isNegated ? "[^" : "[";
  /** What a dash would begin a range with; undefined after a range and a class. */
  let last: number | undefined;
  for (let at = first; at < characters.length; at += 1) {
    const [character, next] = [characters[at], characters[at + 1]];
    if (character === "]" && at > first) return { source: `${source}]`, end: at };
    const close = character === "[" && next === ":" ? characters.indexOf("]", at + 2) : -1;
    if (character === "-" && last !== undefined && next !== undefined && next !== "]") {
      at += next === "\\" ? 2 : 1;
      const to = codeOf(characters[at]);
      if (last <= to) source += `${escapeCode(last)}-${escapeCode(to)}`;
      last = undefined;
    } else if (close > at + 2 && characters[close - 1] === ":") {
      const named = classes.get(characters.slice(at + 2, close - 1).join(""));
      if (named === undefined) return undefined;
      source += named;
      at = close;
      last = undefined;
    } else {
      if (character === "\\") at += 1;
      last = codeOf(characters[at]);
      source += escapeCode(last);
    }
  }
  return undefined;
}

/** 0 where the pattern has ended: what is read there is not used. */
function codeOf(character: string | undefined): number {
  return character?.codePointAt(0) ?? 0;
}

function escapeCode(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

/** `a.{ts,js}` as `a.ts` and `a.js`; nested ones, too. */
export function expandBraces(glob: string): string[] {
  const done: string[] = [];
  let open = [glob];
  while (open.length > 0) {
    const next: string[] = [];
    for (const pattern of open) {
      const parts = splitFirstBrace(pattern);
      if (parts === undefined) done.push(pattern);
      else next.push(...parts);
    }
    if (done.length + next.length > maxAlternatives) return [glob];
    open = next;
  }
  return [...new Set(done)];
}

/** What the first innermost brace becomes; undefined without one. */
function splitFirstBrace(pattern: string): string[] | undefined {
  /** Where the brace and its commas are. */
  let ends: number[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "\\") at += 1;
    else if (character === "{") ends = [at];
    else if (character === "," && ends.length > 0) ends.push(at);
    else if (character === "}" && ends.length < 2) ends = [];
    else if (character === "}") {
      const [before, after] = [pattern.slice(0, ends[0]), pattern.slice(at + 1)];
      return ends.map((from, nth) => before + pattern.slice(from + 1, ends[nth + 1] ?? at) + after);
    }
  }
  return undefined;
}
