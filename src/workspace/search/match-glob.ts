// Wildcards in paths, in time that grows with pattern times path: both come from models and from anywhere.

/** How many patterns `{a,b}` may become; if it would become more, braces mean themselves. */
const maxAlternatives = 64;
/** Steps of one comparison: no real ones take as many. */
const maxSteps = 200_000;

/** The path of a file, or of a folder above it, relative and with "/". */
export type PathTest = (path: string) => boolean;

/** Any character of a name, any number of them, and any number of whole names. */
const [one, star, deep] = [0, 1, 2] as const;

interface CharacterSet {
  isNegated: boolean;
  /** First and last of each range, as code points. */
  ranges: readonly (readonly [number, number])[];
}

/** What a path is compared with, a character at a time; each name ends with "/", the last one as well. */
type Sign = string | CharacterSet | typeof one | typeof star | typeof deep;

export interface PathPattern {
  signs: readonly Sign[];
  /** The characters at its end that mean themselves: most paths have others there. */
  end: string;
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
    const signs = parseSigns(parts.join("/"));
    if (parts.length === 0 || signs === undefined) return [];
    // What fits a folder above is all that is inside of it.
    const [before, behind] = [isAnchored ? [] : [deep], isKindOfFile(glob) ? [] : [deep]];
    return [toPattern([...before, ...signs, ...behind])];
  });
  return (path) => patterns.some((pattern) => matchPath(pattern, `${path}/`));
}

/** Whether a pattern names no more than the ending of files, such as `*.ts`. */
export function isKindOfFile(glob: string): boolean {
  return /^\*\.[a-z0-9]+$/i.test(glob);
}

/**
 * Whether a path fits a pattern from the first character to the last. Only the last star of a name, and the last "**",
 * are ever tried again, which suffices: what comes before has been matched as early as possible.
 *
 * @param ended with a "/" at the end
 */
export function matchPath({ signs: pattern, end }: PathPattern, ended: string): boolean {
  if (!ended.endsWith(end)) return false;
  const path = Array.from(ended);
  let [part, at] = [0, 0];
  let [afterStar, starAt, afterDeep, deepAt] = [-1, 0, -1, 0];
  for (let steps = 0; at < path.length && steps < maxSteps; steps += 1) {
    const [wanted, character = ""] = [pattern[part], path[at]];
    if (wanted === deep) {
      part += 1;
      [afterDeep, deepAt, afterStar] = [part, at, -1];
      if (part === pattern.length) return true;
    } else if (wanted === star) {
      part += 1;
      [afterStar, starAt] = [part, at];
    } else if (wanted !== undefined && fitsCharacter(wanted, character)) {
      if (character === "/") afterStar = -1;
      part += 1;
      at += 1;
    } else if (afterStar !== -1 && path[starAt] !== "/") {
      starAt += 1;
      [part, at] = [afterStar, starAt];
    } else if (afterDeep === -1) return false;
    else {
      deepAt = path.indexOf("/", deepAt) + 1;
      [part, at, afterStar] = [afterDeep, deepAt, -1];
    }
  }
  return at === path.length && pattern.slice(part).every((left) => left === deep);
}

function fitsCharacter(wanted: string | CharacterSet | typeof one, character: string): boolean {
  if (typeof wanted === "string") return character === wanted;
  if (character === "/" || wanted === one) return character !== "/";
  const code = codeOf(character);
  return wanted.ranges.some(([from, to]) => from <= code && code <= to) !== wanted.isNegated;
}

/**
 * Reads `*`, `?`, `[a-z]`, `[!a-z]`, `\` before a character that means itself, and names of nothing but several stars.
 *
 * @param isStrict a bracket that is not closed, and a backslash at the end, then make it undefined; else they mean
 *   themselves
 */
export function parsePattern(written: string, isStrict = false): PathPattern | undefined {
  const signs = parseSigns(written, isStrict);
  return signs && toPattern(signs);
}

function toPattern(signs: readonly Sign[]): PathPattern {
  const last = signs.findLastIndex((sign) => typeof sign !== "string");
  const end = signs.slice(last + 1).filter((sign) => typeof sign === "string");
  return { signs, end: end.join("") };
}

function parseSigns(written: string, isStrict = false): Sign[] | undefined {
  const text = `${written}/`;
  const lastBracket = written.lastIndexOf("]");
  const pattern: Sign[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    let character = String.fromCodePoint(codeOf(text, at));
    const set = character === "[" && at < lastBracket ? readSet(written, at) : undefined;
    const isLost = character === "\\" && at + 1 === written.length;
    if (isStrict && (isLost || (character === "[" && set === undefined))) return undefined;
    if (character === "\\" && !isLost) {
      at += 1;
      character = String.fromCodePoint(codeOf(text, at));
    } else if (character === "*" || character === "?" || set !== undefined) {
      pattern.push(set?.set ?? (character === "*" ? star : one));
      at = set?.end ?? at;
      continue;
    }
    at += character.length - 1;
    pattern.push(character);
    if (character !== "/") continue;
    const name = pattern.slice(start, -1);
    if (name.length > 1 && name.every((each) => each === star))
      pattern.splice(start, name.length + 1, deep);
    start = pattern.length;
  }
  return pattern;
}

/** The classes of ASCII: first and last of each range. */
const classes = new Map([
  ["alnum", "09AZaz"],
  ["alpha", "AZaz"],
  ["blank", "\t\t  "],
  ["cntrl", "\0\x1f\x7f\x7f"],
  ["digit", "09"],
  ["graph", "!~"],
  ["lower", "az"],
  ["print", " ~"],
  ["punct", "!/:@[`{~"],
  ["space", "\t\r  "],
  ["upper", "AZ"],
  ["xdigit", "09AFaf"],
]);

/**
 * A set of characters as `[a-z]`, read as git reads it (wildmatch.c).
 *
 * @returns undefined if the bracket at `start` is never closed, or names a class that does not exist
 */
function readSet(
  text: string,
  start: number,
): { set: CharacterSet; /** Where its last bracket is. */ end: number } | undefined {
  const isNegated = /^[!^]$/.test(text[start + 1] ?? "");
  const first = start + (isNegated ? 2 : 1);
  const ranges: [number, number][] = [];
  const element = /\[:([^\]]*):\]|\\?(.)(?:-(?!\])\\?(.))?/suy;
  element.lastIndex = first;
  for (let at = first; text[at] !== "]" || at === first; at = element.lastIndex) {
    const [, name, from, to = from] = element.exec(text) ?? [];
    const own = from === undefined || to === undefined ? undefined : from + from + from + to;
    const ends = name === undefined ? own : classes.get(name);
    if (ends === undefined) return undefined;
    const codes = Array.from(ends, (each) => codeOf(each));
    for (let nth = 0; nth < codes.length; nth += 2)
      ranges.push([codes[nth] ?? 0, codes[nth + 1] ?? 0]);
  }
  return { set: { isNegated, ranges }, end: element.lastIndex };
}

function codeOf(text: string, at = 0): number {
  return text.codePointAt(at) ?? 0;
}

/** `a.{ts,js}` as `a.ts` and `a.js`; nested ones, too. */
export function expandBraces(glob: string): string[] {
  for (let globs = [glob]; ;) {
    const split = globs.flatMap(splitFirstBrace);
    if (split.length > maxAlternatives) return [glob];
    if (split.length === globs.length) return [...new Set(globs)];
    globs = split;
  }
}

/** What the first innermost brace becomes; the pattern itself without one. */
function splitFirstBrace(pattern: string): string[] {
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
  return [pattern];
}
