import * as z from "zod";
import type { Fields } from "../../base/text/json.ts";
import { joinLines, linesOf } from "../../base/text/lines.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import type { Message } from "../../base/errors/app-error.ts";
import { quoteName } from "../../base/errors/names.ts";
import type {
  ReadOptions,
  WorkspaceFile,
  WorkspaceProblem,
  WorkspaceResult,
} from "../../workspace/workspace.ts";
import { type ToolOutcome, type ToolUse, defineTool, fail, failFrom } from "../tool.ts";
import { explanation, sayNotes, targetFile } from "./fields.ts";
import { refuse } from "../../workspace/problems.ts";
import { listFiles } from "../../workspace/list-files.ts";
import { distance } from "fastest-levenshtein";

/** Characters of a file in one result. */
const maxContent = 40_000;
/** Lines of a file that is too large to be read as a whole. */
const maxLines = 1_000;

const lineNumber = z.int().min(1).optional();

export const readFile = defineTool({
  name: "read_file",
  otherNames: (
    "readTool readFile read view view_file open_file viewTool str_replace_based_edit_tool " +
    "str_replace_editor"
  ).split(" "),
  commands: ["view"],
  description: {
    en: "Reads a text file. Read a file before you change it. The content comes as it is, without line numbers, so you can copy from it into SEARCH.",
    zh: "读取文本文件。修改文件之前请先读取。内容原样给出，不带行号，可以直接复制到 SEARCH 中。",
  },
  fields: {
    target_file: targetFile,
    explanation,
    start_line: {
      schema: lineNumber,
      en: "First line to read, from 1. Leave out to read the whole file.",
      zh: "要读取的第一行，从 1 开始。读取整个文件时省略。",
      otherNames: "startLine start_line_one_indexed",
    },
    end_line: {
      schema: lineNumber,
      en: "Last line to read, included.",
      zh: "要读取的最后一行（包含在内）。",
      otherNames: "endLine end_line_one_indexed_inclusive",
    },
  },
  fit: fitRange,
  effect: "read",
  async run(input, use) {
    const { target_file: path, start_line: from = 1, end_line: to } = input;
    if (to !== undefined && to < from) return fail(use.locale, "line-range", reversed(from, to));
    const why = input.explanation ?? "";
    let file = await openFile(path, why, use);
    if (!file.ok && file.problem.code === "too-large") {
      const endLine = Math.min(to ?? Infinity, from + maxLines - 1);
      file = await openFile(path, why, use, { startLine: from, endLine });
    }
    if (!file.ok) return describeProblem(path, file.problem, use);
    return show(file.value, { startLine: from, endLine: to ?? Infinity }, use);
  },
});

/** `view_range: [first, last]`, and `offset` with `limit`, as lines. */
function fitRange(given: Fields): Fields | undefined {
  const { view_range: range, offset, limit, ...others } = given;
  if (Array.isArray(range)) {
    const [start_line, end_line] = range as readonly unknown[];
    return { start_line, end_line, ...others };
  }
  if (offset === undefined && limit === undefined) return undefined;
  const [first, count] = [offset ?? 1, limit].map(Number);
  if (first === undefined || count === undefined || !(first >= 0)) return undefined;
  const start_line = Math.max(1, first);
  return { start_line, ...(count > 0 ? { end_line: start_line + count - 1 } : {}), ...others };
}

/** What a workspace says, and for a missing file which ones there are. */
export async function describeProblem(
  path: string,
  problem: WorkspaceProblem,
  use: ToolUse,
): Promise<ToolOutcome> {
  if (problem.code !== "not-found") return failFrom(use.locale, problem);
  const similar = await findSimilarPaths(path, use);
  return failFrom(use.locale, problem, similar.length === 0 ? {} : { similar_files: similar });
}

/**
 * The lines come without numbers, as they are: a SEARCH must repeat them exactly, and models copy numbers with
 * them. Line ends are "\n" whatever the file has, since the edit engine keeps the file's own.
 */
function show(file: WorkspaceFile, wanted: LineRange, { seen, locale }: ToolUse): ToolOutcome {
  const lines = linesOf(file.text);
  const last = file.startLine + lines.length - 1;
  const from = Math.max(wanted.startLine, file.startLine);
  if (wanted.startLine > Math.max(last, 1))
    return fail(locale, "line-range", beyond(file, wanted.startLine, last));
  const { content, end, isCutLine } = fit(lines, from - file.startLine, wanted.endLine - from + 1);
  const endLine = file.startLine + end - 1;
  seen.set(file.path, file.hash);
  const isAll = endLine >= Math.min(last, wanted.endLine) && !isCutLine;
  const note = isAll
    ? noteOf(file, from, endLine)
    : isCutLine
      ? longLine(endLine)
      : goOn(from, endLine, file);
  return {
    success: true,
    path: file.path,
    content,
    start_line: from,
    end_line: endLine,
    total_lines: file.totalLines,
    ...sayNotes(locale, note),
  };
}

