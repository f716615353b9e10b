// Puts a turn where its prompt says: the lines that a click or a question names are selected in the editor.
import type { ActiveEditor } from "../../context/active-editor.ts";
import { oneLine } from "../../context/one-line.ts";
import { type Focus, noFocus } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { hasCode, targetOf } from "../edit/edit-target.ts";
import type { Flow, Services } from "../flow.ts";
import { linesBetween } from "../place/lines-between.ts";
import type { FoundPlace } from "../place/match-names.ts";
import { type NamedLines, printLines } from "../place/place-words.ts";
import { textsFor } from "../texts/texts.ts";
import { choosePlace, placesOfSelection } from "./choose-place.ts";
import { isSelectionLost } from "./lost-selection.ts";
import { findClicked, findNamed, hasSelection, type PlaceUse } from "./named-place.ts";
import { type PromptParts, readPrompt } from "./prompt-parts.ts";
import { type PlaceSentence, printPlaceSentence } from "./sentences.ts";

/**
 * The flow, at the place that the prompt names. The lines of a click count whatever is selected; if a symbol of
 * that name is elsewhere by now, it is meant. What a question names counts where nothing is selected.
 */
export function atNamedPlace(flow: Flow, use: PlaceUse): Flow {
  return (turn, services, focus) => {
    const { userInputPrompt } = turn.context;
    const parts = readPrompt(userInputPrompt);
    // It brings along what it is about.
    const isAboutBlock = parts?.block !== undefined && !("place" in parts.sentence);
    const isClick = parts !== undefined && "place" in parts.sentence;
    const isLost = use.writesCode && isSelectionLost(turn.context);
    if (isAboutBlock || (!isClick && !isLost && (!userInputPrompt || hasSelection(turn)))) {
      return flow(turn, services, focus);
    }
    return runAtPlace(flow, use, turn, services, parts);
  };
}

async function* runAtPlace(
  flow: Flow,
  use: PlaceUse,
  turn: Turn,
  services: Services,
  parts: PromptParts | undefined,
): ReturnType<Flow> {
  if (parts !== undefined && "place" in parts.sentence) {
    const { kind, place } = parts.sentence;
    const clicked = await findClicked(turn, services, place);
    if (clicked !== undefined) {
      const named = nameOf(place, clicked);
      const prompt = promptOf(kind, named, parts, turn);
      const asked = select(turn, [clicked], tellClick(turn, clicked), prompt);
      return yield* flow(asked, services, focusOn(turn, named));
    }
  }
  const isLost = isSelectionLost(turn.context);
  if (hasSelection(turn) && !isLost) return yield* flow(turn, services, noFocus);
  yield* runAtNamed(flow, use, turn, services, isLost);
}

async function* runAtNamed(
  flow: Flow,
  use: PlaceUse,
  turn: Turn,
  services: Services,
  isLost: boolean,
): ReturnType<Flow> {
  const texts = textsFor(turn.locale);
  const { turn: asked, places, path } = await findNamed(turn, services, use);
  const [place, ...others] = places;
  if (place !== undefined) {
    if (others.length > 0 && use.needsOne) {
      return yield* choosePlace(asked, services, places, texts.chooseNamed);
    }
    const focus = others.length > 0 ? noFocus : focusOn(turn, place);
    const told = `${describeAll(places)}, from the question`;
    return yield* flow(select(asked, places, told), services, focus);
  }
  if (path !== undefined) return yield* flow(openWhole(asked, path), services, noFocus);
  const target = targetOf(turn.context.activeEditor);
  if (!isLost || !use.writesCode || !hasCode(target)) return yield* flow(turn, services, noFocus);
  const offered = await placesOfSelection(turn, services, target);
  yield* choosePlace(turn, services, offered, texts.chooseSelected);
}

/** A whole file is meant, wherever the cursor is. */
function openWhole(turn: Turn, path: string): Turn {
  const { activeEditor } = turn.context;
  const namedPlace = `${oneLine(path)}, from the question`;
  if (activeEditor?.filePath !== path) return { ...turn, namedPlace };
  const { filePath, language, content } = activeEditor;
  return {
    ...turn,
    namedPlace,
    context: { ...turn.context, activeEditor: { filePath, language, content } },
  };
}

/** What the model is asked after a click: the person's question, if the click brings it along. */
function promptOf(
  kind: PlaceSentence,
  place: NamedLines,
  { block, rest, line }: PromptParts,
  { locale }: Turn,
): string {
  const sentence = printPlaceSentence(kind, place, locale);
  if (kind === "tests") return casesOf(block ?? rest, line);
  if (kind === "place") return block ?? rest;
  if (kind === "more-cases" && block !== undefined) {
    return [sentence, textsFor(locale).knownCases, block].join("\n\n");
  }
  return block ?? [sentence, rest].filter((part) => part !== "").join("\n\n");
}

/** The lines of cases, also where a client has put the prompts of several clicks below each other. */
function casesOf(text: string, line: string): string {
  const lines = text.split("\n");
  return lines
    .filter((one) => one.trim() !== line && !/^\s*`{3,}\w*\s*$/.test(one))
    .join("\n")
    .trim();
}

/** As the click names it, where it is by now. */
function nameOf({ name }: NamedLines, { startLine, endLine, symbol }: FoundPlace): NamedLines {
  return { startLine, endLine, ...(name === undefined || symbol === undefined ? {} : { name }) };
}

function focusOn({ context }: Turn, { name, startLine, endLine }: NamedLines): Focus {
  const prompt = context.userInputPrompt ?? "";
  return { ...noFocus, named: { startLine, endLine, ...(name ? { name } : {}), prompt } };
}

function select(
  turn: Turn,
  places: readonly FoundPlace[],
  namedPlace: string,
  userInputPrompt = turn.context.userInputPrompt ?? "",
): Turn {
  const { activeEditor } = turn.context;
  const text = targetOf(activeEditor)?.text ?? "";
  const selectedRanges = places.map((place) => toRange(text, place));
  const context = {
    ...turn.context,
    userInputPrompt,
    activeEditor: { ...activeEditor, selectedRanges },
  };
  return { ...turn, context, namedPlace };
}

function toRange(
  text: string,
  { startLine, endLine }: FoundPlace,
): NonNullable<ActiveEditor["selectedRanges"]>[number] {
  const content = linesBetween(text, startLine, endLine);
  const endColumn = content.length - content.lastIndexOf("\n");
  return { content, startLine, startColumn: 1, endLine, endColumn };
}

function tellClick({ isFileChanged }: Turn, place: FoundPlace): string {
  const told = `${describe(place)}, from the click`;
  return isFileChanged === true ? `${told}; the file has changed since` : told;
}

/** More than a receipt needs to tell. */
const maxTold = 5;

function describeAll(places: readonly FoundPlace[]): string {
  const left = places.length - maxTold;
  const told = places.slice(0, maxTold).map(describe).join("; ");
  return left > 0 ? `${told}; and ${left} more` : told;
}

/** `total(), lines 3-9`: the receipt speaks English. */
function describe({ name, symbol, ...lines }: FoundPlace): string {
  const isCalled = /^(?:function|method|constructor)$/.test(symbol?.kind ?? "");
  const words = printLines(lines, "en");
  return name === undefined ? words : `${oneLine(name)}${isCalled ? "()" : ""}, ${words}`;
}
