import * as z from "zod";
import type { ChatRequest } from "../../turn/chat-model.ts";
import { type Focus, type TestCase, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { type Answer, askAgain, streamAnswer } from "../ask/answer.ts";
import type { Services } from "../flow.ts";
import { type FoundCase, toTestCase } from "./case-words.ts";
import { findCases, readValue } from "./parse-cases.ts";

const maxCases = 30;
const maxProblems = 10;

/** The last answer; without cases if it is no list of them. */
interface CasesAnswer extends Answer {
  cases: TestCase[];
}

/**
 * Asks for test cases, once more if the answer is no list of them; none if the second is none either. The cases are
 * shown in their order, those of the form that was asked for as soon as they are complete.
 *
 * @param focus what the first request was told
 * @param show cases, and how many were shown before
 */
export async function* askForCases(
  turn: Turn,
  focus: Focus,
  services: Services,
  request: ChatRequest,
  show: (cases: readonly TestCase[], before: number) => TurnEvent,
): AsyncGenerator<TurnEvent, CasesAnswer, void> {
  const shown: TestCase[] = [];
  const add = function* (found: readonly TestCase[]): Generator<TurnEvent, void, void> {
    const known = new Set(shown.map(({ description }) => description));
    const fresh = found.filter(({ description }) => !known.has(description));
    if (fresh.length === 0) return;
    const before = shown.length;
    shown.push(...fresh);
    yield show(fresh, before);
  };
  const first = yield* streamAnswer(turn, request, (text, raw) =>
    text.includes("}") ? add(distinct(comingCases(raw))) : [],
  );
  const parsed = parseCases(first.raw);
  if ("cases" in parsed) {
    yield* add(parsed.cases);
    // What was shown may have been thought aloud, as only the whole answer tells.
    return { ...first, cases: parsed.cases };
  }
  const withProblem = withFacts(focus, { problem: parsed.problem });
  const again = await askAgain(turn, withProblem, services, request, first, "cases-again");
  if (again === undefined) return { ...first, cases: [] };
  const second = yield* streamAnswer(turn, again, () => []);
  const repaired = parseCases(second.raw);
  if (!("cases" in repaired)) return { ...second, cases: [] };
  yield* add(repaired.cases);
  return { ...second, cases: repaired.cases };
}

/** The cases that an answer lists: as JSON in whatever dress, else in Markdown lists and tables. */
export function parseCases(answer: string): { cases: TestCase[] } | { problem: string } {
  const found = findCases(answer);
  const cases = distinct(found.cases);
  if (cases.length > 0) return { cases };
  const [problem = "The answer is not a JSON object."] = found.others.flatMap(
    (value) => findProblem(value) ?? [],
  );
  return { problem };
}

/** The first cases, each once. */
function distinct(found: readonly FoundCase[]): TestCase[] {
  const cases = new Map<string, TestCase>();
  for (const one of found) {
    if (cases.size === maxCases) break;
    const item = toTestCase(one);
    if (item !== undefined && !cases.has(item.description)) cases.set(item.description, item);
  }
  return [...cases.values()];
}

/** What the model was told to answer: cases, each one sentence, in one of two categories. */
const AskedCases = z.object({
  test_cases: z.preprocess(
    (list) => (Array.isArray(list) ? list.slice(0, maxProblems) : list),
    z.array(z.object({ description: z.string().trim().min(1), category: z.string() })).min(1),
  ),
});

/** A long list with the same fault everywhere would make a prompt of megabytes. */
function findProblem(value: unknown): string | undefined {
  const { error } = AskedCases.safeParse(value);
  return error && z.prettifyError(new z.ZodError(error.issues.slice(0, maxProblems)));
}

/** Where the list begins that the model was asked for, or a list alone. */
const listStart = /["'](?:test_?)?cases["']\s*:\s*\[|^[ \t]*\[(?=\s*\{)/im;
/** In characters, of an answer that is looked at while it comes. */
const maxComing = 65_536;

/** The cases of a JSON answer that comes, each as soon as it is complete; of all other forms none. */
function comingCases(answer: string): readonly FoundCase[] {
  const { index, 0: opening } = listStart.exec(answer.slice(0, maxComing)) ?? { index: -1, 0: "" };
  if (index === -1 || answer.length > maxComing) return [];
  try {
    const list = answer.slice(index + opening.length, answer.lastIndexOf("}") + 1);
    return readValue(JSON.parse(`[${list}]`)).cases;
  } catch {
    // Only the whole answer tells what was meant.
    return [];
  }
}
