import * as z from "zod";
import { parseJson } from "../read/parse-json.ts";

/** A message of the agent: a piece of an answer, a question about the project, or a prompt for a model of ours. */
const AgentFrame = z.looseObject({
  request_id: z.unknown().optional(),
  msg: z.string().nullish(),
  stream_finsh: z.boolean().nullish(),
  error: z.string().nullish(),
  models: z.array(z.string()).nullish(),
  /** Beside the last piece of an answer that a limit of its model has ended. */
  finish_reason: z.string().nullish(),
  task_id: z.union([z.string(), z.number()]).nullish(),
  /** From 1. */
  queue_place: z.number().nullish(),
  queue_length: z.number().nullish(),
  ide_request_id: z.union([z.string(), z.number()]).nullish(),
  path: z.string().nullish(),
  params: z.unknown().optional(),
  cmd: z.string().nullish(),
  llm_request_id: z.union([z.string(), z.number()]).nullish(),
  model: z.string().nullish(),
  messages: z.unknown().optional(),
});
export type AgentFrame = z.infer<typeof AgentFrame>;

/** Undefined for what is not a message of the protocol. */
export function parseFrame(text: string): AgentFrame | undefined {
  return AgentFrame.safeParse(parseJson(text)).data;
}

/** Whether nothing of the same answer follows. A server may write that there was no error. */
export function isLastFrame({ error, models, msg, stream_finsh: isEnd }: AgentFrame): boolean {
  if (error || Array.isArray(models) || isEnd === true) return true;
  return typeof msg === "string" && typeof isEnd !== "boolean";
}
