// What the coding agent works with, and what came of its work.
import type { AskApproval, ChangeMade } from "../../tools/tool.ts";
import type { Usage } from "../../turn/turn-event.ts";
import type { FileChange, Workspace } from "../../workspace/workspace.ts";

/** What the agent is given at its start. */
export interface Coding {
  workspace: Workspace;
  /** Asks before a file is changed, and before a secret one is read. */
  ask: AskApproval;
  /** How the person's client names a file of the workspace, where that is not its path. */
  nameOf?: (path: string) => string;
  /** The person's own check of the work: their tests, say. It asks for itself before it runs. */
  check?: RunCheck;
  /** As they would type it. */
  checkCommand?: string;
}

/** How far a turn may go. */
export interface LoopLimits {
  /** Answers of the model. */
  maxRounds: number;
  /** Of all prompts and answers together. */
  maxTurnTokens: number;
  /** Milliseconds. */
  maxTurnTime: number;
}

export type RunCheck = (signal: AbortSignal) => Promise<CheckOutcome>;

export type CheckOutcome =
  /** `output` is the end of what it printed. */
  | { ran: true; passed: boolean; command: string; exit: string; output: string }
  | {
      /** The person did not want it, or it could not be started. */
      ran: false;
      command: string;
      reason: string;
    };

/** Tokens of a call of a model, as it has counted them or as we estimate them. */
export interface Spent {
  usage: Usage | undefined;
  tokens: number;
}

/** How an answer may have missed to say what is to be done. */
export type Miss = "empty" | "cut" | "announced";

/** Why the agent stopped. */
export type LoopEnd =
  /** It said that it is done. */
  | "finished"
  /** The same call came to the same result three times. */
  | "repeats"
  | "rounds"
  | "tokens"
  | "time"
  /** The conversation does not fit into the model's window any more. */
  | "window"
  /** The model's answer was cut. */
  | "cut"
  /** The model said nothing and called nothing, and nothing was changed. */
  | "empty";

export interface LoopOutcome {
  end: LoopEnd;
  /** In their order; a file may be in it several times. */
  changes: readonly ChangeMade[];
  /** Of the last check; undefined where there was none, or nothing was changed. */
  check: CheckOutcome | undefined;
}

/** A change with its diff, under the name that the person's client has for the file. */
export interface ShownChange extends FileChange {
  diff: string;
  added: number;
  removed: number;
}
