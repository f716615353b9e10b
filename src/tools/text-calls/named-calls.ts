// What a value means as calls: the one place where names of keys are known.
import { parseFirst } from "../../base/text/mended-json.ts";
import { isRecord } from "../../base/text/json.ts";
import { reasons } from "../arguments/fit-input.ts";
import { isEverywhereKey } from "../../edit/read/forms/json-edits.ts";
import type { AnyTool, Toolbox } from "../tool.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A call as an answer writes it. Arguments that cannot be read stay as they are: who runs the call says so. */
export interface NamedCall {
  name: string;
  args: Fields | string;
}

const wrappers = /^(?:(?:tool|function)_?(?:calls?|uses?)|calls|actions?|function|params)$/i;
const nameKeys =
  /^(?:tool|tool_?name|recipient_name|name|function|function_name|action|command_name)$/i;
const argumentKeys = /^(?:params|parameters|arguments|args|input|action_input|tool_input|kwargs)$/i;
const editKeys = /^(?:input|edits|command|(?:old|new)_?(?:str|string|text|code))$/i;
/** What says why a call is made, and no more. */
const reasonKeys = /^(?:reason|explanation)$/;
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
  const read = (inner: unknown): NamedCall[] | undefined =>
    callsOf(inner, toolbox, isSure, depth + 1);
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) {
    const calls = value.map(read).filter((each) => each !== undefined);
    return calls.length === value.length && calls.length > 0 ? calls.flat() : undefined;
  }
  if (!isRecord(value) || isPast(value)) return undefined;
  const isObject = (each: unknown): boolean => typeof each === "object" && each !== null;
  const call = readNamed(value, toolbox, isSure) ?? readKeyed(value, toolbox);
  const wrapper = Object.keys(value).find((key) => wrappers.test(key) && isObject(value[key]));
  if (call !== undefined) return [call];
  return wrapper === undefined ? undefined : read(value[wrapper]);
}

/** The tool of a name that can be nothing else: words such as `edit` and `done` mean other things as well. */
export function findPlain(toolbox: Toolbox, name: string): AnyTool | undefined {
  const tool = toolbox.find(name);
  return name === tool?.name || /[_.]|Tool$/.test(name) ? tool : undefined;
}

/** Whether a field that only a call of the tool has is among them: others have reasons, too. */
export function hasField(tool: AnyTool, args: Fields): boolean {
  return Object.keys(args).some(
    (name) => isField(tool, name) && !reasons.has(tool.otherFields?.[name] ?? name),
  );
}

/** Also those that tools of other agents have, which are fitted to the tool's own. */
export function isField({ fields, otherFields = {}, effect }: AnyTool, name: string): boolean {
  const isOwn = Object.hasOwn(fields, name) || Object.hasOwn(otherFields, name);
  return isOwn || (effect === "write" && (editKeys.test(name) || isEverywhereKey(name)));
}

/** Whether a call of the tool may have a field of this name: its own, a reason, or what holds the others. */
export function mayHave(tool: AnyTool | undefined, name: string): boolean {
  const isOwn = tool !== undefined && isField(tool, name);
  return isOwn || argumentKeys.test(name) || reasonKeys.test(name);
}

function readNamed(value: Fields, toolbox: Toolbox, isSure: boolean): NamedCall | undefined {
  const keys = Object.keys(value).filter((each) => typeof value[each] === "string");
  const known = keys.filter((each) => nameKeys.test(each));
  const key =
    known.find((each) => toolbox.find(String(value[each]))) ??
    keys.find((each) => findPlain(toolbox, String(value[each]))) ??
    known[0];
  if (key === undefined) return undefined;
  const name = String(value[key]);
  const tool = toolbox.find(name);
  const { [key]: _name, ...rest } = value;
  const others = Object.entries(rest);
  const why = Object.fromEntries(others.filter(([each]) => reasonKeys.test(each)));
  const given = others.find(([each]) => argumentKeys.test(each))?.[1];
  // A patch may be in a field of such a name.
  const isText = typeof given === "string" && !/^\s*(?:\{|$)/.test(given);
  const isCalled = given !== undefined && !isText && known.includes(key);
  if (isCalled && (tool !== undefined || isSure || key === "tool")) {
    const args = recordOf(given) ?? {};
    const isOpen = typeof given === "string" && given.trim() !== "" && !isRecord(recordOf(given));
    if (isOpen) return { name, args: given };
    return isSchema(args) ? undefined : { name, args: { ...why, ...args } };
  }
  if (tool === undefined) return undefined;
  const args = [rest, ...others.map(([, each]) => recordOf(each))].find(
    (each) => each !== undefined && hasField(tool, each) && !isSchema(each),
  );
  // Anything may have a name; what says `tool` is a call.
  const isCall = args !== undefined || (known.includes(key) && (isSure || key.startsWith("tool")));
  return isCall ? { name, args: { ...why, ...(args ?? rest) } } : undefined;
}

/** `{"read_file": {...}}` */
function readKeyed(value: Fields, toolbox: Toolbox): NamedCall | undefined {
  const [name = "", ...others] = Object.keys(value).filter((each) => !reasonKeys.test(each));
  const tool = findPlain(toolbox, name);
  const { [name]: given, ...why } = value;
  const args = recordOf(given);
  const isCall = others.length === 0 && tool && args && hasField(tool, args);
  return isCall ? { name, args: { ...why, ...args } } : undefined;
}

/** Also as JSON in a text. */
function recordOf(value: unknown): Fields | undefined {
  const inner =
    typeof value === "string" && /^\s*\{/.test(value) ? parseFirst(value.trim()) : value;
  return isRecord(inner) ? inner : undefined;
}

/** A result of ours, or a call of the history with what it came to. */
export function isPast(value: unknown): boolean {
  const { success, result, timestamp }: Fields = isRecord(value) ? value : {};
  const isResult = typeof success === "boolean" || (isRecord(result) && "success" in result);
  return isResult || typeof timestamp === "string";
}

/** What a tool takes, and no arguments of a call. */
function isSchema(args: Fields): boolean {
  return args["type"] === "object" && isRecord(args["properties"]);
}
