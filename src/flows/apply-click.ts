import { fence } from "../context/fence.ts";
import { EditSession } from "../edit/edit-session.ts";
import { describeContext } from "../prompt/build-prompt.ts";
import type { TurnEvent } from "../turn/turn-event.ts";
import type { EditClick } from "./click-prompt.ts";
import { type AppliedEdit, checkResult, type EditScene } from "./edit-scene.ts";
import { showRefusal, showResult } from "./show-edit.ts";
import { showPlace } from "./stream-edits.ts";
import { textsFor } from "./texts.ts";

/** Applies the units that a click has brought along, without the model. */
export async function* applyClick(
  scene: EditScene,
  { file, places, isWholeFile }: EditClick,
): AsyncGenerator<TurnEvent, AppliedEdit | undefined, void> {
  const { turn, target, page } = scene;
  const texts = textsFor(turn.locale);
  yield { type: "context-receipt", receipt: describeContext(turn) };
  if (turn.isFileChanged === true) yield* page.block(`${texts.fileChanged}\n`);
  const session = new EditSession(target.text, { places });
  for (const unit of file.units) {
    const place = session.add(unit);
    if (!isWholeFile) yield* showPlace(scene, place, session.units.length);
  }
  const { units } = session;
  if (file.error !== undefined) {
    yield* showRefusal(scene, { units, places }, file.error);
    return undefined;
  }
  const result = await checkResult(scene, session.end());
  if (!result.ok || !isWholeFile) return yield* showResult(scene, { units, places }, result);
  const code = fence(result.text, target.language);
  yield* page.block(`${texts.wholeFile(target.path || texts.unnamedFile)}\n\n${code}\n`);
  return { units, places, after: result.text };
}
