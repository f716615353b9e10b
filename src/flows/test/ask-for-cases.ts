import * as z from "zod";
import type { ChatRequest } from "../../turn/chat-model.ts";
import { type Focus, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { oneLine } from "../../context/one-line.ts";
import { askAgain } from "../edit/ask-again.ts";
import type { Services } from "../flow.ts";
import { type Answer, streamAnswer } from "../ask/stream-answer.ts";
import type { TestCase } from "../../turn/test-case.ts";

const mostCases = 30;
const mostProblems = 10;

const sentence = z.string().trim().min(1).transform(oneLine);

/** What the model answers: cases, each one sentence, in one of two categories. */
const TestCases = z.object({
  test_cases: z.preprocess(
    // What is far beyond the cases that are shown is not even looked at.
    (list) => (Array.isArray(list) ? list.slice(0, 10 * mostCases) : list),
    z.array(z.object({ description: sentence, category: sentence })).min(1),
  ),
});

/** The last answer; without cases if it is no list of them. */
interface CasesAnswer extends Answer {
  cases: TestCase[];
}

/**
 * Asks for test cases, once more if the answer is no list of them; none if the second is none either.
 *
 * @param focus what the first request was told
 */
export async function* askForCases(
  turn: Turn,
  focus: Focus,
  services: Services,
  request: ChatRequest,
): AsyncGenerator<TurnEvent, CasesAnswer, void> {
  const first = yield* streamAnswer(turn, request, () => []);
  const parsed = parseCases(first.raw);
  if ("cases" in parsed) return { ...first, cases: parsed.cases };
  const withProblem = withFacts(focus, { problem: parsed.problem });
  const again = await askAgain(turn, withProblem, services, request, first, "cases-again");
  if (again === undefined) return { ...first, cases: [] };
  const second = yield* streamAnswer(turn, again, () => []);
  const repaired = parseCases(second.raw);
  return { ...second, cases: "cases" in repaired ? repaired.cases : [] };
}

/** The JSON object in an answer, also if a fence or prose stands around it. */
export function parseCases(answer: string): { cases: TestCase[] } | { problem: string } {
  const from = Math.max(answer.search(/\{\s*"test_cases"/), answer.indexOf("{"));
  const to = answer.lastIndexOf("}");
  let value: unknown;
  try {
    value = JSON.parse(answer.slice(from, to + 1));
  } catch {
    return { problem: "The answer is no JSON object." };
  }
  const parsed = TestCases.safeParse(value);
  if (!parsed.success) return { problem: z.prettifyError(withFirst(parsed.error)) };
  const known = new Set<string>();
  const cases = parsed.data.test_cases.filter(({ description }) => {
    const isNew = !known.has(description);
    known.add(description);
    return isNew;
  });
  return { cases: cases.slice(0, mostCases) };
}

/** A long list with the same fault everywhere would make a prompt of megabytes. */
function withFirst({ issues }: z.ZodError): z.ZodError {
  return new z.ZodError(issues.slice(0, mostProblems));
}
