import { describeContext } from "../../prompt/describe-context.ts";
import {
  type Action,
  type TreeAction,
  type TreeNode,
  clickTree,
  stepsOf,
  treeRoot,
} from "../../turn/action.ts";
import { type StateContent, bindState, hashText } from "../../turn/state/sealed-state.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { Services } from "../flow.ts";

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

/** SHA-256 of the file in the editor; undefined where none came, or only a part. */
export async function hashOfEditor({ context }: Turn): Promise<string | undefined> {
  const content = context.activeEditor?.content;
  return content ? hashText(content) : undefined;
}
