import { parseMended } from "../../edit/read/forms/mended-json.ts";
import type { Toolbox } from "../toolbox.ts";

/** A call as an answer writes it. */
export interface NamedCall {
  name: string;
  args: Readonly<Record<string, unknown>>;
}

const nameKeys = ["tool", "tool_name", "toolName", "name", "function", "function_name", "action"];
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
  if (!isRecord(value) || isResult(value)) return undefined;
  const inner = value["tool_calls"] ?? value["tool_call"] ?? value["function_call"];
  if (typeof inner === "object") return read(inner, toolbox, isSure, depth + 1);
  if (isRecord(value["function"])) return read(value["function"], toolbox, isSure, depth + 1);
  const key = nameKeys.find((each) => typeof value[each] === "string");
  const name = key === undefined ? undefined : value[key];
  if (typeof name !== "string" || key === undefined) return undefined;
  const isKnown = toolbox.find(name) !== undefined;
  if (!isKnown && !isSure && key !== "tool") return undefined;
  const args = argumentsOf(value, key, isKnown);
  return args === undefined ? undefined : [{ name, args: withReason(args, value) }];
}

/** Beside the name, or under a key of their own, also as JSON in a text. */
function argumentsOf(
  value: Readonly<Record<string, unknown>>,
  nameKey: string,
  isKnown: boolean,
): Readonly<Record<string, unknown>> | undefined {
  const key = argumentKeys.find((each) => Object.hasOwn(value, each));
  const given = key === undefined ? undefined : value[key];
  if (isRecord(given)) return given;
  if (typeof given === "string" && given.trim() !== "") {
    const parsed = parseMended(given.trim());
    return isRecord(parsed) ? parsed : undefined;
  }
  if (key !== undefined) return {};
  const { [nameKey]: _name, ...rest } = value;
  return isKnown && Object.keys(rest).length > 0 ? rest : undefined;
}

function withReason(
  args: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const key = reasonKeys.find((each) => typeof value[each] === "string");
  if (key === undefined || reasonKeys.some((each) => Object.hasOwn(args, each))) return args;
  return { ...args, reason: value[key] };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
