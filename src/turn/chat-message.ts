// Messages in the shape of the chat completions API, as they go to a model.
import * as z from "zod";
import { isRecord } from "../base/text/json.ts";

export const ChatRole = z.enum(["system", "developer", "user", "assistant", "tool"]);
export type ChatRole = z.infer<typeof ChatRole>;

const SystemMessage = z.looseObject({
  role: z.enum(["system", "developer"]),
  content: z.string(),
});
export type SystemMessage = z.infer<typeof SystemMessage>;

const TextPart = z.looseObject({ type: z.literal("text"), text: z.string() });

/** `url` is an address or a `data:` URL. */
const ImagePart = z.looseObject({
  type: z.literal("image_url"),
  image_url: z.looseObject({
    url: z.string(),
    detail: z.enum(["auto", "low", "high"]).optional(),
  }),
});
export type ImagePart = z.infer<typeof ImagePart>;

const UserMessage = z.looseObject({
  role: z.literal("user"),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [TextPart, ImagePart]))]),
});
export type UserMessage = z.infer<typeof UserMessage>;

/** A call as the message of an assistant repeats it; `arguments` is JSON as the model wrote it. */
const CallOfMessage = z.looseObject({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.looseObject({ name: z.string().min(1), arguments: z.string() }),
});
export type CallOfMessage = z.infer<typeof CallOfMessage>;

const AssistantMessage = z
  .looseObject({
    role: z.literal("assistant"),
    content: z.string().nullish(),
    tool_calls: z.array(CallOfMessage).optional(),
  })
  .refine(({ content, tool_calls }) => typeof content === "string" || tool_calls?.length, {
    message: "expected content or tool_calls",
  });
export type AssistantMessage = z.infer<typeof AssistantMessage>;

const ToolMessage = z.looseObject({
  role: z.literal("tool"),
  tool_call_id: z.string().min(1),
  content: z.string(),
});
export type ToolMessage = z.infer<typeof ToolMessage>;

export const ChatMessage = z.discriminatedUnion("role", [
  SystemMessage,
  UserMessage,
  AssistantMessage,
  ToolMessage,
]);
export type ChatMessage = z.infer<typeof ChatMessage>;

/** A message that is a text, as templates and histories make them. */
export type TextMessage = { role: Exclude<ChatRole, "tool">; content: string };

/** The text of a message: of parts the texts in their order, of calls alone none. */
export function textOfMessage({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
}

const textRoles: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant"]);

/** Whether a message of a conversation is a plain text, as most are; {@link readMessage} reads others, too. */
export function isTextMessage(message: unknown): message is TextMessage {
  if (typeof message !== "object" || message === null) return false;
  const { role, content }: { role?: unknown; content?: unknown } = message;
  return typeof content === "string" && textRoles.has(role);
}

/**
 * A message of a conversation as clients send it, with all that a model can be told again: text, images, calls of tools
 * and their results. Parts and calls of which nothing can be read are left out.
 */
export function readMessage(given: unknown): ChatMessage | undefined {
  if (!isRecord(given)) return undefined;
  const { role, content, tool_calls: called, tool_call_id: id } = given;
  const isReadable = typeof content === "string" || Array.isArray(content);
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const text = typeof content === "string" ? content : parts.map(textOfPart).join("");
  if (role === "tool" && isReadable)
    return ToolMessage.safeParse({ role, tool_call_id: id, content: text }).data;
  const calls = Array.isArray(called) ? called.flatMap(readCall) : [];
  if (role === "assistant" && calls.length > 0) return { role, content: text, tool_calls: calls };
  if (!isReadable) return undefined;
  if (role === "system" || role === "developer" || role === "assistant")
    return { role, content: text };
  if (role !== "user") return undefined;
  const shown = parts.flatMap(readUserPart);
  return { role, content: shown.some(({ type }) => type === "image_url") ? shown : text };
}

type UserPart = Exclude<UserMessage["content"], string>[number];

function readUserPart(part: unknown): UserPart[] {
  const text = textOfPart(part);
  if (text !== undefined) return [{ type: "text", text }];
  if (!isRecord(part) || !/^(?:input_)?image(?:_url)?$/.test(String(part["type"]))) return [];
  const { image_url: image } = part;
  const shown = typeof image === "string" ? { url: image } : image;
  return ImagePart.array().safeParse([{ type: "image_url", image_url: shown }]).data ?? [];
}

function readCall(call: unknown): CallOfMessage[] {
  if (!isRecord(call) || !isRecord(call["function"])) return [];
  const { name, arguments: asked = "" } = call["function"];
  const given = typeof asked === "string" ? asked : JSON.stringify(asked);
  const read = { id: call["id"], type: "function", function: { name, arguments: given } };
  return CallOfMessage.array().safeParse([read]).data ?? [];
}

/** The text of a part, whatever its kind is called (`text`, `input_text`); undefined for all else, such as an image. */
export function textOfPart(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined;
  const { type = "text", text, refusal } = part;
  const said = type === "refusal" ? refusal : String(type).endsWith("text") ? text : undefined;
  return typeof said === "string" ? said : undefined;
}

export interface OfferedTool {
  /** Letters, digits, `_` and `-`, at most 64: servers refuse others. */
  name: string;
  /** Tells the model what it does and when to call it. */
  description: string;
  /** The JSON Schema of its arguments, an object. */
  parameters: Readonly<Record<string, unknown>>;
  /** Its arguments are to fit the schema exactly, where the server can do that. */
  strict?: boolean;
}

/** Whether the model may call, must not, must call some tool, or this one. */
export type ToolChoice = "auto" | "none" | "required" | { name: string };

export interface ToolCall {
  /** Never empty, and no other call of the same answer has it; its result names it. */
  id: string;
  /** As the model wrote it; there may be no such tool. */
  name: string;
  /** Whole, as the model wrote it: mostly a JSON object, but nobody has checked that; may be empty. */
  arguments: string;
}

export interface ToolResult {
  id: string;
  content: string;
  /** The tool has failed, and `content` says how. */
  isError: boolean;
}
