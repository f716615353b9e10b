import type { RunResult } from "./load/messages.ts";
import type { Rounds } from "./measure.ts";
import type { Measure } from "./scenarios.ts";

/** What became of one measure: the figures of all rounds, and the medians. */
export interface Outcome {
  scenario: string;
  name: string;
  unit: string;
  reference: readonly number[];
  rightseat: readonly number[];
  ratios: readonly number[];
  /** The median of the ratios. */
  ratio: number;
  target: Measure<never>["target"];
  isReached: boolean | undefined;
}

/** @returns undefined where this system does not tell the figures */
export function createOutcome<Result>(
  scenario: string,
  measure: Measure<Result>,
  rounds: Rounds<Result>,
): Outcome | undefined {
  const reference = rounds.map((round) => measure.read(round.reference)).filter(isNumber);
  const rightseat = rounds.map((round) => measure.read(round.rightseat)).filter(isNumber);
  if (reference.length < rounds.length || rightseat.length < rounds.length) return undefined;
  const ratios = rightseat.map((value, round) => value / (reference[round] ?? Number.NaN));
  const ratio = median(ratios);
  const { name, unit, target } = measure;
  return {
    scenario,
    name,
    unit,
    reference,
    rightseat,
    ratios,
    ratio,
    target,
    isReached: isReached(ratio, target),
  };
}

/**
 * Tells where something else than the server was the limit: what the servers differ by is then
 * more than the ratio says.
 */
export function findLimits(
  scenario: string,
  rounds: Rounds<RunResult>,
  isPinned: boolean,
): string[] {
  const most = (read: (result: RunResult) => number): number =>
    Math.max(...rounds.flatMap(({ reference, rightseat }) => [read(reference), read(rightseat)]));
  const generator = most(({ utilisation }) => utilisation.generator);
  // On one core they have one core together.
  const load = most(
    ({ utilisation }) => utilisation.generator + (isPinned ? (utilisation.upstream ?? 0) : 0),
  );
  if (generator <= full && load <= full) return [];
  const who = generator > full ? "the load generator" : "load generator and fake model together";
  return [
    `${scenario}: ${who} used ${percent(Math.max(generator, load))} of a core; the ratio is a lower bound.`,
  ];
}

const full = 0.95;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(
    Math.ceil(middle) - 1,
    Math.floor(middle) + 1,
  );
  return (low + high) / 2;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function isReached(ratio: number, target: Outcome["target"]): boolean | undefined {
  if (target === undefined) return undefined;
  return target.direction === "at least" ? ratio >= target.ratio : ratio <= target.ratio;
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined;
}
