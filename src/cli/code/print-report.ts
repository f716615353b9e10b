import type { CheckOutcome } from "../../flows/loop/coding.ts";
import type { HistoryEntry } from "../../turn/history-entry.ts";
import type { ProposedEdit } from "../../turn/proposed-edit.ts";
import type { Usage } from "../../turn/turn-event.ts";
import type { RunRecord } from "./run-record.ts";

/** Lines of a file that get other ones, as the coding document writes them: 1-based, inclusive. */
interface EditOperation {
  target_file: string;
  start_line: number;
  /** One less than `start_line`: lines are put in before it. */
  end_line: number;
  replacement: string;
  /** The file is gone. */
  is_deleted?: true;
  /** The change is too large to print. */
  is_cut?: true;
}

/** What `--json` prints: the shared memory of the coding document, and how the run ended. */
interface RunReport {
  user_query: string;
  working_dir: string;
  history: readonly HistoryEntry[];
  /** Numbered as the files were before the run, in their order. */
  edit_operations: readonly EditOperation[];
  response: string;
  check: CheckOutcome | null;
  usage: Usage | null;
  end: string;
  error?: { code: string; message: string };
}

/** The report as JSON with a line end. */
export function printReport(
  record: RunRecord,
  { request, root }: { request: string; root: string },
): string {
  const { history, edits, response, check, usage, end, failure } = record;
  const report: RunReport = {
    user_query: request,
    working_dir: root,
    history,
    edit_operations: edits.flatMap(listOperations),
    response: response.trim(),
    check: check ?? null,
    usage: usage ?? null,
    end: end ?? "error",
    ...(failure === undefined
      ? {}
      : { error: { code: failure.code, message: failure.messageIn("en") } }),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function listOperations({
  filePath,
  result,
  units,
  isDeleted,
  isCut,
}: ProposedEdit): EditOperation[] {
  const start = { target_file: filePath, start_line: 1, end_line: 0 };
  if (isCut === true) return [{ ...start, replacement: "", is_cut: true }];
  if (result.status === "new-file") return [{ ...start, replacement: units[0]?.replace ?? "" }];
  if (result.status !== "applied") return [];
  const operations = result.changes.map(({ startLine, endLine, text }) => ({
    target_file: filePath,
    start_line: startLine,
    end_line: endLine,
    replacement: text,
  }));
  if (isDeleted !== true) return operations;
  const [all = { ...start, replacement: "" }] = operations;
  return [{ ...all, is_deleted: true }];
}
