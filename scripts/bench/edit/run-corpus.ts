import { applyDiff } from "../../../src/edit.ts";
import type { EditCase } from "./edit-case.ts";
import { type Answer, type Grade, grade } from "./grade.ts";

export interface GradedCase {
  wanted: EditCase;
  grade: Grade;
  /** How its units were found; empty if it was refused. */
  levels: string[];
  /** Why it was refused, or what was thrown. */
  error: string | undefined;
  milliseconds: number;
}

/** As the shared bench: who needs longer has crashed. */
const longest = 20_000;

/** Applies every diff of a corpus with the engine, in this process, and grades what came out. */
export function runCorpus(cases: readonly EditCase[]): GradedCase[] {
  return cases.map(runCase);
}

function runCase(wanted: EditCase): GradedCase {
  const start = performance.now();
  const { answer, levels, error } = applyCase(wanted);
  const milliseconds = performance.now() - start;
  const isInTime = milliseconds < longest;
  return {
    wanted,
    grade: grade(wanted, isInTime ? answer : undefined),
    levels,
    error,
    milliseconds,
  };
}

function applyCase({ before, diff }: EditCase): {
  answer: Answer;
  levels: string[];
  error: string | undefined;
} {
  try {
    const result = applyDiff(before, diff);
    return result.ok
      ? { answer: result, levels: result.units.map(({ level }) => level), error: undefined }
      : { answer: result, levels: [], error: `${result.error.code}: ${result.error.message}` };
  } catch (thrown) {
    return { answer: undefined, levels: [], error: String(thrown) };
  }
}
