// Marks that stand for text left out: "...", "// ... existing code ...", in any comment style.
import { trimEndSigns } from "../trim-signs.ts";

const commentStart = /^(?:\/\/+|#+|--+|;+|%+|\/\*+|<!--|\{\/\*|\(\*|\*|"|')?[ \t]*/;
const commentEnd = /(?:\*\/\}?|-->|\*\)|"|')$/;
const dots = /^(?:\.{3}|…)(?:[ \t]*(?:\.{3}|…))?$/;
const words =
  /^(?:\.{3}|…)[ \t]*(?:[([][ \t]*)?(?:the |your )?(?:existing|rest|remaining|unchanged|other|same|previous|omitted|keep|more)\b[^]{0,80}$/i;

/** `words` say it, and so do dots in a comment; bare dots may also be code (Python has such a statement). */
export type Elision = "words" | "comment" | "dots";

/** Says whether a line stands for text left out. */
export function elisionOf(line: string): Elision | undefined {
  if (line.length > 200 || !/\.{3}|…/.test(line)) return undefined;
  const trimmed = line.trim();
  const content = withoutCommentEnd(trimmed.replace(commentStart, ""));
  if (words.test(content)) return "words";
  if (!dots.test(content)) return undefined;
  return content === trimmed || /^["'*]/.test(trimmed) ? "dots" : "comment";
}

function withoutCommentEnd(text: string): string {
  const [end] = commentEnd.exec(text) ?? [];
  if (end === undefined) return text;
  const rest = text.slice(0, -end.length);
  return trimEndSigns(end.startsWith("*/") ? trimEndSigns(rest, "*") : rest, " \t");
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
  const places = placesByLine(search);
  let from = 0;
  const segments = splitAtElisions(replace, isSureElision);
  for (const [nth, segment] of segments.entries()) {
    if (nth > 0) {
      const before = segments[nth - 1]?.findLast(isSolid);
      const after = segment.find(isSolid);
      const start =
        before === undefined ? (nth === 1 ? 0 : undefined) : placeAfter(places, before, from);
      if (start === undefined) return undefined;
      const isLast = after === undefined && nth === segments.length - 1;
      const end = isLast
        ? search.length
        : after === undefined
          ? undefined
          : placeOf(places, after, start);
      if (end === undefined) return undefined;
      for (const line of withoutEdgeBlanks(search.slice(start, end), filled, segment)) {
        filled.push(line);
      }
      from = end;
    }
    for (const line of segment) filled.push(line);
  }
  return filled;
}

/** Blank lines that REPLACE has beside the mark already are not filled in again. */
function withoutEdgeBlanks(
  lines: readonly string[],
  above: readonly string[],
  below: readonly string[],
): readonly string[] {
  const solidBelow = below.findIndex(isSolid);
  const blanksAbove = above.length - above.findLastIndex(isSolid) - 1;
  const blanksBelow = solidBelow === -1 ? below.length : solidBelow;
  const first = lines.findIndex(isSolid);
  const head = Math.min(blanksAbove, first === -1 ? lines.length : first);
  const tail = lines.length - 1 - lines.findLastIndex(isSolid);
  return lines.slice(head, Math.max(head, lines.length - Math.min(blanksBelow, tail)));
}

function isSolid(line: string): boolean {
  return line.trim() !== "";
}

type Places = ReadonlyMap<string, readonly number[]>;

function placesByLine(lines: readonly string[]): Places {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const known = places.get(line.trim());
    if (known === undefined) places.set(line.trim(), [at]);
    else known.push(at);
  }
  return places;
}

function placeAfter(places: Places, line: string, from: number): number | undefined {
  const place = placeOf(places, line, from);
  return place === undefined ? undefined : place + 1;
}

/** The only place of a line from `from` on. */
function placeOf(places: Places, line: string, from: number): number | undefined {
  const known = places.get(line.trim()) ?? [];
  const [beforeLast = -1, last = -1] = known.length > 1 ? known.slice(-2) : [-1, ...known];
  return last >= from && beforeLast < from ? last : undefined;
}
