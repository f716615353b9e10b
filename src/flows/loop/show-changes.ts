// What a person sees of what was changed, or is proposed.
import { countChangedLines, printChanges } from "../../workspace/approvals.ts";
import { fence } from "../../base/text/fence.ts";
import { parseJson } from "../../base/text/json.ts";
import { showName } from "../../base/errors/names.ts";
import { confirmAction, maxNodes } from "../../turn/action.ts";
import { findTextChanges } from "../../edit/unified-diff.ts";
import { type ProposedEdit, limitEdit } from "../../turn/proposed-edit.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { FileChange } from "../../workspace/workspace.ts";
import { hashText } from "../../turn/state/sealed-state.ts";
import { listTree, sealAction } from "../click/seal-action.ts";
import type { Page } from "../edit/page.ts";
import type { Services } from "../flow.ts";
import { maxClick, printBlockSentence, printPrompt, readPrompt } from "../click/sentences.ts";
import { loopTexts } from "./loop-texts.ts";
import type { ChangeMade } from "../../tools/tool.ts";
import type { ShownChange } from "./coding.ts";
import { EditSession } from "../../edit/edit-session.ts";
import type { EditErrorCode, EditUnit, ParsedUnit } from "../../edit/edit-unit.ts";
import { parseAnswer } from "../../edit/read/parse-diff.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { type ChosenPlaces, printHead, readHead } from "../click/click-prompt.ts";
import { plainText, toUnits } from "../edit/forms/apply-text.ts";

/** Characters of all diffs of an answer. */
const maxDiffs = 60_000;
/** Characters of the diffs that a model is reminded of. */
const maxState = 20_000;

/** What understands a click on proposed changes, whoever proposed them. */
const applyCommand = "code";

export interface Stage {
  turn: Turn;
  services: Services;
  page: Page;
}

/**
 * A list of the files under a heading of `LoopTexts`, the diffs as far as an answer has room, and the facts for programs;
 * below what is only proposed a tree of the files, and a button.
 */
export async function* showChanges(
  stage: Stage,
  heading: "modified" | "proposed" | "ready",
  changes: readonly FileChange[],
  nameOf?: (path: string) => string,
): AsyncGenerator<TurnEvent, readonly ShownChange[], void> {
  const { turn, page } = stage;
  const texts = loopTexts(turn.locale);
  const shown = showAll(changes, nameOf);
  const lines = shown.map((change) => `- ${texts.file(change)}\n`);
  yield* page.block(`${texts[heading]}\n\n${lines.join("")}`);
  let left = maxDiffs;
  for (const { diff } of shown) {
    left -= diff.length;
    yield* page.block(`${left < 0 ? texts.tooLong : fence(diff, "diff")}\n`, "");
  }
  for (const change of shown) yield { type: "edit", edit: await describeChange(change) };
  if (heading === "proposed") yield* offerChanges(stage, shown);
  return shown;
}

/** What was changed so far, for the model. */
export function printState(
  { turn }: Pick<Stage, "turn" | "services">,
  changes: readonly FileChange[],
): string {
  const shown = showAll(changes);
  const texts = loopTexts(turn.locale);
  let left = maxState;
  const parts = shown.map((change) => {
    left -= change.diff.length;
    return left < 0 ? `- ${texts.file(change)}` : fence(change.diff, "diff");
  });
  return parts.length === 0 ? "" : [texts.state, ...parts].join("\n\n");
}

/** The facts of a change, for programs. A deleted file loses every line. */
export async function describeChange({ path, before, after }: FileChange): Promise<ProposedEdit> {
  if (before === undefined) {
    const units = [{ search: "", replace: after ?? "" }];
    return limitEdit({ filePath: path, units, result: { status: "new-file" } });
  }
  const mark = await markOf(before);
  const [old, now] = [mark + before.text, after === undefined ? "" : mark + after];
  const changes = findTextChanges(old, now);
  const result = { status: "applied" as const, changes, hashAfter: await hashText(now) };
  const isDeleted = after === undefined ? { isDeleted: true as const } : {};
  return limitEdit({ filePath: path, hashBefore: before.hash, units: [], result, ...isDeleted });
}

/** The byte order mark of the file, which its text leaves out and its hash counts. */
async function markOf({ text, hash }: NonNullable<FileChange["before"]>): Promise<string> {
  const mark = "\ufeff";
  return hash === (await hashText(mark + text)) ? mark : "";
}

/** A tree of the files, each of which can be taken alone, and a button that takes them all. */
async function* offerChanges(
  stage: Stage,
  changes: readonly ShownChange[],
): AsyncGenerator<TurnEvent, void, void> {
  const { turn, services } = stage;
  const texts = loopTexts(turn.locale);
  const print = (some: readonly FileChange[]): string => printChangesClick(some, turn.locale);
  // One more than is shown: what is left out is told.
  const items = changes
    .slice(0, maxNodes + 1)
    .map((change) => ({
      name: showName(change.path),
      description: texts.applyOne(showName(change.path)),
      labels: [`+${change.added}`, `−${change.removed}`],
      prompt: print([change]),
    }))
    .filter(({ prompt }) => prompt.length <= maxClick);
  const tree = listTree({ id: turn.id, command: applyCommand }, "file", items, "changes");
  yield await sealAction(turn, services, tree);
  const { title, message } = texts.apply;
  const taken = changes.slice(0, maxChanges);
  const prompt = print(taken);
  // What could not be read when it comes back is not offered.
  if (prompt.length > maxClick) return;
  const button = { title, message: message(taken.length), command: applyCommand, prompt };
  yield await sealAction(turn, services, confirmAction(button));
}

