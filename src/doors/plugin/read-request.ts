import { type TurnSources, unknownModel } from "../../turn/agents/resolve-turn.ts";
import { countLines } from "../../base/text/lines.ts";
import { fence } from "../../base/text/fence.ts";
import { AppError } from "../../base/errors/app-error.ts";
import { type Locale, parseLocale } from "../../base/errors/locale.ts";
import { printPlaceSentence, printPrompt, readPrompt } from "../../flows/click/sentences.ts";
import type { Admission } from "../../run/admissions.ts";
import type { ContextVariable } from "../../turn/context/context.ts";
import type { TurnRequest } from "../../turn/turn.ts";
import type { DoorHost } from "../http/door.ts";
import { findIdeDefinitions, printFuncSymbols } from "./find-definitions.ts";
import type { IdeServices } from "./ide-services.ts";
import { isPluginModel } from "./plugin-models.ts";
import { type PluginRequest, commands, linesOfRange, toPath } from "./schema.ts";
import { type TestTask, readTestCases } from "./test-tasks.ts";
import { pluginTexts } from "./texts.ts";
import { type SelectedCode, readSelectedCode } from "./selected-code.ts";

/** What a request asks for, as the core understands it, and what its answer needs of it. */
export interface AskedTurn {
  request: TurnRequest;
  /** Of requests about selected code. */
  code?: SelectedCode;
  /** Of a recommendation: what writing the tests will need. */
  task?: TestTask;
  /** The function to test, if the code of the request does not contain it. */
  goneFunction?: string;
}

type Asked = Pick<TurnRequest, "variables" | "given"> & Omit<AskedTurn, "request">;

/** No language, and every other one, means English. */
export function localeOf({ language }: Pick<PluginRequest, "language">): Locale {
  return parseLocale(language) ?? "en";
}

/**
 * A name of a model that nobody here serves is not answered by another model.
 *
 * @throws AppError `unknown_command`, `invalid_request` that names the fields that are missing, `model_not_found`, which
 * lists the names
 */
export function checkPluginRequest(request: PluginRequest, sources: TurnSources): void {
  const command = commands.get(request.cmd);
  if (command === undefined) {
    const known = ["list_model", ...commands.keys()].join(", ");
    throw new AppError("unknown_command", {
      en: `Unknown cmd. This agent knows: ${known}.`,
      zh: `未知的 cmd。此智能体支持：${known}。`,
    });
  }
  // By their first names; of two names for one thing either will do.
  const isAbsent = (name: string): boolean => (request[name] ?? undefined) === undefined;
  const absent = command.needs.filter((names) => names.every(isAbsent));
  if (absent.length > 0) throw missingFields(absent.map(([name = ""]) => name));
  const { model } = request;
  if (!model || isPluginModel(model)) return;
  const names = listModels(sources);
  if (names.some((known) => isSameModel(known, model))) return;
  if (sources.resolveModel([model]).modelId === undefined) throw unknownModel(model, names);
}

/** Names that a request may have; those of the plugin's own models begin with "plugin". */
export function listModels({ modelNames }: Pick<TurnSources, "modelNames">): string[] {
  return modelNames.filter((name) => name !== "*");
}

/**
 * @param found the task that the request names, if it is known here
 * @throws AppError `invalid_request` if neither a task nor the fields say what to test
 */
export async function readPluginRequest(
  request: PluginRequest,
  admission: Admission,
  host: DoorHost,
  found: TestTask | undefined,
  ide: IdeServices,
): Promise<AskedTurn> {
  const { variables, given, ...asked } = await readAsked(request, admission, found, ide);
  const { sources } = host;
  return {
    ...asked,
    request: {
      id: admission.id,
      // The protocol names no agent: it is the first one that is published here.
      agent: [...sources.agents.keys()][0],
      command: commands.get(request.cmd)?.command,
      variables,
      given,
      models: [request.model, found?.model].map((name) => findModel(name, sources.modelNames)),
      languages: [localeOf(request)],
      caller: admission.caller,
      signal: admission.signal,
    },
  };
}

