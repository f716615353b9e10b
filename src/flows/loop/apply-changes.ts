// A click on proposed changes: they are fitted to the files as they are now, without the model.
import { describeContext } from "../../prompt/describe-context.ts";
import { EditSession } from "../../edit/edit-session.ts";
import type { EditResult } from "../../edit/edit-unit.ts";
import { fence } from "../../context/fence.ts";
import { printInSteps } from "../../edit/read/print-units.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { FileChange, Workspace } from "../../workspace/workspace.ts";
import { resolvePlaces } from "../click/click-prompt.ts";
import { otherFileEvent } from "../edit/edit-event.ts";
import { textsFor } from "../texts/texts.ts";
import type { ClickedChange } from "./changes-click.ts";
import { loopTexts } from "./loop-texts.ts";
import { showAll } from "./print-diff.ts";
import { changeEvent, showDiffs, showList, type Stage } from "./show-changes.ts";

/** What became of one clicked change. */
type Fitted =
  | { kind: "fits"; change: FileChange; isChanged: boolean }
  | { kind: "absent" }
  | { kind: "refused"; why: string };

export async function* applyChanges(
  stage: Stage,
  clicked: readonly ClickedChange[],
  workspace: Workspace,
): AsyncGenerator<TurnEvent, void, void> {
  const { turn, services } = stage;
  yield { type: "context-receipt", receipt: describeContext(turn) };
  const fitting = yield* fitChanges(stage, clicked, workspace);
  if (fitting.length === 0) return;
  const shown = await services.slices.run("diff", showAll(fitting), turn.signal);
  yield* showList(stage, loopTexts(turn.locale).ready, shown);
  yield* showDiffs(stage, shown);
  for (const change of fitting) yield await changeEvent(stage, change);
  if (wantsBlocks(turn.extra)) yield* showBlocks(stage, clicked, fitting);
}

/** Fits changes to the files at hand, and says of each that cannot be made why. Returns the others. */
export async function* fitChanges(
  stage: Stage,
  wanted: readonly ClickedChange[],
  workspace: Workspace,
): AsyncGenerator<TurnEvent, FileChange[], void> {
  const { turn, services, page } = stage;
  const texts = loopTexts(turn.locale);
  const fitting: FileChange[] = [];
  for (const change of wanted) {
    const fitted = await fit(stage, change, workspace);
    if (fitted.kind === "fits") {
      if (fitted.isChanged) yield* page.block(`${texts.fileChanged(change.path)}\n`);
      fitting.push(fitted.change);
      continue;
    }
    const steps = printInSteps(change.units);
    const printed = await services.slices.run("units", steps, turn.signal);
    const head =
      fitted.kind === "absent"
        ? texts.fileMissing(change.path)
        : texts.notApplied(change.path, fitted.why);
    yield* page.block(`${head}\n\n${fence(printed, "diff")}\n`);
    if (fitted.kind === "absent") yield otherFileEvent(change.path, change.units);
  }
  return fitting;
}

async function fit(stage: Stage, change: ClickedChange, workspace: Workspace): Promise<Fitted> {
  const { turn, services } = stage;
  const { signal } = turn;
  const { path, kind, fileHash, units } = change;
  const read = await workspace.read(path, { signal });
  const isThere = read.ok && !read.value.isPart;
  if (change.refusal !== undefined)
    return { kind: "refused", why: textsFor(turn.locale).refusals[change.refusal] };
  if (kind === "new") {
    if (read.ok) return { kind: "refused", why: textsFor(turn.locale).refusals["whole-file"] };
    const after = units[0]?.replace ?? "";
    return { kind: "fits", change: { path, before: undefined, after }, isChanged: false };
  }
  if (!isThere) return { kind: "absent" };
  const { text, hash } = read.value;
  const before = { text, hash };
  const isChanged = fileHash !== undefined && !hash.startsWith(fileHash);
  if (kind === "delete") {
    // Nobody has looked at what came since.
    if (isChanged) return { kind: "refused", why: textsFor(turn.locale).fileChanged };
    return { kind: "fits", change: { path, before, after: undefined }, isChanged };
  }
  const result = await services.slices.run("edit", applyUnits(text, change), signal);
  if (!result.ok)
    return { kind: "refused", why: textsFor(turn.locale).refusals[result.error.code] };
  return { kind: "fits", change: { path, before, after: result.text }, isChanged };
}

function* applyUnits(
  text: string,
  { units, places }: ClickedChange,
): Generator<void, EditResult, void> {
  const lines = yield* resolvePlaces({ file: { units }, places }, text);
  const session = new EditSession(text, { places: lines });
  for (const unit of units) yield* session.addInSteps(unit);
  return yield* session.endInSteps();
}

/** A client asks for the edits in the answer's text by the field `rightseat: { fileEdits: true }` of its request. */
function wantsBlocks({ rightseat }: Readonly<Record<string, unknown>>): boolean {
  return (
    typeof rightseat === "object" &&
    rightseat !== null &&
    Reflect.get(rightseat, "fileEdits") === true
  );
}

async function* showBlocks(
  { turn, services, page }: Stage,
  clicked: readonly ClickedChange[],
  fitting: readonly FileChange[],
): AsyncGenerator<TurnEvent, void, void> {
  for (const { path } of fitting) {
    const units = clicked.find((change) => change.path === path)?.units ?? [];
    if (units.length === 0) continue;
    const printed = await services.slices.run("units", printInSteps(units), turn.signal);
    const name = path.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    yield* page.block(`<file-edit filePath="${name}">\n${printed}</file-edit>\n`, "");
  }
}
