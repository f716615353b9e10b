// The one way in which a call of a model is read and run. Whatever is wrong with it is a result that the model reads.
import * as z from "zod";
import type { Message } from "../base/errors/app-error.ts";
import { sayIssue } from "../base/errors/describe-issue.ts";
import type { Locale } from "../base/errors/locale.ts";
import { didYouMean, listNames, quoteName } from "../base/errors/names.ts";
import type { ToolCall, ToolResult } from "../turn/chat-message.ts";
import { checkSchema, sayProblem } from "./arguments/check-schema.ts";
import { fitInput, reasons } from "./arguments/fit-input.ts";
import {
  type AnyTool,
  type GivenUse,
  type ToolOutcome,
  type ToolUse,
  type Toolbox,
  fail,
} from "./tool.ts";
import { untilAborted } from "../base/wire/patient-timer.ts";
import { maxReason } from "./workspace/fields.ts";
import { type Fields, isRecord, scanJson } from "../base/text/json.ts";
import { parseFirst } from "../base/text/mended-json.ts";
import { cutText } from "../base/text/lines.ts";

/** What became of a call. */
export interface FinishedCall {
  /** The tool's own name, or what the model wrote if no tool has that name. */
  tool: string;
  /** As they were understood; empty where they could not be read. */
  params: Fields;
  outcome: ToolOutcome;
  /** What the model reads: the outcome as JSON, bounded. */
  result: ToolResult;
}

/** Problems of arguments that are named. */
const maxProblems = 5;

type Parsed = Partial<Pick<z.ZodSafeParseError<unknown>, "error">> & { data?: unknown };

type FittedCall =
  | { tool: AnyTool; params: FinishedCall["params"]; problem?: undefined }
  /** There is no such tool, or its arguments cannot be read. */
  | { tool: AnyTool | undefined; params: undefined; problem: Message | undefined };

/** The one place where it is found out what a call means, whether it was made natively or written. */
export function fitCall({ name, arguments: given }: ToolCall, toolbox: Toolbox): FittedCall {
  const parsed = parseArguments(given);
  const tool = toolbox.find(name, parsed.ok ? parsed.value : {});
  if (parsed.ok && tool !== undefined) return { tool, params: fitInput(tool, parsed.value) };
  return { tool, params: undefined, problem: parsed.ok ? undefined : parsed.problem };
}

/** Equal for calls that ask for the same, however they spell it; why they are made does not count. */
export function keyOfCall(call: ToolCall, toolbox: Toolbox): string {
  const { tool, params } = fitCall(call, toolbox);
  if (params === undefined) return `${call.name} ${call.arguments.trim()}`;
  const fields = Object.entries(params).filter(([each]) => !reasons.has(each));
  return `${tool.name} ${JSON.stringify(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
}

/** Reads a call and runs it. @throws the signal's reason, and nothing else */
export async function runCall(
  call: ToolCall,
  toolbox: Toolbox,
  use: GivenUse,
): Promise<FinishedCall> {
  use.signal.throwIfAborted();
  const { locale } = use;
  const { tool, params, problem } = fitCall(call, toolbox);
  const finish = (outcome: ToolOutcome, isBare = false): FinishedCall => {
    const { success, ...fields } = outcome;
    const content = printOutcome(isBare ? fields : outcome);
    const result = { id: call.id, content, isError: !success };
    return { tool: tool?.name ?? call.name, params: params ?? {}, outcome, result };
  };
  if (tool === undefined)
    return finish(fail(locale, "unknown-tool", unknownTool(call.name, toolbox, locale)));
  if (params === undefined) return finish(fail(locale, "bad-arguments", problem ?? noJson));
  const asked = withWhy(tool, params);
  const { schema } = tool;
  // By the schema of its description, where the tool has one.
  const parsed: Parsed = schema ? { data: asked } : z.safeParse(tool.input, asked);
  const issues = parsed.error?.issues.slice(0, maxProblems) ?? [];
  const found = schema
    ? checkSchema(schema, asked, maxProblems)
    : issues.map((issue) => ({ path: issue.path, message: sayIssue(issue, asked) }));
  const problems = found.map((each) => sayProblem(each, locale));
  if (problems.length > 0)
    return finish(fail(locale, "bad-arguments", badFields(tool, problems), { problems }));
  const own = call.id === "" ? use : { ...use, callId: call.id };
  return finish(await attempt(tool, parsed.data, own), tool.isBare);
}

/** All reasons of a call in the field that the tool has for one, since the person reads that. */
function withWhy({ fields }: AnyTool, params: FinishedCall["params"]): FinishedCall["params"] {
  const own = [...reasons].find((name) => Object.hasOwn(fields, name));
  const given = Object.entries(params).flatMap(([name, text]) =>
    reasons.has(name) && typeof text === "string" ? [text.trim()] : [],
  );
  const texts = [...new Set(given)].filter((text) => text !== "");
  if (own === undefined || texts.length < 2) return params;
  return { ...params, [own]: texts.join("\n").slice(0, maxReason) };
}

/**
 * A fault of a tool is not the model's fault, but only the model can go on. An abort does not wait for a read, only for a
 * write: what it has done is told.
 */
async function attempt(tool: AnyTool, input: unknown, use: GivenUse): Promise<ToolOutcome> {
  const hasFiles = [use.workspace, use.ask, use.seen].every((each) => each !== undefined);
  if (tool.needsFiles === true && !hasFiles) return fail(use.locale, "no-files", noFiles);
  try {
    // Which of the two it takes the tool itself has said.
    const run = tool.run(input, use as ToolUse);
    return await (tool.effect === "write" ? run : untilAborted(run, use.signal));
  } catch {
    use.signal.throwIfAborted();
    return fail(use.locale, "failed", broken(tool.name));
  }
}

function unknownTool(name: string, { names }: Toolbox, locale: Locale): Message {
  return {
    en: `There is no tool ${quoteName(name, locale)}.${didYouMean(name, names)} The tools are: ${listNames(names)}.`,
    zh: `没有名为${quoteName(name, "zh")}的工具。${didYouMean(name, names, "zh")}可用的工具：${listNames(names, "zh")}。`,
  };
}

const badFields = ({ name }: AnyTool, problems: readonly string[]): Message => ({
  en: `The arguments of ${name} are wrong: ${problems.join("; ")}. Nothing was done. Call it again with these fields corrected.`,
  zh: `${name} 的参数有误：${problems.join("；")}。没有执行任何操作。请更正这些字段后重新调用。`,
});

const noFiles: Message = {
  en: "There are no files here that a tool could work on. Nothing was done.",
  zh: "这里没有可供工具使用的文件。没有执行任何操作。",
};

const broken = (name: string): Message => ({
  en: `${name} failed for a reason that is not your call's fault. Try another way, or finish and say that it failed.`,
  zh: `${name} 执行失败，原因与调用内容无关。请换一种方式，或结束并说明该操作失败。`,
});

