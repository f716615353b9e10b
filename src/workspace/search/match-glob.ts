// Wildcards in paths, in time that grows with pattern times path: both come from models and from anywhere.

/** How many patterns `{a,b}` may become; if it would become more, braces mean themselves. */
const maxAlternatives = 64;
/** Of a pattern in characters, and the stars in it: no path is as long, and no name has room for as many. */
const [maxPattern, maxStars] = [4_096, 500];

/** The path of a file, or of a folder above it, relative and with "/". */
export type PathTest = (path: string) => boolean;

/**
 * Glob patterns over relative paths: `*.ts` is meant at any depth, `src/*.ts` and `/a.ts` from the root, `src` and
 * `src/` with all that is inside; `*.ts` is a kind of file, and no folder `chart.ts`. `*`, `?`, `[a-z]`, `{a,b}`,
 * `**`; names with a dot before are as any other.
 */
export function createGlobTest(globs: readonly string[]): PathTest {
  const tests = globs.flatMap(expandBraces).flatMap((glob): PathTest[] => {
    const isAnchored = glob.replace(/^\.\//, "/").slice(0, -1).includes("/");
    const parts = glob.split("/").filter((part) => part !== "" && part !== ".");
    // What fits a folder above is all that is inside of it.
    const [before, behind] = [isAnchored ? [] : ["**"], isKindOfFile(glob) ? [] : ["**"]];
    const fits = parsePattern([...before, ...parts, ...behind].join("/"));
    return parts.length === 0 || fits === undefined ? [] : [fits];
  });
  return (path) => tests.some((fits) => fits(path));
}

/** Whether a pattern names no more than the ending of files, such as `*.ts`. */
export function isKindOfFile(glob: string): boolean {
  return /^\*\.[a-z0-9]+$/i.test(glob);
}

/**
 * Reads `*`, `?`, `[a-z]`, `[!a-z]`, `\` before a character that means itself, and names of nothing but several stars.
 *
 * @param isStrict a bracket that is not closed, and a backslash at the end, then make it undefined; else they mean
 *   themselves
 * @returns whether a path fits from the first character to the last; undefined also where none ever does
 */
export function parsePattern(written: string, isStrict = false): PathTest | undefined {
  if (written.length > maxPattern || written.split(star).length > maxStars) return undefined;
  // Most ignored names have no wildcards.
  if (!/[*?[\\]/.test(written)) return (path) => path === written;
  const lastBracket = written.lastIndexOf("]");
  const sign = /\\?([^])/uy;
  const names: string[][] = [[]];
  for (let at = 0; at < written.length; at = sign.lastIndex) {
    sign.lastIndex = at;
    const [whole = "\\", character = "\\"] = sign.exec(written) ?? [];
    const set = whole === "[" && at < lastBracket ? readSet(written, at) : undefined;
    const isLost = at + 1 === written.length && whole === "\\";
    if (isStrict && (isLost || (whole === "[" && set === undefined))) return undefined;
    sign.lastIndex = set?.end ?? at + whole.length;
    if (character === "/") names.push([]);
    else names.at(-1)?.push(set?.source ?? wildcards[whole] ?? toSource(character));
  }
  // Each of its stars is followed once; what was written is in it as codes of characters.
  // oxlint-disable-next-line patterns/no-built-pattern
  const expression = new RegExp(toExpression(names), "u");
  return (path) => expression.test(`${path}/`);
}

const star = "*";
const wildcards: Readonly<Record<string, string>> = { "*": star, "?": "[^/]" };

function toSource(character: string): string {
  return `\\u{${codeOf(character).toString(16)}}`;
}

/**
 * Each name ends with "/", the last one as well. Only the last star of a name, and the last "**", are ever tried again,
 * which suffices: what comes before has been matched as early as possible.
 */
function toExpression(names: readonly (readonly string[])[]): string {
  let count = 0;
  const first = (place: string, part: string): string => {
    if (part === "") return "";
    count += 1;
    return `(?=(?<_${count}>${place}*?${part}))\\k<_${count}>`;
  };
  const nameOf = (signs: readonly string[]): string => {
    const [start = [], ...others] = splitAt(signs, (sign) => sign === star);
    const end = others.pop();
    const between = others.map((part) => first("[^/]", part.join("")));
    const last = end && `(?=[^/]{${end.length}})[^/]*/(?<=${end.join("")}/)`;
    return [...start, ...between, last ?? "/"].join("");
  };
  const [start = "", ...others] = splitAt(names, isDeep).map((some) => some.map(nameOf).join(""));
  const end = others.pop();
  const between = others.map((part) => first("(?:[^/]*/)", part));
  const last = end && `(?:[^/]*/)*${end}$`;
  return ["^", start, ...between, last ?? "$"].join("");
}

/** Any number of whole names. */
function isDeep(signs: readonly string[]): boolean {
  return signs.length > 1 && signs.every((sign) => sign === star);
}

function splitAt<Item>(items: readonly Item[], is: (item: Item) => boolean): Item[][] {
  const parts: Item[][] = [[]];
  for (const item of items)
    if (is(item)) parts.push([]);
    else parts.at(-1)?.push(item);
  return parts;
}

/** The classes of ASCII, as they are written in a set. */
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
 * A set of characters as `[a-z]`, read as git reads it (wildmatch.c); it never fits a "/".
 *
 * @returns undefined if the bracket at `start` is never closed, or names a class that does not exist
 */
function readSet(
  text: string,
  start: number,
): { source: string; /** Behind its last bracket. */ end: number } | undefined {
  const isNegated = /^[!^]$/.test(text[start + 1] ?? "");
  const first = start + (isNegated ? 2 : 1);
  let ranges = "";
  const element = /\[:([^\]]*):\]|\\?(.)(?:-(?!\])\\?(.))?/suy;
  element.lastIndex = first;
  for (let at = first; text[at] !== "]" || at === first; at = element.lastIndex) {
    const [, name, from, to = from] = element.exec(text) ?? [];
    const own = from === undefined || to === undefined ? undefined : from + to;
    const ends = name === undefined ? own : classes.get(name);
    if (ends === undefined) return undefined;
    const codes = Array.from(ends);
    for (let nth = 0; nth < codes.length; nth += 2) {
      const [low = "", high = ""] = codes.slice(nth, nth + 2);
      // A range that ends before it begins is its first character.
      const end = codeOf(low) <= codeOf(high) ? high : low;
      ranges += `${toSource(low)}-${toSource(end)}`;
    }
  }
  const source = isNegated ? `[^/${ranges}]` : `(?!/)[${ranges}]`;
  return { source, end: element.lastIndex + 1 };
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
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
