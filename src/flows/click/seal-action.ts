import { describeContext } from "../../prompt/describe-context.ts";
import {
  type Action,
  type ConfirmAction,
  type TreeAction,
  type TreeNode,
  clickTree,
  confirmAction,
  stepsOf,
  treeRoot,
} from "../../turn/action.ts";
import { type StateContent, bindState } from "../../turn/state/sealed-state.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { hashOfEditor } from "./editor-hash.ts";
import type { Services } from "../flow.ts";
import type { Focus } from "../../turn/focus.ts";
import { findOwnCommand } from "../own-commands.ts";
import { textsFor } from "../texts/texts.ts";
import { printFileSentence, printPlaceSentence, sentenceOf } from "./sentences.ts";

/**
 * The action with what its clicks send sealed in `state`: a client that answers with the state instead of
 * a request of its own gets the same turn.
 */
export async function sealAction(
  turn: Turn,
  { states }: Services,
  action: Action,
): Promise<TurnEvent> {
  const fileHash = await hashOfEditor(turn);
  const of = fileHash === undefined ? {} : { fileHash };
  const binding = bindState(turn.definition, turn.context, turn.caller);
  const seal = async (asked: StateContent["asked"]): Promise<string | undefined> =>
    binding && states.seal({ asked, ...of }, binding);
  const whole = await seal(toAsked(action));
  // Of a tree that is too large, nodes can be clicked still, but not opened.
  const state =
    whole ?? (action.action === "tree" ? await seal({ steps: stepsOf(action) }) : whole);
  // What does not fit into a seal is nothing that the action does not show anyway.
  return { type: "action", action: { ...action, state: state ?? openStateOf(action) } };
}

/** A tree of what anybody may read: its state is the tree itself, since sealing costs as much as a short turn. */
export function openTree(action: TreeAction): TurnEvent {
  return { type: "action", action: { ...action, state: openStateOf(action) } };
}

/**
 * A tree of one level, of which each click runs a command.
 *
 * @param type of its nodes, which are numbered
 */
export function listTree(
  { id, command }: Pick<Turn, "id" | "command">,
  type: string,
  items: readonly (Pick<TreeNode, "name" | "description" | "prompt"> & { labels?: string[] })[],
  name = `${type}s`,
): TreeAction {
  const nodes = items.map(({ name: shown, description, labels = [], prompt }, nth) => ({
    id: `${type}-${nth + 1}`,
    pId: treeRoot,
    type,
    name: shown,
    description,
    labels,
    prompt,
  }));
  return clickTree(`${name}-${id}`, nodes, { nodeType: type, command });
}

/** An answer of ours that asks no model: what became of the context, a text, actions, and the end. */
export async function* sayAlone(
  turn: Turn,
  services: Services,
  text: string,
  ...actions: readonly Action[]
): AsyncGenerator<TurnEvent, void, void> {
  yield { type: "context-receipt", receipt: describeContext(turn) };
  yield { type: "text-delta", text };
  for (const action of actions) yield await sealAction(turn, services, action);
  yield { type: "turn-end", reason: "stop" };
}

function toAsked({ action, data }: Action): StateContent["asked"] {
  return action === "tree" ? data : { command: data.command, prompt: data.prompt };
}

function openStateOf(action: Action): unknown {
  return action.action === "tree" ? action.data : action.state;
}

/** A button that leads on with the same lines, if the prompt has named them. */
export function nextAction(
  { locale }: Turn,
  { named, otherFile }: Focus,
  command: string,
): ConfirmAction {
  const kind = sentenceOf(command);
  const button = findOwnCommand(command)?.button?.[locale];
  const { title, message, prompt } = button ?? { title: command, message: command, prompt: "" };
  const atFile = otherFile === undefined ? prompt : printFileSentence(kind, otherFile, locale);
  const asked = named === undefined ? atFile : printPlaceSentence(kind, named, locale);
  return confirmAction({ title, message, prompt: asked, command });
}

/** A button that asks the same again. */
export function retryAction(
  turn: Turn,
  { named }: Focus,
  prompt = turn.context.userInputPrompt ?? "",
): ConfirmAction {
  const { title, message } = textsFor(turn.locale).retry;
  return confirmAction({ title, message, prompt: named?.prompt ?? prompt, command: turn.command });
}