export function showAll(
  changes: readonly FileChange[],
  nameOf: (path: string) => string = (path) => path,
): ShownChange[] {
  return changes.map((change) => {
    const diff = printChanges([change]);
    return { ...change, path: nameOf(change.path), diff, ...countChangedLines(diff) };
  });
}

/** What all changes together make of each file, by path; files that are as they were before are left out. */
export function netChanges(made: readonly Pick<ChangeMade, "change">[]): FileChange[] {
  const net = new Map<string, FileChange>();
  for (const { change } of made) {
    const first = net.get(change.path);
    net.set(change.path, { ...change, before: first === undefined ? change.before : first.before });
  }
  return [...net.values()]
    .filter(({ before, after }) => before?.text !== after)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

// What a click on proposed changes of several files sends: a head for each file, and its units below it.

/** Changes of one click. More are nothing that was offered. */
const maxChanges = 1_000;
/** Files that the sentence of a click may name; it is cut anyway. */
const maxNamed = 20;

export interface ClickedChange {
  path: string;
  kind: "edit" | "new" | "delete";
  /** The beginning of the hash that it was proposed for; undefined for new files. */
  fileHash: string | undefined;
  places: ChosenPlaces;
  units: readonly (EditUnit | ParsedUnit)[];
  /** In place of units: the whole text, or code with marks for what stays. Only in answers. */
  code?: string;
  /** Why it cannot be made, where that is known already. */
  refusal?: EditErrorCode;
}

export function printChangesClick(changes: readonly FileChange[], locale: Locale): string {
  const sections = changes.map(printSection);
  const sentence = printBlockSentence("apply-changes", locale, nameFiles(changes, locale));
  const border = findBorder(sections);
  return printPrompt(sentence, sections.map((text) => `${border}\n${text}`).join("\n"), "diff");
}

/** Of names of nothing but Markdown's signs no word would be left, and the sentence is known by its end. */
function nameFiles(changes: readonly FileChange[], locale: Locale): string {
  const names = changes.slice(0, maxNamed).map(({ path }) => showName(path));
  const isSaid = names.some((name) => /[\p{L}\p{N}]/u.test(name));
  if (isSaid) return names.join(locale === "zh" ? "、" : ", ");
  return locale === "zh" ? `${changes.length} 个文件` : `${changes.length} files`;
}

/** The shortest line of `=` that none of the sections has. */
function findBorder(sections: readonly string[]): string {
  const taken = new Set<number>();
  for (const text of sections) {
    for (const [line] of text.matchAll(/^={4,}$/gm)) taken.add(line.length);
  }
  let length = 4;
  while (taken.has(length)) length += 1;
  return "=".repeat(length);
}

export function readChangesClick(prompt: string | undefined): ClickedChange[] | undefined {
  const { sentence, block } = readPrompt(prompt?.trimStart()) ?? {};
  if (block === undefined || sentence?.kind !== "apply-changes") return undefined;
  const [border = ""] = block.split("\n", 1);
  if (!/^={4,}$/.test(border)) return undefined;
  // A block may have a million lines that could be a border.
  const sections = block.slice(border.length + 1).split(`\n${border}\n`, maxChanges + 1);
  const changes = sections.length > maxChanges ? [undefined] : sections.map(readSection);
  return changes.every((change) => change !== undefined) ? changes : undefined;
}

function printSection({ path, before, after }: FileChange): string {
  const name = JSON.stringify(path);
  if (after === undefined) return `${printHead(before?.hash, new Map())}\ndelete ${name}`;
  if (before === undefined) {
    const unit = { search: "", replace: wholeLines(after) };
    return `${printHead(undefined, new Map())}\nnew ${name}\n${printUnits([unit])}`;
  }
  const { units, chosen } = toPlacedUnits(before.text, after);
  return `${printHead(before.hash, chosen)}\nedit ${name}\n${printUnits(units)}`;
}

/** The change of a file as units that fit without any place being named. @param before undefined: it is new */
export function toPlainUnits(before: string | undefined, after: string): EditUnit[] {
  if (before === undefined) return [{ search: "", replace: wholeLines(after) }];
  const { units, chosen } = toPlacedUnits(before, after);
  return chosen.size === 0 ? units : [wholeUnit(before, after)];
}

/** The change of a file as units that come to just this, and the places of those that fit several. */
function toPlacedUnits(before: string, after: string): { units: EditUnit[]; chosen: ChosenPlaces } {
  const { units, places } = toUnits(plainText(before), plainText(after));
  const session = new EditSession(before, { places });
  for (const unit of units) session.add(unit);
  const { chosen } = session;
  const result = session.end();
  if (result.ok && result.text === after) return { units, chosen };
  return { units: [wholeUnit(before, after)], chosen: new Map() };
}

function wholeUnit(before: string, after: string): EditUnit {
  return { search: wholeLines(before), replace: wholeLines(after) };
}

/** Units hold whole lines. */
function wholeLines(text: string): string {
  const plain = plainText(text);
  return plain === "" || plain.endsWith("\n") ? plain : `${plain}\n`;
}

function readSection(section: string): ClickedChange | undefined {
  const [headLine = "", name = ""] = section.split("\n", 2);
  const head = readHead(headLine);
  const [, kind, quoted] = /^(edit|new|delete) (".*")$/.exec(name) ?? [];
  const path = parseJson(quoted ?? "");
  if (head === undefined || typeof path !== "string") return undefined;
  const body = section.slice(headLine.length + name.length + 2);
  if (kind === "delete") return { ...head, path, kind, units: [] };
  const [file] = parseAnswer(body).files;
  if (file === undefined || file.error !== undefined) return undefined;
  return { ...head, path, kind: kind === "new" ? "new" : "edit", units: file.units };
}