async function readAsked(
  request: PluginRequest,
  { signal }: Admission,
  found: TestTask | undefined,
  ide: IdeServices,
): Promise<Asked> {
  if (request.cmd === "exec_chat") return { variables: prompt(asWords(request.msg ?? "")) };
  if (request.cmd === "exec_code") return askForChanges(request);
  if (request.cmd === "exec_unittest_recommend") return recommend(request, ide, signal);
  if (request.cmd !== "exec_unittest_code") return askAboutCode(request);
  const cases = readTestCases(request.test_cases_str ?? "");
  return writeTests(request, cases, found ?? toTask(request));
}

function askAboutCode(request: PluginRequest): Asked {
  const code = readSelectedCode(request.selected_text, request.visible_text);
  const texts = pluginTexts(localeOf(request));
  const asked = asWords(request.user_prompt ?? "");
  const isExplain = request.cmd === "exec_explain";
  const shown =
    code.window === "" || !isExplain
      ? asked
      : `${asked || texts.explainThis}\n\n${texts.window}\n\n${fence(code.window)}`;
  return { variables: [...prompt(shown), { name: "activeEditor", value: code.editor }], code };
}

/** What the editor shows comes along: the selection, and the whole file where the request brings it. */
function askForChanges(request: PluginRequest): Asked {
  const { editor, path: shown } = readSelectedCode(request.selected_text, request.visible_text);
  const path = toPath(request.filepath ?? request.file_path);
  const content = request.file_content ?? undefined;
  const isWhole = content !== undefined && path !== "";
  const range = shown === "" || shown === path ? editor : undefined;
  // The language goes by the path, which a selection alone may lack.
  const whole = { ...range, language: undefined, filePath: path, content };
  const value = isWhole ? whole : editor;
  const words = prompt(asWords(request.msg ?? ""));
  return { variables: value === undefined ? words : [...words, { name: "activeEditor", value }] };
}

async function recommend(
  request: PluginRequest,
  ide: IdeServices,
  signal: AbortSignal,
): Promise<Asked> {
  const path = toPath(request.filepath ?? request.file_path);
  const described = describeTask(request, path, request.file_content ?? "");
  const { content, location } = described;
  const lines = location === undefined ? { startLine: 0, endLine: 0 } : linesOfRange(location);
  const symbols = request.func_symbols ?? [];
  const place = { path, content, lines };
  const ofIde = await findIdeDefinitions(ide, place, symbols, signal);
  const named = printFuncSymbols(symbols, place, localeOf(request));
  const definitions = [named, ofIde].filter((text) => text !== "").join("\n\n");
  const userPrompt = request.user_prompt ?? "";
  const task = { ...described, definitions, userPrompt, model: request.model ?? "" };
  const sentence = sentenceFor("cases", task, localeOf(request));
  return {
    variables: [...prompt(printPrompt(sentence, userPrompt)), editorOf(task)],
    given: { definitions },
    // Of no code there are no tests to be written.
    ...(content.trim() === "" ? {} : { task }),
  };
}

function describeTask(request: PluginRequest, path: string, content: string): TestTask {
  const functionName = request.func_name ?? request.function_name ?? "";
  const location = request.func_location ?? undefined;
  return { path, content, functionName, location, definitions: "", userPrompt: "", model: "" };
}

function writeTests(request: PluginRequest, cases: string, task: TestTask): Asked {
  const text = printPrompt(sentenceFor("tests", task, localeOf(request)), cases);
  const reference = request.reference_content ?? "";
  return {
    variables: [...prompt(text), editorOf(task)],
    given: {
      definitions: task.definitions,
      // Beside the cases, so that no line of them is taken for a case.
      wishes: request.user_prompt || task.userPrompt,
      ...(reference.trim() === "" ? {} : { referenceTest: fence(reference) }),
    },
    ...(isGone(task) ? { goneFunction: task.functionName } : {}),
  };
}

/**
 * The task that a request without a known `task_id` describes in its own fields.
 *
 * @throws AppError `invalid_request`
 */
