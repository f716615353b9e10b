// One clicked or answered change is fitted to its file as it is now, and kept within what an agent may change.
import { EditSession } from "../../edit/edit-session.ts";
import type { EditResult } from "../../edit/edit-unit.ts";
import { computeEdit } from "../../tools/workspace/compute-edit.ts";
import type {
  FileChange,
  Workspace,
  WorkspaceProblemCode,
  WorkspaceResult,
} from "../../workspace/workspace.ts";
import { resolvePlaces } from "../click/click-prompt.ts";
import type { Turn } from "../../turn/turn.ts";
import { textsFor } from "../texts/texts.ts";
import type { ClickedChange } from "./changes-click.ts";
import type { Stage } from "./show-changes.ts";

/** What became of one change. */
export type Fitted =
  | { kind: "fits"; change: FileChange; isChanged: boolean }
  | { kind: "absent" }
  /** The file is not what the change was made for. */
  | { kind: "unfit"; why: string }
  /** Whatever the file is, it is not changed. */
  | { kind: "refused"; code: WorkspaceProblemCode };

/** A file as earlier changes of the same click or answer have left it. */
interface FoundFile {
  path: string;
  before: FileChange["before"];
  /** Undefined where there is none. */
  text: string | undefined;
}

/** @param made the changes that come before, by path: one more of the same file goes on from there */
export async function fitChange(
  stage: Pick<Stage, "turn" | "services">,
  clicked: ClickedChange,
  workspace: Workspace,
  made: ReadonlyMap<string, FileChange>,
): Promise<Fitted> {
  const { signal } = stage.turn;
  if (clicked.path === "") return { kind: "absent" };
  const found = await findFile(clicked.path, workspace, made, signal);
  if (!found.ok) return { kind: "refused", code: found.problem.code };
  if (found.value === "part") return { kind: "absent" };
  const fitted = fitText(stage.turn, clicked, found.value);
  if (fitted.kind !== "fits") return fitted;
  // An approval is asked for elsewhere; this only says whether one could be given.
  const checked = await workspace.check(fitted.change, { signal });
  return checked.ok
    ? { ...fitted, change: checked.value }
    : { kind: "refused", code: checked.problem.code };
}

/** @returns "part" for a file of which less than the whole is at hand */
async function findFile(
  written: string,
  workspace: Workspace,
  made: ReadonlyMap<string, FileChange>,
  signal: AbortSignal,
): Promise<WorkspaceResult<FoundFile | "part">> {
  const located = await workspace.locate(written);
  if (!located.ok) return located;
  const earlier = made.get(located.value);
  if (earlier !== undefined) return { ok: true, value: { ...earlier, text: earlier.after } };
  // A name that is never written is refused though nothing is known of its file.
  const probe = { path: written, before: undefined, after: "" };
  const allowed = await workspace.check(probe, { signal });
  if (!allowed.ok && allowed.problem.code !== "exists") return allowed;
  const read = await workspace.read(written, { signal });
  if (read.ok) {
    const { path, text, hash, isPart } = read.value;
    return { ok: true, value: isPart ? "part" : { path, before: { text, hash }, text } };
  }
  if (read.problem.code !== "not-found") return read;
  return { ok: true, value: { path: located.value, before: undefined, text: undefined } };
}

function fitText(
  { locale }: Turn,
  clicked: ClickedChange,
  { path, before, text }: FoundFile,
): Exclude<Fitted, { kind: "refused" }> {
  const { kind, fileHash, units, code, refusal } = clicked;
  const { refusals, fileChanged } = textsFor(locale);
  if (refusal !== undefined) return { kind: "unfit", why: refusals[refusal] };
  const isChanged =
    fileHash !== undefined && before !== undefined && !before.hash.startsWith(fileHash);
  const fits = (after: string | undefined): Fitted & { kind: "fits" } => ({
    kind: "fits",
    change: { path, before, after },
    isChanged,
  });
  if (code !== undefined) {
    const { result } = computeEdit(path, text, code);
    return result.ok ? fits(result.text) : { kind: "unfit", why: refusals[result.error.code] };
  }
  if (kind === "new" && text === undefined) return fits(units[0]?.replace ?? "");
  if (text === undefined) return { kind: "absent" };
  if (kind === "new" && text !== "") {
    const isDone = text === (units[0]?.replace ?? "");
    return { kind: "unfit", why: refusals[isDone ? "no-change" : "whole-file"] };
  }
  // Nobody has looked at what came since.
  if (kind === "delete") return isChanged ? { kind: "unfit", why: fileChanged } : fits(undefined);
  const result = applyUnits(text, clicked);
  if (result.ok) return fits(result.text);
  const { error } = result;
  const isDone = error.code === "no-match" && isMade(text, units);
  return { kind: "unfit", why: refusals[isDone ? "no-change" : error.code] };
}

/** Whether the file has what the units put in: then the same click came before, and the change was applied. */
function isMade(text: string, units: ClickedChange["units"]): boolean {
  if (units.some(({ replace }) => replace === "")) return false;
  const back = units.map(({ search, replace }) => ({ search: replace, replace: search }));
  return applyUnits(text, { units: back, places: new Map() }).ok;
}

function applyUnits(
  text: string,
  { units, places }: Pick<ClickedChange, "units" | "places">,
): EditResult {
  const lines = resolvePlaces({ file: { units }, places }, text);
  const session = new EditSession(text, { places: lines });
  for (const unit of units) session.add(unit);
  return session.end();
}
