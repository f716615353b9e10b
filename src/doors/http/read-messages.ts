import * as z from "zod";
import { findProblems, type Problem } from "../../turn/context/context.ts";
import { HistoryMessage, isTextMessage, textOfPart } from "../../turn/chat-message.ts";
import { isRecord } from "../../base/wire/json/is-record.ts";

/** What tools answered has no place in our prompts, but it is not a mistake. */
const roles = ["system", "developer", "user", "assistant", "tool", "function"] as const;
const known: ReadonlySet<unknown> = new Set(roles);
/** How other libraries call them. */
const synonyms: ReadonlyMap<string, (typeof roles)[number]> = new Map([
  ["human", "user"],
  ["ai", "assistant"],
  ["model", "assistant"],
]);
const Message = z.looseObject({ role: z.enum(roles) });

/** Messages of nobody that is known; the prompt would be silently without them. */
export function findUnknownRoles(messages: readonly unknown[], maxProblems: number): Problem[] {
  const problems: Problem[] = [];
  for (const [index, message] of messages.entries()) {
    if (problems.length >= maxProblems) break;
    if (!known.has(roleOf(message)))
      problems.push(...findProblems(Message, message, ["messages", index], 1));
  }
  return problems;
}

/** The messages under the roles that we know; the very list where they have them. */
export function withKnownRoles(messages: readonly unknown[]): readonly unknown[] {
  if (messages.every((message) => known.has(givenRole(message)))) return messages;
  return messages.map((message) =>
    typeof message === "object" ? { ...message, role: roleOf(message) } : message,
  );
}

/** What of the messages reaches no prompt, for the receipt: images, sound, files, calls of tools and their results. */
export function listLeftOut(messages: readonly unknown[]): Problem[] {
  return messages.flatMap((message, nth) =>
    listUnread(message).map((part) => ({
      path: `messages[${nth}]${part}`,
      message: "is left out: only text is read",
      zh: "已略去：此处只读取文本",
    })),
  );
}

/** Paths from the message; an empty one is the whole of it. */
function listUnread(message: unknown): string[] {
  if (!isRecord(message)) return [""];
  const unread: string[] = [];
  for (const name of besideText)
    if (Object.keys(Object(message[name])).length > 0) unread.push(`.${name}`);
  if (isTextMessage(message)) return unread;
  const { content } = message;
  if (!HistoryMessage.safeParse(message).success)
    return (content ?? "") === "" && unread.length > 0 ? unread : [""];
  const parts = Array.isArray(content) ? [...content.entries()] : [];
  const odd = parts.filter(([, part]) => textOfPart(part) === undefined);
  return [...unread, ...odd.map(([nth]) => `.content[${nth}]`)];
}

/** Where a message says something beside its content. */
const besideText = ["tool_calls", "function_call", "audio"];

function roleOf(message: unknown): unknown {
  const given = givenRole(message);
  if (typeof given !== "string" || known.has(given)) return given;
  const plain = given.trim().toLowerCase();
  return synonyms.get(plain) ?? (known.has(plain) ? plain : given);
}

function givenRole(message: unknown): unknown {
  return typeof message === "object" && message !== null && "role" in message
    ? message.role
    : undefined;
}
