import type { CodeProblem } from "../../code/code-analysis.ts";
import type { FileChange } from "../../workspace/workspace.ts";
import type { ToolUse } from "../tool.ts";

/** Problems that are told. */
const maxTold = 5;

export interface SyntaxProblem {
  line: number;
  problem: CodeProblem["kind"];
  text: string;
}

/** Syntax errors that the text has with a change and did not have before; none where nobody can tell. */
export async function findNewProblems(
  { path, before, after }: FileChange,
  { code, signal }: ToolUse,
): Promise<SyntaxProblem[]> {
  if (code === undefined || after === undefined) return [];
  const is = await code.analyze(after, undefined, path, { signal });
  if (is.language === undefined || is.problems.length === 0) return [];
  const was = await code.analyze(before?.text ?? "", undefined, path, { signal });
  const known = was.problems.map(keyOf);
  const come = is.problems.filter((problem) => {
    const at = known.indexOf(keyOf(problem));
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

function keyOf({ kind, text }: CodeProblem): string {
  return `${kind} ${text}`;
}