function toTask(request: PluginRequest): TestTask {
  // An empty text is a value: the flow says that there is nothing to test.
  const content = request.relevant_content ?? request.file_content ?? undefined;
  // The document writes an empty task_id where there is no task.
  if (content === undefined)
    throw missingFields(["relevant_content"], (request.task_id ?? "") !== "");
  return describeTask(request, toPath(request.file_path ?? request.filepath), content);
}

/** Names the function to the flow, which looks it up by its name and else takes the lines. */
function sentenceFor(kind: string, task: TestTask, locale: Locale): string {
  const { content, location } = task;
  const all = { startLine: 1, endLine: Math.max(1, countLines(content)) };
  const range = location === undefined ? all : linesOfRange(location);
  const name = nameOf(task);
  return printPlaceSentence(kind, { ...range, ...(name && { name }) }, locale);
}

/** Lines are surer than a name that we must guess from several words. */
function nameOf({ location, functionName }: TestTask): string | undefined {
  const isGuess = /\s/.test(functionName.trim());
  return location !== undefined && isGuess ? undefined : findFunctionName(functionName);
}

/** Whether the function is not to be found: neither by its lines nor by its name. */
function isGone(task: TestTask): boolean {
  const { location, functionName, content } = task;
  if (location !== undefined || functionName.trim() === "" || content.trim() === "") return false;
  const name = nameOf(task);
  return name === undefined || !holdsName(task.content, name);
}

/** What a person types is not a click, even if it reads like one: a click begins with its sentence. */
function asWords(text: string): string {
  return readPrompt(text) === undefined ? text : `\n${text}`;
}

function editorOf({ path, content }: TestTask): ContextVariable {
  return { name: "activeEditor", value: { filePath: path, content } };
}

function prompt(text: string | null | undefined): ContextVariable[] {
  return text ? [{ name: "userInputPrompt", value: text }] : [];
}

/** Names match without case. */
function findModel(name: string | null | undefined, names: readonly string[]): string | undefined {
  if (!name || names.includes(name)) return name || undefined;
  return names.find((known) => isSameModel(known, name)) ?? name;
}

export function isSameModel(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** @param isTaskUnknown the request names a task that is not known here, so it needs the fields */
export function missingFields(fields: readonly string[], isTaskUnknown = false): AppError {
  const say = (locale: Locale): string => {
    const { missing, gap, unknownTask } = pluginTexts(locale);
    return missing(fields) + (isTaskUnknown ? gap + unknownTask : "");
  };
  const message = { en: say("en"), zh: say("zh") };
  return new AppError("invalid_request", message, { param: fields.join(", ") });
}

/** In characters; a longer text does not name a function. */
const maxName = 200;
/** In characters; to look through more takes too long. */
const maxCode = 200_000;

const part = /[\p{ID_Continue}$]/u;
const words = /[\p{ID_Start}_$][\p{ID_Continue}$]*/gu;

/**
 * The name in what an IDE calls a function, which may be its whole head: `int total(items)` and
 * `func (s *Store) total` are `total`. A text without space and parameters is a name as it is.
 *
 * @returns undefined where there is none
 */
function findFunctionName(text: string): string | undefined {
  const head = text.trim();
  if (head === "" || head.length > maxName) return undefined;
  if (!/[\s(]/.test(head)) return head;
  const plain = head.replaceAll(/<[^<>()]*>/g, "");
  const called = [...plain.matchAll(words)].find(
    ({ 0: word, index }) => plain[index + word.length] === "(",
  );
  const names = plain.replaceAll(/\([^()]*\)/g, " ").match(words) ?? [];
  return called?.[0] ?? names.at(-1);
}

/** Whether code holds a name as a word; of `Cart.total` the last one. Of long code it is taken for granted. */
function holdsName(code: string, name: string): boolean {
  if (code.length > maxCode) return true;
  const last = name.match(words)?.at(-1);
  if (last === undefined) return code.includes(name);
  for (let at = code.indexOf(last); at !== -1; at = code.indexOf(last, at + last.length)) {
    const around = `${code[at - 1] ?? ""} ${code[at + last.length] ?? ""}`;
    if (!part.test(around)) return true;
  }
  return false;
}
