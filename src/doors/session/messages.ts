// What the session door sends, strictly, for people who write a client.
import * as z from "zod";

const text = z.string();
const object = z.record(z.string(), z.unknown());
const Content = z.strictObject({ type: z.enum(["text", "imageUrl"]), message: text });
const Call = z.strictObject({ id: text, name: text, parameters: object });
const Asked = Call.extend({
  openToolId: text.optional(),
  target: text.optional(),
  hash: text.optional(),
});
const Return = z.strictObject({ id: text, result: object });
const count = z.int();
const Tokens = z.strictObject({
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
});
const Reflection = z.strictObject({
  isPass: z.boolean(),
  messageScore: object,
  passScore: count,
  count,
  maxCount: count,
});
const statuses = ["start", "toolsStart", "toolsDone", "done", "stop", "exception"] as const;
const Problem = z.strictObject({ code: count, message: text });
const Status = z.strictObject({
  status: z.enum(statuses),
  taskId: text,
  description: Problem.optional(),
});
const named = { id: text, model: text };
const types = [
  "text",
  "imageUrl",
  "contentList",
  "toolReturn",
  "functionCall",
  "reflection",
] as const;
const place = { sessionId: text, taskId: text };

/** A message of version 0.4, in `/history` and to a client. */
export const AgentMessage = z.strictObject({
  ...place,
  from: z.enum(["system", "user", "agent", "llm", "tool", "reflection"]),
  to: z.enum(["user", "agent", "llm", "tool", "client", "reflection"]),
  type: z.enum([...types, "functionCallList"]),
  message: z.union([text, z.array(Content), z.array(Call), Return, Asked, Reflection]),
  completions: z.strictObject({ tokenUsage: Tokens, ...named }).optional(),
  createTime: text,
});

/** The same of version 0.8. */
export const LaterMessage = z.strictObject({
  ...place,
  parentTaskId: text.optional(),
  role: z.enum(["developer", "user", "agent", "assistant", "tool", "reflection"]),
  to: z.enum(["user", "agent", "assistant", "tool", "client", "reflection"]),
  type: z.enum([...types, "toolCalls", "taskStatus"]),
  content: z.union([text, z.array(Content), z.array(Call), Return, Asked, Reflection, Status]),
  completions: z.strictObject({ usage: Tokens, ...named }).optional(),
  createTime: text,
});

/** A piece of an answer that is being written, of version 0.8. */
export const MessageChunk = z.strictObject({
  ...place,
  role: z.literal("assistant"),
  to: z.literal("agent"),
  type: z.literal("text"),
  part: text,
  createTime: text,
});