/** Characters of JSON that a model reads of one result. */
const maxResult = 100_000;

/**
 * An outcome as JSON; of one that is too long the longest texts and lists are shortened, and it says so.
 *
 * @param longest in characters
 */
export function printOutcome(outcome: Fields, longest = maxResult): string {
  const whole = JSON.stringify(outcome);
  if (whole.length <= longest) return whole;
  for (let most = longest / 4; most >= 100; most /= 4) {
    const short = Object.fromEntries(
      Object.entries(outcome).map(([name, value]) => [name, shorten(value, most)]),
    );
    const printed = JSON.stringify({ ...short, is_cut: true });
    if (printed.length <= longest) return printed;
  }
  return JSON.stringify({
    success: outcome["success"],
    is_cut: true,
    beginning: whole.slice(0, longest / 10),
  });
}

/** @param most characters of JSON */
function shorten(value: unknown, most: number): unknown {
  const length = (JSON.stringify(value) ?? "").length;
  if (length <= most) return value;
  if (typeof value === "string") return cutText(value, Math.floor((value.length * most) / length));
  if (Array.isArray(value)) return value.slice(0, Math.floor((value.length * most) / length));
  return undefined;
}

/** In characters. */
const maxArguments = 1_048_576;
const limits = { maxDepth: 32, maxValues: 20_000 };

type ParsedArguments = { ok: true; value: Fields } | { ok: false; problem: Message };

/**
 * Reads the arguments of a call, a JSON object; the first counts, and what comes behind it does not. Quotes, commas,
 * escapes and line breaks in strings are mended; a string or a bracket that is left open is not, since text may be
 * missing.
 */
export function parseArguments(json: string): ParsedArguments {
  if (json.length > maxArguments) return { ok: false, problem: tooLong };
  if (json.trim() === "") return { ok: true, value: {} };
  if (scanJson(json, limits) !== undefined) return { ok: false, problem: tooDeep };
  const first = parseFirst(json.trim());
  // Some models write the object as JSON once more.
  const value = typeof first === "string" ? (parseFirst(first.trim()) ?? first) : first;
  if (value === undefined) return { ok: false, problem: noJson };
  if (!isRecord(value)) return { ok: false, problem: noObject };
  return { ok: true, value };
}

const tooLong: Message = {
  en: "The arguments are longer than 1 MiB. Nothing was done. Send less, in several calls.",
  zh: "参数超过 1 MiB。没有执行任何操作。请减少内容，分多次调用。",
};

const tooDeep: Message = {
  en: "The arguments are nested too deeply or have too many values. Nothing was done. Send one flat JSON object with the fields of the tool.",
  zh: "参数嵌套过深或包含的值过多。没有执行任何操作。请发送一个只含该工具字段的 JSON 对象。",
};

const noJson: Message = {
  en: 'The arguments are not valid JSON, or end too early. Nothing was done. Send one complete JSON object: in strings write \\n for a line end, \\" for a quote, \\\\ for a backslash.',
  zh: '参数不是有效的 JSON，或不完整。没有执行任何操作。请发送一个完整的 JSON 对象：字符串中的换行写作 \\n，引号写作 \\"，反斜杠写作 \\\\。',
};

const noObject: Message = {
  en: "The arguments must be one JSON object with the fields of the tool. Nothing was done.",
  zh: "参数必须是一个 JSON 对象，包含该工具的字段。没有执行任何操作。",
};
