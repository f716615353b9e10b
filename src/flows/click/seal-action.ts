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
import { oneLine } from "../../base/errors/names.ts";
import { referencesOf, sourceOf } from "../../turn/context/variables.ts";
import { printBlockSentence, printPrompt } from "./sentences.ts";

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

/** More passages than a person will click through help nobody. */
const maxPassages = 50;
const maxPassage = 2_000;

/**
 * Shows the knowledge that came with the request: sources, below them their passages to click on.
 *
 * @returns undefined where no knowledge came
 */
export function knowledgeTree({ id, context, locale }: Turn): TreeAction | undefined {
  const references = referencesOf(context.knowledgeBase ?? []).slice(0, maxPassages);
  if (references.length === 0) return undefined;
  const sources = new Map<string, TreeNode[]>();
  for (const [at, reference] of references.entries()) {
    const { chunk, metadata, score } = reference;
    const file = metadata?.fileName || metadata?.source || "(unnamed source)";
    const description = metadata?.source ?? file;
    const kind = metadata?.sourceType ? [metadata.sourceType] : [];
    const pId = `source-${sources.size + 1}`;
    const nodes = sources.get(file) ?? [
      { id: pId, pId: treeRoot, type: "source", name: file, description, labels: kind },
    ];
    const text = chunk.length > maxPassage ? `${chunk.slice(0, maxPassage)}…` : chunk;
    const source = sourceOf(reference);
    const [line = ""] = chunk.trim().split("\n", 1);
    nodes.push({
      id: `passage-${at + 1}`,
      pId: nodes[0]?.id ?? pId,
      type: "passage",
      name: `[${at + 1}] ${source}`,
      // How it begins.
      description: oneLine(line.trim()),
      labels: typeof score === "number" ? [String(score)] : [],
      prompt: printPrompt(printBlockSentence("explain-passage", locale, source), text),
    });
    sources.set(file, nodes);
  }
  const click = { nodeType: "passage", command: "explain" };
  return clickTree(`knowledge-${id}`, [...sources.values()].flat(), click);
}
