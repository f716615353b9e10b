// The one way in which a tool changes a file: look whether it may, ask, change.
import type { Message } from "../../base/errors/app-error.ts";
import { quoteName } from "../../base/errors/print-names.ts";
import { countLines, printChanges } from "../../workspace/print-changes.ts";
import type { FileChange } from "../../workspace/workspace.ts";
import type { ToolOutcome, ToolUse } from "../tool.ts";
import { fail, failWith } from "./outcome.ts";
import { diffHunks } from "../../edit/unified-diff.ts";
import type { LineEdit } from "../../edit/edit-unit.ts";

/** Characters of the diff that the model gets back. */
const maxDiff = 6_000;

/**
 * Makes a change that the person agrees to.
 *
 * @param why the model's reason, for the person
 * @param facts fields of the result where all went well
 */
export async function changeFile(
  planned: FileChange,
  why: string,
  use: ToolUse,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<ToolOutcome> {
  const { workspace, locale, signal, seen } = use;
  const checked = await workspace.check(planned, { signal });
  if (!checked.ok) return failWith(locale, checked.problem);
  const change = checked.value;
  const diff = printChanges([change]);
  const decision = await use.ask({ kind: "change", changes: [change], diff, why }, signal);
  if (!decision.ok) return fail(locale, "not-approved", notApproved(change, decision.reason));
  const applied = await workspace.apply(change, decision.approval, { signal });
  if (!applied.ok) return failWith(locale, applied.problem);
  const { path } = change;
  if (change.after === undefined) seen.forget(path);
  else await noteOwnChange(path, use);
  const edits = toLineEdits(change.before?.text ?? "", change.after ?? "");
  use.onChange?.({ change: applied.value, edits });
  const { added, removed } = countLines(diff);
  return {
    success: true,
    path,
    ...(workspace.effect === "files"
      ? { status: "applied" }
      : { status: "proposed", status_note: proposed[locale] }),
    added_lines: added,
    removed_lines: removed,
    diff: cut(diff),
    ...facts,
  };
}

/** What the model has written it knows: its next edit of the file is not stale. */
async function noteOwnChange(path: string, { workspace, signal, seen }: ToolUse): Promise<void> {
  const read = await workspace.read(path, { signal, mayBeSecret: true });
  if (read.ok) seen.note(path, read.value.hash);
}

function cut(diff: string): string {
  if (diff.length <= maxDiff) return diff;
  return `${diff.slice(0, diff.lastIndexOf("\n", maxDiff) + 1)}…`;
}

const proposed: Message = {
  en: "The change is not in the file yet: the person gets it at the end. read_file shows the file with it.",
  zh: "修改尚未写入文件，会在最后交给用户。read_file 会显示修改后的文件。",
};

function notApproved({ path }: FileChange, reason: string): Message {
  return {
    en: `The person did not approve the change of ${quoteName(path)}: ${reason} Nothing was written. Do not send the same change again: do what the person asks for, or finish and say what is left to do.`,
    zh: `用户没有同意修改${quoteName(path, "zh")}：${reason}没有写入任何内容。请不要再次提交同样的修改：按用户的要求处理，或结束并说明还需要做什么。`,
  };
}

/** The file is not what the model has read. */
export function stale(path: string): Message {
  return {
    en: `${quoteName(path)} has changed since you read it. Nothing was written. Read it again with read_file, then make your edit for the text as it is now.`,
    zh: `${quoteName(path, "zh")}在读取之后发生了变化。没有写入任何内容。请用 read_file 重新读取，再针对当前文本进行修改。`,
  };
}

/**
 * A change of a text as edits of lines, numbered as they were before; `end_line` is `start_line - 1` where lines
 * only come in.
 */
export function toLineEdits(before: string, after: string): LineEdit[] {
  const edits: LineEdit[] = [];
  for (const { oldStart, lines } of diffHunks(before, after)) {
    let at = oldStart;
    let open: LineEdit | undefined;
    for (const line of lines) {
      const sign = line[0];
      if (sign === " ") {
        open = undefined;
        at += 1;
      } else if (sign === "-" || sign === "+") {
        if (open === undefined) {
          open = { start_line: at, end_line: at - 1, replacement: "" };
          edits.push(open);
        }
        if (sign === "-") {
          open.end_line = at;
          at += 1;
        } else open.replacement += `${line.slice(1)}\n`;
      }
    }
  }
  return edits;
}
