import * as z from "zod";
import {
  type TreeAction,
  type TreeNode,
  clickTree,
  confirmAction,
  maxNodes,
  treeRoot,
} from "../../turn/action.ts";
import { type Focus, type TestCase, noFocus, withFacts } from "../../turn/focus.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { fence } from "../../base/text/fence.ts";
import { hasCode, targetOf } from "../place/edit-target.ts";
import type { Flow, Services } from "../flow.ts";
import { type TestTexts, printCases, readCases, testTexts } from "../test/case-prompt.ts";
import { listTree, sayAlone, sealAction } from "../click/seal-action.ts";
import { printPlaceSentence, retryAction } from "../click/sentences.ts";
import {
  type TestableFunction,
  findTestSubject,
  findTestable,
  prepareForTests,
  subjectName,
  testedPlace,
} from "../test/test-subject.ts";
import { type Answer, askAgain, streamAnswer, tellFault, templated } from "../ask/answer.ts";
import type { Turn } from "../../turn/turn.ts";
import { type NamedLines, fullName } from "../place/find-names.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import { type FoundCase, toTestCase } from "../test/case-words.ts";
import { findCases, readValue } from "../test/parse-cases.ts";

/**
 * Recommends test cases for the selection, the function at the cursor, or one that is chosen from a tree:
 * shown as a tree, each case to be clicked, and a button that writes them all.
 */
export const unittest: Flow = async function* (turn, services, given = noFocus) {
  if (turn.messageTemplates !== undefined) return yield* templated(turn, services);
  const texts = testTexts[turn.locale];
  const target = targetOf(turn.context.activeEditor);
  if (!hasCode(target)) {
    return yield* sayAlone(turn, services, `${texts.noCode}\n`);
  }
  const subject = await findTestSubject(turn, services, target, given);
  const functions = findTestable(subject.analysis.symbols);
  if (subject.place.kind === "file" && functions.length > 1) {
    const tree = functionTree(turn, functions);
    return yield* sayAlone(turn, services, `${texts.chooseFunction}\n`, tree);
  }
  const { cases: knownCases } = readCases(turn.context.userInputPrompt ?? "");
  const asked = { knownCases };
  const { receipt, request, focus } = await prepareForTests(turn, services, given, subject, asked);
  yield receipt;
  // The model comes first, so that its refusal is one of the whole request.
  const print = (item: TestCase, nth: number): string => `${nth + 1}. ${texts.testCase(item)}\n`;
  const show = (shown: readonly TestCase[], before: number): TurnEvent => ({
    type: "tree-lines",
    text: shown.map((item, nth) => print(item, before + nth)).join(""),
  });
  const { cases, raw, reason } = yield* askForCases(turn, focus, services, request, show);
  const faults = tellFault(turn, services, focus, reason, { hasRetry: false });
  if (cases.length === 0) {
    yield { type: "text-delta", text: `${[texts.noCases, ...quote(raw, texts)].join("\n\n")}\n` };
    yield* faults;
    if (turn.model.isDeterministic !== true)
      yield await sealAction(turn, services, retryAction(turn, focus));
    yield { type: "turn-end", reason };
    return;
  }
  const head = texts.casesFor(subjectName(subject.place, target));
  yield { type: "text-delta", text: `${head}\n\n${cases.map(print).join("")}`, brief: "" };
  yield* faults;
  const place = testedPlace(subject, focus);
  yield await sealAction(turn, services, caseTree(turn, cases, place));
  const prompt = printCases(cases, place, turn.locale);
  const all = { ...texts.writeAll(cases.length), command: "unittest-write", prompt };
  yield await sealAction(turn, services, confirmAction(all));
  yield { type: "turn-end", reason };
};

function quote(raw: string, { answered }: TestTexts): string[] {
  const answer = raw.trim();
  if (answer === "") return [];
  return [answered, /^[[{]/.test(answer) ? fence(answer) : answer];
}

/** The functions of a file; a click asks for the test cases of one. */
function functionTree(turn: Turn, functions: readonly TestableFunction[]): TreeAction {
  const items = functions.slice(0, maxNodes + 1).map(({ symbol, name }) => ({
    name,
    description: symbol.signature,
    labels: [symbol.kind],
    prompt: printPlaceSentence("cases", { ...symbol.range, name: fullName(symbol) }, turn.locale),
  }));
  return listTree(turn, "function", items);
}

/** Categories as parents, cases below them; a click has the test of one written. */
function caseTree(turn: Turn, cases: readonly TestCase[], place: NamedLines): TreeAction {
  const texts = testTexts[turn.locale];
  const shown = cases.slice(0, maxNodes + 1);
  const categories = [...Map.groupBy(shown, ({ category }) => category)];
  const nodes = categories.flatMap(([category, members], nth): TreeNode[] => {
    const id = `category-${nth + 1}`;
    const name = texts.category(category);
    const labels = [String(members.length)];
    return [
      { id, pId: treeRoot, type: "category", name, description: name, labels },
      ...members.map((item) => ({
        id: `case-${shown.indexOf(item) + 1}`,
        pId: id,
        type: "case",
        name: item.description,
        description: texts.testCase(item),
        labels: [category],
        prompt: printCases([item], place, turn.locale),
      })),
    ];
  });
  return clickTree(`cases-${turn.id}`, nodes, { nodeType: "case", command: "unittest-write" });
}

const maxCases = 30;
const maxProblems = 10;

/**
 * Asks for test cases, once more if the answer is no list of them; none if the second is none either. The cases are
 * shown in their order, those of the form that was asked for as soon as they are complete.
 *
 * @param focus what the first request was told
 * @param show cases, and how many were shown before
 * @returns the last answer; without cases if it is no list of them
 */
async function* askForCases(
  turn: Turn,
  focus: Focus,
  services: Services,
  request: ChatRequest,
  show: (cases: readonly TestCase[], before: number) => TurnEvent,
): AsyncGenerator<TurnEvent, Answer & { cases: TestCase[] }, void> {
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
