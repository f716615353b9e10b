import { describeDiff } from "../../edit/describe/describe-error.ts";
import { EditReader } from "../../edit/read/edit-reader.ts";
import { EditSession, type UnitPlace } from "../../edit/edit-session.ts";
import type { EditResult } from "../../edit/edit-unit.ts";
import type { EditReaderEvent, FileEdit } from "../../edit/read/file-edit.ts";
import type { Steps } from "../../edit/steps.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { CheckedResult, EditScene, ProposedUnits } from "./edit-scene.ts";
import { isOfTarget } from "./edit-target.ts";
import { type Answer, streamAnswer } from "../ask/stream-answer.ts";
import { textsFor } from "../texts/texts.ts";

/** A model's answer, taken apart: the units are those for the editor's file, as they were understood. */
export interface EditAnswer extends Answer, ProposedUnits {
  /** What became of them; undefined if the answer holds no edit of the file. */
  result: CheckedResult | undefined;
  /** Edits of other files. */
  others: FileEdit[];
}

/**
 * Asks the model and passes the text of its answer on as it comes. In place of each edit of the editor's
 * file it says, as soon as the edit is complete, where it belongs.
 *
 * @param isQuiet nothing of the answer's text is shown, only where its edits belong
 */
export async function* streamEdits(
  scene: EditScene,
  request: ChatRequest,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): AsyncGenerator<TurnEvent, EditAnswer, void> {
  const { turn, target, within } = scene;
  const reader = new EditReader();
  const session = new EditSession(target.text, { within });
  const show = (events: readonly EditReaderEvent[]): AsyncIterable<TurnEvent> =>
    showEvents(scene, session, events, isQuiet);
  const answer = yield* streamAnswer(turn, request, (text) => show(reader.push(text)));
  yield* show(reader.end());
  const own = reader.files.filter(({ filePath }) => isOfTarget(filePath, target));
  const others = reader.files.filter((file) => !own.includes(file));
  const { units, foundAt, chosen: places } = session;
  const result = await scene.services.slices.run(
    "edit",
    resultOf(own, session, answer),
    turn.signal,
  );
  return { ...answer, units, foundAt, places, result, others };
}

async function* showEvents(
  scene: EditScene,
  session: EditSession,
  events: readonly EditReaderEvent[],
  isQuiet: boolean,
): AsyncGenerator<TurnEvent, void, void> {
  const { turn, target, page, services } = scene;
  for (const event of events) {
    if (event.type === "text" && !isQuiet) yield* page.write(event.text);
    if (event.type !== "unit" || !isOfTarget(event.filePath, target)) continue;
    const place = await services.slices.run("edit", session.addInSteps(event.unit), turn.signal);
    yield* showPlace(scene, place, session.units.length);
  }
}

/** Nothing of an answer that was cut is applied: units may be missing that belong to those that came. */
function* resultOf(
  own: readonly FileEdit[],
  session: EditSession,
  { reason }: Answer,
): Steps<EditResult | undefined> {
  if (own.length === 0) return undefined;
  const error = own.find((file) => file.error !== undefined)?.error;
  if (error !== undefined) return { ok: false, error };
  if (reason === "stop" || reason === "tool_calls") return yield* session.endInSteps();
  return { ok: false, error: describeDiff("truncated", `The answer ended early (${reason}).`) };
}

/**
 * Says where a unit belongs.
 *
 * @param place undefined: that shows at the end only, and nothing is said
 * @param number of the unit, 1-based
 */
export function* showPlace(
  { turn, page }: EditScene,
  place: UnitPlace | undefined,
  number: number,
): Generator<TurnEvent, void, void> {
  if (place === undefined) return;
  const texts = textsFor(turn.locale);
  if (!place.ok) {
    yield* page.item(texts.missed(number, place.error.code));
    return;
  }
  const { level, startLine, endLine } = place;
  yield* page.item(texts.foundAt(number, texts.levels[level], startLine, endLine));
}
