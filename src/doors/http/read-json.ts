import * as z from "zod";
import { AppError, type Message } from "../../base/errors/app-error.ts";
import { quoteName } from "../../base/errors/names.ts";
import { BodyTooLarge, type Exchange, readStream } from "../../base/wire/exchange.ts";
import { type JsonLimits, isDeeper, isRecord, scanJson } from "../../base/text/json.ts";
import { invalidRequest } from "../../turn/agents/resolve-turn.ts";
import type { KnownMember } from "../../base/wire/known-member.ts";
import {
  type ContextVariable,
  type Problem,
  findProblems,
  toProblems,
} from "../../turn/context/context.ts";
import { isTextMessage, readMessage, textOfPart } from "../../turn/chat-message.ts";

export interface BodyLimits extends JsonLimits {
  /** In bytes; also for what a compressed body unpacks to. */
  maxBody: number;
}

const decoder = new TextDecoder("utf-8", { fatal: true });
/** Of a larger body the text is looked at before it is parsed. In bytes. */
const maxAtOnce = 64 * 1_024;

/**
 * Reads a JSON body under the limits.
 *
 * @param known a member whose value comes again and again; then it is an object that is shared and frozen
 * @throws AppError `unsupported_media_type`, `body_too_large`, `invalid_encoding`, `invalid_utf8`,
 * `too_deep`, `too_many_values`, `invalid_json`
 */
export async function readJson(
  exchange: Exchange,
  limits: BodyLimits,
  known?: KnownMember,
): Promise<unknown> {
  const type = exchange.header("content-type") ?? "";
  // A comma would be a second type.
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;[^,]*)?$/i.test(type)) {
    throw new AppError("unsupported_media_type", {
      en: `Content-Type ${quoteName(type)} is not supported. Send application/json.`,
      zh: `不支持 Content-Type ${quoteName(type, "zh")}，请发送 application/json。`,
    });
  }
  const text = decode(await readBody(exchange, limits.maxBody));
  // Neither the search nor the copy without the member is worth it for a long text.
  const member = text.length <= maxAtOnce ? known : undefined;
  const short = member?.shorten(text);
  if (short !== undefined) {
    const value = parseText(short.json, limits);
    if (short.complete(value)) return value;
  }
  const value = parseText(text, limits);
  member?.learn(text);
  return value;
}

/**
 * Parses JSON under the limits.
 *
 * @param what the text is, for messages
 * @throws AppError `too_deep`, `too_many_values`, `invalid_json`
 */
export function parseText(text: string, limits: JsonLimits, what = theBody): unknown {
  const { maxDepth, maxValues } = limits;
  // Then the parser cannot take long, and its result is quicker to look at than the text.
  const isShort = text.length <= Math.min(maxAtOnce, maxValues);
  let excess = isShort ? undefined : scanJson(text, limits);
  try {
    const value: unknown = excess === undefined ? JSON.parse(text) : undefined;
    if (isShort && isDeeper(value, maxDepth)) excess = "too_deep";
    if (excess === undefined) return value;
  } catch (cause) {
    // Too deep is the better reason, also where the end is missing.
    excess = scanJson(text, limits);
    const message = {
      en: `The ${what.en} is not valid JSON.`,
      zh: `${what.zh}不是有效的 JSON。`,
    };
    if (excess === undefined) throw new AppError("invalid_json", message, { cause });
  }
  if (excess === "too_deep")
    throw new AppError(excess, {
      en: `The ${what.en} nests deeper than ${maxDepth} levels.`,
      zh: `${what.zh}的嵌套超过 ${maxDepth} 层。`,
    });
  throw new AppError(excess, {
    en: `The ${what.en} has more than the ${maxValues} values and names that are allowed.`,
    zh: `${what.zh}中的值和字段名超过 ${maxValues} 个。`,
  });
}

/** @throws AppError `invalid_request` with the paths of what is wrong */
export function parseValue<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequest(toProblems(parsed.error, value));
}

const theBody: Message = { en: "body", zh: "请求体" };

