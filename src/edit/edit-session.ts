// The units of one file as they come: each is looked up at once, all of them are applied at the end, or none.
import {
  type AppliedUnit,
  type EditError,
  type EditLevel,
  type EditResult,
  type EditUnit,
  type GivenUnit,
  type LineRange,
  editLevels,
  maxCandidates,
  overlaps,
} from "./edit-unit.ts";
import {
  describeAmbiguous,
  describeConflict,
  describeDiff,
  describeElision,
  describeIndentation,
  describeMarker,
  describeMissingFile,
  describeNoChange,
  describeNoMatch,
  describeOverlap,
  describeUnquoted,
  describeWholeFile,
} from "./describe-error.ts";
import { FileIndex } from "./find/file-index.ts";
import type { Prose } from "./find/guess-prose.ts";
import { type LocatedReading, bareUnit, changeAll, locateReading } from "./find/locate-unit.ts";
import { type LocatedUnit, rangeOf } from "./find/place.ts";
import { leavesOut } from "./placeholder.ts";
import { findMarker, quotedConflict, settleMarkers, strayMarker } from "./find-marker.ts";
import { looseText } from "./find/loose-text.ts";
import { joinLines, linesOf } from "../base/text/lines.ts";
import { decodeUnit } from "./find/decoration.ts";
import { type Change, mergeReplace, splice } from "./find/merge-replace.ts";

export interface ApplyOptions {
  /**
   * Where a unit that fits several places is meant: by its number (1-based) the first line (1-based) of
   * one of the candidates that the refusal named, or which of so many it is, wherever they are by now. Units with
   * marks of text left out cannot be chosen so: their candidates may begin on the same line.
   */
  places?: ReadonlyMap<number, number | ChosenPlace>;
  /** Lines in which a unit is meant that fits several places, if just one of them has lines of these. */
  within?: LineRange | undefined;
  /**
   * The comments and strings of the text as it was before, as offsets. A part of a line that is quoted as
   * code is not looked for in them. Where they are not known, whatever may be one counts.
   */
  prose?: Prose | undefined;
  /** The units quote the text as it was once: where a line of it has changed since, they are not found. */
  isQuoted?: boolean;
}

/** A place that was chosen for a unit which fits several. */
export interface ChosenPlace {
  startLine: number;
  /** Its number among the places that fit, 1-based, and how many these are (at most ten are told). */
  nth: number;
  of: number;
}

/** Where a unit is in the file, or why it was not found. */
export type UnitPlace = ({ ok: true } & AppliedUnit) | { ok: false; error: EditError };

type Failed = Extract<LocatedUnit, { ok: false }>;

/** Units; once so many have failed, the rest is not looked at. */
const maxFailures = 10;

/** Units; each that quotes another is looked for in a text of its own. */
const maxChained = 10;

/** Takes the units of one file one by one. It never throws. */
export class EditSession {
  /** As they were understood: of several readings of a unit, the one whose SEARCH is in the file. */
  readonly units: EditUnit[] = [];
  /**
   * Where each unit was found, in their order; undefined for one that was not, and for one that means the
   * whole file.
   */
  readonly foundAt: (AppliedUnit | undefined)[] = [];
  readonly #index: FileIndex | undefined;
  /** By the number of a unit (1-based), what was chosen by the caller or by the lines that are meant. */
  readonly chosen = new Map<number, ChosenPlace>();
  readonly #places: NonNullable<ApplyOptions["places"]>;
  readonly #within: LineRange | undefined;
  readonly #isQuoted: boolean;
  readonly #given: GivenUnit[] = [];
  readonly #found: FoundUnit[] = [];
  /** Units that quote what earlier ones wrote. */
  readonly #chained: ChainedUnit[] = [];
  /** How many were found by lines that differ a little. */
  #misquoted = 0;
  /** The number of the first unit of each text. */
  readonly #numberOf = new Map<string, number>();
  readonly #errors: EditError[] = [];

  /** @param before the text of the file; undefined if there is no such file */
  constructor(
    before: string | undefined,
    { places = new Map(), within, prose, isQuoted = false }: ApplyOptions = {},
  ) {
    this.#index = before === undefined ? undefined : new FileIndex(before, prose);
    this.#places = places;
    this.#within = within;
    this.#isQuoted = isQuoted;
  }

