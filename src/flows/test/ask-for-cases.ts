import * as z from "zod";
import type { ChatRequest } from "../../turn/chat-model.ts";
import { type Focus, type TestCase, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { askAgain } from "../edit/ask-again.ts";
import type { Services } from "../flow.ts";
import { type Answer, streamAnswer } from "../ask/stream-answer.ts";
import { type FoundCase, toTestCase } from "./cases/case-fields.ts";
import { casesOfValue } from "./cases/cases-of-value.ts";
import { jsonValues } from "./cases/json-values.ts";
import { listCases } from "./cases/list-cases.ts";
import { endOfObject } from "../../base/text/json.ts";

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
  const coming = new ComingCases();
  const first = yield* streamAnswer(turn, request, (_, raw) => add(distinct(coming.read(raw))));
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
  let problem: string | undefined;
  for (const value of jsonValues(answer)) {
    const cases = distinct(casesOfValue(value));
    if (cases.length > 0) return { cases };
    problem ??= findProblem(value);
  }
  const cases = distinct(listCases(answer));
  if (cases.length > 0) return { cases };
  return { problem: problem ?? "The answer is not a JSON object." };
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
/** Characters of an answer that is looked at while it comes, and of one case. */
const [maxAnswer, maxCase] = [65_536, 8_192];

/** Finds the cases of a JSON answer while it comes, each as soon as it is complete; of all other forms none. */
class ComingCases {
  /** Behind the last case; -1 where the list has not begun. */
  #at = -1;
  #found: FoundCase[] = [];

  /** @param answer all that has come; it may begin anew, when it turns out that what came was thought aloud */
  read(answer: string): readonly FoundCase[] {
    if (answer.length > maxAnswer) return this.#found;
    if (answer.length < this.#at) [this.#at, this.#found] = [-1, []];
    if (this.#at === -1) {
      const start = listStart.exec(answer);
      if (start === null) return this.#found;
      this.#at = start.index + start[0].length;
    }
    for (;;) {
      const start = this.#at + (/^[\s,]*/.exec(answer.slice(this.#at))?.[0].length ?? 0);
      if (answer[start] !== "{") return this.#found;
      const end = endOfObject(answer, start, start + maxCase);
      const cases = end === -1 ? [] : readCase(answer.slice(start, end));
      if (cases.length === 0) return this.#found;
      this.#found.push(...cases);
      this.#at = end;
    }
  }
}

/** None where it is not valid JSON: only the whole answer tells what was meant. */
function readCase(json: string): FoundCase[] {
  try {
    return casesOfValue([JSON.parse(json)]);
  } catch {
    return [];
  }
}
