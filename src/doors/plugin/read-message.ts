import { AppError, toAppError } from "../../base/errors/app-error.ts";
import {
  type JsonLimits,
  endOfObject,
  isDeeper,
  isRecord,
  scanJson,
} from "../../base/text/json.ts";
import { PluginRequest } from "./schema.ts";
import { invalidRequest } from "../../turn/agents/resolve-turn.ts";
import { toProblems } from "../../turn/context/context.ts";
/** What came. `id` is the request_id as JSON, exactly as it was written; undefined where there was none. */
type Message =
  | { ok: true; id: string | undefined; value: Record<string, unknown> }
  | { ok: false; id: string | undefined; error: AppError };

/** A longer text is looked at before it is parsed; in characters. */
const maxAtOnce = 64 * 1_024;

export function readMessage(message: string, limits: JsonLimits): Message {
  // A byte-order mark may be passed over (RFC 8259, section 8.1).
  const text = message.startsWith("\ufeff") ? message.slice(1) : message;
  try {
    const value = parseText(text, limits);
    if (isRecord(value)) return { ok: true, id: printId(value["request_id"], text), value };
    const problem = { en: "A message must be a JSON object.", zh: "消息必须是 JSON 对象。" };
    return { ok: false, id: undefined, error: new AppError("invalid_request", problem) };
  } catch (thrown) {
    return { ok: false, id: findId(text), error: toAppError(thrown) };
  }
}

/** @throws AppError `invalid_request` with the fields that are wrong */
export function checkRequest(value: Record<string, unknown>, maxProblems: number): PluginRequest {
  const parsed = PluginRequest.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequest(toProblems(parsed.error, value), maxProblems);
}

function parseText(text: string, limits: JsonLimits): unknown {
  const isShort = text.length <= Math.min(maxAtOnce, limits.maxValues);
  if (!isShort) {
    refuse(scanJson(text, limits), limits);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const message = { en: "The message is not valid JSON.", zh: "消息不是有效的 JSON。" };
    throw new AppError("invalid_json", message, { cause });
  }
  if (isShort && isDeeper(value, limits.maxDepth)) refuse("too_deep", limits);
  return value;
}

function refuse(excess: "too_deep" | "too_many_values" | undefined, limits: JsonLimits): void {
  if (excess === "too_deep")
    throw new AppError(excess, {
      en: `The message nests deeper than ${limits.maxDepth} levels.`,
      zh: `消息的嵌套超过 ${limits.maxDepth} 层。`,
    });
  if (excess === "too_many_values")
    throw new AppError(excess, {
      en: `The message has more than ${limits.maxValues} values and names.`,
      zh: `消息中的值和字段名超过 ${limits.maxValues} 个。`,
    });
}

/** Numbers that are larger than ours can be are echoed digit by digit. */
function printId(id: unknown, text: string): string | undefined {
  if (id === undefined) return undefined;
  if (typeof id !== "number" || Number.isSafeInteger(id)) return JSON.stringify(id);
  const written = findId(text);
  return written !== undefined && Number(written) === id ? written : JSON.stringify(id);
}

// The request_id of a message, as it was written: also of one that is not valid JSON.

/** A number or a word: whole, so that no piece of a longer one is taken for it. */
const plain = /[-\w.+]+/y;
/** A message whose quotes do not match is looked through for it. */
const anywhere =
  /"request_id"\s*:\s*("(?:[^"\\]|\\.){0,1000}"|-?\d{1,40}(?:\.\d{1,40})?(?:[eE][-+]?\d{1,9})?|true|false|null)(?![\w.+-])/;
/** In characters. */
const maxLook = 64 * 1_024;

/**
 * The value of the last `request_id` that is a field of the message itself, where it is whole and valid JSON.
 *
 * @returns undefined where there is none
 */
function findId(text: string): string | undefined {
  let found: string | undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") depth -= 1;
    else if (sign === '"') {
      const value = depth === 1 ? startOfId(text, at) : -1;
      const id = value === -1 ? undefined : readValue(text, value);
      if (id !== undefined) {
        found = id;
        at = value + id.length - 1;
      } else at = endOfText(text, at) - 1;
    }
  }
  return found ?? validOf(anywhere.exec(text.slice(0, maxLook))?.[1]);
}

/** Where the value begins, if the text at `at` is the name of the field; else -1. */
function startOfId(text: string, at: number): number {
  if (!text.startsWith('"request_id"', at)) return -1;
  const behind = skipSpace(text, at + '"request_id"'.length);
  return text[behind] === ":" ? skipSpace(text, behind + 1) : -1;
}

function readValue(text: string, at: number): string | undefined {
  if (text[at] === '"') return validOf(text.slice(at, endOfText(text, at)));
  if (text[at] === "{" || text[at] === "[") {
    const end = endOfObject(text, at, text.length);
    return end === -1 ? undefined : validOf(text.slice(at, end));
  }
  plain.lastIndex = at;
  return validOf(plain.exec(text)?.[0]);
}

function validOf(value: string | undefined): string | undefined {
  try {
    if (value !== undefined) JSON.parse(value);
    return value;
  } catch {
    return undefined;
  }
}

/** The index behind a text that begins at `at`. */
function endOfText(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end + 1;
}

function skipSpace(text: string, at: number): number {
  let end = at;
  while (end < text.length && " \t\r\n".includes(text.charAt(end))) end += 1;
  return end;
}
