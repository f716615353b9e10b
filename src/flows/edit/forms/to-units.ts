import { diffHunks } from "../../../edit/unified-diff.ts";
import type { EditUnit } from "../../../edit/edit-unit.ts";

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
