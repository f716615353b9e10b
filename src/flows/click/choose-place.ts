import { flattenSymbols, symbolAt } from "../../code/symbols.ts";
import { selectionOf } from "../../turn/context/active-editor.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { type EditTarget, analyzeTarget, targetOf } from "../place/edit-target.ts";
import type { Services } from "../flow.ts";
import { type FoundPlace, toPlace } from "../place/match-names.ts";
import { fullName } from "../place/symbol-index.ts";
import { linesWithin } from "../place/lines-within.ts";
import { textsFor } from "../texts/texts.ts";
import { findSelected } from "./named-place.ts";
import { printPlaceSentence, printPrompt, sentenceOf } from "./sentences.ts";
import { listTree, sayAlone } from "./seal-action.ts";

const maxPlaces = 50;
const maxLine = 80;
/** In characters: what one click brings along of a question. */
const maxQuestion = 4_000;
/** In bytes: what all clicks of a tree bring along, so that they fit into its state. */
const maxQuestions = 36_000;

/**
 * Asks which of several places is meant. A click runs the command there, with what the person has asked.
 *
 * @param head says why it is asked
 */
export function choosePlace(
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
  const items = shown.map((place) => {
    const { startLine, endLine, symbol } = place;
    const around = symbol === undefined ? "" : fullName(symbol);
    const words = firstWords(lines.slice(startLine - 1, endLine));
    return {
      name: textsFor(turn.locale).place(startLine, endLine, around, words),
      description: words,
      labels: symbol === undefined ? [] : [symbol.kind],
      prompt: printPrompt(printPlaceSentence(sentence, place, turn.locale), question),
    };
  });
  return sayAlone(turn, services, `${head}\n`, listTree(turn, "place", items));
}

/** The places that a selection may mean whose own position is lost; all functions where nothing tells. */
export async function placesOfSelection(
  turn: Turn,
  services: Services,
  target: EditTarget,
): Promise<FoundPlace[]> {
  const { activeEditor, lostSelection = "" } = turn.context;
  const selected = (activeEditor && selectionOf(activeEditor)?.content) ?? lostSelection;
  const found = findSelected(target.text, selected);
  const analysis = await analyzeTarget(turn, services, target);
  if (found.length > 0) {
    return found.map((range) => ({ ...range, symbol: symbolAt(analysis, range.startLine) }));
  }
  const symbols = flattenSymbols(analysis.symbols).slice(0, maxPlaces);
  if (symbols.length > 0) return symbols.map(toPlace);
  const whole = { startLine: 1, endLine: analysis.source.lineCount };
  return [{ ...(linesWithin(analysis.source, whole) ?? whole), symbol: undefined }];
}

/** What each of so many clicks brings along of the question: all of it, else its beginning and that it was cut. */
function carriedQuestion({ context, locale }: Turn, count: number): string {
  const question = context.userInputPrompt?.trim() ?? "";
  const start = question.slice(0, maxQuestion);
  const density = new TextEncoder().encode(start).length / Math.max(1, start.length);
  const most = Math.min(maxQuestion, Math.floor(maxQuestions / Math.max(1, count) / density));
  if (!(question.length > most)) return question;
  // Never cut a character in half.
  const part = start.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
  return `${part.trimEnd()}…\n\n${textsFor(locale).questionCut}`;
}

/** The first line that says something: brackets look alike everywhere. */
export function firstWords(lines: readonly string[]): string {
  const line = lines.find((text) => /\w/.test(text)) ?? lines[0] ?? "";
  return line.trim().slice(0, maxLine);
}