  /**
   * Looks the unit up in the text as it was before. Undefined for a unit that means the whole file, if
   * there is no file, and after ten units that were not found.
   */
  add(given: GivenUnit): UnitPlace | undefined {
    const index = this.#index;
    const unit = settleMarkers(toWholeLines(given), index?.text ?? "");
    const number = this.#given.push(unit);
    const { search } = unit;
    this.units.push(bareUnit(unit));
    this.foundAt.push(undefined);
    if (index === undefined || search === "" || this.#errors.length === maxFailures)
      return undefined;
    const twin = this.#findSame(unit, number);
    if (twin !== undefined) return twin;
    const { reading, located } = this.#locate(unit, number, index);
    this.units[number - 1] = reading;
    // What an earlier unit wrote is quoted as it is; what the file has would be misquoted.
    const isOpen = located.ok
      ? located.level === "similar" && this.#misquoted++ < maxFailures
      : located.code === "no-match";
    const chained = isOpen ? this.#chain(unit, number, index) : undefined;
    const fail = (error: EditError): UnitPlace => {
      this.#errors.push(error);
      return { ok: false, error };
    };
    const conflict = quotedConflict(given, index.text);
    if (conflict !== undefined) return fail(describeConflict(number, conflict));
    const stray = strayMarker(unit, reading);
    if (stray !== undefined && (located.ok || chained !== undefined))
      return fail(describeMarker(number, stray));
    if (chained !== undefined) {
      this.foundAt[number - 1] = chained;
      return { ok: true, ...chained };
    }
    if (!located.ok) return fail(describeFailed(located, unit, number, index));
    this.#found.push({ number, unit, located });
    const place = toApplied(located);
    this.foundAt[number - 1] = place;
    return { ok: true, ...place };
  }

  /** A unit that was there before counts once, if it fits one place. */
  #findSame(unit: GivenUnit, number: number): UnitPlace | undefined {
    const key = [unit.everywhere, unit.search, unit.replace].join("\0");
    const first = this.#numberOf.get(key) ?? number;
    this.#numberOf.set(key, first);
    const place = this.foundAt[first - 1];
    if (place === undefined || this.chosen.has(first)) return undefined;
    this.foundAt[number - 1] = place;
    return { ok: true, ...place };
  }

  #locate(unit: GivenUnit, number: number, index: FileIndex): LocatedReading {
    const found = this.#look(unit, index);
    if (found.located.ok || found.located.code !== "ambiguous") return found;
    const { candidates } = found.located;
    const given = this.#places.get(number);
    const isSame = typeof given === "object" && given.of === candidates.length;
    const wanted = isSame ? (candidates[given.nth - 1] ?? given).startLine : given;
    const line = typeof wanted === "number" ? wanted : undefined;
    const startLine =
      line ?? onlyWithin(candidates, this.#within)?.startLine ?? nearest(candidates, unit);
    if (startLine === undefined) return found;
    const chosen = this.#look(unit, index, startLine);
    if (chosen.located.ok) {
      const nth = candidates.findIndex((place) => place.startLine === startLine) + 1;
      this.chosen.set(number, { startLine, nth, of: candidates.length });
    }
    return chosen;
  }

  #look(unit: GivenUnit, index: FileIndex, startLine?: number): LocatedReading {
    const found = locateReading(unit, index, startLine);
    const { located } = found;
    if (!this.#isQuoted || isVerbatim(located)) return found;
    // Several places are alike.
    const [first] = !located.ok && located.code === "ambiguous" ? located.candidates : [];
    const one = first && locateReading(unit, index, first.startLine).located;
    return one && isVerbatim(one) ? found : { ...found, located: { ok: false, code: "no-match" } };
  }

  /** Applies all units, if every one of them can be. */
  end(): EditResult {
    if (this.#given.length === 0) {
      return { ok: false, error: describeDiff("malformed", "The edit holds no unit.") };
    }
    const index = this.#index;
    // What fills an empty file is not for one that somebody has written since.
    const given = this.#given.map((unit) => (this.#isQuoted ? { ...unit, strict: false } : unit));
    const replaced = replaceFile(index?.text, given);
    if (replaced !== undefined) return replaced;
    if (index === undefined) return { ok: false, error: describeMissingFile() };
    const draft = this.#draft(index);
    const errors = typeof draft === "string" ? this.#errors : [...this.#errors, ...draft];
    const [first, ...others] = errors;
    if (first !== undefined)
      return { ok: false, error: others.length === 0 ? first : { ...first, others } };
    if (typeof draft !== "string" || draft === index.text)
      return { ok: false, error: describeNoChange() };
    return { ok: true, text: draft, units: this.foundAt.filter((place) => place !== undefined) };
  }

