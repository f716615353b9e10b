// Marks that stand for text left out: "...", "// ... existing code ...", in any comment style.

const commentStart = /^(?:\/\/+|#+|--+|;+|%+|\/\*+|<!--|\{\/\*|\(\*|\*|"|')?[ \t]*/;
const commentEnd = /[ \t]*(?:\*+\/\}?|-->|\*\)|"|')?$/;
const dots = /^(?:\.{3}|…)(?:[ \t]*(?:\.{3}|…))?$/;
const words =
  /^(?:\.{3}|…)[ \t]*[([]?[ \t]*(?:the |your )?(?:existing|rest|remaining|unchanged|other|same|previous|omitted|keep|more)\b[^]{0,80}$/i;

/** `words` say it, and so do dots in a comment; bare dots may also be code (Python has such a statement). */
export type Elision = "words" | "comment" | "dots";

/** Says whether a line stands for text left out. */
export function elisionOf(line: string): Elision | undefined {
  if (line.length > 200 || !/\.{3}|…/.test(line)) return undefined;
  const trimmed = line.trim();
  const content = trimmed.replace(commentStart, "").replace(commentEnd, "");
  if (words.test(content)) return "words";
  if (!dots.test(content)) return undefined;
  return content === trimmed || /^["'*]/.test(trimmed) ? "dots" : "comment";
}

/** Not to be taken for code, even where nothing else speaks for a mark. */
export function isSureElision(elision: Elision | undefined): boolean {
  return elision === "words" || elision === "comment";
}

/** The lines between marks; one segment more than there are marks. */
export function splitAtElisions(
  lines: readonly string[],
  isMark: (elision: Elision | undefined) => boolean = (elision) => elision !== undefined,
): string[][] {
  const segments: string[][] = [[]];
  for (const line of lines) {
    if (isMark(elisionOf(line))) segments.push([]);
    else segments.at(-1)?.push(line);
  }
  return segments;
}

/**
 * Fills marks that stand in REPLACE only with the lines of SEARCH that they stand for: those between the
 * line before the mark and the line after it. Undefined if that cannot be told.
 */
export function fillElisions(
  search: readonly string[],
  replace: readonly string[],
): string[] | undefined {
  const filled: string[] = [];
  let from = 0;
  const segments = splitAtElisions(replace, isSureElision);
  for (const [nth, segment] of segments.entries()) {
    if (nth > 0) {
      const before = segments[nth - 1]?.findLast(isSolid);
      const after = segment.find(isSolid);
      const start =
        before === undefined ? (nth === 1 ? 0 : undefined) : placeAfter(search, before, from);
      if (start === undefined) return undefined;
      const isLast = after === undefined && nth === segments.length - 1;
      const end = isLast
        ? search.length
        : after === undefined
          ? undefined
          : placeOf(search, after, start);
      if (end === undefined) return undefined;
      const own = search.slice(start, end);
      const blanksAbove = filled.length - filled.findLastIndex(isSolid) - 1;
      const solidAt = segment.findIndex(isSolid);
      const blanksBelow = solidAt === -1 ? segment.length : solidAt;
      for (let k = 0; k < blanksAbove && own.length > 0 && !isSolid(own[0] ?? ""); k += 1)
        own.shift();
      for (let k = 0; k < blanksBelow && own.length > 0 && !isSolid(own.at(-1) ?? ""); k += 1)
        own.pop();
      filled.push(...own);
      from = end;
    }
    filled.push(...segment);
  }
  return filled;
}

function isSolid(line: string): boolean {
  return line.trim() !== "";
}

function placeAfter(lines: readonly string[], line: string, from: number): number | undefined {
  const place = placeOf(lines, line, from);
  return place === undefined ? undefined : place + 1;
}

/** The only place of a line from `from` on. */
function placeOf(lines: readonly string[], line: string, from: number): number | undefined {
  const isSame = (other: string) => other.trim() === line.trim();
  const place = lines.findIndex((other, at) => at >= from && isSame(other));
  if (place === -1 || lines.findLastIndex(isSame) !== place) return undefined;
  return place;
}
