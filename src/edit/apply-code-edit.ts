// Code with `// ... existing code ...` where nothing changes (seed: coding-agent, edit_file).
import { commonLines } from "./describe/compare-lines.ts";
import {
  describeElision,
  describeIndentation,
  describeNoChange,
  describeSegment,
  describeUnseen,
  describeWholeFile,
} from "./describe/describe-error.ts";
import type { AppliedUnit, EditError, EditResult } from "./edit-unit.ts";
import { foldPlaceholders, splitAtMarks } from "./find/elision.ts";
import { FileIndex } from "./find/file-index.ts";
import { findIndentRule, identityRule, indentOf } from "./merge/indentation.ts";
import { linesOf } from "./lines-of.ts";
import { type Change, mergeReplace } from "./merge/merge-replace.ts";
import {
  inlinePlaceholders,
  isPythonBody,
  mayHoldPlaceholder,
  placeholderOf,
} from "./placeholder.ts";
import { type PlacedSegment, placeSegment } from "./find/place-segment.ts";
import { replaceFile } from "./merge/replace-file.ts";
import { splice } from "./merge/splice.ts";
import { finish } from "./steps.ts";

/** Lines between those that the edit shows; more do not go unseen. */
const maxUnseen = 40;

/**
 * Applies a code edit: segments of code between marks that stand for unchanged text. A segment is placed
 * by the unchanged lines that it begins or ends with; what the file has between them becomes what the
 * segment has. Before the first mark and after the last, the edit shows the file from its start and to its
 * end. Without any mark the edit is the whole file, and is refused if that would lose most of it.
 *
 * @param before the text of the file; undefined if there is no such file
 */
export function applyCodeEdit(before: string | undefined, codeEdit: string): EditResult {
  const index = FileIndex.of(before ?? "");
  const lines = foldPlaceholders(linesOf(codeEdit));
  if (index.solidLines.length > 0 && lines.some((line) => isUnclear(line, index)))
    return { ok: false, error: describeElision(1) };
  const segments = splitSegments(lines, index);
  if (index.solidLines.length === 0 || segments.length === 1) {
    return applyWhole(before, segments.flat(), index);
  }
  const changes: Change[] = [];
  const applied: AppliedUnit[] = [];
  let from = 0;
  for (const [nth, segment] of segments.entries()) {
    if (segment.every((line) => line.trim() === "")) continue;
    const [isFirst, isLast] = [nth === 0, nth === segments.length - 1];
    const placed = placeSegment(segment, index, { from, isFirst, isLast });
    if ("code" in placed) {
      const candidates = placed.code === "ambiguous" ? placed.candidates : undefined;
      return { ok: false, error: describeSegment(nth + 1, segment, candidates) };
    }
    const change = toChanges(segment, placed, index, nth + 1);
    if (!Array.isArray(change)) return { ok: false, error: change };
    for (const one of change) changes.push(one);
    applied.push({ level: "elision", startLine: placed.start + 1, endLine: placed.end });
    from = placed.end;
  }
  const text = splice(index, changes);
  if (text === before) return { ok: false, error: describeNoChange() };
  return { ok: true, text, units: applied };
}

/** Dots without words are a mark unless the file itself has such a line. */
function splitSegments(lines: readonly string[], index: FileIndex): string[][] {
  return splitAtMarks(lines, (line, at) => {
    const kind = placeholderOf(line);
    if (kind === undefined || kind === "words") return kind === "words";
    if (kind === "phrase" || index.formOf(line) !== -1) return false;
    return kind === "comment" || !isPythonBody(lines, at);
  });
}

/** A line that may be a mark or not, or holds one inside. */
function isUnclear(line: string, index: FileIndex): boolean {
  if (!mayHoldPlaceholder(line) || index.formOf(line) !== -1) return false;
  const kind = placeholderOf(line);
  return kind === "phrase" || (kind === undefined && inlinePlaceholders(line).length > 0);
}

function applyWhole(
  before: string | undefined,
  lines: readonly string[],
  index: FileIndex,
): EditResult {
  const trimmed = (line: string) => line.trim();
  const file = index.solidLines.map((line) => index.line(line).trim());
  const shown = lines.map(trimmed).filter((line) => line !== "");
  const kept = finish(commonLines(file, shown)).length;
  if (kept * 2 < file.length)
    return { ok: false, error: describeWholeFile("shows less than half of it") };
  const replace = lines.map((line) => `${line}\n`).join("");
  const unit = { search: "", replace };
  return replaceFile(before, [unit]) ?? { ok: false, error: describeNoChange() };
}

function toChanges(
  segment: readonly string[],
  { start, end, at }: PlacedSegment,
  index: FileIndex,
  number: number,
): Change[] | EditError {
  const file = Array.from({ length: end - start }, (_, nth) => index.line(start + nth));
  const rule = findIndentRule(
    segment.flatMap((line, nth) => {
      const fileLine = at[nth] ?? -1;
      return fileLine === -1 || line.trim() === ""
        ? []
        : [{ search: indentOf(line), file: indentOf(index.line(fileLine)) }];
    }),
  );
  const wanted: string[] = [];
  for (const [nth, line] of segment.entries()) {
    const fileLine = at[nth] ?? -1;
    const blanks = line.trim() === "" ? "" : rule?.map(indentOf(line), nth === 0);
    if (fileLine !== -1) wanted.push(index.line(fileLine));
    else if (blanks === undefined) {
      return describeIndentation(number, { startLine: start + 1, endLine: end }, line);
    } else wanted.push(line.trim() === "" ? line : blanks + line.trimStart());
  }
  const lost = file.length - finish(commonLines(file, wanted)).length;
  if (lost > maxUnseen && lost > 2 * wanted.length) {
    return describeUnseen(number, { startLine: start + 1, endLine: end }, lost);
  }
  const lines = file.map((_, nth) => start + nth);
  const edit = { search: file, replace: wanted, at: lines, indent: identityRule, isExact: true };
  if (file.length === 0) return [{ start, end, lines: wanted }];
  const merge = finish(mergeReplace(edit, index));
  // Every line of the range is quoted, and its indentation is the file's: a merge cannot fail.
  return merge.ok ? merge.changes : [];
}
