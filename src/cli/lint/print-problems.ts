import { escapeControls } from "../call/show/escape-controls.ts";
import type { LocatedProblem } from "./locate-problems.ts";

export interface FileProblem extends LocatedProblem {
  file: string;
}

export const formats = ["text", "json", "github"] as const;
export type Format = (typeof formats)[number];

/** The text that shows problems; empty for none where a program reads lines. */
export function printProblems(
  problems: readonly FileProblem[],
  checked: number,
  format: Format,
): string {
  switch (format) {
    case "json":
      return `${JSON.stringify(problems.map(toJson), null, 2)}\n`;
    case "github":
      return problems.map((problem) => `${toAnnotation(problem)}\n`).join("");
    case "text":
      return problems.length === 0
        ? `No problems in ${checked} ${checked === 1 ? "definition" : "definitions"}.\n`
        : problems.map((problem) => `${escapeControls(toLine(problem))}\n`).join("");
  }
}

function toJson({ file, line, column, path, severity, message }: FileProblem): object {
  return { file, line, column, path, severity, message };
}

/** As compilers print it, so that a terminal or an editor finds the place. */
function toLine({ file, line, column, path, severity, message }: FileProblem): string {
  return `${file}:${line}:${column}: ${path}: ${severity}: ${message}`;
}

/** A workflow command of GitHub Actions (its documentation, "Workflow commands"). */
function toAnnotation({ file, line, column, path, severity, message }: FileProblem): string {
  const kind = severity === "info" ? "notice" : severity;
  const place = `file=${escapeProperty(file)},line=${line},col=${column}`;
  return `::${kind} ${place},title=${escapeProperty(path)}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
