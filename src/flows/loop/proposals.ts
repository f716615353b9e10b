import { createMemoryWorkspace, filesOfContext } from "../../workspace/memory/memory-workspace.ts";
import { type Approvals, createApprovals } from "../../workspace/approvals.ts";
import type { AskApproval } from "../../tools/tool.ts";
import type { Turn } from "../../turn/turn.ts";
import type { Services } from "../flow.ts";
import type { Coding } from "./coding.ts";

/** What the agent works on where no disk is its own: the files that came with the request. */
export async function openProposals(
  turn: Turn,
  { now, compilePattern: compile }: Services,
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
    return { ok: true, approval: await approvals.approve(question.changes, question.diff) };
  };
}
