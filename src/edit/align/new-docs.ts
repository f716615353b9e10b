// The documentation that some code has anew for a declaration of the file.
import type { AlignedFile, Alignment } from "./align-segment.ts";
import {
  declaredName,
  docstringEnd,
  headlinesAbove,
  isComment,
  isHeadline,
  type SourceLines,
} from "./source-lines.ts";

/**
 * Where the documentation begins and ends that a segment has anew, above the declaration that it begins with or as the
 * docstring at its end: it takes the place of what the file has there, if anything, of which the segment shows all or nothing.
 */
export function docsOf(
  { at }: Alignment,
  segment: SourceLines,
  { source }: AlignedFile,
): { start: number | undefined; end: number | undefined } {
  const { texts } = segment;
  const size = texts.length;
  const isNew = (from: number, to: number, first: number, last: number): boolean => {
    const known = new Set(source.texts.slice(first, last).filter((text) => text.length > 3));
    return !texts.slice(from, to).some((text) => known.has(text));
  };
  const head = texts.findIndex((text) => !isHeadline(text));
  const line = at[head] ?? -1;
  // A comment whose first line says nothing began above.
  const isTail = /^(?:\/\/[/!]?|#+|--+|;+|%+|\*.*)$/.test(texts[0] ?? "");
  const isDeclared =
    head > 0 && !isTail && line >= 0 && declaredName(texts[head] ?? "") !== undefined;
  const above = isDeclared ? headlinesAbove(source, line) : line;
  const sign = commentSign(texts[0]);
  const isAlike = sign !== "" && (above === line || sign === commentSign(source.texts[above]));
  const isAbove = isDeclared && isAlike && !hasAttribute(source.texts.slice(above, line), texts);
  // A comment that is set apart is shown, too, where nothing of the file between is left out.
  const first = at.find((own) => own !== undefined && own >= 0) ?? above;
  const shown = new Set(at);
  const between = Array.from({ length: Math.max(0, above - first) }, (_, nth) => first + nth);
  const isSetApart = between.length > 0 && between.every((own) => shown.has(own));
  const isOwn = at[0] === above || (!isSetApart && isNew(0, head, above, line));
  const start = isAbove && isOwn ? above : undefined;
  const doc = texts.findIndex((_, nth) => nth > 0 && docstringEnd(segment, nth - 1) === size);
  const below = doc > 0 ? (at[doc - 1] ?? -1) : -1;
  const last = below >= 0 ? docstringEnd(source, below) : -1;
  const isBelow = below >= 0 && (at[size - 1] === last - 1 || isNew(doc, size, below + 1, last));
  return { start, end: isBelow ? last : undefined };
}

/** How a comment begins; "" for a line within one, and for what is no comment. */
function commentSign(text = ""): string {
  return /^(?:\/\*\*?|\/\/[/!]?|#(?!\[)|--|<!--|;;|%%)/.exec(text)?.[0] ?? "";
}

/** An annotation that the segment does not show: it would go with the comment. */
function hasAttribute(lines: readonly string[], shown: readonly string[]): boolean {
  return lines.some((text) => isHeadline(text) && !isComment(text) && !shown.includes(text));
}

/** A declaration has one documentation: what is new of it leaves nothing of the old one. */
export function withDocs(way: Alignment, segment: SourceLines, file: AlignedFile): Alignment {
  const docs = docsOf(way, segment, file);
  const [start, end] = [docs.start ?? way.start, docs.end ?? way.end];
  if (start === way.start && end === way.end) return way;
  const isInside = (line: number): boolean => line >= start && line < end;
  const at = way.at.map((line) =>
    line === undefined || !isInside(line < 0 ? ~line : line) ? undefined : line,
  );
  const shown = at.filter((line) => line !== undefined).length;
  return { ...way, start, end, at, deleted: end - start - shown, inserted: at.length - shown };
}
