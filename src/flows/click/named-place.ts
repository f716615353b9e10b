// The place that a turn is about, where the prompt names it: a click in its sentence, a person in a question.
import { languageOf } from "../../turn/context/language.ts";
import { selectionOf } from "../../turn/context/active-editor.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import type { CodeSymbol } from "../../code/code-analysis.ts";
import type { Turn } from "../../turn/turn.ts";
import { type EditTarget, analyzeTarget, hasCode, targetOf } from "../place/edit-target.ts";
import type { Services } from "../flow.ts";
import { type AskedNames, type NamedFile, findNames, matchFiles } from "../place/find-names.ts";
import {
  type FoundPlace,
  fullName,
  linesWithin,
  matchNames,
  nearestSymbol,
  toPlace,
} from "../place/match-names.ts";
import type { NamedLines } from "../place/place-words.ts";
import { flattenSymbols, symbolAt } from "../../code/symbols.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { textsFor } from "../texts.ts";
import { printPlaceSentence, printPrompt, sentenceOf } from "./sentences.ts";
import { listTree, sayAlone } from "./seal-action.ts";
import type { Context } from "../../turn/context/context.ts";

/** Passages of a knowledge base whose files are looked for. */
const maxReferences = 200;

/** Lines that a symbol has moved since a person read where it is. */
const maxMoved = 100;

/** What a question may name; of the files those that came with the request, the one in the editor first. */
export interface Asked extends AskedNames {
  files: readonly NamedFile[];
}

/** What a question names of a request. */
export interface Named {
  /** The turn with the file in its editor that the places are of. */
  turn: Turn;
  places: FoundPlace[];
  /** The path of the file that is named. */
  path: string | undefined;
}

/** What a command does with places. */
export interface PlaceUse {
  /** It is about one place: of several that are named, the person chooses one. */
  needsOne: boolean;
  /** It writes code for the place, so that it is never guessed. */
  writesCode: boolean;
}

/** Whether the editor has a selection that can be used as it is. */
export function hasSelection({ context }: Turn): boolean {
  return context.activeEditor !== undefined && selectionOf(context.activeEditor) !== undefined;
}

/** Whether something is selected of which it is known where it is. */
export function isSelected(turn: Turn): boolean {
  return hasSelection(turn) && !isSelectionLost(turn.context);
}

function isNear({ range }: CodeSymbol, { startLine, endLine }: LineRange): boolean {
  return range.startLine <= endLine + maxMoved && range.endLine >= startLine - maxMoved;
}

/**
 * Where the lines of a click are by now: those of the symbol that it names, else its own. Undefined where the
 * file has nothing there, and where the words before the lines do not name anything: then they are a person's.
 *
 * @param hasVerb the sentence says what is to be done; else a name has to be one of a symbol
 */
export async function findClicked(
  turn: Turn,
  services: Services,
  named: NamedLines,
  hasVerb: boolean,
): Promise<FoundPlace | undefined> {
  const target = targetOf(turn.context.activeEditor);
  if (!hasCode(target)) return undefined;
  const { name } = named;
  const analysis = await analyzeTarget(turn, services, target);
  const symbol = nearestSymbol(named, analysis);
  const isOpen = name !== undefined && isSelected(turn);
  if (symbol !== undefined) {
    // A word that is the name of something far away is hardly meant.
    return isOpen && !isNear(symbol, named) && turn.isFileChanged !== true
      ? undefined
      : toPlace(symbol);
  }
  // Words that do not name anything are a person's, who has selected what they are about.
  if (isOpen) return undefined;
  if (name !== undefined && (!hasVerb || /\s/.test(name))) return undefined;
  const range = linesWithin(analysis.source, named);
  return range && { ...range, symbol: undefined };
}

/**
 * What the question names. Code is read only if a name may be one. A file that is not in the editor is put there
 * for a command that is about one place: a package file, for one that writes code only as `@path`.
 */
export async function findNamed(
  turn: Turn,
  services: Services,
  use: PlaceUse,
  asked: Asked,
): Promise<Named> {
  const [file] = asked.files;
  const isOther = file !== undefined && file.path !== turn.context.activeEditor?.filePath;
  const places = await findPlaces(turn, services, asked, isOther ? undefined : file?.lines);
  if (!isOther || places.length > 0) return { turn, places, path: file?.path };
  const opened = openFile(turn, file, use);
  if (opened !== undefined) {
    const found = await findPlaces(opened, services, asked, file.lines);
    // A click on one of several would be about the file in the editor.
    return { turn: opened, places: found.length > 1 ? [] : found, path: file.path };
  }
  return { turn, places, path: use.writesCode ? undefined : file.path };
}

