// The units that were found, merged into the text: all of them, or what is wrong with them.
import { decodeUnit } from "./find/decoration.ts";
import {
  describeElision,
  describeIndentation,
  describeMarker,
  describeOverlap,
  describeUnquoted,
} from "./describe/describe-error.ts";
import type { AppliedUnit, EditError, EditUnit, LineRange, ParsedUnit } from "./edit-unit.ts";
import { findMarker } from "./find-marker.ts";
import type { FileIndex } from "./find/file-index.ts";
import { type LocatedUnit, rangeOf } from "./find/located-unit.ts";
import { type Change, mergeReplace } from "./merge/merge-replace.ts";
import { splice } from "./merge/splice.ts";

export type Found = Extract<LocatedUnit, { ok: true }>;

/** A unit, its number (1-based), and where it was found. */
export interface FoundUnit {
  number: number;
  unit: EditUnit | ParsedUnit;
  located: Found;
}

/** A change, the number of its unit, and the lines that the unit quotes (1-based). */
export interface OwnedChange extends Change {
  unit: number;
  range: LineRange;
}

/** The text, and the changes that made it, in their order; or all that is wrong. */
export type Merged =
  | { ok: true; text: string; changes: OwnedChange[] }
  | { ok: false; errors: EditError[] };

export function mergeFound(found: readonly FoundUnit[], index: FileIndex): Merged {
  const errors: EditError[] = [];
  const isEscaped = found.some(({ located }) => located.hasEntities === true);
  const changes: OwnedChange[] = [];
  for (const { number, unit, located } of found) {
    const { level: _, ...range } = toApplied(located);
    for (const part of located.parts) {
      const mayDecode = isEscaped && located.hasEntities !== true && !/[<>&]/.test(unit.search);
      const asWritten = mayDecode ? { ...part, ...decodeUnit(part) } : part;
      const merge = mergeReplace(asWritten, index);
      const written = merge.ok ? merge.changes.flatMap(({ lines }) => lines) : [];
      const marker = findMarker(unit, written, (line) => index.formOf(line) !== -1);
      if (marker !== undefined) errors.push(describeMarker(number, marker));
      else if (merge.ok) {
        for (const change of merge.changes) changes.push({ ...change, unit: number, range });
      } else if (merge.code === "unquoted") {
        errors.push(describeUnquoted(number, merge.line + 1, index.line(merge.line)));
      } else if (merge.code === "elision") errors.push(describeElision(number));
      else errors.push(describeIndentation(number, range, merge.line));
    }
  }
  if (errors.length > 0) return { ok: false, errors };
  changes.sort(inFileOrder);
  const overlap = findOverlap(changes);
  if (overlap !== undefined) return { ok: false, errors: [overlap] };
  return { ok: true, text: splice(index, changes), changes };
}

export function toApplied({ level, parts }: Found): AppliedUnit {
  return { level, ...rangeOf(parts.flatMap(({ at }) => at)) };
}

/** Additions at one place stand in the order of the lines that their units quote, then of the units. */
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
    const isSamePlace = change.start === change.end && before.end === change.start;
    const isAddition = before.start === before.end;
    if (isInside || (isSamePlace && isAddition && !isOrdered(before, change))) {
      const startLine = change.start + 1;
      const endLine = Math.max(startLine, Math.min(before.end, change.end));
      return describeOverlap([before.unit, change.unit], { startLine, endLine });
    }
  }
  return undefined;
}

/**
 * The order of two additions at one place is clear if one unit ends where the other begins, or if both quote
 * the same first or last line: then they come in the order of the units.
 */
function isOrdered({ range: one }: OwnedChange, { range: other, start }: OwnedChange): boolean {
  if (one.startLine === other.startLine || one.endLine === other.endLine) return true;
  return one.endLine <= start && other.startLine > start;
}
