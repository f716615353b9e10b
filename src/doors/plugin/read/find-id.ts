// The request_id of a message, as it was written: also of one that is not valid JSON.
import { endOfObject } from "../../../base/wire/json/json-depth.ts";

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
export function findId(text: string): string | undefined {
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
