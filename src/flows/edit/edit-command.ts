// The shape that fix, optimize and docstring share.
import type { LineRange } from "../../edit/edit-unit.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import { confirmAction } from "../../turn/action.ts";
import { type PromptFacts, noFocus, withFacts } from "../../turn/focus.ts";
import { type MakeExample, workedExample } from "../../prompt/worked-example.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { type EditClick, isOfOtherFile, printClick, readClick } from "../click/click-prompt.ts";
import {
  type AppliedEdit,
  type CheckChange,
  type EditScene,
  checkResult,
  editEvent,
  printDiff,
  proseOfTarget,
  quoteFile,
  showRefusal,
  showResult,
} from "./show-edit.ts";
import { type EditTarget, lookAtPlace, sentPart, targetOf } from "../place/edit-target.ts";
import type { Flow, Services } from "../flow.ts";
import { hashOfEditor, sealAction } from "../click/seal-action.ts";
import { nextAction, printBlockSentence, retryAction } from "../click/sentences.ts";
import { Page } from "./page.ts";
import { proposeEdit, showPlace } from "./propose-edit.ts";
import { tellFault, templated } from "../ask/answer.ts";
import { textsFor } from "../texts.ts";
import { fence } from "../../base/text/fence.ts";
import { EditSession } from "../../edit/edit-session.ts";
import { describeContext } from "../../prompt/describe-context.ts";

/** What tells one command from the others. */
export interface EditCommand {
  /** What the worked example of its prompt shows. */
  example: MakeExample;
  /** What its prompt is told besides the place and the syntax errors. */
  facts?: (place: LineRange) => PromptFacts | Promise<PromptFacts>;
  /** A change that fails it is refused. */
  check?: CheckChange;
}

/**
 * A command whose answer is a change of the file in the editor: the model proposes units, the engine
 * applies them, and the person sees the new code, the diff and what to do next. A click on a place, or on
 * "whole file", brings its units along and asks no model. Without code it is answered from its templates.
 */
export function editCommand(
  describe: (turn: Turn, services: Services, target: EditTarget) => EditCommand,
): Flow {
  return async function* (turn, services, given = noFocus) {
    const target = targetOf(turn.context.activeEditor);
    if (target === undefined) return yield* templated(turn, services);
    const { facts, check, example: make } = describe(turn, services, target);
    const templates = turn.messageTemplates ?? services.prompts.find(turn.command, turn.locale);
    const examples = (templates ?? []).map(({ content, template }) => content ?? template ?? "");
    // Templates of a definition bring examples of their own, or none.
    const example =
      turn.messageTemplates === undefined
        ? workedExample(make, target.language, turn.locale)
        : undefined;
    if (example !== undefined) examples.push(example.examplePath);
    const base = { turn, focus: given, services, target, page: new Page(), check, examples };
    const prompt = turn.context.userInputPrompt;
    const click = readClick(prompt);
    if (click !== undefined) {
      const scene = { ...base, within: undefined };
      yield* offerNext(scene, yield* applyClick(scene, click), click);
      yield { type: "turn-end", reason: "stop" };
      return;
    }
    const found = await lookAtPlace(turn, services, target, given);
    const { place } = found;
    const focus = withFacts(found, { ...example, ...(await facts?.(place)) });
    const isPart = place.startLine > 1 || place.endLine < target.text.split("\n").length;
    const scene = { ...base, focus, within: isPart ? place : undefined };
    const { reason, edit, raw } = yield* proposeEdit(scene);
    // Below a built-in prompt the lack of a change is told, and a button offered, in any case.
    const isOwn = turn.messageTemplates !== undefined && edit === undefined;
    const options = isOwn ? { said: raw } : { hasRetry: false };
    yield* tellFault(turn, services, focus, reason, options);
    yield* offerNext(scene, edit);
    yield { type: "turn-end", reason };
  };
}

