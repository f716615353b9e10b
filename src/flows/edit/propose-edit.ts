import type { EditError } from "../../edit/edit-unit.ts";
import type { FileEdit } from "../../edit/read/file-edit.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import { withFacts } from "../../turn/focus.ts";
import type { RefusalCode } from "../../turn/proposed-edit.ts";
import type { EndReason, TurnEvent } from "../../turn/turn-event.ts";
import { askAgain, prepare } from "../ask/answer.ts";
import { type AppliedEdit, type EditScene, type Refusal, checkResult } from "./edit-scene.ts";
import { printDiff, showOthers, showRefusal, showResult } from "./show-edit.ts";
import { type EditAnswer, streamEdits } from "./stream-edits.ts";
import { textsFor } from "../texts.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import { printClick } from "../click/click-prompt.ts";
import { hashOfEditor, listTree, sealAction } from "../click/seal-action.ts";
import { printBlockSentence } from "../click/sentences.ts";
import type { EditOption } from "./forms/read-options.ts";

/** What came of it; `edit` is absent if nothing was applied. */
export interface EditOutcome {
  reason: EndReason;
  edit: AppliedEdit | undefined;
}

/**
 * Asks for edits of the editor's file and shows what comes of them. If they cannot be applied, the model is
 * asked once more with the engine's report.
 */
export async function* proposeEdit(scene: EditScene): AsyncGenerator<TurnEvent, EditOutcome, void> {
  const { turn } = scene;
  const { receipt, request } = await prepare(turn, scene.services, scene.focus, undefined, {
    spare: ["example"],
  });
  yield receipt;
  const first = await check(scene, yield* streamEdits(scene, request));
  const again = await toSecondRequest(scene, request, first);
  const second = again && (yield* streamSecond(scene, again, first));
  const chosen = second === undefined || isEmpty(second) ? first : second;
  const { result, options } = chosen;
  const edit = result && (yield* showResult(scene, chosen, result));
  if (options.length > 0) yield* showOptions(scene, options);
  const others = joinOthers(first.others, second?.others ?? []);
  yield* showOthers(scene, others);
  // A definition's own prompt may want no change.
  const isMissing = isEmpty(chosen) && others.length === 0;
  if (isMissing && turn.messageTemplates === undefined) {
    yield* scene.page.block(`${textsFor(turn.locale).noChange}\n`);
  }
  return { reason: (second ?? first).reason, edit };
}

/** It changes nothing of the editor's file, and proposes nothing. */
function isEmpty({ result, options }: EditAnswer): boolean {
  return result === undefined && options.length === 0;
}

async function check(scene: EditScene, answer: EditAnswer): Promise<EditAnswer> {
  const { result } = answer;
  return result === undefined ? answer : { ...answer, result: await checkResult(scene, result) };
}

/** A second answer cannot help: a person has to choose, or nothing can be checked. */
const final: ReadonlySet<RefusalCode> = new Set(["ambiguous", "unknown-comments"]);

/**
 * Undefined where nothing was refused or left unread, or asking again is of no use. An answer that finds nothing to
 * change is one that can be used.
 */
async function toSecondRequest(
  { turn, focus, services }: EditScene,
  request: ChatRequest,
  first: EditAnswer,
): Promise<ChatRequest | undefined> {
  const error = refusalOf(first);
  if (error !== undefined && final.has(error.code)) return undefined;
  const report = error === undefined ? first.unread.join("\n") : reportOf(error);
  if (report === "") return undefined;
  const withReport = withFacts(focus, { report });
  return askAgain(turn, withReport, services, request, first, "edit-again");
}

function refusalOf({ result }: EditAnswer): Refusal | undefined {
  return result?.ok === false ? result.error : undefined;
}

function reportOf({ forModel, others = [] }: Refusal): string {
  return [forModel, ...others.map((other: EditError) => other.forModel)].join("\n\n");
}

async function* streamSecond(
  scene: EditScene,
  request: ChatRequest,
  first: EditAnswer,
): AsyncGenerator<TurnEvent, EditAnswer, void> {
  const { turn, page } = scene;
  const texts = textsFor(turn.locale);
  const refusal = refusalOf(first);
  const why = refusal === undefined ? texts.unread : texts.refusals[refusal.code];
  yield* page.block(`${texts.tryAgain(why)}\n`);
  try {
    const second = await check(scene, yield* streamEdits(scene, request, { isQuiet: true }));
    // An answer without an edit says why there is none.
    if (isEmpty(second)) yield* page.block(`${second.raw.trim()}\n`);
    return second;
  } catch (thrown) {
    // What the first answer proposed is not lost with the second.
    if (!turn.signal.aborted && refusal !== undefined) yield* showRefusal(scene, first, refusal);
    throw thrown;
  }
}

/** Of a file that both answers change, the later edit. */
function joinOthers(first: readonly FileEdit[], second: readonly FileEdit[]): FileEdit[] {
  const paths = new Set(second.map(({ filePath }) => filePath));
  return [...first.filter(({ filePath }) => !paths.has(filePath)), ...second];
}

/** Complete changes to choose from, each with its diff: a click applies one. */
async function* showOptions(
  { turn, page, services, target }: EditScene,
  options: readonly EditOption[],
): AsyncGenerator<TurnEvent, void, void> {
  const texts = textsFor(turn.locale);
  const fileHash = await hashOfEditor(turn);
  const items = [];
  yield* page.block(`${texts.chooseOption}\n`);
  for (const { title, units, places, after } of options) {
    const diff = printDiff(target, after, texts);
    yield* page.block(`**${title}**\n\n${diff}\n`, "");
    const printed = printUnits(units);
    const sentence = printBlockSentence("apply-option", turn.locale, title);
    const prompt = printClick(sentence, { printed, places, fileHash });
    items.push({ name: title, description: title, prompt });
  }
  yield await sealAction(turn, services, listTree(turn, "option", items));
}
