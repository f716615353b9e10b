import type { Config } from "../../setup/config.ts";
import type { AgentDefinition } from "../../turn/agent-definition.ts";
import type { PathTest } from "../../workspace/search/match-glob.ts";
import type { CodeTexts } from "./code-texts.ts";
import { loadPainter as importPainter } from "../call/run-parts.ts";
import type { CreatePainter } from "../call/show/print-answer.ts";
import { type Terminal, createSpinner, createTerminal, showsColours } from "../call/terminal.ts";
import { type Person, type PersonParts, createPerson } from "./ask/person.ts";

/** A run as the person has asked for it. */
export interface CodeRun {
  config: Config;
  agents: readonly [AgentDefinition];
  texts: CodeTexts;
  /** The real path of the folder that the agent works on. */
  root: string;
  /** As the person has named it. */
  directory: string;
  request: string;
  /** The command that checks the work. */
  check: readonly string[] | undefined;
  isYes: boolean;
  allows: PathTest;
  model: string | undefined;
  key: string | undefined;
  isJson: boolean;
  /** Without colours, the words as the model wrote them. */
  isPlain: boolean;
  /** The folder has settings of its own, which do not count. */
  hasIgnoredSettings: boolean;
}

// Where a run is shown, and who can be asked there.

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
