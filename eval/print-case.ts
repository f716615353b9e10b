import { escapeControls } from "../src/cli/call/show/escape-controls.ts";
import type { CaseResult } from "./run-case.ts";
import { isSound } from "./verdict.ts";

/** One line: flow, file and function, what became of it, and why. */
export function printCase(result: CaseResult): string {
  const { command, path, symbol, reasons, failure } = result;
  const why = [failure, ...reasons].filter((reason) => reason !== undefined).join(" ");
  const line = `${isSound(result) ? "ok " : "BAD"} ${command} ${path} ${symbol}: ${outcomeOf(result)}${why === "" ? "" : `. ${why}`}`;
  return escapeControls(line.replace(/\s+/g, " "));
}

const edits = {
  first: "applied at the first try",
  repaired: "applied after repair",
  refused: "refused",
  none: "no edit",
};
const jsons = {
  first: "JSON at the first try",
  repaired: "JSON after repair",
  invalid: "no valid JSON",
};

function outcomeOf({ failure, edit, json, isWhole }: CaseResult): string {
  if (failure !== undefined) return "failed";
  if (edit !== undefined) return edits[edit];
  if (json !== undefined) return jsons[json];
  return isWhole === true ? "whole" : "not whole";
}
