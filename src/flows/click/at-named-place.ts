// Puts a turn where its prompt says: the lines that a click or a question names are selected in the editor.
import { oneLine } from "../../base/errors/names.ts";
import { type Focus, noFocus, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { type EditTarget, analyzeTarget, hasCode, targetOf } from "../place/edit-target.ts";
import type { Flow, Services } from "../flow.ts";
import { type FoundPlace, textOfLines } from "../place/match-names.ts";
import { type NamedLines, printLines, printPlace } from "../place/place-words.ts";
import { textsFor } from "../texts.ts";
import {
  type Asked,
  type PlaceUse,
  choosePlace,
  findAsked,
  findClicked,
  findNamed,
  hasSelection,
  isSelected,
  isSelectionLost,
  mayName,
  placesOfSelection,
} from "./named-place.ts";
import {
  type PlaceSentence,
  type PromptParts,
  joinClicks,
  printPlaceSentence,
  readPrompt,
  wordsOf,
} from "./sentences.ts";
import { languageOf } from "../../turn/context/language.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/symbols.ts";

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
    return new Locator(turn, services, use, parts, asked).run(flow, focus);
  };
}

class Locator {
  readonly #turn: Turn;
  readonly #services: Services;
  readonly #use: PlaceUse;
  readonly #parts: PromptParts | undefined;
  readonly #asked: Asked;
  /** The editor's file, where it has code. */
  readonly #target: EditTarget | undefined;

  constructor(
    turn: Turn,
    services: Services,
    use: PlaceUse,
    parts: PromptParts | undefined,
    asked: Asked,
  ) {
    this.#turn = turn;
    this.#services = services;
    this.#use = use;
    this.#parts = parts;
    this.#asked = asked;
    const target = targetOf(turn.context.activeEditor);
    this.#target = hasCode(target) ? target : undefined;
  }

