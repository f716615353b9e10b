// A click on proposed changes: they are fitted to the files as they are now, without the model.
import { breathe } from "../../base/wire/patient-timer.ts";
import { describeContext } from "../../prompt/describe-context.ts";
import { fence } from "../../base/text/fence.ts";
import { isRecord } from "../../base/text/json.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { FileChange, Workspace, WorkspaceProblemCode } from "../../workspace/workspace.ts";
import { otherFileEvent } from "../edit/show-edit.ts";
import { type ClickedChange, type Stage, showChanges, toPlainUnits } from "./show-changes.ts";
import type { Coding } from "./coding.ts";
import { loopTexts } from "./loop-texts.ts";
import { applyUnits } from "../../edit/edit-session.ts";
import { computeEdit } from "../../tools/workspace/compute-edit.ts";
import { textsFor } from "../texts.ts";

export async function* applyChanges(
  stage: Stage,
  clicked: readonly ClickedChange[],
  { workspace, nameOf }: Pick<Coding, "workspace" | "nameOf">,
): AsyncGenerator<TurnEvent, void, void> {
  const { turn } = stage;
  yield { type: "context-receipt", receipt: describeContext(turn) };
  const fitting = yield* fitChanges(stage, clicked, workspace);
  if (fitting.length === 0) return;
  const shown = yield* showChanges(stage, "ready", fitting, nameOf);
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
    if ("change" in fitted) {
      if (fitted.isChanged) yield* page.block(`${texts.fileChanged(change.path)}\n`);
      made.set(fitted.change.path, fitted.change);
      continue;
    }
    const printed = printUnits(change.units);
    const [text, language] = change.code === undefined ? [printed, "diff"] : [change.code, ""];
    const block = text === "" ? "" : `\n${fence(text, language)}\n`;
    yield* page.block(`${fitted.problem}\n${block}`);
    if (fitted.isAbsent === true) yield otherFileEvent(change.path, change.units);
  }
  const fitting = [...made.values()].filter(({ before, after }) => before?.text !== after);
  if (fitting.length === 0 && made.size > 0) yield* page.block(`${texts.nothingChanged}\n`);
  return fitting;
}

/** A client asks for the edits in the answer's text by the field `rightseat: { fileEdits: true }` of its request. */
function wantsBlocks({ rightseat }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(rightseat) && rightseat["fileEdits"] === true;
}

/** The changes as units that fit one place each, so that they can be applied by whoever knows no more of them. */
async function* showBlocks(
  { page }: Stage,
  changes: readonly FileChange[],
): AsyncGenerator<TurnEvent, void, void> {
  for (const { path, before, after } of changes) {
    // A file that goes has no units, and a name of several lines has no place in a tag.
    if (after === undefined || /[\n\r]/.test(path)) continue;
    const name = path.replace(/[&"<>]/g, (sign) => entities[sign] ?? sign);
    const units = printUnits(toPlainUnits(before?.text, after));
    yield* page.block(`<file-edit filePath="${name}">\n${units}</file-edit>\n`, "");
  }
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  '"': "&quot;",
  "<": "&lt;",
  ">": "&gt;",
};

// One clicked or answered change is fitted to its file as it is now, and kept within what an agent may change.

type Fitted =
  | { change: FileChange; isChanged: boolean }
  /** Why not, for the person. */
  | { problem: string; isAbsent?: true };

/** @param made the changes that come before, by path: one more of the same file goes on from there */
async function fitChange(
  stage: Pick<Stage, "turn" | "services">,
  clicked: ClickedChange,
  workspace: Workspace,
  made: ReadonlyMap<string, FileChange>,
): Promise<Fitted> {
  const { signal, locale } = stage.turn;
  const texts = loopTexts(locale);
  // Whatever the file is, it is not changed.
  const refuse = ({ code }: { code: WorkspaceProblemCode }): Fitted => ({
    problem: texts.notTaken(clicked.path, code),
  });
  const absent: Fitted = { problem: texts.fileMissing(clicked.path), isAbsent: true };
  if (clicked.path === "") return absent;
  const located = await workspace.locate(clicked.path);
  if (!located.ok) return refuse(located.problem);
  let file = made.get(located.value);
  if (file === undefined) {
    // A name that is never written is refused though nothing is known of its file.
    const probe = { path: clicked.path, before: undefined, after: "" };
    const allowed = await workspace.check(probe, { signal });
    if (!allowed.ok && allowed.problem.code !== "exists") return refuse(allowed.problem);
    const read = await workspace.read(clicked.path, { signal });
    if (!read.ok && read.problem.code !== "not-found") return refuse(read.problem);
    // Of a file of which less is at hand nothing can be said.
    if (read.ok && read.value.isPart) return absent;
    file = { path: located.value, before: undefined, after: undefined };
    if (read.ok) {
      const { path, text, hash } = read.value;
      file = { path, before: { text, hash }, after: text };
    }
  }
  const { path, before, after: text } = file;
  const { fileHash } = clicked;
  const isChanged =
    fileHash !== undefined && before !== undefined && !before.hash.startsWith(fileHash);
  const fitted = await fitText(stage, clicked, path, text, isChanged);
  if (fitted === "absent") return absent;
  if ("why" in fitted) return { problem: texts.notApplied(clicked.path, fitted.why) };
  // An approval is asked for elsewhere; this only says whether one could be given.
  const checked = await workspace.check({ path, before, after: fitted.after }, { signal });
  return checked.ok ? { change: checked.value, isChanged } : refuse(checked.problem);
}

/**
 * @param text as earlier changes of the same click or answer have left it
 * @returns what becomes of it; else why the file is not what the change was made for
 */
async function fitText(
  { turn, services }: Pick<Stage, "turn" | "services">,
  { kind, units, places, code, refusal }: ClickedChange,
  path: string,
  text: string | undefined,
  isChanged: boolean,
): Promise<{ after: string | undefined } | { why: string } | "absent"> {
  const { refusals } = textsFor(turn.locale);
  if (refusal !== undefined) return { why: refusals[refusal] };
  if (code !== undefined) {
    const { result } = await computeEdit(path, text, code, services.code.applyCode, turn.signal);
    return result.ok ? { after: result.text } : { why: refusals[result.error.code] };
  }
  const whole = units[0]?.replace ?? "";
  if (kind === "new" && text === undefined) return { after: whole };
  if (text === undefined) return "absent";
  if (kind === "new" && text !== "")
    return { why: refusals[text === whole ? "no-change" : "whole-file"] };
  // Nobody has looked at what came since.
  if (kind === "delete")
    return isChanged ? { why: refusals["changed-since"] } : { after: undefined };
  const result = applyUnits(text, units, { places, isQuoted: isChanged });
  if (result.ok) return { after: result.text };
  const { code: error } = result.error;
  if (error !== "no-match") return { why: refusals[error] };
  return { why: refusals[isMade(text, units) ? "no-change" : isChanged ? "changed-since" : error] };
}

/** Whether the file has what the units put in: then the same click came before, and the change was applied. */
function isMade(text: string, units: ClickedChange["units"]): boolean {
  if (units.some(({ replace }) => replace === "")) return false;
  const back = units.map(({ search, replace }) => ({ search: replace, replace: search }));
  return applyUnits(text, back, { isQuoted: true }).ok;
}
