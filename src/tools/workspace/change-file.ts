// The one way in which a tool changes a file: read it, plan, look whether it may, ask, change.
import type { Fields } from "../../base/text/json.ts";
import type { Message } from "../../base/errors/app-error.ts";
import { quoteName } from "../../base/errors/names.ts";
import { countChangedLines, printChanges } from "../../workspace/approvals.ts";
import type { FileChange } from "../../workspace/workspace.ts";
import { type ToolOutcome, type ToolUse, fail, failFrom } from "../tool.ts";
import { findTextChanges } from "../../edit/unified-diff.ts";
import type { LineEdit } from "../../edit/edit-unit.ts";
import { describeProblem, openFile } from "./read-file.ts";
import type { CodeProblem } from "../../code/code-analysis.ts";

/** Characters of the diff that the model gets back. */
const maxDiff = 6_000;

/** What is to become of a file, or the result that says why nothing does. */
export type Planned =
  | {
      /** Undefined deletes the file. */
      after: string | undefined;
      /** All that the file has would go. */
      isWhole?: boolean;
      /** Fields of the result where all went well. */
      facts?: Fields;
    }
  | { refusal: ToolOutcome };

interface NamedChange {
  /** The path as the model has written it. */
  named: string;
  /** The model's reason, for the person. */
  why: string | undefined;
  /** A file that does not exist is not created. */
  mustExist?: boolean;
}

/** Reads a file as it is now, has a change of it planned, and makes it once the person has agreed. */
export async function changeFile(
  { named, why = "", mustExist = false }: NamedChange,
  use: ToolUse,
  plan: (path: string, before: FileChange["before"]) => Promise<Planned> | Planned,
): Promise<ToolOutcome> {
  const { workspace, locale, seen } = use;
  const located = await workspace.locate(named);
  if (!located.ok) return failFrom(locale, located.problem);
  const path = located.value;
  const read = await openFile(path, why, use);
  if (!read.ok && mustExist) return describeProblem(path, read.problem, use);
  if (!read.ok && read.problem.code !== "not-found") return failFrom(locale, read.problem);
  const before = read.ok ? { text: read.value.text, hash: read.value.hash } : undefined;
  const known = seen.get(path);
  if (known !== undefined && known !== before?.hash) {
    if (before === undefined) seen.delete(path);
    return fail(locale, "stale", stale(path));
  }
  const planned = await plan(path, before);
  if ("refusal" in planned) return planned.refusal;
  if (before !== undefined && planned.isWhole === true && !seen.has(path))
    return fail(locale, "unread", unread);
  const change: FileChange = { path, before, after: planned.after };
  const problems = await findNewProblems(change, use);
  const facts = problems.length === 0 ? {} : { syntax_errors: problems, note: newErrors[locale] };
  return makeChange(change, why, use, { ...planned.facts, ...facts });
}

async function makeChange(
  planned: FileChange,
  why: string,
  use: ToolUse,
  facts: Fields,
): Promise<ToolOutcome> {
  const { workspace, locale, signal, seen } = use;
  const checked = await workspace.check(planned, { signal });
  if (!checked.ok) return failFrom(locale, checked.problem);
  const change = checked.value;
  const diff = printChanges([change]);
  const decision = await use.ask({ kind: "change", changes: [change], diff, why }, signal);
  if (!decision.ok) return fail(locale, "not-approved", notApproved(change, decision.reason));
  const applied = await workspace.apply(change, decision.approval, { signal });
  if (!applied.ok) return failFrom(locale, applied.problem);
  const { path } = change;
  if (change.after === undefined) seen.delete(path);
  else {
    // What the model has written it knows: its next edit of the file is not stale.
    const read = await workspace.read(path, { signal, mayBeSecret: true });
    if (read.ok) seen.set(path, read.value.hash);
  }
  const edits = toLineEdits(change.before?.text ?? "", change.after ?? "");
  use.onChange?.({ change: applied.value, edits });
  const { added, removed } = countChangedLines(diff);
  const isLong = diff.length > maxDiff;
  return {
    success: true,
    path,
    ...(workspace.effect === "files"
      ? { status: "applied" }
      : { status: "proposed", status_note: proposed[locale] }),
    added_lines: added,
    removed_lines: removed,
    diff: isLong ? `${diff.slice(0, diff.lastIndexOf("\n", maxDiff) + 1)}…` : diff,
    ...facts,
  };
}

const proposed: Message = {
  en: "The change is not in the file yet: the person gets it at the end. read_file shows the file with it.",
  zh: "修改尚未写入文件，会在最后交给用户。read_file 会显示修改后的文件。",
};

const notApproved = ({ path }: FileChange, reason: string): Message => ({
  en: `The person did not approve the change of ${quoteName(path)}: ${reason} Nothing was written. Do not send the same change again: do what the person asks for, or finish and say what is left to do.`,
  zh: `用户没有同意修改${quoteName(path, "zh")}：${reason}没有写入任何内容。请不要再次提交同样的修改：按用户的要求处理，或结束并说明还需要做什么。`,
});

const unread: Message = {
  en: "This would replace the whole of a file that you have not read. Nothing was written. Read it with read_file first, or change only the lines that you mean.",
  zh: "这会替换一个尚未读取的文件的全部内容。没有写入任何内容。请先用 read_file 读取，或只修改需要改动的行。",
};

const newErrors: Message = {
  en: "The file now has syntax errors that it did not have before. Read the place and correct it with another edit.",
  zh: "文件现在有之前没有的语法错误。请读取相应位置，再次修改以更正。",
};

const stale = (path: string): Message => ({
  en: `${quoteName(path)} has changed since you read it. Nothing was written. Read it again with read_file, then make your edit for the text as it is now.`,
  zh: `${quoteName(path, "zh")}在读取之后发生了变化。没有写入任何内容。请用 read_file 重新读取，再针对当前文本进行修改。`,
});

/**
 * A change of a text as edits of lines, numbered as they were before; `end_line` is `start_line - 1` where lines
 * only come in.
 */
export function toLineEdits(before: string, after: string): LineEdit[] {
  return findTextChanges(before, after).map(({ startLine, endLine, text }) => ({
    start_line: startLine,
    end_line: endLine,
    replacement: text === "" || text.endsWith("\n") ? text : `${text}\n`,
  }));
}

/** Problems that are told. */
const maxTold = 5;

/** Syntax errors that the text has with a change and did not have before; none where nobody can tell. */
async function findNewProblems({ path, before, after }: FileChange, { code, signal }: ToolUse) {
  if (code === undefined || after === undefined) return [];
  const is = await code.analyze(after, undefined, path, { signal });
  if (is.language === undefined || is.problems.length === 0) return [];
  const was = await code.analyze(before?.text ?? "", undefined, path, { signal });
  const known = was.problems.map(problemKey);
  const come = is.problems.filter((problem) => {
    const at = known.indexOf(problemKey(problem));
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
  // An old error that the change touches reads otherwise now, and is not new.
  const count = Math.min(maxTold, is.problems.length - was.problems.length);
  return come.slice(0, Math.max(0, count)).map(({ kind, text, range }) => ({
    line: range.startLine,
    problem: kind,
    text,
  }));
}

function problemKey({ kind, text }: CodeProblem): string {
  return `${kind} ${text}`;
}
