// Models that score an answer before it counts, as version 0.8 of the protocol has them.
import * as z from "zod";
import { fence } from "../base/text/fence.ts";
import { isRecord } from "../base/text/json.ts";
import { parseFirst } from "../base/text/mended-json.ts";
import { parseArguments } from "../tools/run-call.ts";
import type { Tool } from "../tools/tool.ts";
import type { LlmConfig } from "../model/own-model.ts";
import type { ModelAnswer } from "../turn/turn-event.ts";
import type { Content, Reflection, Score } from "./entry.ts";
import { cutText } from "../base/text/lines.ts";

/** A model that scores answers. */
export interface ReflectPrompt {
  llmConfig: LlmConfig;
  /** What it looks for: its system prompt. */
  prompt: string;
}

/** Asks a model with one tool, and gives back its first answer. */
export type AskReflector = (
  reflector: ReflectPrompt,
  question: string,
  tool: Tool<unknown>,
) => Promise<ModelAnswer>;

const passScore = 8;
const maxScore = 10;
/** How often an answer is looked at; the last one counts whatever its score is. */
const maxReflections = 10;
/** Of an image that is in the message itself, in characters. */
const maxImage = 40;

const Reflect = z.object({ score: z.number(), description: z.string().optional() });

const reflect: Tool<z.infer<typeof Reflect>> = {
  name: "reflect",
  description: { en: "Scores the answer.", zh: "为回答评分。" },
  input: Reflect,
  fields: {
    score: { en: "From 0 to 10; 8 is enough.", zh: "0 到 10 分，8 分及格。" },
    description: { en: "Why, and what should be better.", zh: "评分依据，以及应改进之处。" },
  },
  effect: "read",
  run: async () => ({ success: true }),
};

/** Asks each in turn, until one finds that the answer is not good enough. @param count which one of its task it is, from 1 on */
export async function reflectOn(
  answer: string,
  count: number,
  { contents, reflectors, ask }: ReflectParts,
): Promise<Reflection> {
  const contentList = contents.map(({ type, message }) => ({
    type,
    message: message.startsWith("data:") ? cutText(message, maxImage) : message,
  }));
  const request = fence(JSON.stringify(contentList), "json");
  const question = `# Request\n\n${request}\n\n# Answer\n\n${fence(answer, "text")}\n\nScore the answer: call reflect.`;
  const scores: Score[] = [];
  let isPass = true;
  for (const reflector of reflectors) {
    const score = readScore(await ask(reflector, question, reflect));
    scores.push(score);
    isPass = score.score >= passScore;
    if (!isPass) break;
  }
  const messageScore = {
    contentList,
    messageType: "text",
    message: answer,
    reflectScoreList: scores,
  } as const;
  return { isPass, messageScore, passScore, count, maxCount: maxReflections };
}

interface ReflectParts {
  contents: readonly Content[];
  reflectors: readonly ReflectPrompt[];
  ask: AskReflector;
}

/** Of its call, or of JSON in its text; who gives no score has found nothing good. */
function readScore({ calls: [call], text }: ModelAnswer): Score {
  const given = call === undefined ? undefined : parseArguments(call.arguments);
  const value = given?.ok === true ? given.value : parseFirst(text.trim());
  const { score, description } = isRecord(value) ? value : {};
  const number = typeof score === "string" && score.trim() !== "" ? Number(score) : score;
  if (typeof number !== "number" || Number.isNaN(number))
    return { score: 0, description: "No score was given." };
  const bounded = Math.min(Math.max(number, 0), maxScore);
  return typeof description === "string" ? { score: bounded, description } : { score: bounded };
}

/** What the model is told of an answer that is not good enough. */
export function sayReflection({ messageScore, passScore: enough }: Reflection): string {
  const last = messageScore.reflectScoreList.at(-1);
  const why = last?.description === undefined ? "" : `:\n\n${last.description}`;
  return `Your answer was given ${last?.score ?? 0} of 10 points, and ${enough} are needed. Answer the request once more, and better${why}`;
}