  async *run(flow: Flow, given: Focus = noFocus): ReturnType<Flow> {
    const located = await this.#locate();
    if ("offered" in located)
      yield* choosePlace(located.turn, this.#services, located.offered, located.head);
    else yield* flow(located.turn, this.#services, withFacts(located.focus, given.facts));
  }

  async #locate(): Promise<Located> {
    const clicked = await this.#atClick();
    if (clicked !== undefined) return clicked;
    const gone = goneOfClick(this.#turn, this.#parts);
    return (
      (gone && this.#use.writesCode ? await this.#offerOthers(gone) : undefined) ??
      (await this.#atNamed()) ??
      (await this.#atLost()) ??
      (await this.#offerOthers(gone)) ?? { turn: this.#turn, focus: noFocus }
    );
  }

  /** Offers places of the file where the one that is named is not there; a command that writes none goes on. */
  async #offerOthers(clicked: GonePlace | undefined): Promise<Located | undefined> {
    const turn = this.#turn;
    const target = this.#target;
    if (target === undefined) return undefined;
    const gone = clicked ?? (await this.#goneOfQuestion(target));
    if (gone === undefined) return undefined;
    const told = { ...turn, namedPlace: gone.told };
    if (!this.#use.writesCode || !gone.isSure) return { turn: told, focus: noFocus };
    const offered = await placesOfSelection(turn, this.#services, target);
    // The next click says another place: of this one, the question alone is left.
    const left = clicked && this.#parts && (this.#parts.block ?? this.#parts.rest);
    const userInputPrompt = left ?? turn.context.userInputPrompt ?? "";
    const head = textsFor(turn.locale).chooseGone(gone.words);
    return { turn: { ...told, context: { ...turn.context, userInputPrompt } }, offered, head };
  }

  async #goneOfQuestion(target: EditTarget): Promise<GonePlace | undefined> {
    if (this.#asked.text === "") return undefined;
    const analysis = await analyzeTarget(this.#turn, this.#services, target);
    return goneOfQuestion(this.#turn, this.#asked, analysis);
  }

  async #atClick(): Promise<Located | undefined> {
    const turn = this.#turn;
    const parts = this.#parts;
    if (parts === undefined || !("place" in parts.sentence)) return undefined;
    const { kind, place } = parts.sentence;
    const clicked = await findClicked(turn, this.#services, place, kind !== "place");
    if (clicked === undefined) return undefined;
    // Of a file that has changed, other code may be on the lines of a name that is gone.
    const isOther = place.name !== undefined && clicked.symbol === undefined;
    if (this.#use.writesCode && isOther && turn.isFileChanged === true) return undefined;
    const { name } = clicked.symbol === undefined ? {} : place;
    const { startLine, endLine } = clicked;
    const named = { startLine, endLine, ...(name === undefined ? {} : { name }) };
    // Words that do not name anything by now are kept as they came.
    const isNamed = name === place.name;
    const sentence = isNamed ? printPlaceSentence(kind, named, turn.locale) : parts.line;
    const prompt = promptOf(kind, sentence, parts, turn);
    const asked = await this.#select(turn, [clicked], tellClick(turn, clicked), prompt);
    return { turn: asked, focus: focusOn(turn, named) };
  }

  async #atNamed(): Promise<Located | undefined> {
    const turn = this.#turn;
    const names = this.#asked;
    if (names.text === "") return undefined;
    const named = await findNamed(turn, this.#services, this.#use, names);
    const { turn: asked, places, path } = named;
    const isHere = asked === turn;
    const elsewhere = { ...noFocus, otherFile: path };
    const [place, ...others] = places;
    if (place === undefined) {
      // Lines of the editor's file that it does not have: all of it is not what is meant.
      if (isHere && (names.lines.length > 0 || names.files[0]?.lines)) return undefined;
      const focus = isHere ? noFocus : elsewhere;
      return path === undefined ? undefined : { turn: openWhole(asked, path), focus };
    }
    if (others.length > 0 && this.#use.needsOne) {
      return { turn: asked, offered: places, head: textsFor(turn.locale).chooseNamed };
    }
    const told = `${describeAll(places)}, from the question`;
    const here = others.length > 0 ? noFocus : focusOn(turn, place);
    return { turn: await this.#select(asked, places, told), focus: isHere ? here : elsewhere };
  }

  async #atLost(): Promise<Located | undefined> {
    const turn = this.#turn;
    const isLost = this.#use.writesCode && isSelectionLost(turn.context);
    if (this.#target === undefined || !isLost) return undefined;
    const offered = await placesOfSelection(turn, this.#services, this.#target);
    return { turn, offered, head: textsFor(turn.locale).chooseSelected };
  }

  async #select(
    turn: Turn,
    places: readonly FoundPlace[],
    namedPlace: string,
    userInputPrompt = turn.context.userInputPrompt ?? "",
  ): Promise<Turn> {
    const { activeEditor } = turn.context;
    const target = targetOf(activeEditor);
    if (target === undefined) return turn;
    const { source } = await analyzeTarget(turn, this.#services, target);
    const selectedRanges = places.map(({ startLine, endLine }) => {
      const content = textOfLines(source, startLine, endLine);
      const endColumn = content.length - content.lastIndexOf("\n");
      return { content, startLine, startColumn: 1, endLine, endColumn };
    });
    const editor = { ...activeEditor, selectedRanges };
    const context = { ...turn.context, userInputPrompt, activeEditor: editor };
    return { ...turn, context, namedPlace };
  }
}

/** A whole file is meant, wherever the cursor is. */
function openWhole(turn: Turn, path: string): Turn {
  const { activeEditor } = turn.context;
  const namedPlace = `${oneLine(path)}, from the question`;
  if (activeEditor?.filePath !== path) return { ...turn, namedPlace };
  const { filePath, language, content } = activeEditor;
  const editor = { filePath, language, content };
  return { ...turn, namedPlace, context: { ...turn.context, activeEditor: editor } };
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

// A place that a prompt names and that is not there: commands that write code never take other code for it.

interface GonePlace {
  /** As the receipt tells it: `lines 40-50, not in the file`. */
  told: string;
  /** The place in the person's language. */
  words: string;
  /** A place is meant for certain; else it is a mere name. */
  isSure: boolean;
}

/** In characters, of a word that may be a path; how many words are looked at, and names. */
const maxWord = 300;
const maxWords = 2_000;
const maxNames = 50;

const path = /^@?(?:[\w.@-]*[\\/])*[\w-][\w.-]*\.[A-Za-z]\w{0,7}$/;
const lines = /(?::\d{1,7}(?:[-:]\d{1,7}){0,2}|#L\d{1,7}(?:-L?\d{1,7})?)$/;
const quoted = /`([\p{ID_Start}_$][\p{ID_Continue}$.:#]{0,99})(?:\([^`\n]{0,99}\))?`/gu;

/** What a click says that was not found; undefined where its words are a person's, who may mean something else. */
function goneOfClick(turn: Turn, parts: PromptParts | undefined): GonePlace | undefined {
  if (parts === undefined || !("place" in parts.sentence)) return undefined;
  const { kind, place } = parts.sentence;
  const { name } = place;
  if (name !== undefined && (kind === "place" || /\s/.test(name) || isSelected(turn))) {
    return undefined;
  }
  return ofLines(turn, place);
}

/** What a question names that was not found; undefined where it names nothing else. */
function goneOfQuestion(
  turn: Turn,
  { text, lines: [first], files: [file] }: Asked,
  analysis: CodeAnalysis,
): GonePlace | undefined {
  if (file?.lines !== undefined) return ofLines(turn, { ...file.lines, name: oneLine(file.path) });
  if (file !== undefined) return undefined;
  const other = findPath(text);
  const isOfOther = other !== undefined && (lines.test(other) || first !== undefined);
  if (isOfOther) return { ...ofPath(other), isSure: true };
  if (first !== undefined) {
    return ofLines(turn, { startLine: first.startLine, endLine: first.endLine });
  }
  if (other !== undefined) return ofPath(other);
  const name = findName(text, analysis);
  return name === undefined
    ? undefined
    : { told: `${name}, not in the file`, words: name, isSure: false };
}

function ofLines({ locale }: Turn, place: NamedLines): GonePlace {
  const told = `${printPlace(place, "en")}, not in the file`;
  return { told, words: printPlace(place, locale), isSure: true };
}

function ofPath(words: string): GonePlace {
  return { told: `${words}, not in this request`, words, isSure: false };
}

/** The first path of code with its lines, if it names some; a bare `other.js` may be a product. */
function findPath(text: string): string | undefined {
  const words = text.split(/[\s`'"()（），,;；<>[\]]+/, maxWords);
  for (const word of words) {
    if (word.length > maxWord || word.includes("://")) continue;
    const named = word.replace(/(?<![.。:：!?！？])[.。:：!?！？]+$/, "");
    const file = named.replace(lines, "");
    const isPath = /[\\/]|^@/.test(file) || file !== named;
    if (isPath && path.test(file) && languageOf(file) !== "") return named.replace(/^@/, "");
  }
  return undefined;
}

/** The first name in backticks that the file does not have, not even as a word. */
function findName(text: string, { symbols, source }: CodeAnalysis): string | undefined {
  const names = [...text.matchAll(quoted)].map(([, name = ""]) => name).slice(0, maxNames);
  if (names.length === 0) return undefined;
  const known = new Set(flattenSymbols(symbols).map(({ name }) => name));
  return names.find((name) => {
    const last = name.split(/\.|:+|#/).at(-1) ?? name;
    return last !== "" && !known.has(last) && !source.text.includes(last);
  });
}
