// What the coding agent works with, and what came of its work.
import type { PersonQuestion } from "../../tools/ask-person.ts";
import type { AnyTool, AskApproval, AskCall, AskPerson, ChangeMade } from "../../tools/tool.ts";
import type { FileChange, Workspace } from "../../workspace/workspace.ts";
import { createMemoryWorkspace, filesOfContext } from "../../workspace/memory/memory-workspace.ts";
import { type Approvals, createApprovals } from "../../workspace/approvals.ts";
import type { Turn } from "../../turn/turn.ts";
import type { CompilePattern } from "../../workspace/search/prepare-search.ts";

/** What the agent is given at its start. */
export interface Coding {
  workspace: Workspace;
  /** Asks before a file is changed, and before a secret one is read. */
  ask: AskApproval;
  askPerson?: AskPerson | undefined;
  askCall?: AskCall | undefined;
  tools?: readonly AnyTool[] | undefined;
  /** How the person's client names a file of the workspace, where that is not its path. */
  nameOf?: (path: string) => string;
  /** The person's own check of the work: their tests, say. It asks for itself before it runs. */
  check?: RunCheck;
  /** As they would type it. */
  checkCommand?: string;
  /** The person goes on with the next message, so words without a call are an answer, unless they announce something. */
  isTalk?: boolean | undefined;
}

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

/** How an answer may have missed to say what is to be done. */
export type Miss = "empty" | "cut" | "announced";

export type LoopEnd =
  | "finished"
  /** It has asked the person something, and nobody could answer. */
  | "question"
  /** The same call came to the same result three times. */
  | "repeats"
  | "rounds"
  | "tokens"
  | "time"
  /** The conversation does not fit into the model's window any more. */
  | "window"
  | "cut"
  /** The model said nothing and called nothing, and nothing was changed. */
  | "empty";

export interface LoopOutcome {
  end: LoopEnd;
  /** In their order; a file may be in it several times. */
  changes: readonly ChangeMade[];
  /** What it ended with. */
  question?: PersonQuestion | undefined;
  /** Of the last check; undefined where there was none, or nothing was changed. */
  check: CheckOutcome | undefined;
}

/** A change with its diff, under the name that the person's client has for the file. */
export interface ShownChange extends FileChange {
  diff: string;
  added: number;
  removed: number;
}

/** What the agent works on where no disk is its own: the files that came with the request. */
export async function openProposals(
  turn: Turn,
  {
    now,
    compilePattern: compile,
  }: { now: () => number; compilePattern?: CompilePattern | undefined },
): Promise<Coding> {
  const approvals = createApprovals({ now });
  const files = filesOfContext(turn.context);
  const workspace = await createMemoryWorkspace({ files, approvals, compile });
  return { workspace, ask: askLater(approvals), nameOf: (path) => workspace.nameOf(path) };
}

/** Lets every change pass: the person is asked when a change is written, or at the end for all of them. */
export function askLater(approvals: Approvals): AskApproval {
  return async (question) => {
    if (question.kind === "read") return { ok: false, reason: "Nobody can be asked here." };
    return { ok: true, approval: await approvals.approve(question.changes) };
  };
}
