import { matchSegment, matchWithStars, parseSegment, type SegmentPattern } from "./glob-segment.ts";

/** How many patterns `{a,b}` may become; if it would become more, braces mean themselves. */
const maxAlternatives = 64;

/** The path of a file, or of a folder above it, relative and with "/". */
export type PathTest = (path: string) => boolean;

/** A pattern as its segments; "**" is any number of them. */
export type PathPattern = readonly (SegmentPattern | "**")[];

/**
 * Glob patterns over relative paths: `*.ts` is meant at any depth, `src/*.ts` and `/a.ts` from the root, `src` and
 * `src/` with all that is inside; `*.ts` is a kind of file, and no folder `chart.ts`. `*`, `?`, `[a-z]`, `{a,b}`, `**`; names with a dot before are as any other.
 * Takes linear time for each pattern: they come from models, paths from anywhere.
 */
export function createGlobTest(globs: readonly string[]): PathTest {
  const patterns = globs
    .flatMap((glob) => expandBraces(glob))
    .map((glob) => ({ pattern: parseGlob(glob), isKind: isKindOfFile(glob) }))
    .filter(({ pattern }) => pattern.length > 0)
    // What fits a folder above is all that is inside of it.
    .map(({ pattern, isKind }): PathPattern => (isKind ? pattern : [...pattern, "**"]));
  return (path) => {
    const segments = path.split("/");
    return patterns.some((pattern) => matchPath(pattern, segments));
  };
}

/** Whether a pattern names no more than the ending of files, such as `*.ts`. */
export function isKindOfFile(glob: string): boolean {
  return /^\*\.[a-z0-9]+$/i.test(glob);
}

/** Whether segments fit a pattern from the first to the last. */
export function matchPath(pattern: PathPattern, segments: readonly string[]): boolean {
  return matchWithStars(
    pattern.length,
    segments.length,
    (nth) => pattern[nth] === "**",
    (nth, at) => {
      const part = pattern[nth];
      return part !== undefined && part !== "**" && matchSegment(part, segments[at] ?? "");
    },
  );
}

/** Segments of a written pattern; one without a slash is meant at any depth. */
function parseGlob(written: string): PathPattern {
  const glob = written.startsWith("./") ? written.slice(1) : written;
  const isAnchored = glob.slice(0, -1).includes("/");
  const parts = glob.split("/").filter((part) => part !== "" && part !== ".");
  const pattern = parts.map((part) => (part === "**" ? part : parseSegment(part)));
  return isAnchored || pattern.length === 0 ? pattern : ["**", ...pattern];
}

/** `a.{ts,js}` as `a.ts` and `a.js`; nested ones, too. */
export function expandBraces(glob: string): string[] {
  let done: string[] = [];
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
  done = [...new Set(done)];
  return done;
}

/** What the first innermost brace becomes; undefined without one. */
function splitFirstBrace(pattern: string): string[] | undefined {
  const commas: number[] = [];
  let start = -1;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "\\") at += 1;
    else if (character === "{") {
      start = at;
      commas.length = 0;
    } else if (character === "," && start !== -1) commas.push(at);
    else if (character === "}" && start !== -1 && commas.length > 0) {
      const ends = [start, ...commas, at];
      return ends
        .slice(1)
        .map(
          (end, nth) =>
            pattern.slice(0, start) +
            pattern.slice((ends[nth] ?? 0) + 1, end) +
            pattern.slice(at + 1),
        );
    } else if (character === "}") start = -1;
  }
  return undefined;
}
