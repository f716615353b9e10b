import { printUnits } from "../../edit/read/print-units.ts";
import { clickTree, type TreeNode, treeRoot } from "../../turn/action.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { printClick } from "../click/click-prompt.ts";
import { hashOfEditor } from "../click/editor-hash.ts";
import { printBlockSentence } from "../click/sentences.ts";
import { sealAction } from "../click/seal-action.ts";
import { textsFor } from "../texts/texts.ts";
import type { EditScene } from "./edit-scene.ts";
import type { EditOption } from "./forms/read-options.ts";
import { printDiff } from "./print-change.ts";

/** Complete changes to choose from, each with its diff: a click applies one. */
export async function* showOptions(
  { turn, page, services, target }: EditScene,
  options: readonly EditOption[],
): AsyncGenerator<TurnEvent, void, void> {
  const texts = textsFor(turn.locale);
  const fileHash = await hashOfEditor(turn);
  const nodes: TreeNode[] = [];
  yield* page.block(`${texts.chooseOption}\n`);
  for (const [nth, { title, units, places, after }] of options.entries()) {
    const diff = printDiff(target, after, texts);
    yield* page.block(`**${title}**\n\n${diff}\n`, "");
    const printed = printUnits(units);
    const sentence = printBlockSentence("apply-option", turn.locale, title);
    nodes.push({
      id: `option-${nth + 1}`,
      pId: treeRoot,
      type: "option",
      name: title,
      description: title,
      labels: [],
      prompt: printClick(sentence, { printed, places, fileHash }),
    });
  }
  const click = { nodeType: "option", command: turn.command };
  yield await sealAction(turn, services, clickTree(`options-${turn.id}`, nodes, click));
}
