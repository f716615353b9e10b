import {
  type TreeAction,
  type TreeNode,
  clickTree,
  confirmAction,
  maxNodes,
  treeRoot,
} from "../../turn/action.ts";
import { type TestCase, noFocus } from "../../turn/focus.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { fence } from "../../base/text/fence.ts";
import { askForCases } from "../test/ask-for-cases.ts";
import { hasCode, targetOf } from "../place/edit-target.ts";
import type { Flow } from "../flow.ts";
import { type TestTexts, printCases, readCases, testTexts } from "../test/case-prompt.ts";
import { listTree, sayAlone, sealAction } from "../click/seal-action.ts";
import { printPlaceSentence, retryAction } from "../click/sentences.ts";
import {
  type TestableFunction,
  findTestSubject,
  findTestable,
  subjectName,
  prepareForTests,
  testedPlace,
} from "../test/test-subject.ts";
import { templated } from "../ask/answer.ts";
import type { Turn } from "../../turn/turn.ts";
import { type NamedLines, fullName } from "../place/find-names.ts";

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
  const functions = findTestable(subject.analysis);
  if (subject.place.kind === "file" && functions.length > 1) {
    const tree = functionTree(turn, functions);
    return yield* sayAlone(turn, services, `${texts.chooseFunction}\n`, tree);
  }
  const { cases: knownCases } = readCases(turn.context.userInputPrompt ?? "");
  const facts = { ...subject.facts, knownCases };
  const { receipt, request, focus } = await prepareForTests(turn, services, given, {
    ...subject,
    facts,
  });
  yield receipt;
  // The model comes first, so that its refusal is one of the whole request.
  const print = (item: TestCase, nth: number): string => `${nth + 1}. ${texts.testCase(item)}\n`;
  const show = (shown: readonly TestCase[], before: number): TurnEvent => ({
    type: "tree-lines",
    text: shown.map((item, nth) => print(item, before + nth)).join(""),
  });
  const { cases, raw, reason } = yield* askForCases(turn, focus, services, request, show);
  if (cases.length === 0) {
    yield { type: "text-delta", text: `${[texts.noCases, ...quote(raw, texts)].join("\n\n")}\n` };
    if (turn.model.isDeterministic !== true)
      yield await sealAction(turn, services, retryAction(turn, focus));
    yield { type: "turn-end", reason };
    return;
  }
  const head = texts.casesFor(subjectName(subject.place, target));
  yield { type: "text-delta", text: `${head}\n\n${cases.map(print).join("")}`, brief: "" };
  const place = testedPlace(subject, focus);
  yield await sealAction(turn, services, caseTree(turn, cases, place));
  const prompt = printCases(cases, place, turn.locale);
  const all = { ...texts.writeAll(cases.length), command: "unittest-write", prompt };
  yield await sealAction(turn, services, confirmAction(all));
  yield { type: "turn-end", reason };
};

/** What the model has said instead. */
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

/**
 * Categories as parents, cases below them; a click has the test of one written.
 *
 * @param place the code under test
 */
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
