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
import { type KnowledgeReference, referencesOf, sourceOf } from "../../turn/context/variables.ts";
import type { Locale } from "../../base/errors/locale.ts";
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
export function knowledgeTree(turn: Turn): TreeAction | undefined {
  const references = referencesOf(turn.context.knowledgeBase ?? []).slice(0, maxPassages);
  if (references.length === 0) return undefined;
  const click = { nodeType: "passage", command: "explain" };
  return clickTree(`knowledge-${turn.id}`, toNodes(references, turn.locale), click);
}

function toNodes(references: readonly KnowledgeReference[], locale: Locale): TreeNode[] {
  const sources = new Map<string, TreeNode[]>();
  for (const [index, reference] of references.entries()) {
    const file = fileOf(reference);
    let nodes = sources.get(file);
    if (nodes === undefined)
      sources.set(file, (nodes = [toSource(reference, file, sources.size + 1)]));
    nodes.push(toPassage(reference, nodes[0]?.id ?? treeRoot, index + 1, locale));
  }
  return [...sources.values()].flat();
}

/** @param reference the first passage of the source */
function toSource({ metadata }: KnowledgeReference, file: string, nth: number): TreeNode {
  const kind = metadata?.sourceType;
  return {
    id: `source-${nth}`,
    pId: treeRoot,
    type: "source",
    name: file,
    description: metadata?.source ?? file,
    labels: kind ? [kind] : [],
  };
}

function toPassage(
  reference: KnowledgeReference,
  pId: string,
  rank: number,
  locale: Locale,
): TreeNode {
  const { chunk } = reference;
  const text = chunk.length > maxPassage ? `${chunk.slice(0, maxPassage)}…` : chunk;
  const sentence = printBlockSentence("explain-passage", locale, sourceOf(reference));
  return {
    id: `passage-${rank}`,
    pId,
    type: "passage",
    name: `[${rank}] ${sourceOf(reference)}`,
    description: firstLine(chunk),
    labels: typeof reference.score === "number" ? [String(reference.score)] : [],
    prompt: printPrompt(sentence, text),
  };
}

/** Of a passage a person sees how it begins. */
function firstLine(chunk: string): string {
  const [line = ""] = chunk.trim().split("\n", 1);
  return oneLine(line.trim());
}

function fileOf(reference: KnowledgeReference): string {
  return reference.metadata?.fileName || reference.metadata?.source || "(unnamed source)";
}
