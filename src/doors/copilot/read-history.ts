import * as z from "zod";
import { findProblems, type Problem } from "../../context/context.ts";

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
