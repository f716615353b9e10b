// What a value means as calls: the one place where names of keys are known, for JSON, YAML and tags alike.
import { parseFirst } from "../../base/text/mended-json.ts";
import { isRecord } from "../../base/text/json.ts";
import { reasons } from "../arguments/fit-input.ts";
import type { AnyTool, Toolbox } from "../tool.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A call as an answer writes it. Arguments that cannot be read stay as they are: who runs the call says so. */
export interface NamedCall {
  name: string;
  args: Fields | string;
}

const listKeys = /^(?:tool_calls?|function_calls?|tool_uses|calls|actions)$/;
const nameKeys =
  /^(?:tool|tool_?name|recipient_name|name|function|function_name|action|command_name)$/i;
export const argumentKeys =
  /^(?:params|parameters|arguments|args|input|action_input|tool_input|kwargs)$/;
/** What says why a call is made, and no more. */
export const reasonKeys = /^(?:reason|explanation)$/;
/** Levels of wrapping. */
const maxDepth = 4;

/**
 * The calls that a value means: a name under one key and the arguments under another, or beside it; the name as the key;
 * or a list of such. Keys may have any names where the arguments have a field of the tool. Undefined for anything else.
 *
 * @param isSure the value can be nothing but a call, so it may name a tool that does not exist
 */
export function callsOf(
  value: unknown,
  toolbox: Toolbox,
  isSure: boolean,
  depth = 0,
): NamedCall[] | undefined {
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) {
    const calls = value.map((item) => callsOf(item, toolbox, isSure, depth + 1));
    const isAll = calls.length > 0 && calls.every((call) => call !== undefined);
    return isAll ? calls.flat() : undefined;
  }
  if (!isRecord(value) || isResult(value) || isPast(value)) return undefined;
  const inner = Object.entries(value).find(
    ([key, each]) =>
      typeof each === "object" && each !== null && (listKeys.test(key) || key === "function"),
  );
  if (inner !== undefined) return callsOf(inner[1], toolbox, isSure, depth + 1);
  const call = readNamed(value, toolbox, isSure) ?? readKeyed(value, toolbox);
  return call && [call];
}

/** What looks like a result of ours; in YAML all values are texts. */
export function isResult(value: unknown): boolean {
  return isRecord(value) && /^(?:true|false)$/.test(String(value["success"]));
}

/** The tool of a name that can be nothing else: words such as `edit` and `done` mean other things as well. */
export function findPlain(toolbox: Toolbox, name: string): AnyTool | undefined {
  const tool = toolbox.find(name);
  return name === tool?.name || /[_.]|Tool$/.test(name) ? tool : undefined;
}

/** Whether a field that only a call of the tool has is among them: others have reasons, too. */
export function hasField(tool: AnyTool, args: Fields): boolean {
  const ownOf = (name: string): string => tool.otherFields?.[name] ?? name;
  return Object.keys(args).some((name) => isField(tool, name) && !reasons.has(ownOf(name)));
}

export function isField({ fields, otherFields = {} }: AnyTool, name: string): boolean {
  return Object.hasOwn(fields, name) || Object.hasOwn(otherFields, name);
}

function readNamed(value: Fields, toolbox: Toolbox, isSure: boolean): NamedCall | undefined {
  const texts = Object.keys(value).filter((each) => typeof value[each] === "string");
  const known = texts.filter((each) => nameKeys.test(each));
  const key =
    known.find((each) => toolbox.find(String(value[each]))) ??
    texts.find((each) => findPlain(toolbox, String(value[each]))) ??
    known[0];
  if (key === undefined) return undefined;
  const name = String(value[key]);
  const tool = toolbox.find(name);
  const isKnownKey = nameKeys.test(key);
  const others = Object.entries(value).filter(([each]) => each !== key);
  const beside = others.filter(([each]) => reasonKeys.test(each));
  const withReason = (args: Fields): NamedCall => ({
    name,
    args: { ...Object.fromEntries(beside), ...args },
  });
  const rest = Object.fromEntries(others);
  const given = others.find(([each]) => argumentKeys.test(each))?.[1];
  // A patch may be in a field of such a name.
  const isText = typeof given === "string" && !/^\s*(?:\{|$)/.test(given);
  const isCalled = given !== undefined && !isText && isKnownKey;
  if (isCalled && (tool !== undefined || isSure || key === "tool")) {
    const args = recordOf(given);
    if (args === undefined && typeof given === "string" && given.trim() !== "")
      return { name, args: given };
    return isSchema(args ?? {}) ? undefined : withReason(args ?? {});
  }
  if (tool === undefined) return undefined;
  if (hasField(tool, rest)) return withReason(rest);
  const inner = others
    .map(([, each]) => recordOf(each))
    .find((each) => each !== undefined && hasField(tool, each) && !isSchema(each));
  // Anything may have a name; what says `tool` is a call.
  const isCall = inner !== undefined || (isKnownKey && (isSure || key.startsWith("tool")));
  return isCall ? withReason(inner ?? rest) : undefined;
}

/** `{"read_file": {...}}` */
function readKeyed(value: Fields, toolbox: Toolbox): NamedCall | undefined {
  const [only, ...others] = Object.entries(value).filter(([each]) => !reasonKeys.test(each));
  const tool = only === undefined ? undefined : findPlain(toolbox, only[0]);
  const args = recordOf(only?.[1]);
  if (only === undefined || others.length > 0 || tool === undefined || args === undefined)
    return undefined;
  const { [only[0]]: _args, ...beside } = value;
  return hasField(tool, args) ? { name: only[0], args: { ...beside, ...args } } : undefined;
}

/** Also as JSON in a text. */
function recordOf(value: unknown): Fields | undefined {
  const inner =
    typeof value === "string" && /^\s*\{/.test(value) ? parseFirst(value.trim()) : value;
  return isRecord(inner) ? inner : undefined;
}

/** A call of the history, with what it came to. */
function isPast(value: Fields): boolean {
  return typeof value["timestamp"] === "string" || isResult(value["result"]);
}

/** What a tool takes, and no arguments of a call. */
function isSchema(args: Fields): boolean {
  return args["type"] === "object" && isRecord(args["properties"]);
}
