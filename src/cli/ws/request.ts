// What the terminal sends for a command: its requests as the plugin protocol writes them, with the code of a file.
import { resolve } from "node:path";
import type { CodeAnalysis, CodeParser, CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols, listUses, symbolAt } from "../../code/symbols.ts";
import { commands } from "../../doors/plugin/schema.ts";
import type { LineRange } from "../../edit.ts";
import { didYouMean } from "../../base/errors/names.ts";
import { type Place, readEditor, sentPath } from "../call/collect/read-editor.ts";
import { CliError } from "../cli-error.ts";
import { listServices, toWireRange, toWireSymbol } from "./ide.ts";

/** One request, and what it needs beside the things that all have. */
export interface Step {
  cmd: string;
  needs: "nothing" | "question" | "work" | "code" | "function" | "cases";
}

const listing: Step = { cmd: "list_model", needs: "nothing" };

/** What may be written: short names first, then those of the protocol. */
export const commandNames: readonly string[] = [
  "models",
  ...[...commands.values()].map(({ command }) => command),
  listing.cmd,
  ...commands.keys(),
];

/** The requests of a command: one for most. `unittest` sends two, and the second takes the cases of the first. */
export function findSteps(written: string): readonly [Step, ...Step[]] {
  if (written === "models" || written === listing.cmd) return [listing];
  const found = [...commands].find(([cmd, { command }]) => [cmd, command].includes(written));
  if (found === undefined)
    throw new CliError(
      `Unknown command ${JSON.stringify(written)}.${didYouMean(written, commandNames)} There are: ${commandNames.join(", ")}.`,
    );
  const [cmd, { needs, opensFiles }] = found;
  const fields = new Set(needs.flat());
  if (opensFiles === true) return [{ cmd, needs: "work" }];
  if (fields.has("msg")) return [{ cmd, needs: "question" }];
  if (!fields.has("func_name"))
    return [{ cmd, needs: fields.has("test_cases_str") ? "cases" : "code" }];
  const writing: Step = { cmd: "exec_unittest_code", needs: "cases" };
  return [{ cmd, needs: "function" }, ...(written === cmd ? [] : [writing])];
}

export interface RequestSources {
  command: string;
  language: string;
  /** "" leaves the choice to the agent. */
  model: string;
  stream: boolean;
  /** What the person asks, wishes or, for `exec_unittest_code`, wants tested. */
  prompt: string | undefined;
  code: CollectedCode | undefined;
  root: string;
  writes: boolean;
}

/** The request of one step. @param recommended the cases of the step before. @throws CliError when something is missing */
export function buildFrame(
  { cmd, needs }: Step,
  id: number,
  { command, language, model, stream, prompt, root, writes, code }: RequestSources,
  recommended?: { cases: string; taskId: string | number | undefined },
): Record<string, unknown> {
  const head = { request_id: id, cmd };
  if (needs === "nothing") return head;
  const shared = { ...head, language, model, stream, queue_place: true };
  if (needs === "question") return { ...shared, msg: prompt };
  const isWork = needs === "work";
  const asking = { ...shared, ide_services: listServices(isWork, writes), root };
  if (isWork) return { ...asking, msg: prompt };
  if (code === undefined)
    throw new CliError(
      `ws ${command} needs code. Name a file, such as ws ${command} src/app.ts:10-20.`,
    );
  const { content, filepath, selected, visible } = code;
  const wishing = { ...asking, user_prompt: prompt };
  if (needs === "code") return { ...wishing, selected_text: selected, visible_text: visible };
  const { name, range, symbols } = requireFunction(code);
  const meant = { func_name: name, func_location: range, func_symbols: symbols };
  if (needs === "function") return { ...wishing, ...meant, file_content: content, filepath };
  if (recommended === undefined && prompt === undefined)
    throw new CliError(
      `ws ${command} needs test cases. Give them with --prompt TEXT, or pipe them in.`,
    );
  return {
    ...(recommended === undefined ? asking : wishing),
    // The fields of the function go along: a server may have forgotten the task.
    function_name: name,
    func_location: range,
    file_path: filepath,
    relevant_content: content,
    test_cases_str: recommended?.cases ?? prompt,
    task_id: recommended?.taskId,
  };
}

/** A file as an IDE plugin sends it. */
type CollectedCode = Awaited<ReturnType<typeof collectCode>>;

const maxListed = 8;

/** Reads a file named in `directory`, for a protocol that names it from the root. @throws CliError */
export async function collectCode(
  { file, lines, cursor }: Place,
  directory: string,
  root: string,
  parser: CodeParser,
) {
  const read = readEditor(directory, file, lines, {}, cursor);
  const filepath = sentPath(root, resolve(directory, file));
  const analysis = await parser.analyze(read.content, read.language, file);
  const functions = flattenSymbols(analysis.symbols).filter(({ kind }) =>
    /^(?:function|method|constructor)$/.test(kind),
  );
  const named =
    read.selectedRanges[0] ?? (cursor && { startLine: cursor.line, endLine: cursor.line });
  const meant = findMeant(functions, analysis, named);
  const around = cursor && ((meant ?? symbolAt(analysis, cursor.line))?.range ?? named);
  const editor = around
    ? readEditor(directory, file, `${around.startLine}-${around.endLine}`)
    : read;
  const toContext = (range: typeof read.visibleRange) => ({
    filepath,
    range: toWireRange(range),
    text: range.content,
  });
  return {
    filepath,
    content: read.content,
    /** The lines that were named, the function around a cursor, else the whole file. */
    selected: toContext(editor.selectedRanges[0] ?? editor.visibleRange),
    /** What a window would show around it. */
    visible: toContext(editor.visibleRange),
    /** The function that is meant; undefined where the place names none. */
    meant: meant && factsOf(meant, analysis),
    /** The functions of the file with their lines, for a person who must choose one. */
    functions: functions
      .slice(0, maxListed)
      .map(({ name, range }) => `${name} (${file}:${range.startLine})`),
  };
}

/** The function to write tests for. @throws CliError that names the functions of the file if the place means none */
export function requireFunction({ meant, functions, filepath }: CollectedCode) {
  if (meant !== undefined) return meant;
  const choice = functions.length === 0 ? "" : ` There are: ${functions.join(", ")}.`;
  throw new CliError(
    `Name the function to test by one of its lines, such as ${filepath}:10.${choice}`,
  );
}

function findMeant(functions: readonly CodeSymbol[], analysis: CodeAnalysis, named?: LineRange) {
  // A file of one function leaves no question.
  if (named === undefined) return functions.length === 1 ? functions[0] : undefined;
  const around = symbolAt(analysis, named.startLine);
  if (around !== undefined && functions.includes(around)) return around;
  return functions.find(
    ({ range: { startLine } }) => startLine >= named.startLine && startLine <= named.endLine,
  );
}

/** Its symbol, below which every name that it uses is listed at its first use. */
function factsOf(symbol: CodeSymbol, analysis: CodeAnalysis) {
  const { name } = symbol;
  const uses = listUses(analysis, symbol.range).filter((use) => use.name !== name);
  const children = uses.map(({ name: used, line, character }) => {
    const range = { start: { line, character }, end: { line, character: character + used.length } };
    return { name: used, kind: "Variable", range, children: [] };
  });
  return { name, range: toWireRange(symbol.range), symbols: [toWireSymbol(symbol, children)] };
}