  /** The text with all units that were found so far. */
  #draft(index: FileIndex): string | EditError[] {
    let draft = mergeFound(this.#found, index);
    for (const { number, unit } of this.#chained) {
      if (typeof draft !== "string") return draft;
      draft = applyChained(draft, { number, unit })?.text ?? [
        describeNoMatch(number, unit.search, unit.replace, index),
      ];
    }
    return draft;
  }

  /** Where a unit that was not found belongs, if it quotes what earlier ones wrote. */
  #chain(unit: GivenUnit, number: number, index: FileIndex): AppliedUnit | undefined {
    if (this.#chained.length === maxChained) return undefined;
    const quoted = quotedUnit(unit, this.units.slice(0, -1));
    const draft = quoted === -1 ? undefined : this.#draft(index);
    const applied = typeof draft === "string" ? applyChained(draft, { number, unit }) : undefined;
    const place = this.foundAt[quoted];
    if (applied === undefined || place === undefined) return undefined;
    if (this.#isQuoted && !sameLines.includes(applied.level)) return undefined;
    this.#chained.push({ number, unit });
    return { ...place, level: applied.level };
  }
}

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
  units: readonly GivenUnit[],
  options: ApplyOptions = {},
): EditResult {
  const session = new EditSession(before, options);
  for (const unit of units) session.add(unit);
  return session.end();
}

/** Of more places than are told, none is the only one. */
function onlyWithin(
  candidates: readonly LineRange[],
  within: LineRange | undefined,
): LineRange | undefined {
  if (within === undefined || candidates.length === maxCandidates) return undefined;
  // One that begins or ends outside may as well be meant.
  const touched = candidates.filter((one) => overlaps(within, one));
  return touched.length === 1 ? touched[0] : undefined;
}

/** Lines by which the number in a diff may be off; models count badly. */
const mostOff = 3;

/** The place at the line that a diff names, or close to it and to no other. */
function nearest(candidates: readonly LineRange[], { near }: GivenUnit): number | undefined {
  // Of more places than are told, one is at that line, or none.
  if (near === undefined || candidates.length === maxCandidates) return near;
  const away = ({ startLine }: LineRange): number => Math.abs(startLine - near);
  const [first, second] = candidates.toSorted((a, b) => away(a) - away(b));
  if (first === undefined || second === undefined) return undefined;
  return away(first) <= mostOff && away(first) * 3 < away(second) ? first.startLine : undefined;
}

function describeFailed(
  failed: Failed,
  unit: GivenUnit,
  number: number,
  index: FileIndex,
): EditError {
  if (failed.code === "ambiguous") return describeAmbiguous(number, failed.candidates);
  if (failed.code === "elision") return describeElision(number);
  return describeNoMatch(number, unit.search, unit.replace, index);
}

/**
 * Applies units with an empty SEARCH: one that is alone fills a missing or empty file, or replaces a
 * whole one if it is written strictly as specified. (The seed lets any empty SEARCH replace the file;
 * malformed rules have wiped files that way.) Undefined if no SEARCH is empty.
 */
export function replaceFile(
  before: string | undefined,
  units: readonly GivenUnit[],
): EditResult | undefined {
  const unit = units.find(({ search }) => search === "");
  if (unit === undefined) return undefined;
  const isNew = before === undefined || before === "";
  if (units.length > 1) return { ok: false, error: describeWholeFile("has other units as well") };
  if (!isNew && unit.strict === false)
    return { ok: false, error: describeWholeFile("is not written exactly as specified") };
  const known = new Set(linesOf(before ?? "").map((line) => line.trim()));
  const isKnown = (line: string): boolean => known.has(line.trim());
  if (leavesOut(unit.replace, isKnown)) return { ok: false, error: describeElision(1) };
  const lines = linesOf(unit.replace);
  const marker = findMarker(unit, lines, isKnown);
  if (marker !== undefined) return { ok: false, error: describeMarker(1, marker) };
  const index = new FileIndex(before ?? "");
  const endLine = index.lineCount;
  const text = isNew ? unit.replace : splice(index, [{ start: 0, end: endLine, lines }]);
  if (text === before) return { ok: false, error: describeNoChange() };
  const level = isNew ? "new-file" : "whole-file";
  return { ok: true, text, units: [{ level, startLine: 1, endLine }] };
}

