// Puts a turn where its prompt says: the lines that a click or a question names are selected in the editor.
import type { ActiveEditor } from "../../turn/context/active-editor.ts";
import { oneLine } from "../../base/errors/names.ts";
import type { SourceText } from "../../code/source-text.ts";
import { type Focus, noFocus, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { analyzeTarget, hasCode, targetOf } from "../place/edit-target.ts";
import type { Flow, Services } from "../flow.ts";
import { textOfLines } from "../place/lines-within.ts";
import type { FoundPlace } from "../place/match-names.ts";
import { type NamedLines, printLines } from "../place/place-words.ts";
import { textsFor } from "../texts/texts.ts";
import { choosePlace, placesOfSelection } from "./choose-place.ts";
import { type GonePlace, goneOfClick, goneOfQuestion } from "./gone-place.ts";
import {
  type Asked,
  type PlaceUse,
  findAsked,
  findClicked,
  findNamed,
  hasSelection,
  isSelectionLost,
  mayName,
} from "./named-place.ts";
import {
  type PlaceSentence,
  type PromptParts,
  joinClicks,
  printPlaceSentence,
  readPrompt,
  wordsOf,
} from "./sentences.ts";

const noNames: Asked = { names: [], lines: [], text: "", files: [] };

/** Where a turn is, or the places of which the person has to choose one. */
type Located = { turn: Turn; focus: Focus } | { turn: Turn; offered: FoundPlace[]; head: string };

/**
 * The flow, at the place that the prompt names. The lines of a click count whatever is selected; if a symbol of
 * that name is elsewhere by now, it is meant. What a question names counts where nothing is selected. A prompt that
 * names nothing costs no more than a look at it.
 */
export function atNamedPlace(flow: Flow, use: PlaceUse): Flow {
  return (turn, services, focus) => {
    const parts = readPrompt(turn.context.userInputPrompt);
    // It brings along what it is about.
    const isAboutBlock = parts?.block !== undefined && !("place" in parts.sentence);
    const isClick = parts !== undefined && "place" in parts.sentence;
    const isLost = isSelectionLost(turn.context);
    const isOpen = isLost || !hasSelection(turn);
    const asked = isOpen && !isAboutBlock ? findAsked(turn) : noNames;
    const isNamed = asked.text !== "" && mayName(turn, asked);
    if (isAboutBlock || (!isClick && !isNamed && !(isLost && use.writesCode))) {
      return flow(turn, services, focus);
    }
    return runAtPlace(flow, services, focus, () => locate(turn, services, use, parts, asked));
  };
}

async function* runAtPlace(
  flow: Flow,
  services: Services,
  given: Focus = noFocus,
  find: () => Promise<Located>,
): ReturnType<Flow> {
  const located = await find();
  if ("offered" in located) {
    return yield* choosePlace(located.turn, services, located.offered, located.head);
  }
  yield* flow(located.turn, services, withFacts(located.focus, given.facts));
}

async function locate(
  turn: Turn,
  services: Services,
  use: PlaceUse,
  parts: PromptParts | undefined,
  asked: Asked,
): Promise<Located> {
  const clicked = await locateClick(turn, services, use, parts);
  if (clicked !== undefined) return clicked;
  const gone = goneOfClick(turn, parts);
  return (
    (gone && use.writesCode ? await locateGone(turn, services, use, gone, parts) : undefined) ??
    (await locateNamed(turn, services, use, asked)) ??
    (await locateLost(turn, services, use)) ??
    (await locateGone(turn, services, use, gone ?? asked, parts)) ?? { turn, focus: noFocus }
  );
}

/** Offers places of the file where the one that is named is not there; a command that writes none goes on. */
async function locateGone(
  turn: Turn,
  services: Services,
  { writesCode }: PlaceUse,
  named: GonePlace | Asked,
  parts: PromptParts | undefined,
): Promise<Located | undefined> {
  const target = targetOf(turn.context.activeEditor);
  if (!hasCode(target) || ("text" in named && named.text === "")) return undefined;
  const gone =
    "told" in named
      ? named
      : goneOfQuestion(turn, named, await analyzeTarget(turn, services, target));
  if (gone === undefined) return undefined;
  const told = { ...turn, namedPlace: gone.told };
  if (!writesCode || !gone.isSure) return { turn: told, focus: noFocus };
  const offered = await placesOfSelection(turn, services, target);
  // The next click says another place: of this one, the question alone is left.
  const isClick = "told" in named && parts !== undefined;
  const prompt = isClick ? (parts.block ?? parts.rest) : turn.context.userInputPrompt;
  const context = { ...turn.context, userInputPrompt: prompt ?? "" };
  const head = textsFor(turn.locale).chooseGone(gone.words);
  return { turn: { ...told, context }, offered, head };
}

async function locateClick(
  turn: Turn,
  services: Services,
  { writesCode }: PlaceUse,
  parts: PromptParts | undefined,
): Promise<Located | undefined> {
  if (parts === undefined || !("place" in parts.sentence)) return undefined;
  const { kind, place } = parts.sentence;
  const isExact = kind !== "place";
  const clicked = await findClicked(turn, services, place, isExact);
  if (clicked === undefined) return undefined;
  // Of a file that has changed, other code may be on the lines of a name that is gone.
  const isOther = place.name !== undefined && clicked.symbol === undefined;
  if (writesCode && isOther && turn.isFileChanged === true) return undefined;
  const { name } = clicked.symbol === undefined ? {} : place;
  const { startLine, endLine } = clicked;
  const named = { startLine, endLine, ...(name === undefined ? {} : { name }) };
  // Words that do not name anything by now are kept as they came.
  const sentence = name === place.name ? printPlaceSentence(kind, named, turn.locale) : parts.line;
  const prompt = promptOf(kind, sentence, parts, turn);
  const asked = await select(turn, services, [clicked], tellClick(turn, clicked), prompt);
  return { turn: asked, focus: focusOn(turn, named) };
}

async function locateNamed(
  turn: Turn,
  services: Services,
  use: PlaceUse,
  names: Asked,
): Promise<Located | undefined> {
  if (names.text === "") return undefined;
  const { turn: asked, places, path } = await findNamed(turn, services, use, names);
  const [place, ...others] = places;
  if (place === undefined) {
    // Lines of the editor's file that it does not have: all of it is not what is meant.
    if (asked === turn && (names.lines.length > 0 || names.files[0]?.lines)) return undefined;
    const focus = asked === turn ? noFocus : { ...noFocus, otherFile: path };
    return path === undefined ? undefined : { turn: openWhole(asked, path), focus };
  }
  if (others.length > 0 && use.needsOne) {
    return { turn: asked, offered: places, head: textsFor(turn.locale).chooseNamed };
  }
  const told = `${describeAll(places)}, from the question`;
  const here = others.length > 0 ? noFocus : focusOn(turn, place);
  const focus = asked === turn ? here : { ...noFocus, otherFile: path };
  return { turn: await select(asked, services, places, told), focus };
}

async function locateLost(
  turn: Turn,
  services: Services,
  { writesCode }: PlaceUse,
): Promise<Located | undefined> {
  const target = targetOf(turn.context.activeEditor);
  if (!writesCode || !hasCode(target) || !isSelectionLost(turn.context)) return undefined;
  const offered = await placesOfSelection(turn, services, target);
  return { turn, offered, head: textsFor(turn.locale).chooseSelected };
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
  sentence: string,
  { block: given, rest, line }: PromptParts,
  { locale }: Turn,
): string {
  const block = given?.trimEnd();
  const { isSilent, above } = wordsOf(kind);
  if (isSilent === true) return block ?? joinClicks(rest, line);
  if (kind === "place") return block ?? rest;
  if (above !== undefined && block !== undefined) {
    return [sentence, above[locale], block].join("\n\n");
  }
  return block ?? [sentence, rest].filter((part) => part !== "").join("\n\n");
}

function focusOn({ context }: Turn, { name, startLine, endLine }: NamedLines): Focus {
  const prompt = context.userInputPrompt ?? "";
  return { ...noFocus, named: { startLine, endLine, ...(name ? { name } : {}), prompt } };
}

async function select(
  turn: Turn,
  services: Services,
  places: readonly FoundPlace[],
  namedPlace: string,
  userInputPrompt = turn.context.userInputPrompt ?? "",
): Promise<Turn> {
  const { activeEditor } = turn.context;
  const target = targetOf(activeEditor);
  if (target === undefined) return turn;
  const { source } = await analyzeTarget(turn, services, target);
  const selectedRanges = places.map((place) => toRange(source, place));
  const context = {
    ...turn.context,
    userInputPrompt,
    activeEditor: { ...activeEditor, selectedRanges },
  };
  return { ...turn, context, namedPlace };
}

function toRange(
  source: SourceText,
  { startLine, endLine }: FoundPlace,
): NonNullable<ActiveEditor["selectedRanges"]>[number] {
  const content = textOfLines(source, startLine, endLine);
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
