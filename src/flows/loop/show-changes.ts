// What a person sees of what was changed, or is proposed.
import { countLines, printChanges } from "../../workspace/approvals.ts";
import { fence } from "../../base/text/fence.ts";
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
import { maxClick } from "../click/sentences.ts";
import { maxChanges, printChangesClick } from "./changes-click.ts";
import { loopTexts } from "./loop-texts.ts";
import type { ChangeMade } from "../../tools/tool.ts";
import type { ShownChange } from "./coding.ts";

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
 * A list of the files under a heading, the diffs as far as an answer has room, and the facts for programs; below what
 * is only proposed a tree of the files, and a button.
 *
 * @param heading one of `LoopTexts`
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

/** The changes with their diffs, under the names that the person's client has for the files. */
export function showAll(
  changes: readonly FileChange[],
  nameOf: (path: string) => string = (path) => path,
): ShownChange[] {
  const shown: ShownChange[] = [];
  for (const change of changes) {
    const diff = printChanges([change]);
    shown.push({ ...change, path: nameOf(change.path), diff, ...countLines(diff) });
  }
  return shown;
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
