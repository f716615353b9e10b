// The units of one file as they come: each is looked up at once, all of them are applied at the end, or none.
import { decodeUnit } from "./find/decoration.ts";
import {
  describeAmbiguous,
  describeDiff,
  describeElision,
  describeIndentation,
  describeMissingFile,
  describeNoChange,
  describeNoMatch,
  describeOverlap,
  describeStrayRule,
  describeUnquoted,
  maxCandidates,
} from "./describe/describe-error.ts";
import type {
  AppliedUnit,
  EditError,
  EditResult,
  EditUnit,
  LineRange,
  ParsedUnit,
} from "./edit-unit.ts";
import { FileIndex } from "./find/file-index.ts";
import type { Prose } from "./find/guess-prose.ts";
import { type LocatedReading, locateReading } from "./find/locate-reading.ts";
import { type LocatedUnit, rangeOf } from "./find/located-unit.ts";
import { type Change, mergeReplace } from "./merge/merge-replace.ts";
import { replaceFile } from "./merge/replace-file.ts";
import { splice } from "./merge/splice.ts";
import { finish, type Steps } from "./steps.ts";
import { settleMarkers, strayMarker } from "./unit-markers.ts";
import { toWholeLines } from "./merge/whole-lines.ts";

export interface ApplyOptions {
  /**
   * Where a unit that fits several places is meant: by its number (1-based) the first line (1-based) of
   * one of the candidates that the refusal named. Units with marks of text left out cannot be
   * chosen so: their candidates may begin on the same line.
   */
  places?: ReadonlyMap<number, number>;
  /** Lines in which a unit is meant that fits several places, if just one of them lies inside. */
  within?: LineRange | undefined;
  /**
   * The comments and strings of the text as it was before, as offsets. A part of a line that is quoted as
   * code is not looked for in them. Where they are not known, whatever may be one counts.
   */
  prose?: Prose | undefined;
}

/** A place that was chosen for a unit which fits several. */
export interface ChosenPlace {
  startLine: number;
  /** Its number among the places that fit, 1-based, and how many these are (at most ten are told). */
  nth: number;
  of: number;
}

/** Where a unit stands in the file, or why it stands nowhere. */
export type UnitPlace = ({ ok: true } & AppliedUnit) | { ok: false; error: EditError };

type Unit = EditUnit | ParsedUnit;
type Failed = Extract<LocatedUnit, { ok: false }>;
type Found = Extract<LocatedUnit, { ok: true }>;

/** Units; once so many have failed, the rest is not looked at. */
const maxFailures = 10;

/** Takes the units of one file one by one. It never throws. */
export class EditSession {
  /** As they were understood: of several readings of a unit, the one whose SEARCH stands in the file. */
  readonly units: EditUnit[] = [];
  /**
   * Where each unit was found, in their order; undefined for one that was not, and for one that means the
   * whole file.
   */
  readonly foundAt: (AppliedUnit | undefined)[] = [];
  readonly #before: string | undefined;
  /** By the number of a unit (1-based), what was chosen by the caller or by the lines that are meant. */
  readonly chosen = new Map<number, ChosenPlace>();
  readonly #places: ReadonlyMap<number, number>;
  readonly #within: LineRange | undefined;
  readonly #prose: Prose | undefined;
  readonly #given: Unit[] = [];
  readonly #found: { number: number; unit: Unit; located: Found; isRepeated: boolean }[] = [];
  /** Units that were found; one that is written again counts once. */
  readonly #known = new Set<string>();
  readonly #errors: EditError[] = [];
  #index: FileIndex | undefined;

  /** @param before the text of the file; undefined if there is no such file */
  constructor(
    before: string | undefined,
    { places = new Map(), within, prose }: ApplyOptions = {},
  ) {
    this.#before = before;
    this.#places = places;
    this.#within = within;
    this.#prose = prose;
  }

  /**
   * Looks the unit up in the text as it was before. Undefined for a unit that means the whole file, if
   * there is no file, and after ten units that stand nowhere.
   */
  add(given: Unit): UnitPlace | undefined {
    return finish(this.addInSteps(given));
  }

