// The units of one file as they come: each is looked up at once, all of them are applied at the end, or none.
import { encloses } from "./line-range.ts";
import { applyChained, type ChainedUnit, type Draft, mayQuote, toWritten } from "./chained-unit.ts";
import {
  describeAmbiguous,
  describeDiff,
  describeElision,
  describeMissingFile,
  describeNoChange,
  describeNoMatch,
  describeConflict,
  describeMarker,
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
import type { LocatedUnit } from "./find/located-unit.ts";
import { type FoundUnit, mergeFound, toApplied } from "./merge-found.ts";
import { replaceFile } from "./merge/replace-file.ts";
import { quotedConflict, settleMarkers, strayMarker } from "./unit-markers.ts";
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

/** Where a unit is in the file, or why it was not found. */
export type UnitPlace = ({ ok: true } & AppliedUnit) | { ok: false; error: EditError };

type Unit = EditUnit | ParsedUnit;
type Failed = Extract<LocatedUnit, { ok: false }>;

/** Units; once so many have failed, the rest is not looked at. */
const maxFailures = 10;

/** Units; each that quotes another is looked for in a text of its own. */
const maxChained = 10;

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
  readonly #found: FoundUnit[] = [];
  /** Units that quote what earlier ones wrote. */
  readonly #chained: ChainedUnit[] = [];
  /** The number of the first unit of each text. */
  readonly #numberOf = new Map<string, number>();
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
    const unit = settleMarkers(toWholeLines(given), this.#before ?? "");
    const number = this.#given.push(unit);
    const { search, replace } = unit;
    this.units.push({ search, replace });
    this.foundAt.push(undefined);
    if (this.#before === undefined || search === "" || this.#errors.length === maxFailures) {
      return undefined;
    }
    this.#index ??= new FileIndex(this.#before, this.#prose);
    const twin = this.#findSame(unit, number);
    if (twin !== undefined) return twin;
    const { reading, located } = this.#locate(unit, number, this.#index);
    this.units[number - 1] = reading;
    const chained =
      !located.ok && located.code === "no-match"
        ? this.#chain(unit, number, this.#index)
        : undefined;
    const conflict = quotedConflict(given, this.#before ?? "");
    if (conflict !== undefined) {
      const error = describeConflict(number, conflict);
      this.#errors.push(error);
      return { ok: false, error };
    }
    const stray = strayMarker(unit, reading);
    if (stray !== undefined && (located.ok || chained !== undefined)) {
      const error = describeMarker(number, stray);
      this.#errors.push(error);
      return { ok: false, error };
    }
    if (chained !== undefined) {
      this.foundAt[number - 1] = chained;
      return { ok: true, ...chained };
    }
    if (!located.ok) {
      const error = describeFailed(located, unit, number, this.#index);
      this.#errors.push(error);
      return { ok: false, error };
    }
    this.#found.push({ number, unit, located });
    const place = toApplied(located);
    this.foundAt[number - 1] = place;
    return { ok: true, ...place };
  }

  /** A unit that was there before counts once, if it fits one place. */
  #findSame(unit: Unit, number: number): UnitPlace | undefined {
    const key = `${unit.search}\0${unit.replace}`;
    const first = this.#numberOf.get(key);
    const place = first === undefined ? undefined : this.foundAt[first - 1];
    if (first === undefined) this.#numberOf.set(key, number);
    if (first === undefined || place === undefined || this.chosen.has(first)) return undefined;
    this.foundAt[number - 1] = place;
    return { ok: true, ...place };
  }

  #locate(unit: Unit, number: number, index: FileIndex): LocatedReading {
    const found = locateReading(unit, index);
    if (found.located.ok || found.located.code !== "ambiguous") return found;
    const { candidates } = found.located;
    const startLine = this.#places.get(number) ?? onlyWithin(candidates, this.#within)?.startLine;
    if (startLine === undefined) return found;
    const chosen = locateReading(unit, index, startLine);
    if (chosen.located.ok) {
      const nth = candidates.findIndex((place) => place.startLine === startLine) + 1;
      this.chosen.set(number, { startLine, nth, of: candidates.length });
    }
    return chosen;
  }

  /** Applies all units, if every one of them can be. */
  end(): EditResult {
    if (this.#given.length === 0) {
      return { ok: false, error: describeDiff("malformed", "The edit holds no unit.") };
    }
    const replaced = replaceFile(this.#before, this.#given);
    if (replaced !== undefined) return replaced;
    if (this.#before === undefined) return { ok: false, error: describeMissingFile() };
    const index = this.#index ?? new FileIndex(this.#before, this.#prose);
    const result = this.#apply(index);
    const isSame = result.ok && result.text === this.#before;
    return isSame ? { ok: false, error: describeNoChange() } : result;
  }

  #apply(index: FileIndex): EditResult {
    const merged = mergeFound(this.#found, index);
    const errors = [...this.#errors, ...(merged.ok ? [] : merged.errors)];
    let draft: Draft | undefined;
    if (merged.ok) draft = { text: merged.text, written: toWritten(merged.changes) };
    for (const chained of this.#chained) {
      const applied = draft && applyChained(draft, chained);
      if (applied !== undefined) draft = applied.draft;
      else if (merged.ok) {
        const { search, replace } = chained.unit;
        errors.push(describeNoMatch(chained.number, search, replace, index));
      }
    }
    const [first, ...others] = errors;
    if (first !== undefined || draft === undefined) {
      const error = first ?? describeNoChange();
      return { ok: false, error: others.length === 0 ? error : { ...error, others } };
    }
    const units = this.foundAt.filter((place) => place !== undefined);
    return { ok: true, text: draft.text, units };
  }

  /** Where a unit that was not found belongs, if it quotes what earlier ones wrote. */
  #chain(unit: Unit, number: number, index: FileIndex): AppliedUnit | undefined {
    if (this.#chained.length === maxChained || !mayQuote(unit, this.units.slice(0, -1)))
      return undefined;
    const merged = mergeFound(this.#found, index);
    if (!merged.ok) return undefined;
    let draft: Draft = { text: merged.text, written: toWritten(merged.changes) };
    for (const chained of this.#chained) {
      const applied = applyChained(draft, chained);
      if (applied === undefined) return undefined;
      draft = applied.draft;
    }
    const applied = applyChained(draft, { number, unit });
    const place = applied && this.foundAt[applied.earlier - 1];
    if (applied === undefined || place === undefined) return undefined;
    this.#chained.push({ number, unit });
    return { ...place, level: applied.level };
  }
}

/** Of more places than are told, none is the only one. */
function onlyWithin(
  candidates: readonly LineRange[],
  within: LineRange | undefined,
): LineRange | undefined {
  if (within === undefined || candidates.length === maxCandidates) return undefined;
  const inside = candidates.filter((one) => encloses(within, one));
  return inside.length === 1 ? inside[0] : undefined;
}

function describeFailed(failed: Failed, unit: Unit, number: number, index: FileIndex): EditError {
  if (failed.code === "ambiguous") return describeAmbiguous(number, failed.candidates);
  if (failed.code === "elision") return describeElision(number);
  return describeNoMatch(number, unit.search, unit.replace, index);
}
