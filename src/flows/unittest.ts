import * as z from "zod";
import { confirmAction, type TreeAction, type TreeNode } from "../turn/action.ts";
import type { ChatRequest } from "../turn/chat-model.ts";
import type { Turn } from "../turn/turn.ts";
import type { EndReason, TurnEvent } from "../turn/turn-event.ts";
import { prepare } from "./answer.ts";
import { type EditTarget, targetOf } from "./edit-target.ts";
import type { Flow, Services } from "./flow.ts";
import { sealAction } from "./seal-action.ts";
import { templated } from "./templated.ts";
import {
  findTestSubject,
  functionsOf,
  markLines,
  prepareForTests,
  type TestSubject,
} from "./test-subject.ts";
import { type Texts, textsFor } from "./texts.ts";
import { withVariables } from "./with-variables.ts";

/** What the model answers: cases, each one sentence, in one of two categories. */
const TestCases = z.object({
  test_cases: z
    .array(z.object({ description: z.string().trim().min(1), category: z.string().trim().min(1) }))
    .min(1),
});
type TestCase = z.infer<typeof TestCases>["test_cases"][number];

const mostCases = 30;

/**
 * Recommends test cases for the selection, the function at the cursor, or one that is chosen from a tree:
 * shown as a tree, each case to be clicked, and a button that writes them all.
 */
export const unittest: Flow = async function* (turn, services) {
  const target = targetOf(turn.context.activeEditor);
  if (target === undefined || turn.messageTemplates !== undefined) {
    return yield* templated(turn, services);
  }
  const texts = textsFor(turn.locale);
  const subject = await findTestSubject(turn, services, target);
  const functions = functionsOf(subject.analysis);
  if (subject.place.kind === "file" && functions.length > 1) {
    yield { type: "text-delta", text: `${texts.chooseFunction}\n` };
    yield await sealAction(turn, services, functionTree(turn, subject, target, texts));
    yield { type: "turn-end", reason: "stop" };
    return;
  }
  const { receipt, request, asked } = prepareForTests(turn, services, subject.variables);
  yield receipt;
  yield { type: "text-delta", text: `${texts.casesFor(nameOf(subject, target))}\n\n` };
  const { cases, reason } = yield* askForCases(turn, asked, services, request);
  if (cases.length === 0) {
    yield { type: "text-delta", text: `${texts.noCases}\n` };
    yield { type: "turn-end", reason };
    return;
  }
  for (const [nth, { category, description }] of cases.entries()) {
    const line = `${nth + 1}. ${texts.category(category)}: ${description}\n`;
    yield { type: "text-delta", text: line };
  }
  const mark = subject.place.symbol === undefined ? "" : markLines(subject.place.symbol, target);
  yield await sealAction(turn, services, caseTree(turn, cases, mark, texts));
  const all = cases.map((item, nth) => `${nth + 1}. ${item.category}: ${item.description}`);
  const prompt = [mark, ...all].filter((line) => line !== "").join("\n");
  yield await sealAction(
    turn,
    services,
    confirmAction({ ...texts.writeAll(cases.length), command: "unittest-write", prompt }),
  );
  yield { type: "turn-end", reason };
};

/** Asks once more if the answer is no list of cases. */
async function* askForCases(
  turn: Turn,
  asked: Turn,
  services: Services,
  request: ChatRequest,
): AsyncGenerator<TurnEvent, { cases: TestCase[]; reason: EndReason }, void> {
  const first = yield* readAnswer(turn, request);
  const parsed = parseCases(first.text);
  if ("cases" in parsed) return { cases: parsed.cases, reason: first.reason };
  const again = prepare(
    { ...withVariables(asked, { problem: parsed.problem }), history: [] },
    services,
    "cases-again",
  );
  const question = again.request.messages.filter(({ role }) => role === "user").slice(-1);
  const second = yield* readAnswer(turn, {
    ...request,
    messages: [...request.messages, { role: "assistant", content: first.text }, ...question],
  });
  const repaired = parseCases(second.text);
  return { cases: "cases" in repaired ? repaired.cases : [], reason: second.reason };
}

async function* readAnswer(
  turn: Turn,
  request: ChatRequest,
): AsyncGenerator<TurnEvent, { text: string; reason: EndReason }, void> {
  const events = turn.model.stream(request, {
    signal: turn.signal,
    caller: turn.caller,
    as: "deltas",
  });
  let text = "";
  for (;;) {
    const next = await events.next();
    if (next.done === true) return { text, reason: next.value };
    if (next.value.type === "text-delta") text += next.value.text;
    else yield next.value;
  }
}

/** The JSON object in an answer, also if a fence or prose stands around it. */
function parseCases(answer: string): { cases: TestCase[] } | { problem: string } {
  const from = answer.indexOf("{");
  const to = answer.lastIndexOf("}");
  let value: unknown;
  try {
    value = JSON.parse(answer.slice(from, to + 1));
  } catch {
    return { problem: "The answer is no JSON object." };
  }
  const parsed = TestCases.safeParse(value);
  if (!parsed.success) return { problem: z.prettifyError(parsed.error) };
  const known = new Set<string>();
  const cases = parsed.data.test_cases.filter(({ description }) => {
    const isNew = !known.has(description);
    known.add(description);
    return isNew;
  });
  return { cases: cases.slice(0, mostCases) };
}

function functionTree(
  turn: Turn,
  subject: TestSubject,
  target: EditTarget,
  texts: Texts,
): TreeAction {
  return {
    action: "tree",
    state: {},
    data: {
      treeId: `functions-${turn.id}`,
      rootPId: "root",
      nodes: functionsOf(subject.analysis).map((symbol, nth) => ({
        id: `function-${nth + 1}`,
        pId: "root",
        type: "function",
        name: [symbol.container, symbol.name].filter((part) => part).join("."),
        description: `${texts.unittest.prompt} ${symbol.name} ${markLines(symbol, target)}`,
        labels: [symbol.kind],
      })),
      nodeActions: [
        {
          nodeType: "function",
          nodeAction: "click",
          command: "unittest",
          promptByNodeProperty: "description",
        },
      ],
    },
  };
}

/** Categories as parents, cases below them to be clicked. */
function caseTree(turn: Turn, cases: readonly TestCase[], mark: string, texts: Texts): TreeAction {
  const categories = [...Map.groupBy(cases, ({ category }) => category)];
  const nodes = categories.flatMap(([category, members], nth): TreeNode[] => [
    {
      id: `category-${nth + 1}`,
      pId: "root",
      type: "category",
      name: texts.category(category),
      description: texts.category(category),
      labels: [String(members.length)],
    },
    ...members.map((item) => ({
      id: `case-${cases.indexOf(item) + 1}`,
      pId: `category-${nth + 1}`,
      type: "case",
      name: item.description,
      description: `${mark === "" ? "" : `${mark}\n`}${item.category}: ${item.description}`,
      labels: [item.category],
    })),
  ]);
  return {
    action: "tree",
    state: {},
    data: {
      treeId: `cases-${turn.id}`,
      rootPId: "root",
      nodes,
      nodeActions: [
        {
          nodeType: "case",
          nodeAction: "click",
          command: "unittest-write",
          promptByNodeProperty: "description",
        },
      ],
    },
  };
}

function nameOf({ place }: TestSubject, { path, linesAbove }: EditTarget): string {
  return (
    place.symbol?.name ?? `${path}:${place.startLine + linesAbove}-${place.endLine + linesAbove}`
  );
}