/** Buttons that lead on from a change, or from the lack of one. */
async function* offerNext(
  { turn, focus, services, target }: EditScene,
  edit: AppliedEdit | undefined,
  click?: EditClick,
): AsyncGenerator<TurnEvent, void, void> {
  const texts = textsFor(turn.locale);
  if (edit === undefined) {
    // A definition's own prompt may want no change; what a click brought was no answer of the model.
    const canChange = click !== undefined || turn.model.isDeterministic !== true;
    if (turn.messageTemplates === undefined && canChange) {
      // A click that leads nowhere would lead there again.
      const question = click === undefined ? turn.context.userInputPrompt : "";
      yield await sealAction(turn, services, retryAction(turn, focus, question));
    }
    return;
  }
  const diff = printDiff(target, edit.after, texts);
  const { units, places } = quoteFile(target, edit, edit.after);
  const printed = printUnits(units);
  const { locale } = turn;
  const change = { printed, places, fileHash: await hashOfEditor(turn) };
  const whole = printClick(printBlockSentence("whole-file", locale), change);
  const explain = `${printBlockSentence("explain-change", locale)}\n\n${diff}`;
  const actions = [
    ...(click?.isWholeFile === true
      ? []
      : [confirmAction({ ...texts.showWhole, command: turn.command, prompt: whole })]),
    nextAction(turn, focus, "unittest"),
    confirmAction({ ...texts.explainChange, command: "explain", prompt: explain }),
  ];
  for (const action of actions) yield await sealAction(turn, services, action);
}

/** Applies the units that a click has brought along, without the model. */
async function* applyClick(
  scene: EditScene,
  click: EditClick,
): AsyncGenerator<TurnEvent, AppliedEdit | undefined, void> {
  const { turn, target, page } = scene;
  const texts = textsFor(turn.locale);
  yield { type: "context-receipt", receipt: describeContext(turn) };
  const { file, isWholeFile } = click;
  const prose = await proseOfTarget(scene);
  const hash = await hashOfEditor(turn);
  const { fileHash } = click;
  // The units of a click quote the file as it was: what is different in any other is what the person has edited.
  const isQuoted = fileHash === undefined || hash?.startsWith(fileHash) !== true;
  const session = new EditSession(target.text, { places: click.places, prose, isQuoted });
  const found = file.units.map((unit) => session.add(unit));
  // A chosen place may be on another line by now, or no longer one of as many.
  const hasMoved = [...click.places].some(
    ([unit, { startLine }]) => session.chosen.get(unit)?.startLine !== startLine,
  );
  const isChanged = isOfOtherFile(click, hash);
  if (turn.isFileChanged === true || isChanged || hasMoved)
    yield* page.block(`${texts.fileChanged}\n`);
  if (!isWholeFile)
    for (const [nth, place] of found.entries()) yield* showPlace(scene, place, nth + 1);
  const { units, foundAt, chosen: places } = session;
  const edit = { units, foundAt, places };
  if (file.error !== undefined) {
    yield* showRefusal(scene, edit, file.error);
    return undefined;
  }
  const applied = session.end();
  const { error, others = [] } = applied.ok ? {} : { error: applied.error, ...applied.error };
  const missed = [error, ...others].find((one) => one?.code === "no-match");
  if (isQuoted && missed !== undefined) {
    const isEdited = isChanged || turn.isFileChanged === true;
    const code = missed.isDone === true ? "no-change" : isEdited ? "changed-since" : "no-match";
    yield* showRefusal(scene, edit, { ...missed, code });
    return undefined;
  }
  const result = await checkResult(scene, applied);
  if (!result.ok || !isWholeFile) return yield* showResult(scene, edit, result);
  const code = fence(sentPart(target, result.text).text, target.language);
  yield* page.block(`${texts.wholeFile(target.path || texts.unnamedFile)}\n\n${code}\n`);
  yield await editEvent(scene, edit, result);
  return { ...edit, after: result.text };
}
