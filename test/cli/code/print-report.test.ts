import { expect, test } from "vitest";
import { RunRecord, printReport } from "../../../src/cli/code/progress.ts";
import { AppError } from "../../../src/base/errors/app-error.ts";
import type { ProposedEdit } from "../../../src/turn/proposed-edit.ts";

const entry = (tool: string) => ({
  tool,
  reason: "why",
  params: { target_file: "a.js" },
  result: { success: true },
  timestamp: "2026-01-01T00:00:00.000Z",
});
const place = { request: "do it", root: "/home/ada/shop" };
const applied = (
  changes: { startLine: number; endLine: number; text: string }[],
): ProposedEdit => ({
  filePath: "a.js",
  units: [],
  result: { status: "applied", changes },
});

test("the report holds the document's fields, and the words after the last step", () => {
  const record = new RunRecord();
  record.take({ type: "text-delta", text: "I look." }, "I look.");
  record.take({
    type: "tool-result",
    result: { id: "1", content: "", isError: false },
    entry: entry("read_file"),
  });
  record.take({
    type: "usage",
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  });
  record.take({
    type: "usage",
    usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
  });
  record.take({ type: "text-delta", text: "Done.\n" }, "Done.\n");
  record.take({ type: "edit", edit: applied([{ startLine: 2, endLine: 3, text: "x\n" }]) });
  record.take({ type: "turn-end", reason: "stop" });
  expect(JSON.parse(printReport(record, place))).toEqual({
    user_query: "do it",
    working_dir: "/home/ada/shop",
    history: [entry("read_file")],
    edit_operations: [{ target_file: "a.js", start_line: 2, end_line: 3, replacement: "x\n" }],
    response: "Done.",
    check: null,
    usage: { prompt_tokens: 11, completion_tokens: 22, total_tokens: 33 },
    end: "stop",
  });
  expect(record.isSound).toBe(true);
  expect(record.figures).toEqual({ steps: 1, files: 0, tokens: 33 });
});

test("files that come, go, or are too large to tell are said as such", () => {
  const record = new RunRecord();
  const created: ProposedEdit = {
    filePath: "new.js",
    units: [{ search: "", replace: "1\n" }],
    result: { status: "new-file" },
  };
  record.edits.push(
    created,
    { ...applied([{ startLine: 1, endLine: 2, text: "" }]), isDeleted: true },
    { ...applied([]), isCut: true },
  );
  expect(JSON.parse(printReport(record, place)).edit_operations).toEqual([
    { target_file: "new.js", start_line: 1, end_line: 0, replacement: "1\n" },
    { target_file: "a.js", start_line: 1, end_line: 2, replacement: "", is_deleted: true },
    { target_file: "a.js", start_line: 1, end_line: 0, replacement: "", is_cut: true },
  ]);
});

test("a run is sound only if it ended well, the check passed and nothing was refused", () => {
  const make = (spoil: (record: RunRecord) => void): boolean => {
    const record = new RunRecord();
    record.end = "stop";
    spoil(record);
    return record.isSound;
  };
  const ran = { ran: true as const, command: "t", exit: "", output: "" };
  expect(make(() => {})).toBe(true);
  expect(make((record) => (record.check = { ...ran, passed: true }))).toBe(true);
  expect(make((record) => (record.check = { ...ran, passed: false }))).toBe(false);
  expect(make((record) => (record.check = { ran: false, command: "t", reason: "" }))).toBe(false);
  expect(make((record) => record.refused.add("a.js"))).toBe(false);
  expect(make((record) => (record.end = "length"))).toBe(false);
  expect(make((record) => (record.failure = new AppError("internal", "broken")))).toBe(false);
});
