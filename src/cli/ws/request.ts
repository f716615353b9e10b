// What the terminal sends for a command: its requests as the plugin protocol writes them, with the code of a file.
import { relative, resolve, sep } from "node:path";
import type { CodeAnalysis, CodeParser, CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols, listUses, symbolAt } from "../../code/symbols.ts";
import { type Place, readEditor } from "../call/collect/read-editor.ts";
import { CliError } from "../cli-error.ts";
import {
  type WireRange,
  type WireSymbol,
  ideServices,
  servicesForFiles,
  toWireRange,
  toWireSymbol,
} from "./ide.ts";
import type { Step } from "./steps.ts";

export interface RequestSources {
  /** As the person named it. */
  command: string;
  language: string;
  /** "" leaves the choice to the agent. */
  model: string;
  stream: boolean;
  /** What the person asks, wishes or, for `exec_unittest_code`, wants tested. */
  prompt: string | undefined;
  code: CollectedCode | undefined;
  /** The folder of the project. */
  root: string;
  /** The agent may ask for writes. */
  writes: boolean;
}

/**
 * The request of one step, as the protocol writes it.
 *
 * @param recommended the cases that the step before came to, and the task that they belong to
 * @throws CliError when something that the step needs was not given
 */
export function buildRequest(
  { cmd, needs }: Step,
  id: number,
  { command, language, model, stream, prompt, root, writes, code }: RequestSources,
  recommended?: { cases: string; taskId: string | number | undefined },
): Record<string, unknown> {
  const head = { request_id: id, cmd };
  if (needs === "nothing") return head;
  const shared = { ...head, language, model, stream, queue_place: true };
  if (needs === "question") return { ...shared, msg: prompt };
  if (needs === "work")
    return { ...shared, ide_services: servicesForFiles(writes), root, msg: prompt };
  const wishes = prompt === undefined ? {} : { user_prompt: prompt };
  const asking = { ...shared, ide_services: ideServices, root };
  if (code === undefined)
    throw new CliError(
      `ws ${command} needs code. Name a file, such as ws ${command} src/app.ts:10-20.`,
    );
  if (needs === "code")
    return { ...asking, ...wishes, selected_text: code.selected, visible_text: code.visible };
  const { name, range, symbols } = requireFunction(code);
  const { content, filepath } = code;
  const meant = { func_name: name, func_location: range, func_symbols: symbols };
  if (needs === "function")
    return { ...asking, ...wishes, ...meant, file_content: content, filepath };
  if (recommended === undefined && prompt === undefined)
    throw new CliError(
      `ws ${command} needs test cases. Give them with --prompt TEXT, or pipe them in.`,
    );
  return {
    ...asking,
    // The fields of the function go along: a server may have forgotten the task.
    function_name: name,
    func_location: range,
    file_path: filepath,
    relevant_content: content,
    test_cases_str: recommended?.cases ?? prompt,
    ...(recommended === undefined ? {} : wishes),
    ...(recommended?.taskId === undefined ? {} : { task_id: recommended.taskId }),
  };
}

/** Code with its place, as the protocol has it. */
interface TextContext {
  filepath: string;
  range: WireRange;
  text: string;
}

/** A file as an IDE plugin sends it. */
export interface CollectedCode {
  filepath: string;
  content: string;
  /** The lines that were named, the function around a cursor, else the whole file. */
  selected: TextContext;
  /** What a window would show around it. */
  visible: TextContext;
  /** The function that is meant; undefined where the place names none. */
  meant: FunctionFacts | undefined;
  /** The functions of the file with their lines, for a person who must choose one. */
  functions: readonly string[];
}

interface FunctionFacts {
  name: string;
  range: WireRange;
  symbols: WireSymbol[];
}

/** Functions that a message lists. */
const maxListed = 8;

/**
 * Reads a file, and what is meant in it.
 *
 * @param directory from where the file was named
 * @param root from where the protocol names it
 * @throws CliError when it is not readable text, or the place is not in it
 */
export async function collectCode(
  { file, lines, cursor }: Place,
  directory: string,
  root: string,
  code: CodeParser,
): Promise<CollectedCode> {
  const read = readEditor(directory, file, lines, {}, cursor);
  const filepath = relative(root, resolve(directory, file)).split(sep).join("/");
  const content = read.content ?? "";
  const analysis = await code.analyze(content, read.language ?? undefined, file);
  const functions = flattenSymbols(analysis.symbols).filter(({ kind }) =>
    /^(?:function|method|constructor)$/.test(kind),
  );
  const { startLine, endLine } = read.selectedRanges?.[0] ?? {};
  const first = startLine ?? cursor?.line;
  const meant = findMeant(functions, analysis, first, endLine ?? first);
  const around = cursor && (meant ?? symbolAt(analysis, cursor.line))?.range;
  const ofCursor =
    cursor && `${around?.startLine ?? cursor.line}-${around?.endLine ?? cursor.line}`;
  const editor = ofCursor === undefined ? read : readEditor(directory, file, ofCursor);
  const visible = toContext(filepath, editor.visibleRange);
  const selection = editor.selectedRanges?.[0];
  return {
    filepath,
    content,
    selected: selection === undefined ? visible : toContext(filepath, selection),
    visible,
    meant: meant && factsOf(meant, analysis),
    functions: functions
      .slice(0, maxListed)
      .map(({ name, range }) => `${name} (${file}:${range.startLine})`),
  };
}

/**
 * The function to write tests for.
 *
 * @throws CliError that names the functions of the file if the place means none of them
 */
export function requireFunction({ meant, functions, filepath }: CollectedCode): FunctionFacts {
  if (meant !== undefined) return meant;
  const choice = functions.length === 0 ? "" : ` There are: ${functions.join(", ")}.`;
  throw new CliError(
    `Name the function to test by one of its lines, such as ${filepath}:10.${choice}`,
  );
}

function findMeant(
  functions: readonly CodeSymbol[],
  analysis: CodeAnalysis,
  first: number | null | undefined,
  last: number | null | undefined,
): CodeSymbol | undefined {
  // A file of one function leaves no question.
  if (typeof first !== "number") return functions.length === 1 ? functions[0] : undefined;
  const around = symbolAt(analysis, first);
  if (around !== undefined && functions.includes(around)) return around;
  return functions.find(
    ({ range }) => range.startLine >= first && range.startLine <= (last ?? first),
  );
}

/** Its symbol, below which every name that it uses is listed at its first use. */
function factsOf(symbol: CodeSymbol, analysis: CodeAnalysis): FunctionFacts {
  const { name } = symbol;
  const uses = listUses(analysis, symbol.range).filter((use) => use.name !== name);
  const children = uses.map(({ name: used, line, character }) => {
    const range = { start: { line, character }, end: { line, character: character + used.length } };
    return { name: used, kind: "Variable", range, children: [] };
  });
  return { name, range: toWireRange(symbol.range), symbols: [toWireSymbol(symbol, children)] };
}

type EditorRange = NonNullable<ReturnType<typeof readEditor>["visibleRange"]>;

function toContext(filepath: string, range: EditorRange | null | undefined): TextContext {
  const { startLine, startColumn, endLine, endColumn, content = "" } = range ?? {};
  const place = {
    startLine: startLine ?? 1,
    startColumn: startColumn ?? 1,
    endLine: endLine ?? 1,
    endColumn: endColumn ?? 1,
  };
  return { filepath, range: toWireRange(place), text: content };
}