  /** As {@link add}; take all steps before anything else is asked of the session. */
  *addInSteps(given: Unit): Steps<UnitPlace | undefined> {
    const unit = settleMarkers(toWholeLines(given), this.#before ?? "");
    const number = this.#given.push(unit);
    const { search, replace } = unit;
    this.units.push({ search, replace });
    this.foundAt.push(undefined);
    if (this.#before === undefined || search === "" || this.#errors.length === maxFailures) {
      return undefined;
    }
    this.#index ??= yield* FileIndex.inSteps(this.#before, this.#prose);
    const { reading, located } = yield* this.#locate(unit, number, this.#index);
    this.units[number - 1] = reading;
    const stray = strayMarker(unit, reading);
    if (located.ok && stray !== undefined) {
      const error = describeStrayRule(number, stray);
      this.#errors.push(error);
      return { ok: false, error };
    }
    if (!located.ok) {
      const error = yield* describeFailed(located, unit, number, this.#index);
      this.#errors.push(error);
      return { ok: false, error };
    }
    const key = `${reading.search.length} ${reading.search}${reading.replace}`;
    this.#found.push({ number, unit, located, isRepeated: this.#known.has(key) });
    this.#known.add(key);
    const place = toApplied(located);
    this.foundAt[number - 1] = place;
    return { ok: true, ...place };
  }

  *#locate(unit: Unit, number: number, index: FileIndex): Steps<LocatedReading> {
    const found = yield* locateReading(unit, index);
    if (found.located.ok || found.located.code !== "ambiguous") return found;
    const { candidates } = found.located;
    const startLine = this.#places.get(number) ?? onlyWithin(candidates, this.#within)?.startLine;
    if (startLine === undefined) return found;
    const chosen = yield* locateReading(unit, index, startLine);
    if (chosen.located.ok) {
      const nth = candidates.findIndex((place) => place.startLine === startLine) + 1;
      this.chosen.set(number, { startLine, nth, of: candidates.length });
    }
    return chosen;
  }

  /** Applies all units, if every one of them can be. */
  end(): EditResult {
    return finish(this.endInSteps());
  }

  *endInSteps(): Steps<EditResult> {
    if (this.#given.length === 0) {
      return { ok: false, error: describeDiff("malformed", "The edit holds no unit.") };
    }
    const replaced = replaceFile(this.#before, this.#given);
    if (replaced !== undefined) return replaced;
    if (this.#before === undefined) return { ok: false, error: describeMissingFile() };
    const index = this.#index ?? (yield* FileIndex.inSteps(this.#before, this.#prose));
    const result = yield* this.#apply(index);
    const isSame = result.ok && result.text === this.#before;
    return isSame ? { ok: false, error: describeNoChange() } : result;
  }

  *#apply(index: FileIndex): Steps<EditResult> {
    const found = this.#found;
    const errors = [...this.#errors];
    const isEscaped = found.some(({ located }) => located.hasEntities === true);
    const changes: OwnedChange[] = [];
    const applied: AppliedUnit[] = [];
    for (const { number, unit, located, isRepeated } of found) {
      const { level, ...range } = toApplied(located);
      applied.push({ level, ...range });
      if (isRepeated) continue;
      for (const part of located.parts) {
        const mayDecode = isEscaped && located.hasEntities !== true && !/[<>&]/.test(unit.search);
        const asWritten = mayDecode ? { ...part, ...decodeUnit(part) } : part;
        const merge = yield* mergeReplace(asWritten, index);
        if (merge.ok) {
          for (const change of merge.changes) changes.push({ ...change, unit: number, range });
        } else if (merge.code === "unquoted") {
          errors.push(describeUnquoted(number, merge.line + 1, index.line(merge.line)));
        } else if (merge.code === "elision") errors.push(describeElision(number));
        else errors.push(describeIndentation(number, range, merge.line));
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
}

/** Of more places than are told, none is the only one. */
function onlyWithin(
  candidates: readonly LineRange[],
  within: LineRange | undefined,
): LineRange | undefined {
  if (within === undefined || candidates.length === maxCandidates) return undefined;
  const inside = candidates.filter(
    ({ startLine, endLine }) => startLine >= within.startLine && endLine <= within.endLine,
  );
  return inside.length === 1 ? inside[0] : undefined;
}

function toApplied({ level, parts }: Found): AppliedUnit {
  return { level, ...rangeOf(parts.flatMap(({ at }) => at)) };
}

function* describeFailed(
  failed: Failed,
  unit: Unit,
  number: number,
  index: FileIndex,
): Steps<EditError> {
  if (failed.code === "ambiguous") return describeAmbiguous(number, failed.candidates);
  if (failed.code === "elision") return describeElision(number);
  return yield* describeNoMatch(number, unit.search, unit.replace, index);
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
