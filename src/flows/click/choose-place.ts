import { flattenSymbols } from "../../code/flatten-symbols.ts";
import { symbolAt } from "../../code/symbol-at.ts";
import { selectionOf } from "../../context/active-editor.ts";
import { describeContext } from "../../prompt/describe-context.ts";
import { clickTree, type TreeNode, treeRoot } from "../../turn/action.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { type EditTarget, targetOf } from "../edit/edit-target.ts";
import type { Services } from "../flow.ts";
import { type FoundPlace, fullName, toPlace } from "../place/match-names.ts";
import { linesWithin } from "../place/lines-between.ts";
import { textsFor } from "../texts/texts.ts";
import { findSelected } from "./lost-selection.ts";
import { printPrompt } from "./prompt-parts.ts";
import { sealAction } from "./seal-action.ts";
import { type PlaceSentence, printPlaceSentence } from "./sentences.ts";

const maxPlaces = 50;
const maxLine = 80;

/** How a click on a place says what a command is to do with it. */
const sentences: ReadonlyMap<string, PlaceSentence> = new Map([
  ["explain", "explain"],
  ["fix", "fix"],
  ["optimize", "optimize"],
  ["docstring", "docstring"],
  ["unittest", "cases"],
  ["unittest-write", "tests"],
]);

/**
 * Asks which of several places is meant. A click runs the command there, with what the person has asked.
 *
 * @param head says why it is asked
 */
export async function* choosePlace(
  turn: Turn,
  services: Services,
  places: readonly FoundPlace[],
  head: string,
): AsyncGenerator<TurnEvent, void, void> {
  yield { type: "context-receipt", receipt: describeContext(turn) };
  yield { type: "text-delta", text: `${head}\n` };
  const target = targetOf(turn.context.activeEditor);
  const lines = target?.text.split(/\r?\n/) ?? [];
  const nodes = places.slice(0, maxPlaces).map((place, nth) => toNode(place, nth + 1, lines, turn));
  const click = { nodeType: "place", command: turn.command };
  yield await sealAction(turn, services, clickTree(`places-${turn.id}`, nodes, click));
  yield { type: "turn-end", reason: "stop" };
}

/** The places that a selection may mean whose own position is lost; all functions where nothing tells. */
export async function placesOfSelection(
  turn: Turn,
  services: Services,
  target: EditTarget,
): Promise<FoundPlace[]> {
  const { text, language, path } = target;
  const { signal, context } = turn;
  const selected = (context.activeEditor && selectionOf(context.activeEditor)?.content) ?? "";
  const steps = findSelected(text, selected);
  const found = await services.slices.run("places", steps, signal);
  const analysis = await services.code.analyze(text, language, path, { signal });
  if (found.length > 0) {
    return found.map((range) => ({ ...range, symbol: symbolAt(analysis, range.startLine) }));
  }
  const symbols = flattenSymbols(analysis.symbols).slice(0, maxPlaces);
  if (symbols.length > 0) return symbols.map(toPlace);
  const whole = { startLine: 1, endLine: text.split("\n").length };
  return [{ ...(linesWithin(text, whole) ?? whole), symbol: undefined }];
}

function toNode(
  place: FoundPlace,
  nth: number,
  lines: readonly string[],
  { command, locale, context }: Turn,
): TreeNode {
  const { startLine, endLine, symbol } = place;
  const around = symbol === undefined ? "" : fullName(symbol);
  const words = firstWords(lines.slice(startLine - 1, endLine));
  const sentence = printPlaceSentence(sentences.get(command) ?? "place", place, locale);
  return {
    id: `place-${nth}`,
    pId: treeRoot,
    type: "place",
    name: textsFor(locale).place(startLine, endLine, around, words),
    description: words,
    labels: symbol === undefined ? [] : [symbol.kind],
    prompt: printPrompt(sentence, context.userInputPrompt?.trim()),
  };
}

/** The first line that says something: brackets look alike everywhere. */
export function firstWords(lines: readonly string[]): string {
  const line = lines.find((text) => /\w/.test(text)) ?? lines[0] ?? "";
  return line.trim().slice(0, maxLine);
}
