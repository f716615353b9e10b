import { type EditUnit, applyDiff, printUnits } from "../../../src/edit.ts";

/** A file, and a diff for it. */
export interface BenchEdit {
  before: string;
  diff: string;
}

/** Lines that are searched for, and the same with two lines added in their middle. */
export function toUnit(lines: readonly string[]): EditUnit {
  const middle = lines.length >> 1;
  const added = ["  // Added by the benchmark.", "  countEdits();"];
  return {
    search: toText(lines),
    replace: toText([...lines.slice(0, middle), ...added, ...lines.slice(middle)]),
  };
}

export function createEdit(lines: readonly string[], ...units: EditUnit[]): BenchEdit {
  return { before: toText(lines), diff: printUnits(units) };
}

export function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** The text after the edit; undefined if it was refused. */
export function applyEdit({ before, diff }: BenchEdit): string | undefined {
  const result = applyDiff(before, diff);
  return result.ok ? result.text : undefined;
}

/** The levels of the units, each once, or the code of the refusal. */
export function outcomeOf({ before, diff }: BenchEdit): string {
  const result = applyDiff(before, diff);
  if (!result.ok) return result.error.code;
  return [...new Set(result.units.map(({ level }) => level))].join(", ");
}
