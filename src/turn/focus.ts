// What a flow has found out about its turn: it travels beside the turn, to the prompt and to models that read none.
import type { LineRange } from "../edit/edit-unit.ts";

/** The place in the editor's file that a turn is about, and the facts found there. */
export interface Focus {
  /** The lines of the editor's text that are meant. */
  readonly place?: LineRange;
  /** The lines that the prompt names, for the next steps. */
  readonly named?: NamedFocus;
  /** The path of the file that the question has put in the editor, for the next steps. */
  readonly otherFile?: string | undefined;
  readonly facts: PromptFacts;
}

/** Lines that a prompt names, with the symbol that they hold. */
interface NamedFocus extends Readonly<LineRange> {
  readonly name?: string;
  /** The whole prompt. */
  readonly prompt: string;
}

/** The names under which templates find facts that are texts, as the prompt prints them. */
export const textFacts = [
  /** The place in words: name and lines. */
  "place",
  /** Faults of the file, a line each: those that the editor reports, and those that its grammar finds. */
  "diagnostics",
  "syntaxErrors",
  /** What an optimization is for: `speed`, `memory` or `readability`. */
  "intent",
  /** How doc comments of the language are written. */
  "docStyle",
  /** Code of other files that the code in focus uses. */
  "definitions",
  /** The code under test, with its place. */
  "subject",
  /** A test of the project, to be followed. */
  "referenceTest",
  /** The name of the test framework, and how a test file gets it. */
  "framework",
  "frameworkNote",
  /** The path of the test file. */
  "testPath",
  /** The test file that is there already, under its path. */
  "testFile",
  /** How the project writes tests: `tab` or how many spaces a level has, and a line that imports. */
  "testIndent",
  "testImport",
  /** What the person wants beside the cases. */
  "wishes",
  /** A worked example for an edit: code of a made-up file, its path, a line of it, and the unit that changes it. */
  "example",
  "examplePath",
  "exampleLine",
  "exampleSearch",
  "exampleReplace",
  /** Of the agent that works in steps: its folder, whether the model writes its calls into its text, a map of the files. */
  "workspaceRoot",
  "writesCalls",
  "repositoryMap",
  /** Files that the request names, each fenced under its path. */
  "namedFiles",
  /** The person's own check, as they would type it. */
  "checkCommand",
  /** An edit that could not be merged: its file, with a number before each line, what it is for, its code. */
  "editPath",
  "numberedFile",
  "instructions",
  "codeEdit",
  /** Why the edit of the answer before was refused. */
  "report",
  /** Why the answer before was no list of cases. */
  "problem",
] as const;

/** Facts for the prompt; one that is absent or "" is left out. */
export interface PromptFacts extends Readonly<
  Partial<Record<(typeof textFacts)[number], string | undefined>>
> {
  /** The cases that were chosen, in their order. */
  readonly chosenCases?: readonly ListedCase[];
  /** What is to be tested, where no case was chosen. */
  readonly openCases?: string;
  /** The cases that are written already. The person's request names them, so prompts do not print them again. */
  readonly knownCases?: readonly ListedCase[];
}

export const noFocus: Focus = { facts: {} };

export function withFacts(focus: Focus, facts: PromptFacts): Focus {
  return { ...focus, facts: { ...focus.facts, ...facts } };
}

/** A test case, as a model recommends it. */
export interface TestCase {
  description: string;
  /** `happy path` or `edge case`, as the model was told to write. */
  category: string;
}

/** A test case as a request names it. */
export interface ListedCase {
  /** As it is in the list: `1. happy path: adds two prices`. */
  line: string;
  /** Without number and category. */
  description: string;
}
