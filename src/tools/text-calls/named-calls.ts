import { isRecord } from "../../base/text/json.ts";
import { parseFirst } from "../../base/text/mended-json.ts";
import type { AnyTool, Toolbox } from "../tool.ts";

/** A call as an answer writes it. */
export interface NamedCall {
  name: string;
  args: Readonly<Record<string, unknown>>;
}

const nameKeys = [
  "tool",
  "tool_name",
  "toolName",
  "recipient_name",
  "name",
  "function",
  "function_name",
  "action",
];
const listKeys = ["tool_calls", "tool_call", "function_call", "tool_uses", "calls", "actions"];
const argumentKeys = [
  "params",
  "parameters",
  "arguments",
  "args",
  "input",
  "action_input",
  "kwargs",
];
/** What says why a call is made, and no more. */
const reasonKeys = ["reason", "explanation"];
/** Levels of wrapping. */
const maxDepth = 4;

/**
 * The calls that a value means: `{tool, reason, params}`, `{name, arguments}`, `{function: {...}}`, or a list of such.
 * Undefined if it is anything else, a result above all: that has `success`.
 *
 * @param isSure the value can be nothing but a call, so it may name a tool that does not exist
 */
export function callsOf(
  value: unknown,
  toolbox: Toolbox,
  isSure: boolean,
): NamedCall[] | undefined {
  return read(value, toolbox, isSure, 0);
}

/** What looks like a result of ours. */
export function isResult(value: unknown): boolean {
  return isRecord(value) && typeof value["success"] === "boolean";
}

function read(
  value: unknown,
  toolbox: Toolbox,
  isSure: boolean,
  depth: number,
): NamedCall[] | undefined {
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) {
    const calls = value.map((item) => read(item, toolbox, isSure, depth + 1));
    const isAll = calls.length > 0 && calls.every((call) => call !== undefined);
    return isAll ? calls.flat() : undefined;
  }
  if (!isRecord(value) || isResult(value) || isPast(value)) return undefined;
  const list = listKeys.find((each) => typeof value[each] === "object" && value[each] !== null);
  if (list !== undefined) return read(value[list], toolbox, isSure, depth + 1);
  if (isRecord(value["function"])) return read(value["function"], toolbox, isSure, depth + 1);
  const key = nameKeys.find((each) => typeof value[each] === "string");
  const name = key === undefined ? undefined : value[key];
  if (typeof name !== "string" || key === undefined) return readKeyed(value, toolbox);
  const tool = toolbox.find(name);
  if (tool === undefined && !isSure && key !== "tool") return undefined;
  const args = argumentsOf(value, key, tool, isSure);
  if (args === undefined || isSchema(args)) return undefined;
  return [{ name, args: withReason(args, value) }];
}

/** `{"read_file": {...}}` */
function readKeyed(
  value: Readonly<Record<string, unknown>>,
  toolbox: Toolbox,
): NamedCall[] | undefined {
  const [name, ...others] = Object.keys(value).filter((each) => !reasonKeys.includes(each));
  const args = name === undefined ? undefined : value[name];
  const tool = name === undefined ? undefined : toolbox.find(name);
  if (name === undefined || others.length > 0 || tool === undefined || !isRecord(args))
    return undefined;
  return hasField(tool, args) ? [{ name, args: withReason(args, value) }] : undefined;
}

/** A call of the history, with what it came to. */
function isPast(value: Readonly<Record<string, unknown>>): boolean {
  return typeof value["timestamp"] === "string" || isResult(value["result"]);
}

/** What a tool takes, and no arguments of a call. */
function isSchema(args: Readonly<Record<string, unknown>>): boolean {
  return args["type"] === "object" && isRecord(args["properties"]);
}

/** Fields that say why: other things than calls have them, too. */
const reasons = new Set(["explanation", "instructions"]);

/** Whether a field that only a call of the tool has is among them. */
function hasField(
  { fields, otherFields = {} }: AnyTool,
  args: Readonly<Record<string, unknown>>,
): boolean {
  return Object.keys(args).some((name) => {
    const own = Object.hasOwn(otherFields, name) ? (otherFields[name] ?? name) : name;
    return Object.hasOwn(fields, own) && !reasons.has(own);
  });
}

/** Beside the name, or under a key of their own, also as JSON in a text. */
function argumentsOf(
  value: Readonly<Record<string, unknown>>,
  nameKey: string,
  tool: AnyTool | undefined,
  isSure: boolean,
): Readonly<Record<string, unknown>> | undefined {
  const key = argumentKeys.find((each) => Object.hasOwn(value, each));
  const given = key === undefined ? undefined : value[key];
  if (isRecord(given)) return given;
  if (typeof given === "string" && given.trim() !== "") {
    const parsed = parseFirst(given.trim());
    return isRecord(parsed) ? parsed : undefined;
  }
  if (key !== undefined) return {};
  const { [nameKey]: _name, ...rest } = value;
  // Anything may have a name; what says `tool` is a call.
  const isCall =
    tool !== undefined && (isSure || nameKey.startsWith("tool") || hasField(tool, rest));
  return isCall ? rest : undefined;
}

function withReason(
  args: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const beside = Object.entries(value).filter(
    ([name, reason]) =>
      reasonKeys.includes(name) && typeof reason === "string" && !Object.hasOwn(args, name),
  );
  return { ...args, ...Object.fromEntries(beside) };
}
