import * as z from "zod";
import { type Fields, isRecord } from "../base/text/json.ts";
import { oneLine } from "../base/errors/names.ts";
import { type AskPerson, type CommonUse, defineTool, fail } from "./tool.ts";

/** Of the question and of one choice, in characters; choices of a question. */
const [maxQuestion, maxChoice, maxChoices] = [4_000, 500, 12];

/** What a person is asked. */
export type PersonQuestion = Parameters<AskPerson>[0];

/** Where nobody can answer, the outcome is the question, and whoever runs the loop may end it there. */
export const askPerson = defineTool({
  name: "ask_person",
  otherNames: (
    "askTool ask_user ask_human ask_question ask_questions ask_user_question ask_followup_question " +
    "question request_user_input get_user_input"
  ).split(" "),
  description: {
    en: "Asks the person one question, with choices. Call it alone, and only where the answer changes what you do and no file can tell it.",
    zh: "向用户提一个问题，并给出选项。请单独调用，且仅用于答案会影响后续操作、又无法从文件中得知的情况。",
  },
  fields: {
    question: {
      schema: z.string().trim().min(1).max(maxQuestion),
      en: "The question, in the person's language.",
      zh: "问题，使用用户的语言。",
      otherNames: "query prompt message text",
    },
    choices: {
      schema: z.array(z.unknown()).optional(),
      en: `Up to ${maxChoices} short answers to choose from, as texts. The person may also say something else.`,
      zh: `最多 ${maxChoices} 个供选择的简短回答，均为文本。用户也可以另行回答。`,
      otherNames: "options follow_up suggestions answers",
    },
  },
  fit: takeFirst,
  effect: "read",
  async run({ question, choices = [] }, { askPerson: ask, locale, signal }: CommonUse) {
    const words = choices.map(wordsOf).filter((text) => text !== "");
    const asked = { question, choices: [...new Set(words)].slice(0, maxChoices) };
    const answer = await ask?.(asked, signal);
    return answer === undefined
      ? fail(locale, unanswered, nobody, asked)
      : { success: true, answer };
  },
});

/** Some agents ask several questions in one call: `{ questions: [{ question, options }] }`. */
function takeFirst(given: Fields): Fields | undefined {
  const { questions, ...others } = given;
  const [first]: unknown[] = Array.isArray(questions) ? questions : [];
  if (typeof first === "string") return { ...others, question: first };
  if (!isRecord(first) || typeof first["question"] !== "string") return undefined;
  const { question, choices, options } = first;
  return { ...others, question, choices: choices ?? options };
}

/** A choice is a text, or an object that has one. */
function wordsOf(choice: unknown): string {
  const given = typeof choice === "object" && choice !== null ? choice : { text: choice };
  const text = ["label", "text", "title", "answer", "value", "name"]
    .map((name): unknown => Reflect.get(given, name))
    .find((value) => typeof value === "string" || typeof value === "number");
  return oneLine(String(text ?? "")).slice(0, maxChoice);
}

const unanswered = "unanswered";
const Unanswered = z.looseObject({
  code: z.literal(unanswered),
  question: z.string(),
  choices: z.array(z.string()),
});

/** The question that a call has left open; undefined for all other outcomes. */
export function readUnanswered(outcome: unknown): PersonQuestion | undefined {
  const { data } = Unanswered.safeParse(outcome);
  return data && { question: data.question, choices: data.choices };
}

const nobody = {
  en: "Nobody can answer here now. Put the question into your answer, and end.",
  zh: "目前无人可以回答。请把问题写进回答，然后结束。",
};
