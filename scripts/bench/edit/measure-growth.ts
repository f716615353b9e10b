import { applyEdit, outcomeOf } from "./bench-edit.ts";
import type { GrowingEdit } from "./growth-edits.ts";
import { measureTimes } from "./measure-times.ts";

export interface GrowthTimes {
  name: string;
  outcome: string;
  /** One for each size; the larger ones are missing if a smaller one took too long. */
  milliseconds: number[];
  /** How many times longer twice the size takes, on average; NaN if only one size was measured. */
  factor: number;
  isReached: boolean;
}

/** Twice the lines may take so many times as long: n log n and noise pass, a square does not. */
export const mostGrowth = 2.8;
/** What is over at once may grow as it likes: on a busy machine such times tell nothing. */
const negligible = 50;
/** After such a time larger sizes are not tried: a square would take minutes, and all memory. */
const longest = 2_500;

/** Times one kind of edit at sizes that double. */
export function measureGrowth(edit: GrowingEdit, sizes: readonly number[]): GrowthTimes {
  const milliseconds: number[] = [];
  let outcome = "";
  for (const size of sizes) {
    const sized = edit.create(size);
    if (outcome === "") outcome = outcomeOf(sized);
    const [time = Number.NaN] = measureTimes([() => applyEdit(sized)], { warmUp: 1, rounds: 3 });
    milliseconds.push(time);
    if (time > longest) break;
  }
  const [first = Number.NaN, last = Number.NaN] = [milliseconds[0], milliseconds.at(-1)];
  const doublings = milliseconds.length - 1;
  const factor = doublings === 0 ? Number.NaN : (last / first) ** (1 / doublings);
  const isComplete = milliseconds.length === sizes.length;
  const isReached = isComplete && (factor <= mostGrowth || last < negligible);
  return { name: edit.name, outcome, milliseconds, factor, isReached };
}
