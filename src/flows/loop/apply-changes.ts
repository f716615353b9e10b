// A click on proposed changes: they are fitted to the files as they are now, without the model.
import { breathe } from "../../base/wire/patient-timer.ts";
import { describeContext } from "../../prompt/describe-context.ts";
import { fence } from "../../base/text/fence.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { FileChange, Workspace } from "../../workspace/workspace.ts";
import { otherFileEvent } from "../edit/edit-event.ts";
import { type ClickedChange, toPlainUnits } from "./changes-click.ts";
import type { Coding } from "./coding.ts";
import { type Fitted, fitChange } from "./fit-change.ts";
import { type LoopTexts, loopTexts } from "./loop-texts.ts";
import { showAll } from "./print-diff.ts";
import { changeEvent, showDiffs, showList, type Stage } from "./show-changes.ts";

type NotFitting = Exclude<Fitted, { kind: "fits" }>;

export async function* applyChanges(
  stage: Stage,
  clicked: readonly ClickedChange[],
  { workspace, nameOf }: Pick<Coding, "workspace" | "nameOf">,
): AsyncGenerator<TurnEvent, void, void> {
  const { turn } = stage;
  yield { type: "context-receipt", receipt: describeContext(turn) };
  const fitting = yield* fitChanges(stage, clicked, workspace);
  if (fitting.length === 0) return;
  const shown = showAll(fitting, nameOf);
  yield* showList(stage, loopTexts(turn.locale).ready, shown);
  yield* showDiffs(stage, shown);
  for (const change of shown) yield await changeEvent(change);
  if (wantsBlocks(turn.extra)) yield* showBlocks(stage, shown);
}

/** Fits changes to the files at hand, and says of each that cannot be made why. Returns the others. */
export async function* fitChanges(
  stage: Stage,
  wanted: readonly ClickedChange[],
  workspace: Workspace,
): AsyncGenerator<TurnEvent, FileChange[], void> {
  const { turn, page } = stage;
  const texts = loopTexts(turn.locale);
  const made = new Map<string, FileChange>();
  for (const change of wanted) {
    // Each may be quick, and there may be many.
    await breathe();
    const fitted = await fitChange(stage, change, workspace, made);
    if (fitted.kind === "fits") {
      if (fitted.isChanged) yield* page.block(`${texts.fileChanged(change.path)}\n`);
      made.set(fitted.change.path, fitted.change);
      continue;
    }
    const printed = printUnits(change.units);
    const [text, language] = change.code === undefined ? [printed, "diff"] : [change.code, ""];
    const block = text === "" ? "" : `\n${fence(text, language)}\n`;
    yield* page.block(`${describeUnfit(texts, change.path, fitted)}\n${block}`);
    if (fitted.kind === "absent") yield otherFileEvent(change.path, change.units);
  }
  const fitting = [...made.values()].filter(({ before, after }) => before?.text !== after);
  if (fitting.length === 0 && made.size > 0) yield* page.block(`${texts.nothingChanged}\n`);
  return fitting;
}

function describeUnfit(texts: LoopTexts, path: string, fitted: NotFitting): string {
  if (fitted.kind === "absent") return texts.fileMissing(path);
  return fitted.kind === "unfit"
    ? texts.notApplied(path, fitted.why)
    : texts.notTaken(path, fitted.code);
}

/** A client asks for the edits in the answer's text by the field `rightseat: { fileEdits: true }` of its request. */
function wantsBlocks({ rightseat }: Readonly<Record<string, unknown>>): boolean {
  return (
    typeof rightseat === "object" &&
    rightseat !== null &&
    Reflect.get(rightseat, "fileEdits") === true
  );
}

/** The changes as units that fit one place each, so that they can be applied by whoever knows no more of them. */
async function* showBlocks(
  { page }: Stage,
  changes: readonly FileChange[],
): AsyncGenerator<TurnEvent, void, void> {
  for (const { path, before, after } of changes) {
    // A file that goes has no units, and a name of several lines has no place in a tag.
    if (after === undefined || /[\n\r]/.test(path)) continue;
    const block = printBlock(path, before?.text, after);
    yield* page.block(block, "");
  }
}

function printBlock(path: string, before: string | undefined, after: string): string {
  const units = toPlainUnits(before, after);
  const name = [
    ["&", "&amp;"],
    ['"', "&quot;"],
    ["<", "&lt;"],
    [">", "&gt;"],
  ].reduce((text, [sign = "", entity = ""]) => text.replaceAll(sign, entity), path);
  return `<file-edit filePath="${name}">\n${printUnits(units)}</file-edit>\n`;
}
