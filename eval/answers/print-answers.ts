import { foldSpaces } from "../../src/base/text/lines.ts";
import { escapeControls } from "../../src/cli/call/show/escape-controls.ts";
import { printTable } from "../print-table.ts";
import type { Outcome } from "./judge-answer.ts";
import type { PlayedAnswer } from "./play-answer.ts";

/** How many answers came to each outcome. */
export interface AnswerSummary extends Record<Outcome, number> {
  form: string;
  answers: number;
  /** Those that came out as well as they can. */
  asExpected: number;
}

/** A row for each form in the order of the names, and their total. */
export function summarizeAnswers(played: readonly PlayedAnswer[]): AnswerSummary[] {
  const forms = [...Map.groupBy(played, ({ form }) => form)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return [...forms.map(([form, own]) => summarize(form, own)), summarize("total", played)];
}

function summarize(form: string, played: readonly PlayedAnswer[]): AnswerSummary {
  const count = (wanted: Outcome): number =>
    played.filter(({ outcome }) => outcome === wanted).length;
  return {
    form,
    answers: played.length,
    first: count("first"),
    second: count("second"),
    kept: count("kept"),
    refused: count("refused"),
    wrong: count("wrong"),
    asExpected: played.filter(({ isAsExpected }) => isAsExpected).length,
  };
}

/** In percent. */
export function shareOf({ asExpected, answers }: AnswerSummary): number {
  return (100 * asExpected) / answers;
}

const heads = [
  ["", "", "right", "right after", "rightly", "", "", "as"],
  ["form", "answers", "at first", "a second", "refused", "refused", "wrong", "expected"],
] as const;

export function printAnswers(rows: readonly AnswerSummary[]): string {
  const body = rows.map((row) => [
    row.form,
    ...[row.answers, row.first, row.second, row.kept, row.refused, row.wrong].map(String),
    `${shareOf(row).toFixed(1)} %`,
  ]);
  return printTable([...heads, ...body], (column) => column > 0);
}

/** One line: what became of the answer, and why. */
export function printAnswer({
  id,
  form,
  family,
  outcome,
  why,
  isAsExpected,
}: PlayedAnswer): string {
  const line = `${isAsExpected ? "ok " : "BAD"} ${form} ${id} (${family}): ${outcome}. ${why}`;
  return escapeControls(foldSpaces(line));
}
