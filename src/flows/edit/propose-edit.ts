import { breathe } from "../../base/wire/patient-timer.ts";
import type { EditError, EditResult } from "../../edit/edit-unit.ts";
import type { CodeBlock, EditReaderEvent, FileEdit } from "../../edit/read/file-edit.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import { withFacts } from "../../turn/focus.ts";
import type { RefusalCode } from "../../turn/proposed-edit.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { type Answer, askAgain, partsOf, prepare, streamAnswer } from "../ask/answer.ts";
import {
  type AppliedEdit,
  type CheckedResult,
  type EditScene,
  type ProposedUnits,
  type Refusal,
  checkResult,
  printDiff,
  proseOfTarget,
  showOthers,
  showRefusal,
  showResult,
} from "./show-edit.ts";
import { textsFor } from "../texts.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import { printClick } from "../click/click-prompt.ts";
import { hashOfEditor, listTree, sealAction } from "../click/seal-action.ts";
import { printBlockSentence } from "../click/sentences.ts";
import {
  describeOptions,
  type EditOption,
  readOptions,
  readPlaces,
  readRivals,
} from "./forms/read-options.ts";
import { optionOf } from "../../edit/read/lead-lines.ts";
import { describeDiff } from "../../edit/describe-error.ts";
import { EditReader } from "../../edit/read/edit-reader.ts";
import { applyUnits, EditSession, type UnitPlace } from "../../edit/edit-session.ts";
import { isOfTarget, mayBeTarget } from "../place/edit-target.ts";
import { type TextChange, applyText, plainText } from "./forms/apply-text.ts";
import { hasSameName, isSameFile } from "../../edit/read/is-same-file.ts";
import type { TextLine } from "../../edit/read/blocks/quoted-sentences.ts";
import { unmetChange } from "../../edit/read/blocks/unmet-change.ts";
import {
  announcesExample,
  asksWhich,
  lastSentence,
  ordersIn,
  retracts,
} from "../../edit/read/blocks/told-words.ts";
import { announcesMore, isOnlyIdea, leadsToCode } from "./forms/block-words.ts";
import { type BlocksReading, readCodeBlocks } from "./forms/read-code.ts";
import { applyMarkedCode } from "./forms/apply-code.ts";
import { changeAsTold } from "./forms/around-code.ts";
import { adds } from "./forms/told-things.ts";
import { holdsLines, mostOffered, shareOf, unfencedCode } from "./forms/code-block.ts";
import { isPlainDiff } from "../../tools/workspace/compute-edit.ts";
import { isSolid, linesOf } from "../../base/text/lines.ts";
import { fitCall } from "../../tools/run-call.ts";
import { CallReader } from "../../tools/text-calls/call-reader.ts";
import { createWorkspaceTools } from "../../tools/workspace/workspace-tools.ts";

/** What came of the last answer; `edit` is absent if nothing was applied. */
export interface EditOutcome extends Answer {
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
  await breathe();
  const edit = result && (yield* showResult(scene, chosen, result));
  await breathe();
  if (options.length > 0) yield* showOptions(scene, options);
  const others = joinOthers(first.others, second?.others ?? []);
  yield* showOthers(scene, others);
  // A definition's own prompt may want no change.
  const isMissing = isEmpty(chosen) && others.length === 0;
  if (isMissing && turn.messageTemplates === undefined) {
    yield* scene.page.block(`${textsFor(turn.locale).noChange}\n`);
  }
  const { reason, raw } = second ?? first;
  return { reason, raw, edit };
}

/** It changes nothing of the editor's file, and proposes nothing. */
function isEmpty({ result, options }: EditAnswer): boolean {
  return result === undefined && options.length === 0;
}

