// The step that fix, optimize and docstring share: the model proposes edits of the file in the editor,
// the engine applies them, and the person sees what came of it.
import { applyUnits } from "../edit/apply-units.ts";
import type { EditError, EditResult, EditUnit, LineRange } from "../edit/edit-unit.ts";
import { parseAnswer } from "../edit/parse-answer.ts";
import { printUnits } from "../edit/print-units.ts";
import { formatUnifiedDiff } from "../edit/unified-diff.ts";
import { fence } from "../context/fence.ts";
import { confirmAction, type TreeAction } from "../turn/action.ts";
import type { ChatRequest } from "../turn/chat-model.ts";
import type { Turn } from "../turn/turn.ts";
import type { EndReason, TurnEvent } from "../turn/turn-event.ts";
import { prepare } from "./answer.ts";
import { type EditTarget, plainUnits, splitByFile } from "./edit-target.ts";
import type { Services } from "./flow.ts";
import { sealAction } from "./seal-action.ts";
import { showChange } from "./show-change.ts";
import { type EditAnswer, streamEdits } from "./stream-edits.ts";
import { type Texts, textsFor } from "./texts.ts";
import { withVariables } from "./with-variables.ts";

/** Says what is wrong with a change that could be applied; undefined if nothing is. */
export type CheckChange = (before: string, after: string) => Promise<string | undefined>;

export interface EditOptions {
  /** The turn as the templates see it. */
  asked: Turn;
  target: EditTarget;
  /** A change that fails it is not shown as one. */
  refuse?: CheckChange;
}

/** What came of it; `after` is absent if nothing could be applied. */
export interface EditOutcome {
  reason: EndReason;
  units: EditUnit[];
  after?: string;
}

/** Asks for edits and shows them; asks once more, with the engine's report, if they cannot be applied. */
export async function* proposeEdit(
  turn: Turn,
  services: Services,
  { asked, target, refuse }: EditOptions,
): AsyncGenerator<TurnEvent, EditOutcome, void> {
  const texts = textsFor(turn.locale);
  const { receipt, request } = prepare(asked, services);
  yield receipt;
  let answer = yield* streamEdits(turn, request);
  let attempt = await tryEdit(answer, target, refuse);
  if (attempt.units === undefined) {
    yield* showOthers(answer, target, texts);
    return { reason: answer.reason, units: [] };
  }
  if (!attempt.result.ok && attempt.result.error.code !== "ambiguous" && isWhole(answer)) {
    yield { type: "text-delta", text: `\n\n${texts.tryAgain}\n` };
    const first = answer;
    answer = yield* streamEdits(
      turn,
      askAgain(asked, services, request, first, attempt.result.error),
      false,
    );
    const second = await tryEdit(answer, target, refuse);
    if (second.units !== undefined) attempt = second;
  }
  const { units, result } = attempt;
  const gap = gapAfter(answer.text);
  if (gap !== "") yield { type: "text-delta", text: gap };
  if (result.ok) {
    yield* showApplied(services, target, result, texts);
    yield* showOthers(answer, target, texts);
    return { reason: answer.reason, units, after: result.text };
  }
  yield* showRefused(turn, services, target, units, result.error, texts);
  return { reason: answer.reason, units };
}

/** Applies the units that a click sends along: without the model. Undefined if the prompt holds none. */
export async function* applyPrompt(
  turn: Turn,
  services: Services,
  target: EditTarget,
): AsyncGenerator<TurnEvent, EditOutcome | undefined, void> {
  const texts = textsFor(turn.locale);
  const prompt = turn.context.userInputPrompt ?? "";
  const { files, text } = parseAnswer(prompt);
  const { own } = splitByFile(files, target);
  if (own === undefined || own.error !== undefined) return undefined;
  const units = plainUnits(own.units);
  if (turn.isFileChanged === true) yield { type: "text-delta", text: `${texts.fileChanged}\n` };
  const result = applyUnits(target.text, units, { places: readPlaces(text) });
  if (!result.ok) {
    yield* showRefused(turn, services, target, units, result.error, texts);
    return { reason: "stop", units };
  }
  if (text.includes(wholeFileMark)) {
    yield {
      type: "text-delta",
      text: `${texts.wholeFile(target.path)}\n\n${fence(result.text, target.language)}\n`,
    };
  } else yield* showApplied(services, target, result, texts);
  return { reason: "stop", units, after: result.text };
}

/** Buttons that lead on from a change. */
export async function* offerNext(
  turn: Turn,
  services: Services,
  target: EditTarget,
  { units, after }: EditOutcome,
): AsyncGenerator<TurnEvent> {
  const texts = textsFor(turn.locale);
  if (after === undefined) return;
  const diff = fence(
    formatUnifiedDiff(target.path || texts.unnamedFile, target.text, after),
    "diff",
  );
  const whole = { ...texts.showWhole, command: turn.command };
  const prompt = `${texts.showWhole.prompt} ${wholeFileMark}\n\n${printUnits(units)}`;
  yield await sealAction(turn, services, confirmAction({ ...whole, prompt }));
  yield { type: "action", action: confirmAction({ ...texts.unittest, command: "unittest" }) };
  const explain = `${texts.explainChange.prompt}\n\n${diff}`;
  yield await sealAction(
    turn,
    services,
    confirmAction({ ...texts.explainChange, command: "explain", prompt: explain }),
  );
}

