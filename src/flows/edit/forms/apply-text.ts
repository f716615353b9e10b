import { describeDiff } from "../../../edit/describe-error.ts";
import { EditSession, type UnitPlace } from "../../../edit/edit-session.ts";
import type { EditResult, EditUnit } from "../../../edit/edit-unit.ts";
import { diffHunks } from "../../../edit/unified-diff.ts";

/** The text that the file should have, with "\n" as its line ends and without a byte-order mark. */
export interface TextChange {
  after: string;
}

export interface AppliedText {
  proposed: Pick<EditSession, "units" | "foundAt"> & { places: EditSession["chosen"] };
  places: (UnitPlace | undefined)[];
  result: EditResult;
}

/** A text as changes of it are told. */
export function plainText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "");
}

/**
 * Applies the change as units, which clicks can make again; they come to the same text, or nothing is applied. A file whose
 * last line has no end keeps that.
 */
export function applyText(
  { target }: { target: { text: string } },
  { after: made }: TextChange,
): AppliedText {
  const after = /^$|\n$/.test(target.text) ? made : made.replace(/\n$/, "");
  const change = toUnits(plainText(target.text), after);
  const session = new EditSession(target.text, { places: change.places });
  const places: (UnitPlace | undefined)[] = [];
  for (const unit of change.units) {
    places.push(session.add(unit));
  }
  const { units, foundAt, chosen } = session;
  const applied = session.end();
  const isSame = !applied.ok || plainText(applied.text) === after;
  const message = "The code blocks cannot be put in place unit by unit.";
  const result: EditResult = isSame
    ? applied
    : { ok: false, error: describeDiff("malformed", message) };
  return { proposed: { units, foundAt, places: chosen }, places, result };
}

/** Units that make one text of another, and the lines on which they begin, by their numbers (1-based). */
export interface PlacedUnits {
  units: EditUnit[];
  places: Map<number, number>;
}

/** The change of a text as units: each quotes what it changes with a few lines around it. */
export function toUnits(before: string, after: string): PlacedUnits {
  const units: EditUnit[] = [];
  const places = new Map<number, number>();
  for (const { oldStart, lines } of diffHunks(before, after)) {
    const pick = (signs: string): string =>
      lines
        .filter((line) => signs.includes(line.charAt(0)))
        .map((line) => `${line.slice(1)}\n`)
        .join("");
    units.push({ search: pick(" -"), replace: pick(" +") });
    places.set(units.length, oldStart);
  }
  return { units, places };
}
