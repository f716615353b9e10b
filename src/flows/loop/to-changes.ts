// Edits of an answer in; what is to become of each file out.
import type { FileEdit } from "../../edit/read/file-edit.ts";
import { computeEdit } from "../../tools/workspace/compute-edit.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { plainText } from "../edit/forms/apply-text.ts";
import { toUnits } from "../edit/forms/to-units.ts";
import type { ClickedChange } from "./changes-click.ts";
import type { Stage } from "./show-changes.ts";

/** One change for each file, however its path is spelled. Edits that name no file mean the one in the editor. */
export async function toChanges(
  stage: Stage,
  files: readonly FileEdit[],
  workspace: Workspace,
): Promise<ClickedChange[]> {
  const changes = new Map<string, ClickedChange>();
  for (const file of files) {
    const named = file.filePath ?? stage.turn.context.activeEditor?.filePath ?? "";
    const located = await workspace.locate(named);
    const path = located.ok ? located.value : named;
    const change = await toChange(stage, file, path, workspace);
    const known = changes.get(path);
    changes.set(path, known === undefined ? change : join(known, change));
  }
  return [...changes.values()];
}

function join(one: ClickedChange, other: ClickedChange): ClickedChange {
  const refusal = one.refusal ?? other.refusal;
  const both = { ...one, kind: "edit" as const, units: [...one.units, ...other.units] };
  return refusal === undefined ? both : { ...both, refusal };
}

async function toChange(
  stage: Stage,
  { units, codeEdit, error }: FileEdit,
  path: string,
  workspace: Workspace,
): Promise<ClickedChange> {
  const isNew = units.length === 1 && units[0]?.search === "";
  const change: ClickedChange = {
    path,
    kind: isNew ? "new" : "edit",
    fileHash: undefined,
    places: new Map(),
    units,
  };
  if (error !== undefined) return { ...change, refusal: error.code };
  return codeEdit === undefined ? change : fromCode(stage, change, codeEdit.code, workspace);
}

/** The text of a file, or code with marks, as units. */
async function fromCode(
  { turn, services }: Stage,
  change: ClickedChange,
  code: string,
  workspace: Workspace,
): Promise<ClickedChange> {
  const { signal } = turn;
  const read = await workspace.read(change.path, { signal });
  const before = read.ok ? plainText(read.value.text) : undefined;
  const computed = computeEdit(change.path, before, code);
  const { result } = await services.slices.run("edit", computed, signal);
  const whole = [{ search: "", replace: code }];
  if (!result.ok) return { ...change, units: whole, refusal: result.error.code };
  if (before === undefined) return { ...change, kind: "new", units: whole };
  const steps = toUnits(before, plainText(result.text));
  return { ...change, units: (await services.slices.run("units", steps, signal)).units };
}
