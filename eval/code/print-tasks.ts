import { foldSpaces } from "../../src/base/text/lines.ts";
import { escapeControls } from "../../src/cli/call/show/escape-controls.ts";
import { printTable } from "../print-table.ts";
import type { TaskResult } from "./run-task.ts";

/** The figures of one language, or of all of them. */
export interface TaskSummary {
  language: string;
  tasks: number;
  solved: number;
  steps: number;
  /** Absent if the model reports none. */
  tokens?: number;
  refusedEdits: number;
  strayFiles: number;
  /** Tasks whose files to change are all in the map of the first prompt. */
  inMap: number;
  failed: number;
  secondsPerTask: number;
}

/** One row for each language in the order of their first tasks, and their total. */
export function summarizeTasks(results: readonly TaskResult[]): TaskSummary[] {
  const languages = Map.groupBy(results, ({ language }) => language);
  const rows = [...languages].map(([language, own]) => summarizeOne(language, own));
  return [...rows, summarizeOne("total", results)];
}

function summarizeOne(language: string, results: readonly TaskResult[]): TaskSummary {
  const count = (test: (result: TaskResult) => boolean): number => results.filter(test).length;
  const sum = (figure: (result: TaskResult) => number): number =>
    results.reduce((total, result) => total + figure(result), 0);
  const hasTokens = results.some(({ tokens }) => tokens !== undefined);
  return {
    language,
    tasks: results.length,
    solved: count(({ isSolved }) => isSolved),
    steps: sum(({ steps }) => steps),
    ...(hasTokens ? { tokens: sum(({ tokens = 0 }) => tokens) } : {}),
    refusedEdits: sum(({ refusedEdits }) => refusedEdits),
    strayFiles: sum(({ strayFiles }) => strayFiles.length),
    inMap: count(({ notInMap }) => notInMap.length === 0),
    failed: count(({ failure }) => failure !== undefined),
    secondsPerTask: results.length === 0 ? 0 : sum(({ seconds }) => seconds) / results.length,
  };
}

const heads = [
  ["", "", "", "", "", "edits", "files not", "files", "", "seconds"],
  "language|tasks|solved|steps|tokens|refused|asked for|in map|failed|a task".split("|"),
];

export function printTasks(rows: readonly TaskSummary[]): string {
  const body = rows.map((row) => [
    row.language,
    ...[row.tasks, row.solved, row.steps, row.tokens ?? "-"].map(String),
    ...[row.refusedEdits, row.strayFiles].map(String),
    `${row.inMap}/${row.tasks}`,
    String(row.failed),
    row.secondsPerTask.toFixed(1),
  ]);
  return printTable([...heads, ...body], (column) => column > 0);
}

/** One line: the task, what became of it, and what was wrong. */
export function printTask(result: TaskResult): string {
  const { id, language, isSolved, steps, tokens, failure } = result;
  const figures = `${steps} steps${tokens === undefined ? "" : `, ${tokens} tokens`}`;
  const outcome = failure === undefined ? (isSolved ? "solved" : "not solved") : "failed";
  const why = reasonsOf(result).join(" ");
  const line = `${isSolved ? "ok " : "BAD"} ${language} ${id}: ${outcome} (${figures}). ${why}`;
  return escapeControls(foldSpaces(line));
}

function reasonsOf({
  check,
  isSolved,
  refusedEdits,
  strayFiles,
  untouchedFiles,
  notInMap,
  failure,
}: TaskResult): string[] {
  const list = (head: string, paths: readonly string[]): string[] =>
    paths.length === 0 ? [] : [`${head}: ${paths.join(", ")}.`];
  return [
    ...(failure === undefined ? [] : [failure]),
    ...(check === undefined || isSolved ? [] : [`The check did not pass: ${check.exit}.`]),
    ...(refusedEdits === 0 ? [] : [`Edits that were refused: ${refusedEdits}.`]),
    ...list("Changed though not asked for", strayFiles),
    ...(isSolved ? [] : list("Not changed", untouchedFiles)),
    ...list("Not in the map", notInMap),
  ];
}
