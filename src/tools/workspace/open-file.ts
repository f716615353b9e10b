// A path that a model has named in; the file comes out, or the result that says why not.
import { quoteName } from "../../base/errors/print-names.ts";
import type {
  ReadOptions,
  WorkspaceFile,
  WorkspaceProblem,
  WorkspaceResult,
} from "../../workspace/workspace.ts";
import type { ToolUse } from "../tool.ts";

export type LineSpan = NonNullable<ReadOptions["lines"]>;

/**
 * Reads a file. One that is secret or ignored is read once the person has agreed.
 *
 * @param why the model's reason, for the person
 * @param lines wanted of a file that is too large to be read as a whole
 */
export async function openFile(
  path: string,
  why: string,
  use: ToolUse,
  lines?: LineSpan,
): Promise<WorkspaceResult<WorkspaceFile>> {
  const { workspace, signal } = use;
  const options: ReadOptions = lines === undefined ? { signal } : { signal, lines };
  const read = await workspace.read(path, options);
  if (read.ok || read.problem.code !== "secret") return read;
  // The person is asked for the file that is read, however the model has written its path.
  const located = await workspace.locate(path);
  if (!located.ok) return located;
  const decision = await use.ask({ kind: "read", path: located.value, why }, signal);
  return decision.ok
    ? workspace.read(located.value, { ...options, mayBeSecret: true })
    : { ok: false, problem: notApproved(located.value, decision.reason) };
}

function notApproved(path: string, reason: string): WorkspaceProblem {
  return {
    code: "not-approved",
    message: {
      en: `The person did not allow you to read ${quoteName(path)}: ${reason} Do not ask for this file again; go on without it, or finish and say what you need it for.`,
      zh: `用户不允许读取${quoteName(path, "zh")}：${reason}请不要再次请求该文件，继续完成其他工作，或结束并说明为什么需要它。`,
    },
  };
}
