import type { FileEdit } from "../../edit/read/file-edit.ts";
import { noFocus } from "../../turn/focus.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { answer, tellFault } from "../ask/answer.ts";
import { watchEdits } from "../ask/watch-edits.ts";
import { showKnowledge } from "../click/seal-action.ts";
import { Page } from "../edit/page.ts";
import type { Flow } from "../flow.ts";
import { fitChanges } from "../loop/apply-changes.ts";
import { type ClickedChange, type Stage, showChanges } from "../loop/show-changes.ts";
import { loopTexts } from "../loop/loop-texts.ts";
import { openProposals } from "../loop/coding.ts";

/** A free question with the context. Edits in the answer are shown as what they make of the files at hand, and offered. */
export const chat: Flow = async function* (turn, services, focus = noFocus) {
  const files: FileEdit[] = [];
  const { receipt, relay } = await answer(turn, services, focus, { mayBeOutline: true });
  yield receipt;
  yield { type: "relay", relay: watchEdits(relay, files) };
  const reason = await relay.ended;
  if (files.length > 0) {
    const page = new Page("");
    if (reason === "stop") yield* propose({ turn, services, page }, files);
    else if (reason === "length") yield* page.block(`${loopTexts(turn.locale).cutEdit}\n`);
  } else yield* tellFault(turn, services, focus, reason, relay.heard);
  for (const event of showKnowledge(turn)) yield event;
  yield { type: "turn-end", reason };
};

async function* propose(
  stage: Stage,
  files: readonly FileEdit[],
): AsyncGenerator<TurnEvent, void, void> {
  const { turn, services } = stage;
  const { workspace, nameOf } = await openProposals(turn, services);
  const wanted = files.map((file) => toChange(file, turn.context.activeEditor?.filePath ?? ""));
  const fitting = yield* fitChanges(stage, wanted, workspace);
  if (fitting.length > 0) yield* showChanges(stage, "proposed", fitting, nameOf);
}

/** Edits that name no file mean the one in the editor. */
function toChange(
  { filePath, units, codeEdit, error }: FileEdit,
  editorPath: string,
): ClickedChange {
  const isNew = units.length === 1 && units[0]?.search === "";
  return {
    path: filePath ?? editorPath,
    kind: isNew ? "new" : "edit",
    fileHash: undefined,
    places: new Map(),
    units,
    ...(codeEdit === undefined ? {} : { code: codeEdit.code }),
    ...(error === undefined ? {} : { refusal: error.code }),
  };
}
