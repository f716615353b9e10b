// An app whose command `code` works on files in memory as if they were on a disk.
import { createApprovals } from "../../src/workspace/approvals.ts";
import { createMemoryWorkspace } from "../../src/workspace/memory/memory-workspace.ts";
import type { Coding } from "../../src/flows/loop/coding.ts";
import type { ApprovalQuestion } from "../../src/tools/tool.ts";
import type { Script } from "../../src/testing.ts";

export interface TestCoding extends Coding {
  asked: ApprovalQuestion[];
  /** The text of a file as it is now. */
  text(path: string): Promise<string | undefined>;
}

/** @param refuses paths whose changes the person does not want */
export async function createTestCoding(
  files: Readonly<Record<string, string>>,
  refuses: readonly string[] = [],
): Promise<TestCoding> {
  const approvals = createApprovals({ now: () => 0 });
  const memory = await createMemoryWorkspace({
    files: Object.entries(files).map(([name, text]) => ({
      name,
      text,
      startLine: 1,
      isPart: false,
    })),
    approvals,
  });
  const asked: ApprovalQuestion[] = [];
  return {
    workspace: { ...memory, effect: "files" },
    asked,
    async ask(question) {
      asked.push(question);
      if (question.kind === "read") return { ok: false, reason: "It is private." };
      if (question.changes.some(({ path }) => refuses.includes(path)))
        return { ok: false, reason: "Leave this file." };
      return { ok: true, approval: await approvals.approve(question.changes) };
    },
    async text(path) {
      const read = await memory.read(path, { signal: new AbortController().signal });
      return read.ok ? read.value.text : undefined;
    },
  };
}

let count = 0;

/** A call as a step of a script. */
export function toolCall(name: string, input: object): Script[number] {
  count += 1;
  return { type: "tool-call", call: { id: `c${count}`, name, arguments: JSON.stringify(input) } };
}

/** A unit that replaces one line. */
export function unit(search: string, replace: string): string {
  return `------- SEARCH\n${search}\n=======\n${replace}\n+++++++ REPLACE\n`;
}