/** @returns `end`: how many lines of the file are shown or come before */
function fit(lines: readonly string[], first: number, count: number) {
  const end = Math.min(lines.length, first + count);
  let length = 0;
  for (let at = first; at < end; at += 1) {
    length += (lines[at] ?? "").length + 1;
    if (length <= maxContent) continue;
    if (at > first)
      return { content: joinLines(lines.slice(first, at)), end: at, isCutLine: false };
    return { content: (lines[at] ?? "").slice(0, maxContent), end: at + 1, isCutLine: true };
  }
  return { content: joinLines(lines.slice(first, end)), end, isCutLine: false };
}

function noteOf(file: WorkspaceFile, from: number, to: number): Message | undefined {
  if (file.totalLines === 0 || file.text === "")
    return { en: "The file is empty.", zh: "文件为空。" };
  if (file.isPart)
    return {
      en: "Only this part of the file is available, so it cannot be changed.",
      zh: "只有文件的这一部分可用，因此无法修改该文件。",
    };
  return to < file.totalLines && file.totalLines > maxLines ? goOn(from, to, file) : undefined;
}

const goOn = (from: number, to: number, { totalLines }: WorkspaceFile): Message => ({
  en: `Lines ${from} to ${to} of ${totalLines} are shown. To read on, call read_file with start_line ${to + 1}.`,
  zh: `此处为第 ${from} 至 ${to} 行，共 ${totalLines} 行。要继续读取，请调用 read_file，start_line 为 ${to + 1}。`,
});

const longLine = (line: number): Message => ({
  en: `Line ${line} is very long and was cut. Use grep_search to find text in it, or read other lines with start_line.`,
  zh: `第 ${line} 行很长，已被截断。请用 grep_search 在其中查找文本，或用 start_line 读取其他行。`,
});

const reversed = (from: number, to: number): Message => ({
  en: `end_line ${to} comes before start_line ${from}. Call again with end_line at least ${from}.`,
  zh: `end_line ${to} 在 start_line ${from} 之前。请重新调用，end_line 不小于 ${from}。`,
});

const beyond = ({ path, totalLines }: WorkspaceFile, from: number, last: number): Message => ({
  en: `${quoteName(path)} has ${totalLines} lines, so there is no line ${from}. Use a start_line of at most ${last}.`,
  zh: `${quoteName(path, "zh")}共 ${totalLines} 行，没有第 ${from} 行。start_line 不能大于 ${last}。`,
});

// A path that a model has named in; the file comes out, or the result that says why not.

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
  lines?: LineRange,
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
    : refuse("not-approved", notAllowed(located.value, decision.reason));
}

const notAllowed = (path: string, reason: string): Message => ({
  en: `The person did not allow you to read ${quoteName(path)}: ${reason} Do not ask for this file again; go on without it, or finish and say what you need it for.`,
  zh: `用户不允许读取${quoteName(path, "zh")}：${reason}请不要再次请求该文件，继续完成其他工作，或结束并说明为什么需要它。`,
});

/** Paths that are named. */
const maxNamed = 5;
/** In characters; longer names are not compared. */
const maxName = 64;

/** Files of the workspace whose names are like that of a file that is not there, the most alike first. */
export async function findSimilarPaths(path: string, use: ToolUse): Promise<string[]> {
  const paths = (await listFiles(use.workspace, use.signal)).map((file) => file.path);
  const wanted = nameOf(path);
  return paths
    .map((each) => ({ path: each, score: compare(wanted, nameOf(each)) }))
    .filter(({ score }) => score < Infinity)
    .sort((one, other) => one.score - other.score || one.path.length - other.path.length)
    .slice(0, maxNamed)
    .map((each) => each.path);
}

/** 0 for the same name; how many characters differ, where few do; Infinity for others. */
function compare(wanted: string, name: string): number {
  if (wanted === name) return 0;
  if (wanted.length > maxName || name.length > maxName) return Infinity;
  if (stemOf(wanted) === stemOf(name)) return 1;
  if (Math.abs(wanted.length - name.length) > 2) return Infinity;
  const edits = distance(wanted, name);
  return edits <= Math.min(2, Math.floor(wanted.length / 3)) ? edits + 1 : Infinity;
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
