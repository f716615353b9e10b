import { describeDiff } from "../../edit/describe-error.ts";
import { EditReader } from "../../edit/read/edit-reader.ts";
import { EditSession, type UnitPlace } from "../../edit/edit-session.ts";
import type { EditError, EditResult } from "../../edit/edit-unit.ts";
import type { CodeBlock, EditReaderEvent, FileEdit } from "../../edit/read/file-edit.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import {
  type CheckedResult,
  type EditScene,
  type ProposedUnits,
  proseOfTarget,
} from "./edit-scene.ts";
import { isOfTarget } from "../place/edit-target.ts";
import { applyText, type TextChange } from "./forms/apply-text.ts";
import { type EditOption, readOptions } from "./forms/read-options.ts";
import { applyMarkedCode, type BlocksReading, readCodeBlocks } from "./forms/read-code.ts";
import { type Answer, streamAnswer } from "../ask/answer.ts";
import { textsFor } from "../texts.ts";

/** A model's answer, taken apart: the units are those for the editor's file, as they were understood. */
export interface EditAnswer extends Answer, ProposedUnits {
  /** What became of them; undefined if the answer holds no edit of the file. */
  result: CheckedResult | undefined;
  /** Complete changes of which the person has to choose one; then nothing else is an edit of the file. */
  options: readonly EditOption[];
  /** What may be an edit of the file and could not be read, for the model: sentences. */
  unread: readonly string[];
  /** Edits of other files. */
  others: FileEdit[];
}

/**
 * Asks the model and passes the text of its answer on as it comes. In place of each edit of the editor's
 * file it says, as soon as the edit is complete, where it belongs. Under templates of a definition only what can be
 * nothing but an edit is one.
 *
 * @param isQuiet nothing of the answer's text is shown, only where its edits belong
 */
export async function* streamEdits(
  scene: EditScene,
  request: ChatRequest,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): AsyncGenerator<TurnEvent, EditAnswer, void> {
  const { turn, target, within, examples } = scene;
  const isExplicit = turn.messageTemplates !== undefined;
  const reader = new EditReader(
    isExplicit
      ? { reasoning: "split", forms: "explicit" }
      : { reasoning: "split", blocks: "events" },
  );
  const session = new EditSession(target.text, { within, prose: await proseOfTarget(scene) });
  const answer = yield* streamAnswer(turn, request, (text) =>
    showEvents(scene, session, reader.push(text), isQuiet),
  );
  const last = reader.end({ isStopped: answer.reason === "stop" });
  const own = reader.files.filter(({ filePath }) => isOfTarget(filePath, target, examples));
  const others = reader.files.filter((file) => !own.includes(file));
  const base = { ...answer, others, options: [], unread: [] };
  const blocks = last.flatMap((event) => (event.type === "block" ? event.block : []));
  const isOpen = own.length === 0 && isWhole(answer);
  const options = isOpen ? await readOptions(scene, reader.alternatives, blocks) : undefined;
  const hasChoice = options !== undefined || reader.alternatives.length > 0;
  const reading =
    isOpen && !hasChoice ? await readCodeBlocks(scene, blocks) : ({ kind: "none" } as const);
  const change = isWhole(answer) ? await changeOf(scene, own, reading) : undefined;
  const shown = reading.kind === "change" ? reading.blocks : (options?.blocks ?? []);
  if (change !== undefined && !("code" in change)) {
    const applied = yield* showChange(scene, change, last, shown, isQuiet);
    return { ...base, ...applied, form: reading.kind === "change" ? reading.form : "code-edit" };
  }
  yield* showEvents(scene, session, last, isQuiet, shown);
  const { units, foundAt, chosen: places } = session;
  const form = own[0]?.form ?? "units";
  const found = { ...base, units, foundAt, places, form };
  if (change !== undefined) return { ...found, result: { ok: false, error: change } };
  if (options !== undefined) {
    const { error } = options;
    const result = error === undefined ? undefined : ({ ok: false, error } as const);
    return { ...found, result, options: options.options };
  }
  if (reading.kind === "unread") return { ...found, result: undefined, unread: reading.problems };
  return { ...found, result: resultOf(own, session, answer) };
}

/** The change that code with marks, or code blocks, make of the file; the error if they cannot. */
async function changeOf(
  scene: EditScene,
  own: readonly FileEdit[],
  reading: BlocksReading,
): Promise<TextChange | EditError | undefined> {
  if (reading.kind === "change") return reading;
  const [marked] = own.filter(({ units, error }) => units.length === 0 && error === undefined);
  return marked?.codeEdit === undefined || own.length > 1
    ? undefined
    : applyMarkedCode(scene, marked.codeEdit, marked.filePath);
}

/** What comes last of an answer, with the places of the change where its code stood. */
async function* showChange(
  scene: EditScene,
  change: TextChange,
  events: readonly EditReaderEvent[],
  blocks: readonly CodeBlock[],
  isQuiet: boolean,
): AsyncGenerator<TurnEvent, ProposedUnits & { result: CheckedResult }, void> {
  const { places, ...applied } = applyText(scene, change);
  const [first] = blocks;
  const at = events.findIndex((event) => event.type === "block" && event.block === first);
  const border = at === -1 ? events.length : at;
  const nothing = new EditSession(undefined);
  yield* showEvents(scene, nothing, events.slice(0, border), isQuiet, blocks);
  for (const [nth, place] of places.entries()) yield* showPlace(scene, place, nth + 1);
  yield* showEvents(scene, nothing, events.slice(border), isQuiet, blocks);
  return { ...applied.proposed, result: applied.result };
}

async function* showEvents(
  scene: EditScene,
  session: EditSession,
  events: readonly EditReaderEvent[],
  isQuiet: boolean,
  hidden: readonly CodeBlock[] = [],
): AsyncGenerator<TurnEvent, void, void> {
  const { target, page, examples } = scene;
  for (const event of events) {
    if (event.type === "text" && !isQuiet) yield* page.write(event.text);
    if (event.type === "block" && !isQuiet && !hidden.includes(event.block)) {
      yield* page.write(event.block.raw);
    }
    if (event.type !== "unit" || !isOfTarget(event.filePath, target, examples)) continue;
    const place = session.add(event.unit);
    yield* showPlace(scene, place, session.units.length);
  }
}

/** An answer that was cut may lack what belongs to what came. */
function isWhole({ reason }: Answer): boolean {
  return reason === "stop" || reason === "tool_calls";
}

/** Nothing of an answer that was cut is applied: units may be missing that belong to those that came. */
function resultOf(
  own: readonly FileEdit[],
  session: EditSession,
  answer: Answer,
): EditResult | undefined {
  if (own.length === 0) return undefined;
  const error = own.find((file) => file.error !== undefined)?.error;
  if (error !== undefined) return { ok: false, error };
  if (isWhole(answer)) return session.end();
  const message = `The answer ended early (${answer.reason}).`;
  return { ok: false, error: describeDiff("truncated", message) };
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
