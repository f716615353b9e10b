import type * as z from "zod";
import type { CodeParser } from "../code/code-analysis.ts";
import type { LineEdit } from "../edit/edit-unit.ts";
import type { Message } from "../base/errors/app-error.ts";
import type { Locale } from "../base/errors/locale.ts";
import type { Slices } from "../turn/slices.ts";
import type { Approval, FileChange, Workspace } from "../workspace/workspace.ts";
import type { SeenFiles } from "./workspace/seen-files.ts";

/** Something that a model may call. What it does wrong is a result that the model reads; it never throws for that. */
export interface Tool<Input> {
  /** As the model calls it: a letter, then letters, digits, `_` and `-`, 64 at most. */
  name: string;
  /** What models call it, too. */
  otherNames?: readonly string[];
  /** What a tool of several commands, as other agents have one under such a name, has in `command` where this one is meant. */
  commands?: readonly string[];
  /** Tells the model what it does and when to call it. */
  description: Message;
  /** An object without transforms and defaults: the JSON Schema that the model gets is made of it. */
  input: z.ZodType<Input>;
  /** What each field of the input is for, as the JSON Schema tells it; a field that is left out tells it by `describe`. */
  fields: Readonly<Record<string, Message>>;
  /** What models write in place of a field's name, by what they write. */
  otherFields?: Readonly<Record<string, string>>;
  /** Fields that are paths: blanks and quotes around them are no part of them. */
  paths?: readonly string[];
  /** Puts fields that mean the same as the tool's own into those; undefined if there are none. */
  fit?(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined;
  /** The fields that arguments without names mean, in their order; the first field if it is left out. */
  placed?: readonly string[];
  /** Reads may run side by side, writes never. */
  effect: "read" | "write";
  /** The same call may come to the same result again and again, as where a model waits for something. Else the third ends the turn. */
  mayRepeat?: boolean;
  /** @throws the signal's reason, and nothing else */
  run(input: Input, use: ToolUse): Promise<ToolOutcome>;
}

/** What came of a call: the fields of the protocol, and `success`. Plain JSON. */
export interface ToolOutcome {
  success: boolean;
  [field: string]: unknown;
}

/** What a tool may use. One object for all calls of a turn. */
export interface ToolUse {
  workspace: Workspace;
  /** Asks the person, or the policy that they set. */
  ask: AskApproval;
  locale: Locale;
  signal: AbortSignal;
  /** What the model has read in this turn; the tools write it. */
  seen: SeenFiles;
  slices: Slices;
  /** Compares syntax errors before and after a change; without it nobody does. */
  code?: CodeParser;
  /** Plans an edit that the engine refused; without it the refusal goes to the model. */
  planEdit?: PlanEdit;
  /** Hears of each change that was made, before the call's result is there. */
  onChange?: (made: ChangeMade) => void;
}

/** A change as the workspace verified it, and the same as edits of lines, numbered as they were before. */
export interface ChangeMade {
  change: FileChange;
  edits: readonly LineEdit[];
}

/**
 * Asks a model where an edit belongs. What it answers is checked, and applied as a whole or not at all.
 *
 * @returns undefined where no plan came of it
 * @throws the signal's reason, and nothing else
 */
export type PlanEdit = (
  task: EditTask,
  signal: AbortSignal,
) => Promise<readonly LineEdit[] | undefined>;

interface EditTask {
  path: string;
  /** The file with a number before each line, as `12| text`. */
  numbered: string;
  totalLines: number;
  /** The model's own words for the edit. */
  instructions: string;
  codeEdit: string;
  /** Why the engine could not merge it, in words for a model. */
  problem: string;
}

/** What a person is asked; `why` is the model's own reason, and data as such. */
export type ApprovalQuestion =
  | { kind: "change"; changes: readonly FileChange[]; diff: string; why: string }
  | { kind: "read"; path: string; why: string };

/** `reason`: why not, in words for the model. */
export type Decision = { ok: true; approval: Approval } | { ok: false; reason: string };

export type AskApproval = (question: ApprovalQuestion, signal: AbortSignal) => Promise<Decision>;
