// Where a run is shown, and who can be asked there.
import { loadPainter as importPainter } from "../call/run-parts.ts";
import type { CreatePainter } from "../call/show/print-answer.ts";
import { createSpinner } from "../call/show/spinner.ts";
import { createTerminal, showsColours, type Terminal } from "../call/terminal.ts";
import { createPerson, type Person, type PersonParts } from "./ask/person.ts";
import type { CodeRun } from "./code-run.ts";

/** With `--json` standard output is for the report alone. */
export function openTerminal({ isJson, isPlain }: CodeRun): Terminal {
  const plain = isPlain;
  const spinner =
    plain || !showsColours(process.stderr) ? undefined : createSpinner(process.stderr);
  return createTerminal(isJson ? process.stderr : process.stdout, process.stderr, {
    plain,
    spinner,
  });
}

/** Words are rendered for a person at a screen; the renderer is loaded for them only. */
export async function loadPainter({
  isJson,
  isPlain,
}: CodeRun): Promise<CreatePainter | undefined> {
  if (isPlain || !showsColours(isJson ? process.stderr : process.stdout)) return undefined;
  return importPainter();
}

/** Whoever can be asked: they see the question, and their keys arrive here. */
export function findPerson(
  { isJson, texts }: CodeRun,
  parts: Omit<PersonParts, "streams" | "texts">,
): Person | undefined {
  const output = isJson ? process.stderr : process.stdout;
  if (!process.stdin.isTTY || !output.isTTY) return undefined;
  return createPerson({ ...parts, texts, streams: { input: process.stdin, output } });
}
