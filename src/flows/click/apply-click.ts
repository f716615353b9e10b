import { fence } from "../../base/text/fence.ts";
import { EditSession } from "../../edit/edit-session.ts";
import { describeContext } from "../../prompt/describe-context.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { hashOfEditor } from "./editor-hash.ts";
import { type EditClick, isOfOtherFile, resolvePlaces } from "./click-prompt.ts";
import {
  type AppliedEdit,
  checkResult,
  type EditScene,
  proseOfTarget,
} from "../edit/edit-scene.ts";
import { editEvent } from "../edit/edit-event.ts";
import { sentPart } from "../edit/edit-target.ts";
import { showRefusal, showResult } from "../edit/show-edit.ts";
import { showPlace } from "../edit/stream-edits.ts";
import { textsFor } from "../texts/texts.ts";

/** Applies the units that a click has brought along, without the model. */
export async function* applyClick(
  scene: EditScene,
  click: EditClick,
): AsyncGenerator<TurnEvent, AppliedEdit | undefined, void> {
  const { turn, target, page } = scene;
  const texts = textsFor(turn.locale);
  yield { type: "context-receipt", receipt: describeContext(turn) };
  const { file, isWholeFile } = click;
  const prose = await proseOfTarget(scene);
  const lines = resolvePlaces(click, target.text, prose);
  const isChanged = isOfOtherFile(click, await hashOfEditor(turn));
  if (turn.isFileChanged === true || isChanged || hasMoved(click, lines)) {
    yield* page.block(`${texts.fileChanged}\n`);
  }
  const session = new EditSession(target.text, { places: lines, prose });
  for (const unit of file.units) {
    const place = session.add(unit);
    if (!isWholeFile) yield* showPlace(scene, place, session.units.length);
  }
  const { units, foundAt, chosen: places } = session;
  const edit = { units, foundAt, places };
  if (file.error !== undefined) {
    yield* showRefusal(scene, edit, file.error);
    return undefined;
  }
  const applied = session.end();
  const result = await checkResult(scene, applied);
  if (!result.ok || !isWholeFile) return yield* showResult(scene, edit, result);
  const code = fence(sentPart(target, result.text).text, target.language);
  yield* page.block(`${texts.wholeFile(target.path || texts.unnamedFile)}\n\n${code}\n`);
  yield await editEvent(scene, edit, result);
  return { ...edit, after: result.text };
}

/** A chosen place stands on another line by now, or cannot be told from others any more. */
function hasMoved({ places }: EditClick, lines: ReadonlyMap<number, number>): boolean {
  return [...places].some(([unit, { startLine }]) => lines.get(unit) !== startLine);
}