/** Whether a question names anything that may be of the request. */
export function mayName(turn: Turn, { names, lines, files }: Asked): boolean {
  const hasCodeName = names.length > 0 || lines.length > 0;
  return (hasCodeName && turn.context.activeEditor !== undefined) || files.length > 0;
}

/** What a question names, with the files of the request that are among it. */
export function findAsked(turn: Turn): Asked {
  const asked = findNames(turn.context.userInputPrompt ?? "");
  return { ...asked, files: asked.text === "" ? [] : findFiles(turn, asked) };
}

/** The files of the request that a question names; the one in the editor first. */
function findFiles({ context }: Turn, { text }: AskedNames): NamedFile[] {
  const { activeEditor, packageFiles = [], knowledgeBase = [] } = context;
  const paths = new Set([
    activeEditor?.filePath ?? "",
    ...packageFiles.map((file) => file.filepath),
  ]);
  for (const { references } of knowledgeBase) {
    for (const { metadata } of (references ?? []).slice(0, maxReferences)) {
      paths.add(metadata?.fileName || metadata?.source || "");
    }
  }
  return matchFiles(text, [...paths]);
}

async function findPlaces(
  turn: Turn,
  services: Services,
  { names, lines }: Pick<AskedNames, "names" | "lines">,
  ofFile: LineRange | undefined,
): Promise<FoundPlace[]> {
  const target = targetOf(turn.context.activeEditor);
  const asked = { names, lines: ofFile === undefined ? lines : [...lines, ofFile] };
  if (!hasCode(target) || (names.length === 0 && asked.lines.length === 0)) return [];
  const analysis = await analyzeTarget(turn, services, target);
  return matchNames(asked, analysis);
}

/** The turn with a package file in its editor; undefined where the command, or the person, does not want that. */
function openFile(
  turn: Turn,
  { path, isMentioned }: NamedFile,
  { needsOne, writesCode }: PlaceUse,
): Turn | undefined {
  const { packageFiles = [], activeEditor } = turn.context;
  const file = packageFiles.find(({ filepath }) => filepath === path);
  const isWanted = isMentioned || !writesCode || !hasCode(targetOf(activeEditor));
  if (file === undefined || !needsOne || !isWanted) return undefined;
  const editor = { filePath: path, language: languageOf(path), content: file.content };
  return { ...turn, context: { ...turn.context, activeEditor: editor } };
}

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
  const items = shown.map((place) => ({
    ...showFound(turn, place, lines),
    labels: place.symbol === undefined ? [] : [place.symbol.kind],
    prompt: printPrompt(printPlaceSentence(sentence, place, turn.locale), question),
  }));
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

// A selection whose position cannot be used: the places of the file that it may mean.

/** Lines of a selection that are compared. */
const maxCompared = 20;

/** Whether something of the file is selected of which nobody knows where it is. */
export function isSelectionLost({ activeEditor, lostSelection }: Context): boolean {
  if (!activeEditor?.content?.trim()) return false;
  const selection = selectionOf(activeEditor);
  if (selection === undefined) return lostSelection !== undefined;
  return typeof selection.startLine !== "number";
}

/**
 * The lines of a text that hold what was selected: as it is, or else with other spaces around the lines. Of a
 * long selection the first lines are compared. None where nothing was selected.
 */
function findSelected(text: string, content: string): LineRange[] {
  const lines = text.split(/\r?\n/);
  const wanted = content
    .replace(/^(?:[ \t]*\r?\n)+/, "")
    .trimEnd()
    .split(/\r?\n/);
  if (content.trim() === "") return [];
  const exact = findAll(lines, wanted, (text_) => text_);
  return exact.length > 0 ? exact : findAll(lines, wanted, (text_) => text_.trim());
}

function findAll(
  lines: readonly string[],
  wanted: readonly string[],
  read: (line: string) => string,
): LineRange[] {
  const found: LineRange[] = [];
  const parts = wanted.slice(0, maxCompared).map(read);
  for (let at = 0; at + wanted.length <= lines.length && found.length < maxPlaces; at++) {
    if (holdsAt(lines, at, parts, wanted.length, read)) {
      found.push({ startLine: at + 1, endLine: at + wanted.length });
    }
  }
  return found;
}

/** A selection may begin and end inside of lines. */
function holdsAt(
  lines: readonly string[],
  at: number,
  parts: readonly string[],
  count: number,
  read: (line: string) => string,
): boolean {
  return parts.every((part, nth) => {
    const line = read(lines[at + nth] ?? "");
    if (count === 1) return line.includes(part);
    if (nth === 0) return line.endsWith(part);
    return nth === count - 1 ? line.startsWith(part) : line === part;
  });
}
