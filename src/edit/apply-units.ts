// All units of one file, or none.
import { applyExact } from "./apply-exact.ts";
import { decodeUnit } from "./decoration.ts";
import {
  describeAmbiguous,
  describeDiff,
  describeElision,
  describeIndentation,
  describeMissingFile,
  describeNoChange,
  describeNoMatch,
  describeOverlap,
  describeUnquoted,
} from "./describe-error.ts";
import type {
  AppliedUnit,
  EditError,
  EditResult,
  EditUnit,
  LineRange,
  ParsedUnit,
} from "./edit-unit.ts";
import { FileIndex } from "./file-index.ts";
import { locateReading } from "./locate-reading.ts";
import { type LocatedUnit, rangeOf } from "./located-unit.ts";
import { type Change, mergeReplace } from "./merge-replace.ts";
import { replaceFile } from "./replace-file.ts";
import { splice } from "./splice.ts";

type Unit = EditUnit | ParsedUnit;
type Failed = Extract<LocatedUnit, { ok: false }>;
type Found = Extract<LocatedUnit, { ok: true }>;

export interface ApplyOptions {
  /**
   * Where a unit that fits several places is meant: by its number (1-based) the first line (1-based) of
   * one of the candidates that the refusal named. Units with marks of text left out cannot be
   * chosen so: their candidates may begin on the same line.
   */
  places?: ReadonlyMap<number, number>;
}

/** With so many units that failed, the rest is not looked at. */
const mostFailures = 10;

/**
 * Applies SEARCH/REPLACE units to the text of a file: all of them, or none. Every SEARCH is looked up in
 * the text as it was before; the order of the units need not be the order in the file.
 *
 * Line ends, a byte-order mark, the final newline (or its absence), the indentation style and every byte
 * that no unit means to change are kept. It never throws.
 *
 * @param before the text of the file; undefined if there is no such file
 */
export function applyUnits(
  before: string | undefined,
  units: readonly Unit[],
  { places = new Map() }: ApplyOptions = {},
): EditResult {
  if (units.length === 0) {
    return { ok: false, error: describeDiff("malformed", "The edit holds no unit.") };
  }
  const whole = units.map(toWholeLines);
  const replaced = replaceFile(before, whole);
  if (replaced !== undefined) return replaced;
  if (before === undefined) return { ok: false, error: describeMissingFile() };
  const result = applyExact(before, whole) ?? applyByIndex(new FileIndex(before), whole, places);
  if (result.ok && result.text === before) return { ok: false, error: describeNoChange() };
  return result;
}

/**
 * Units that callers made themselves may lack the last line end, or have others. A byte-order mark is the
 * file's business.
 */
function toWholeLines<Any extends Unit>(unit: Any): Any {
  const [search, replace] = [wholeLines(unit.search), wholeLines(unit.replace)];
  return search === unit.search && replace === unit.replace ? unit : { ...unit, search, replace };
}

function wholeLines(text: string): string {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const lines = body.includes("\r\n") ? body.replaceAll("\r\n", "\n") : body;
  return lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
}

function applyByIndex(
  index: FileIndex,
  units: readonly Unit[],
  places: ReadonlyMap<number, number>,
): EditResult {
  const errors: EditError[] = [];
  const found: { number: number; unit: Unit; located: Found }[] = [];
  for (const [nth, unit] of units.entries()) {
    if (errors.length === mostFailures) break;
    const located = locateReading(unit, index, places.get(nth + 1));
    if (located.ok) found.push({ number: nth + 1, unit, located });
    else errors.push(describeFailed(located, unit, nth + 1, index));
  }
  const isEscaped = found.some(({ located }) => located.hasEntities === true);
  const changes: OwnedChange[] = [];
  const applied: AppliedUnit[] = [];
  for (const { number, unit, located } of found) {
    const range = rangeOf(located.parts.flatMap(({ at }) => at));
    applied.push({ level: located.level, ...range });
    for (const part of located.parts) {
      const mayDecode = isEscaped && located.hasEntities !== true && !/[<>&]/.test(unit.search);
      const merge = mergeReplace(mayDecode ? { ...part, ...decodeUnit(part) } : part, index);
      if (merge.ok) {
        for (const change of merge.changes) changes.push({ ...change, unit: number, range });
      } else if (merge.code === "unquoted") {
        errors.push(describeUnquoted(number, merge.line + 1, index.line(merge.line)));
      } else errors.push(describeIndentation(number, range, merge.line));
    }
  }
  const [first, ...others] = errors;
  if (first !== undefined) {
    return { ok: false, error: others.length === 0 ? first : { ...first, others } };
  }
  changes.sort(inFileOrder);
  const overlap = findOverlap(changes);
  if (overlap !== undefined) return { ok: false, error: overlap };
  return { ok: true, text: splice(index, changes), units: applied };
}

function describeFailed(failed: Failed, unit: Unit, number: number, index: FileIndex): EditError {
  if (failed.code === "ambiguous") return describeAmbiguous(number, failed.candidates);
  if (failed.code === "elision") return describeElision(number);
  return describeNoMatch(number, unit.search, unit.replace, index);
}

/** A change, the number of its unit, and the lines that the unit quotes (1-based). */
interface OwnedChange extends Change {
  unit: number;
  range: LineRange;
}

/** Additions at one place stand in the order of the lines that their units quote. */
function inFileOrder(a: OwnedChange, b: OwnedChange): number {
  return (
    a.start - b.start || a.end - b.end || a.range.startLine - b.range.startLine || a.unit - b.unit
  );
}

function findOverlap(changes: readonly OwnedChange[]): EditError | undefined {
  for (const [nth, change] of changes.entries()) {
    const before = changes[nth - 1];
    if (before === undefined || before.unit === change.unit) continue;
    const isInside = change.start < before.end;
    // Two additions at one place: their order is clear only if one unit ends where the other begins.
    const isSamePlace = change.start === change.end && before.end === change.start;
    const isOrdered = before.range.endLine <= change.start && change.range.startLine > change.start;
    const isAddition = before.start === before.end;
    if (isInside || (isSamePlace && isAddition && !isOrdered)) {
      const startLine = change.start + 1;
      const endLine = Math.max(startLine, Math.min(before.end, change.end));
      return describeOverlap([before.unit, change.unit], { startLine, endLine });
    }
  }
  return undefined;
}