async function readBody(exchange: Exchange, limit: number): Promise<Uint8Array> {
  const encoding = (exchange.header("content-encoding") ?? "identity").trim().toLowerCase();
  const format = encoding === "x-gzip" ? "gzip" : encoding;
  if (format !== "identity" && format !== "gzip" && format !== "deflate") {
    throw new AppError("unsupported_media_type", {
      en: `Content-Encoding ${quoteName(encoding)} is not supported. Send gzip, deflate or none.`,
      zh: `不支持 Content-Encoding ${quoteName(encoding, "zh")}，请使用 gzip 或 deflate，或不压缩。`,
    });
  }
  try {
    const body = await exchange.readBody(limit);
    return format === "identity" ? body : await unpack(body, format, limit);
  } catch (thrown) {
    if (!(thrown instanceof BodyTooLarge)) throw thrown;
    throw new AppError("body_too_large", {
      en: `The body is larger than the ${limit} bytes that are allowed.`,
      zh: `请求体超过允许的 ${limit} 字节。`,
    });
  }
}

async function unpack(
  body: Uint8Array,
  format: "gzip" | "deflate",
  limit: number,
): Promise<Uint8Array> {
  // The bytes come from a request body, never from shared memory.
  const packed = new Blob([body as Uint8Array<ArrayBuffer>]).stream();
  try {
    return await readStream(packed.pipeThrough(new DecompressionStream(format)), limit);
  } catch (cause) {
    if (cause instanceof BodyTooLarge) throw cause;
    throw new AppError(
      "invalid_encoding",
      { en: `The body is not valid ${format} data.`, zh: `请求体不是有效的 ${format} 数据。` },
      { cause },
    );
  }
}

function decode(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch (cause) {
    throw new AppError(
      "invalid_utf8",
      { en: "The body is not valid UTF-8.", zh: "请求体不是有效的 UTF-8。" },
      { cause },
    );
  }
}

/** The variables of a request with another question; "" for none. */
export function withPrompt(variables: readonly ContextVariable[], prompt: string) {
  const others = variables.filter(({ name }) => name !== "userInputPrompt");
  return prompt === "" ? others : [...others, { name: "userInputPrompt", value: prompt }];
}

/** What tools answered has no place in our prompts, but it is not a mistake. */
const roles = ["system", "developer", "user", "assistant", "tool", "function"] as const;
const known: ReadonlySet<unknown> = new Set(roles);
/** How other libraries call them. */
const synonyms: ReadonlyMap<string, (typeof roles)[number]> = new Map([
  ["human", "user"],
  ["ai", "assistant"],
  ["model", "assistant"],
]);
/** Further ones are not looked at. */
const maxStrangers = 10;
const AnyMessage = z.looseObject({ role: z.enum(roles) });

/**
 * The messages of a conversation under the roles that we know, and for the receipt what of them reaches no prompt:
 * images, sound, files, calls of tools and their results.
 *
 * @throws AppError `invalid_request` for messages of nobody that is known; the prompt would be silently without them
 */
export function readMessages(given: readonly unknown[]): {
  messages: readonly unknown[];
  leftOut: readonly Problem[];
} {
  const strangers: Problem[] = [];
  const leftOut: Problem[] = [];
  const messages = given.map((message, nth) => {
    const role = roleOf(message);
    if (!known.has(role) && strangers.length < maxStrangers)
      strangers.push(...findProblems(AnyMessage, message, ["messages", nth], 1));
    const read = isRecord(message) && message["role"] !== role ? { ...message, role } : message;
    for (const part of listUnread(read))
      leftOut.push({
        path: `messages[${nth}]${part}`,
        message: "is left out: only text is read",
        zh: "已略去：此处只读取文本",
      });
    return read;
  });
  if (strangers.length > 0) throw invalidRequest(strangers);
  return { messages, leftOut };
}

/** Paths from the message; an empty one is the whole of it. */
function listUnread(message: unknown): string[] {
  if (!isRecord(message)) return [""];
  const unread: string[] = [];
  for (const name of besideText)
    if (Object.keys(Object(message[name])).length > 0) unread.push(`.${name}`);
  if (isTextMessage(message)) return unread;
  const { content } = message;
  const read = readMessage(message);
  if (read === undefined || read.role === "tool")
    return (content ?? "") === "" && unread.length > 0 ? unread : [""];
  const parts = Array.isArray(content) ? [...content.entries()] : [];
  const odd = parts.filter(([, part]) => textOfPart(part) === undefined);
  return [...unread, ...odd.map(([nth]) => `.content[${nth}]`)];
}

/** Where a message says something beside its content. */
const besideText = ["tool_calls", "function_call", "audio"];

function roleOf(message: unknown): unknown {
  const given = isRecord(message) ? message["role"] : undefined;
  if (typeof given !== "string" || known.has(given)) return given;
  const plain = given.trim().toLowerCase();
  return synonyms.get(plain) ?? (known.has(plain) ? plain : given);
}