/** Stands in the prompt of the button that asks for the whole file; people do not write it. */
const wholeFileMark = "[whole file]";
const placePattern = /\[unit (\d+) at line (\d+)\]/g;

/** `units` is absent if the answer holds no edit of this file. */
type Attempt = { units: EditUnit[]; result: EditResult } | { units?: never; result?: never };

async function tryEdit(
  { files }: EditAnswer,
  target: EditTarget,
  refuse: CheckChange | undefined,
): Promise<Attempt> {
  const { own } = splitByFile(files, target);
  if (own === undefined) return {};
  const units = plainUnits(own.units);
  if (own.error !== undefined) return { units, result: { ok: false, error: own.error } };
  const result = applyUnits(target.text, own.units);
  const problem = result.ok ? await refuse?.(target.text, result.text) : undefined;
  if (problem === undefined) return { units, result };
  const forModel = `${problem} Nothing was changed. Send units that keep to that.`;
  return { units, result: { ok: false, error: { code: "malformed", message: problem, forModel } } };
}

/** The same conversation, with the answer and what the engine says of it. */
function askAgain(
  asked: Turn,
  services: Services,
  request: ChatRequest,
  { raw }: EditAnswer,
  error: EditError,
): ChatRequest {
  const others = (error.others ?? []).map(({ forModel }) => `\n\n${forModel}`).join("");
  const again = withVariables(asked, { report: error.forModel + others });
  const { request: last } = prepare({ ...again, history: [] }, services, "edit-again");
  const question = last.messages.filter(({ role }) => role === "user").slice(-1);
  return {
    ...request,
    messages: [...request.messages, { role: "assistant", content: raw }, ...question],
  };
}

async function* showApplied(
  services: Services,
  target: EditTarget,
  { text, units }: Extract<EditResult, { ok: true }>,
  texts: Texts,
): AsyncGenerator<TurnEvent> {
  yield { type: "text-delta", text: showChange(target, text, units, texts) };
  const before = await services.code.analyze(target.text, target.language, target.path);
  if (before.problems.length > 0) return;
  const { problems } = await services.code.analyze(text, target.language, target.path);
  const [first] = problems;
  if (first === undefined) return;
  yield {
    type: "text-delta",
    text: `\n${texts.brokenSyntax(first.range.startLine + target.linesAbove, first.message)}\n`,
  };
}

/** Edits of other files are shown, since only the editor's file is at hand to apply them to. */
function* showOthers(
  { files }: EditAnswer,
  target: EditTarget,
  texts: Texts,
): Generator<TurnEvent> {
  for (const { filePath, units } of splitByFile(files, target).others) {
    if (units.length === 0) continue;
    const text = `\n${texts.otherFile(filePath ?? "")}\n\n${fence(printUnits(units), "diff")}\n`;
    yield { type: "text-delta", text };
  }
}

async function* showRefused(
  turn: Turn,
  services: Services,
  target: EditTarget,
  units: readonly EditUnit[],
  error: EditError,
  texts: Texts,
): AsyncGenerator<TurnEvent> {
  const candidates = error.candidates ?? [];
  const number = error.unit ?? 1;
  const isChoice = error.code === "ambiguous" && candidates.length > 0;
  const head = isChoice ? texts.choosePlace(number) : texts.notApplied(texts.refusals[error.code]);
  const nearest = error.nearest === undefined ? "" : `\n\n${fence(error.nearest.diff, "diff")}`;
  const printed = units.length === 0 ? "" : `\n\n${fence(printUnits(units), "diff")}`;
  yield { type: "text-delta", text: `${head}${isChoice ? "" : nearest}${printed}\n` };
  if (!isChoice) return;
  const tree: TreeAction = {
    action: "tree",
    state: {},
    data: {
      treeId: `places-${turn.id}`,
      rootPId: "root",
      nodes: candidates.map((range, nth) => toPlaceNode(target, units, number, range, nth, texts)),
      nodeActions: [
        {
          nodeType: "place",
          nodeAction: "click",
          command: turn.command,
          promptByNodeProperty: "description",
        },
      ],
    },
  };
  yield await sealAction(turn, services, tree);
}

function toPlaceNode(
  target: EditTarget,
  units: readonly EditUnit[],
  unit: number,
  { startLine, endLine }: LineRange,
  nth: number,
  texts: Texts,
): TreeAction["data"]["nodes"][number] {
  const first = target.text.split("\n")[startLine - 1]?.trim() ?? "";
  return {
    id: `place-${nth + 1}`,
    pId: "root",
    type: "place",
    name: texts.place(
      startLine + target.linesAbove,
      endLine + target.linesAbove,
      first.slice(0, 80),
    ),
    description: `${texts.applyThere} [unit ${unit} at line ${startLine}]\n\n${printUnits(units)}`,
    labels: [],
  };
}

/** The places that clicks have chosen: the number of a unit and the first line of its place. */
function readPlaces(text: string): Map<number, number> {
  const found = [...text.matchAll(placePattern)];
  return new Map(found.map(([, unit, line]) => [Number(unit), Number(line)]));
}

/** What is missing for a blank line between what was said and what comes. */
function gapAfter(text: string): string {
  if (text === "" || text.endsWith("\n\n")) return "";
  return text.endsWith("\n") ? "\n" : "\n\n";
}

/** An answer that was cut off is not worth a second question: the model would be cut off again. */
function isWhole({ reason }: EditAnswer): boolean {
  return reason === "stop";
}
