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
import { referencesOf, originOf } from "../../turn/context/variables.ts";
import { printBlockSentence, printPlaceSentence, printPrompt, sentenceOf } from "./sentences.ts";
import { flattenSymbols, symbolAt } from "../../code/symbols.ts";
import { EditSession } from "../../edit/edit-session.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import { selectionOf } from "../../turn/context/active-editor.ts";
import { type EditTarget, analyzeTarget, targetOf } from "../place/edit-target.ts";
import { type FoundPlace, fullName, linesWithin, toPlace } from "../place/find-names.ts";
import { textsFor } from "../texts.ts";
import { cutText } from "../../base/text/lines.ts";

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
  const open = toAsked(action);
  const whole = await seal(open);
  // Of a tree that is too large, nodes can be clicked still, but not opened.
  const state =
    whole ?? (action.action === "tree" ? await seal({ steps: stepsOf(action) }) : undefined);
  // What does not fit into a seal is nothing that the action does not show anyway.
  return { type: "action", action: { ...action, state: state ?? open } };
}

/** A tree of one level, of which each click runs a command; its nodes are numbered by their type. */
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

/** SHA-256 of the file in the editor; undefined where none came, or only a part. */
export async function hashOfEditor({ context }: Turn): Promise<string | undefined> {
  const content = context.activeEditor?.content;
  return content ? hashText(content) : undefined;
}

const maxPassages = 50;
const maxPassage = 2_000;

/**
 * The knowledge that came with the request, if any did: sources, below them their passages to click on. Anybody may read
 * that, so the tree's state is the tree itself: sealing costs as much as a short turn.
 */
export function showKnowledge({ id, context, locale }: Turn): TurnEvent[] {
  const references = referencesOf(context.knowledgeBase ?? []).slice(0, maxPassages);
  if (references.length === 0) return [];
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
    const source = originOf(reference);
    const [line = ""] = chunk.trim().split("\n", 1);
    nodes.push({
      id: `passage-${at + 1}`,
      pId: nodes[0]?.id ?? pId,
      type: "passage",
      name: `[${at + 1}] ${source}`,
      description: oneLine(line.trim()),
      labels: typeof score === "number" ? [String(score)] : [],
      prompt: printPrompt(
        printBlockSentence("explain-passage", locale, source),
        cutText(chunk, maxPassage),
      ),
    });
    sources.set(file, nodes);
  }
  const click = { nodeType: "passage", command: "explain" };
  const tree = clickTree(`knowledge-${id}`, [...sources.values()].flat(), click);
  return [{ type: "action", action: { ...tree, state: tree.data } }];
}

const maxPlaces = 50;
const maxLine = 80;
/** In characters: what one click brings along of a question. */
const maxQuestion = 4_000;
/** In bytes: what all clicks of a tree bring along, so that they fit into its state. */
const maxQuestions = 36_000;

/** Asks which of several places is meant. A click runs the command there, with what the person has asked. */
export function offerPlaces(
  turn: Turn,
  services: Services,
  places: readonly FoundPlace[],
  head: string,
): AsyncGenerator<TurnEvent, void, void> {
  const target = targetOf(turn.context.activeEditor);
  const lines = target?.text.split(/\r?\n/) ?? [];
  const shown = places.slice(0, maxPlaces);
  const question = carriedQuestion(turn, shown.length);
  const sentence = sentenceOf(turn.command);
  const items = shown.map((place) => ({
    ...showFound(turn, place, lines),
    labels: place.symbol === undefined ? [] : [place.symbol.kind],
    prompt: printPrompt(printPlaceSentence(sentence, place, turn.locale), question),
  }));
  return sayAlone(turn, services, `${head}\n`, listTree(turn, "place", items));
}

/** What each of so many clicks brings along of the question: all of it, else its beginning and that it was cut. */
function carriedQuestion({ context, locale }: Turn, count: number): string {
  const question = context.userInputPrompt?.trim() ?? "";
  const start = question.slice(0, maxQuestion);
  const density = new TextEncoder().encode(start).length / Math.max(1, start.length);
  const most = Math.min(maxQuestion, Math.floor(maxQuestions / Math.max(1, count) / density));
  if (!(question.length > most)) return question;
  return `${cutText(question, most)}\n\n${textsFor(locale).questionCut}`;
}

/** How a place is shown in a tree: by its lines, its symbol and its first line that says something. */
export function showFound(
  { locale }: Turn,
  { startLine, endLine, symbol }: FoundPlace,
  lines: readonly string[],
): { name: string; description: string } {
  const own = lines.slice(startLine - 1, endLine);
  // Brackets look alike everywhere.
  const line = own.find((text) => /\w/.test(text)) ?? own[0] ?? "";
  const description = line.trim().slice(0, maxLine);
  const around = symbol === undefined ? "" : fullName(symbol);
  return { name: textsFor(locale).place(startLine, endLine, around, description), description };
}

/** The places that a selection may mean whose own position is lost; all functions where nothing tells. */
export async function placesOfSelection(
  turn: Turn,
  services: Services,
  target: EditTarget,
): Promise<FoundPlace[]> {
  const { activeEditor, lostSelection = "" } = turn.context;
  const selected = (activeEditor && selectionOf(activeEditor)?.content) ?? lostSelection;
  const analysis = await analyzeTarget(turn, services, target);
  const found = findSelected(target.text, selected);
  if (found.length > 0)
    return found.map(({ startLine, endLine }) => ({
      startLine,
      endLine,
      symbol: symbolAt(analysis, startLine),
    }));
  const symbols = flattenSymbols(analysis.symbols).slice(0, maxPlaces);
  if (symbols.length > 0) return symbols.map(toPlace);
  const whole = { startLine: 1, endLine: analysis.source.lineCount };
  return [{ ...(linesWithin(analysis.source, whole) ?? whole), symbol: undefined }];
}

/** The lines of a text that hold what was selected, found as the edit engine finds what a change quotes. */
function findSelected(text: string, selected: string): readonly LineRange[] {
  if (selected.trim() === "") return [];
  const search = `${selected.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd()}\n`.replaceAll(
    "\r\n",
    "\n",
  );
  const place = new EditSession(text).add({ search, replace: "" });
  if (place === undefined) return [];
  return place.ok ? [place] : (place.error.candidates ?? []);
}