async function check(scene: EditScene, answer: EditAnswer): Promise<EditAnswer> {
  const { result } = answer;
  await breathe();
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

/** A model's answer, taken apart: the units are those for the editor's file, as they were understood. */
interface EditAnswer extends Answer, ProposedUnits {
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
async function* streamEdits(
  scene: EditScene,
  request: ChatRequest,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): AsyncGenerator<TurnEvent, EditAnswer, void> {
  const { turn, target, within, examples } = scene;
  const isExplicit = turn.messageTemplates !== undefined;
  const reader = new EditReader(
    isExplicit
      ? { reasoning: "split", forms: "explicit" }
      : { reasoning: "split", blocks: "events", file: target.text },
  );
  const session = new EditSession(target.text, { within, prose: await proseOfTarget(scene) });
  const answer = yield* streamAnswer(turn, request, (text) =>
    showEvents(scene, session, reader.push(text), isQuiet),
  );
  // Each step from here on takes long for a large file.
  await breathe();
  const last = reader.end({ isStopped: answer.reason === "stop" });
  const isOwn = ({ filePath }: FileEdit): boolean => isOfTarget(filePath, target, examples);
  const fenced = last.flatMap((event) => (event.type === "block" ? event.block : []));
  const isBare = !isExplicit && fenced.length + reader.files.length === 0;
  const blocks = isBare ? unfencedCode(answer.raw, target.text) : fenced;
  const isOpen = !reader.files.some(isOwn) && isWhole(answer);
  const headed = isOpen ? await readOptions(scene, reader.alternatives, blocks) : undefined;
  const offered = new Set(reader.said.flatMap(({ text }) => optionOf(text) ?? []));
  // One of them has marks, or is written in another form.
  const areMixed =
    offered.size > 1 && reader.files.some(isOwn) && fenced.some(({ option }) => option);
  const hasHeads = headed !== undefined || reader.alternatives.length > 0 || areMixed;
  const blocksReading =
    isOpen && !hasHeads ? await readCodeBlocks(scene, blocks, { said: reader.said }) : nothingRead;
  const words = isWhole(answer)
    ? lastWords(withoutExample(answer.raw, fenced.at(-1)), reader.said)
    : "";
  const isOne = !hasHeads && !(blocksReading.kind === "unread" && blocksReading.rivals);
  if (retracts(words) || (isOne && asksWhich(words))) {
    yield* showEvents(scene, session, last, isQuiet);
    const none = { units: [], foundAt: [], places: session.chosen, form: "units" as const };
    return { ...answer, ...none, others: [], options: [], unread: [], result: undefined };
  }
  const open = blocksReading.kind === "unread" ? blocksReading : undefined;
  const options =
    headed ??
    (open?.rivals && (await readRivals(scene, open.rivals))) ??
    (open?.places && (await readPlaces(scene, blocks, open.places)));
  const hasChoice = hasHeads || options !== undefined;
  const isRead =
    hasChoice || blocksReading.kind === "change" || reader.files.some(({ error }) => !error);
  const mayCall = !isRead && isWhole(answer);
  const called = mayCall ? await readCalledEdits(answer.raw) : undefined;
  const isCalled = called?.files.some(isOwn) === true;
  if (isCalled) for (const event of called.events) last.push(event);
  const files = isCalled ? called.files : reader.files;
  const strayed = findStrayed(scene, files, files.some(isOwn));
  for (const unit of strayed?.units ?? [])
    yield* showPlace(scene, session.add(unit), session.units.length);
  const own = files.filter((file) => file === strayed || isOwn(file));
  const others = files.filter((file) => !own.includes(file));
  const reading = isCalled ? nothingRead : blocksReading;
  const base = { ...answer, others, options: [], unread: called?.unread ?? [] };
  const change = areMixed
    ? describeOptions([...offered])
    : isWhole(answer)
      ? await changeOf(scene, own, reading, fenced, reader)
      : undefined;
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

/** In characters. */
const maxLast = 2_000;

/** The answer with empty lines in place of an example that comes last. */
function withoutExample(answer: string, last: CodeBlock | undefined): string {
  const at = last && announcesExample(last.above) ? answer.lastIndexOf(last.raw) : -1;
  if (last === undefined || at === -1) return answer;
  const empty = last.raw.replaceAll(/[^\n]+/g, "");
  return answer.slice(0, at) + empty + answer.slice(at + last.raw.length);
}

/** What an answer says behind all of its code, at its beginning. */
function lastWords(answer: string, said: readonly TextLine[]): string {
  const told = new Map(said.map((one) => [one.line, one]));
  const lines = linesOf(answer);
  // Lines of reasoning above are not counted in what is said.
  const [end, last] = [lines.findLastIndex(isSolid), said.findLast(({ text }) => isSolid(text))];
  const above =
    last !== undefined && lines[end] === (last.written ?? last.text) ? end + 1 - last.line : 0;
  const at = lines.findLastIndex(
    (line, nth) => isSolid(line) && told.get(nth + 1 - above)?.isCode !== false,
  );
  return lines
    .slice(at + 1)
    .join(" ")
    .slice(0, maxLast);
}

/**
 * Edits that name this file in a folder that the model made up, or a file of which this one speaks: all have a place, and most
 * of what they show is in this file.
 */
function findStrayed(
  { target, turn, within }: EditScene,
  files: readonly FileEdit[],
  hasOwn: boolean,
): FileEdit | undefined {
  // Beside edits of this file, its name in another folder is another file.
  const isOther = (path: string | undefined): boolean =>
    isSameFile(path, target.path) || (hasOwn && hasSameName(path, target.path));
  const [only, ...more] = files.filter(
    ({ filePath }) => !isOther(filePath) && mayBeTarget(filePath, target, turn),
  );
  if (only === undefined || only.error !== undefined || more.length > 0) return undefined;
  const shown = only.codeEdit?.code ?? only.units.map(({ search }) => search).join("");
  if (only.codeEdit === undefined) {
    const session = new EditSession(target.text, { within });
    const places = only.units.map((unit) => session.add(unit));
    if (places.length === 0 || !places.every((place) => place?.ok === true)) return undefined;
  }
  return shareOf(shown, target.text) >= 0.5 ? only : undefined;
}

const nothingRead: BlocksReading = { kind: "none" };

/**
 * The change that code with marks, or code blocks, make of the file, also beside pairs of old and new code; the error if they
 * cannot.
 */
async function changeOf(
  scene: EditScene,
  own: readonly FileEdit[],
  reading: BlocksReading,
  fenced: readonly CodeBlock[],
  { blocks, said }: Pick<EditReader, "blocks" | "said">,
): Promise<TextChange | EditError | undefined> {
  if (reading.kind === "change") return unmetBy(scene, reading.after, said) ?? reading;
  if (reading.kind === "refused") return reading.error;
  const [only, ...more] = own;
  if (only === undefined || more.length > 0 || only.error !== undefined) return undefined;
  const { form, units, codeEdit, filePath } = only;
  const lead = said.findLast(({ line }) => line < (codeEdit?.line ?? 0))?.text ?? "";
  const end = (codeEdit?.line ?? 0) + linesOf(codeEdit?.code ?? "").length;
  const isSketch = fenced.some(
    ({ code, line }) =>
      codeEdit && line >= end && (isOnlyIdea(lead) || holdsLines(code, codeEdit.code)),
  );
  const marked = isSketch ? undefined : codeEdit;
  const isPaired = units.length > 0;
  // Beside units only what a sentence orders to add is a part of the change.
  const isOrdered = ({ above }: CodeBlock): boolean =>
    leadsToCode(above) && announcesMore(lastSentence(above)) && ordersIn(above).length > 0;
  const isPair = form === "before-after";
  const shown = isPaired && !isPair ? blocks.filter(isOrdered) : fenced;
  if (!isPaired && codeEdit === undefined) return undefined;
  const { text } = scene.target;
  const pairs = isPaired ? applyUnits(text, units, { within: scene.within }) : undefined;
  if (pairs?.ok === false) return undefined;
  const paired = plainText(pairs?.text ?? text);
  const sides = units.flatMap(({ search, replace }) => [{ code: search }, { code: replace }]);
  const unmetIn = (made: string): EditError | undefined =>
    unmetBy(scene, [made, ...sides.map(({ code: side }) => side)].join("\n"), said, made);
  if (isPaired && !isPair && shown.length === 0) return unmetIn(paired);
  const rest = said.filter(({ line }) => isPaired && units.every((unit) => unit.line !== line));
  const after = rest.reduce(
    (known, line) => changeAsTold(known, { below: line.text }, sides),
    paired,
  );
  const code = marked?.code ?? units.map(({ replace }) => replace).join("");
  // What other blocks show is a part of the change.
  const isOld = (block: CodeBlock): boolean =>
    isPaired && shareOf(block.code, text) === 1 && !announcesMore(block.above);
  const others = shown.filter((block) => shareOf(block.code, code) < 0.5 && !isOld(block));
  const told = marked === undefined ? said : [];
  const last = units.findLast(({ line }) => line < (others[0]?.line ?? 0));
  const brought = last?.replace;
  const beside = await readCodeBlocks(scene, others, { after, code, said: told, brought });
  // Beside pairs, what shows nothing of the file shows how it is used.
  const isUse =
    isPaired &&
    others.every(
      (block) => shareOf(block.code, after) < mostOffered && !ordersIn(block.above).some(adds),
    );
  if (beside.kind === "unread" && !(isUse && isPair))
    return describeDiff("malformed", beside.problems.join("\n"));
  if (beside.kind === "refused") return beside.error;
  const made = beside.kind === "change" ? beside.after : after;
  const unmet = isPaired ? unmetIn(made) : undefined;
  if (unmet !== undefined) return unmet;
  if (marked === undefined)
    return beside.kind === "change" ? beside : after === paired ? undefined : { after };
  const change = await applyMarkedCode(scene, marked, filePath, made);
  if ("code" in change) return change;
  const changed = changeAsTold(change.after, marked, [marked]);
  return unmetBy(scene, changed, said) ?? { ...change, after: changed };
}

/** The error where the text of an answer orders what the changed file has not. */
function unmetBy(
  { target }: EditScene,
  after: string,
  said: readonly TextLine[],
  made = after,
): EditError | undefined {
  const isOther = (path: string): boolean => /\.\w+$/.test(path) && !isSameFile(path, target.path);
  const unmet = unmetChange(said, after, target.text, isOther, made);
  const message = `The text says besides what becomes of \`${unmet}\`, and no code shows that.`;
  return unmet === undefined ? undefined : describeDiff("malformed", message);
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

// Edits that an answer makes by calling a tool in its text: a habit of models that were trained as agents.

interface CalledEdits {
  files: FileEdit[];
  events: EditReaderEvent[];
  /** Calls that are no edits, or cannot be read, for the model. */
  unread: string[];
}

/** Reads the calls of an answer in which no edit was found. Nobody waits for all of a long answer. */
export async function readCalledEdits(answer: string): Promise<CalledEdits> {
  const tools = createWorkspaceTools();
  const calls = new CallReader(tools);
  for await (const part of partsOf(answer)) calls.push(part);
  calls.end({ isStopped: true });
  const reader = new EditReader({ tagged: "code", reasoning: "split" });
  const events = calls.calls.flatMap((call) => {
    const { tool, params } = fitCall(call, tools);
    const { target_file: path, code_edit: code } = params ?? {};
    if (tool?.name !== "edit_file" || typeof code !== "string") return [];
    const isDiff = isPlainDiff(linesOf(code));
    const file = typeof path === "string" ? ` filePath=${JSON.stringify(path)}` : "";
    const text = code.endsWith("\n") ? code : `${code}\n`;
    return reader.push(isDiff ? text : `<file-edit${file}>\n${text}</file-edit>\n`);
  });
  const last = reader.end({ isStopped: true });
  const isUnread = reader.files.length === 0 && calls.calls.length + calls.faults.length > 0;
  return {
    files: reader.files,
    events: [...events, ...last].filter(({ type }) => type === "unit"),
    unread: isUnread ? [noTools] : [],
  };
}

const noTools =
  "Your answer calls a tool. There are no tools here, and all that you need was sent to you. Write the change itself.";