// A unit that quotes what an earlier unit has written: it is looked for in the text that the others made.

/** A unit, and its number (1-based). */
interface ChainedUnit {
  number: number;
  unit: GivenUnit;
}

/** Every line of SEARCH has to be there. */
const levels: readonly EditLevel[] = editLevels.slice(0, editLevels.indexOf("blank-lines") + 1);

/** The first of the earlier units that adds a line of SEARCH, or changes texts everywhere; -1 if there is none. */
function quotedUnit({ search, everywhere }: EditUnit, earlier: readonly EditUnit[]): number {
  const wanted = new Set(linesOf(search).map(looseText));
  wanted.delete("");
  const isQuoted = (unit: EditUnit): boolean => {
    const known = new Set(linesOf(unit.search).map(looseText));
    const added = linesOf(unit.replace).map(looseText);
    return added.some((line) => wanted.has(line) && !known.has(line));
  };
  return earlier.findIndex(
    (unit) => everywhere !== undefined || unit.everywhere !== undefined || isQuoted(unit),
  );
}

/** Every line is as it was quoted; only what ends it may differ. */
const sameLines: readonly EditLevel[] = ["exact", "line-ends"];

function isVerbatim(located: LocatedUnit): boolean {
  return located.ok && sameLines.includes(located.level);
}

/** The text with the unit as well; undefined if not every line of its SEARCH is there. */
function applyChained(
  text: string,
  { number, unit }: ChainedUnit,
): { text: string; level: EditLevel } | undefined {
  const index = new FileIndex(text);
  const { located } = locateReading(unit, index);
  if (!located.ok || !levels.includes(located.level)) return undefined;
  const draft = mergeFound([{ number, unit, located }], index);
  return typeof draft === "string" ? { text: draft, level: located.level } : undefined;
}

// The units that were found, merged into the text: all of them, or what is wrong with them.

type Found = Extract<LocatedUnit, { ok: true }>;

interface FoundUnit extends ChainedUnit {
  located: Found;
}

/** A change, the number of its unit, and the lines that the unit quotes (1-based). */
interface OwnedChange extends Change {
  unit: number;
  range: LineRange;
}

function mergeFound(found: readonly FoundUnit[], index: FileIndex): string | EditError[] {
  const errors: EditError[] = [];
  const isEscaped = found.some(({ located }) => located.hasEntities === true);
  const changes: OwnedChange[] = [];
  for (const { number, unit, located } of found) {
    const { level: _, ...range } = toApplied(located);
    const earlier = unit.everywhere === undefined ? [] : [...changes];
    for (const change of earlier) change.lines = linesOf(changeAll(joinLines(change.lines), unit));
    for (const part of located.parts) {
      if (isWritten(part.at, earlier)) continue;
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
  changes.sort(inFileOrder);
  const overlap = errors.length > 0 ? undefined : findOverlap(changes);
  if (overlap !== undefined) errors.push(overlap);
  return errors.length > 0 ? errors : splice(index, changes);
}

/** Whether earlier units have written all of these lines: what they wrote is changed, and no more what was there. */
function isWritten(at: readonly number[], earlier: readonly OwnedChange[]): boolean {
  const [first = 0, last = 0] = [at[0], at.at(-1)];
  return earlier.some(({ start, end }) => start <= first && last < end);
}

function toApplied({ level, parts }: Found): AppliedUnit {
  return { level, ...rangeOf(parts.flatMap(({ at }) => at)) };
}

/** Additions at one place are in the order of the lines that their units quote, then of the units. */
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

/**
 * Units that callers made themselves may lack the last line end, or have others. A byte-order mark is the
 * file's business.
 */
function toWholeLines(unit: GivenUnit): GivenUnit {
  const [search, replace] = [wholeLines(unit.search), wholeLines(unit.replace)];
  return search === unit.search && replace === unit.replace ? unit : { ...unit, search, replace };
}

function wholeLines(text: string): string {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const lines = body.includes("\r\n") ? body.replaceAll("\r\n", "\n") : body;
  return lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
}
