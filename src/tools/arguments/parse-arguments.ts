import { isRecord } from "../../base/wire/json/is-record.ts";
import { parseFirst } from "../../base/text/mended-json.ts";
import type { Message } from "../../base/errors/app-error.ts";
import { scanJson } from "../../base/wire/json/json-depth.ts";

/** In characters. */
const maxArguments = 1_048_576;
const limits = { maxDepth: 32, maxValues: 20_000 };

export type ParsedArguments =
  | { ok: true; value: Readonly<Record<string, unknown>> }
  | { ok: false; problem: Message };

/**
 * Reads the arguments of a call, a JSON object; the first counts, and what comes behind it does not. Quotes, commas,
 * escapes and line breaks in strings are mended; a string or a bracket that is left open is not, since text may be
 * missing.
 */
export function parseArguments(json: string): ParsedArguments {
  if (json.length > maxArguments) return { ok: false, problem: tooLong };
  if (json.trim() === "") return { ok: true, value: {} };
  if (scanJson(json, limits) !== undefined) return { ok: false, problem: tooDeep };
  const value = unwrap(parseFirst(json.trim()));
  if (value === undefined) return { ok: false, problem: noJson };
  if (!isRecord(value)) return { ok: false, problem: noObject };
  return { ok: true, value };
}

/** Some models write the object as JSON once more. */
function unwrap(value: unknown): unknown {
  return typeof value === "string" ? (parseFirst(value.trim()) ?? value) : value;
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
