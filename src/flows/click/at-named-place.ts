// Puts a turn where its prompt says: the lines that a click or a question names are selected in the editor.
import { oneLine } from "../../base/errors/names.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import { isCallable } from "../../code/symbols.ts";
import { type LineRange, overlaps } from "../../edit/edit-unit.ts";
import { selectionOf } from "../../turn/context/active-editor.ts";
import type { Context } from "../../turn/context/context.ts";
import { languageOf } from "../../turn/context/language.ts";
import { type Focus, noFocus, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import type { Command, Flow, Services } from "../flow.ts";
import { type EditTarget, analyzeTarget, hasCode, targetOf } from "../place/edit-target.ts";
import {
  type AskedNames,
  type FoundPlace,
  type NamedFile,
  type NamedLines,
  findNames,
  matchFiles,
  matchLines,
  matchNames,
  printLines,
  printPlace,
  textOfLines,
} from "../place/find-names.ts";
import { textsFor } from "../texts.ts";
import { offerPlaces, placesOfSelection } from "./seal-action.ts";
import {
  type PromptParts,
  clickWordsOf,
  joinClicks,
  printPlaceSentence,
  readPrompt,
} from "./sentences.ts";

/** What a command does with places: of several that are named, the person chooses one for a command that has one place. */
type PlaceUse = Pick<Command, "hasPlace" | "writesCode">;

interface Scene {
  turn: Turn;
  services: Services;
  use: PlaceUse;
}

interface PlaceClick extends PromptParts {
  sentence: { kind: string; place: NamedLines };
}

/** What a question may name; of the files those that came with the request, the one in the editor first. */
interface Asked extends AskedNames {
  files: readonly NamedFile[];
}

type Located = { turn: Turn; focus: Focus } | { turn: Turn; offered: FoundPlace[]; head: string };

/** Passages of a knowledge base whose files are looked for. */
const maxReferences = 200;

/** Lines that a symbol has moved since a person read where it is. */
const maxMoved = 100;

/**
 * The flow, at the place that the prompt names. The lines of a click count whatever is selected; if a symbol of
 * that name is elsewhere by now, it is meant. What a question names counts where nothing is selected. A prompt that
 * names nothing costs no more than a look at it.
 */
export function atNamedPlace(flow: Flow, use: PlaceUse): Flow {
  return (turn, services, focus) => {
    const { context } = turn;
    const parts = readPrompt(context.userInputPrompt);
    const click = parts !== undefined && isPlaceClick(parts) ? parts : undefined;
    // It brings along what it is about.
    if (parts?.block !== undefined && click === undefined) return flow(turn, services, focus);
    const selection = stateOfSelection(context);
    const asked = selection === "known" ? undefined : findAsked(context);
    const isLost = selection === "lost" && use.writesCode;
    if (click === undefined && asked === undefined && !isLost) return flow(turn, services, focus);
    return (async function* () {
      const located = await locate({ turn, services, use }, click, asked);
      if ("offered" in located)
        yield* offerPlaces(located.turn, services, located.offered, located.head);
      else yield* flow(located.turn, services, withFacts(located.focus, focus?.facts ?? {}));
    })();
  };
}

function isPlaceClick(parts: PromptParts): parts is PlaceClick {
  return parts.sentence.place !== undefined;
}

/** Whether something of the file is selected, and whether it is known where that is. */
function stateOfSelection({ activeEditor, lostSelection }: Context): "none" | "lost" | "known" {
  const selection = activeEditor && selectionOf(activeEditor);
  const hasFile = Boolean(activeEditor?.content?.trim());
  if (selection === undefined) return hasFile && lostSelection !== undefined ? "lost" : "none";
  return hasFile && typeof selection.startLine !== "number" ? "lost" : "known";
}

/** Undefined where the question names nothing that may be of the request. */
function findAsked(context: Context): Asked | undefined {
  const { userInputPrompt = "", activeEditor, packageFiles = [], knowledgeBase = [] } = context;
  const asked = findNames(userInputPrompt);
  if (asked.text === "") return undefined;
  const passages = knowledgeBase.flatMap(
    ({ references }) => references?.slice(0, maxReferences) ?? [],
  );
  const paths = new Set([
    activeEditor?.filePath ?? "",
    ...packageFiles.map((file) => file.filepath),
    ...passages.map(({ metadata }) => metadata?.fileName || metadata?.source || ""),
  ]);
  const files = matchFiles(asked.text, [...paths]);
  const hasCodeName = asked.names.length > 0 || asked.lines.length > 0;
  const isNamed = (hasCodeName && activeEditor !== undefined) || files.length > 0;
  return isNamed ? { ...asked, files } : undefined;
}

async function locate(scene: Scene, click?: PlaceClick, asked?: Asked): Promise<Located> {
  const { turn, use } = scene;
  const clicked = click && (await atClick(scene, click));
  if (clicked !== undefined) return clicked;
  const gone =
    click && !isOfPerson(turn, click) ? goneLines(turn, click.sentence.place) : undefined;
  if (gone === undefined || !use.writesCode) {
    const found = asked && (await atAsked(scene, asked));
    if (found !== undefined) return found;
    if (use.writesCode && stateOfSelection(turn.context) === "lost") return offerOthers(scene);
  }
  const missing = gone ?? (asked && goneOfQuestion(turn, asked));
  if (missing === undefined || codeOf(turn) === undefined) return { turn, focus: noFocus };
  const told = { ...scene, turn: { ...turn, namedPlace: missing.told } };
  return use.writesCode ? offerOthers(told, missing, click) : { turn: told.turn, focus: noFocus };
}

function codeOf({ context }: Turn): EditTarget | undefined {
  const target = targetOf(context.activeEditor);
  return hasCode(target) ? target : undefined;
}

async function analyze({ turn, services }: Scene): Promise<CodeAnalysis | undefined> {
  const target = codeOf(turn);
  return target && analyzeTarget(turn, services, target);
}

/** Undefined where the file has nothing there, and where the words before the lines are a person's. */
async function atClick(scene: Scene, click: PlaceClick): Promise<Located | undefined> {
  const { turn, use } = scene;
  const { kind, place } = click.sentence;
  const analysis = await analyze(scene);
  const found = analysis && matchLines(place, analysis);
  if (found === undefined) return undefined;
  if (found.symbol === undefined) {
    if (isOfPerson(turn, click)) return undefined;
    // Of a file that has changed, other code may be on the lines of a name that is gone.
    if (use.writesCode && place.name !== undefined && turn.isFileChanged === true) return undefined;
  } else {
    // A word that is the name of something far away is hardly meant.
    const { startLine, endLine } = place;
    const near = { startLine: startLine - maxMoved, endLine: endLine + maxMoved };
    const isFar = !overlaps(found.symbol.range, near);
    if (isFar && stateOfSelection(turn.context) === "known" && turn.isFileChanged !== true)
      return undefined;
  }
  const { startLine, endLine } = found;
  const name = found.symbol && place.name;
  const named = { startLine, endLine, ...(name === undefined ? {} : { name }) };
  // Words that do not name anything by now are kept as they came.
  const isNamed = name === place.name;
  const sentence = isNamed ? printPlaceSentence(kind, named, turn.locale) : click.line;
  const told = `${describe(found)}, from the click`;
  const userInputPrompt = promptOf(click, sentence, turn);
  const asked = { ...turn, context: { ...turn.context, userInputPrompt } };
  return { turn: select(asked, analysis, [found], told), focus: focusOn(turn, named) };
}

/** Words before lines that name no symbol may be a person's, who means something else. */
function isOfPerson(turn: Turn, { sentence: { kind, place } }: PlaceClick): boolean {
  const { name } = place;
  return (
    name !== undefined &&
    (kind === "place" || /\s/.test(name) || stateOfSelection(turn.context) === "known")
  );
}

/**
 * At what the question names. A file that is not in the editor is put there for a command that is about one place: a
 * package file, for one that writes code only as `@path`.
 */
async function atAsked(scene: Scene, asked: Asked): Promise<Located | undefined> {
  const { turn, use } = scene;
  const [file] = asked.files;
  const isOther = file !== undefined && file.path !== turn.context.activeEditor?.filePath;
  // Lines that are not there: all of the file is not what is meant.
  const hasLines = asked.lines.length > 0 || file?.lines !== undefined;
  const here = await findPlaces(scene, asked, isOther ? undefined : file?.lines);
  if (!isOther || here.places.length > 0) {
    const { analysis, places } = here;
    const [place, ...others] = places;
    if (place === undefined) {
      if (hasLines || file === undefined) return undefined;
      return { turn: openWhole(turn, file.path), focus: noFocus };
    }
    if (others.length > 0 && use.hasPlace)
      return { turn, offered: places, head: textsFor(turn.locale).chooseNamed };
    const focus = others.length > 0 ? noFocus : focusOn(turn, place);
    return { turn: select(turn, analysis, places, tellQuestion(places)), focus };
  }
  const opened = openFile(turn, file, use);
  if (opened === undefined) {
    if (hasLines || use.writesCode) return undefined;
    return { turn: openWhole(turn, file.path), focus: noFocus };
  }
  const { analysis, places } = await findPlaces({ ...scene, turn: opened }, asked, file.lines);
  const focus = { ...noFocus, otherFile: file.path };
  // A click on one of several would be about the file in the editor.
  if (places.length !== 1) return { turn: openWhole(opened, file.path), focus };
  return { turn: select(opened, analysis, places, tellQuestion(places)), focus };
}

/** Code is read only if a name may be one. */
async function findPlaces(
  scene: Scene,
  { names, lines }: Asked,
  ofFile: LineRange | undefined,
): Promise<{ analysis?: CodeAnalysis | undefined; places: FoundPlace[] }> {
  const asked = { names, lines: ofFile === undefined ? lines : [...lines, ofFile] };
  if (names.length === 0 && asked.lines.length === 0) return { places: [] };
  const analysis = await analyze(scene);
  return { analysis, places: analysis === undefined ? [] : matchNames(asked, analysis) };
}

/** The turn with a package file in its editor; undefined where the command, or the person, does not want that. */
function openFile(
  turn: Turn,
  { path, isMentioned }: NamedFile,
  { hasPlace, writesCode }: PlaceUse,
): Turn | undefined {
  const file = turn.context.packageFiles?.find(({ filepath }) => filepath === path);
  const isWanted = isMentioned || !writesCode || codeOf(turn) === undefined;
  if (file === undefined || !hasPlace || !isWanted) return undefined;
  const editor = { filePath: path, language: languageOf(path), content: file.content };
  return { ...turn, context: { ...turn.context, activeEditor: editor } };
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

/** The places selected in the editor, and told in the receipt. */
function select(
  turn: Turn,
  analysis: CodeAnalysis | undefined,
  places: readonly FoundPlace[],
  namedPlace: string,
): Turn {
  if (analysis === undefined) return turn;
  const selectedRanges = places.map(({ startLine, endLine }) => {
    const content = textOfLines(analysis.source, startLine, endLine);
    const endColumn = content.length - content.lastIndexOf("\n");
    return { content, startLine, startColumn: 1, endLine, endColumn };
  });
  const activeEditor = { ...turn.context.activeEditor, selectedRanges };
  return { ...turn, context: { ...turn.context, activeEditor }, namedPlace };
}

/** What the model is asked after a click: the person's question, if the click brings it along. */
function promptOf(
  { block: given, rest, line, sentence: { kind } }: PlaceClick,
  sentence: string,
  { locale }: Turn,
): string {
  const block = given?.trimEnd();
  const { isSilent, above } = clickWordsOf(kind);
  if (isSilent === true) return block ?? joinClicks(rest, line);
  if (kind === "place") return block ?? rest;
  if (above !== undefined && block !== undefined)
    return [sentence, above[locale], block].join("\n\n");
  return block ?? [sentence, rest].filter((part) => part !== "").join("\n\n");
}

function focusOn({ context }: Turn, { name, startLine, endLine }: NamedLines): Focus {
  const prompt = context.userInputPrompt ?? "";
  return { ...noFocus, named: { startLine, endLine, ...(name ? { name } : {}), prompt } };
}

const maxTold = 5;

function tellQuestion(places: readonly FoundPlace[]): string {
  const left = places.length - maxTold;
  const more = left > 0 ? [`and ${left} more`] : [];
  const told = [...places.slice(0, maxTold).map(describe), ...more];
  return `${told.join("; ")}, from the question`;
}

/** `total(), lines 3-9`: the receipt speaks English. */
function describe({ name, symbol, ...lines }: FoundPlace): string {
  const isCalled = symbol !== undefined && isCallable(symbol);
  const words = printLines(lines, "en");
  return name === undefined ? words : `${oneLine(name)}${isCalled ? "()" : ""}, ${words}`;
}

// A place that a prompt names and that is not there: commands that write code never take other code for it.

type GonePlace = ReturnType<typeof goneLines>;

/** Offers places of the file: where the one that is named is gone, or the position of the selection is lost. */
async function offerOthers(
  { turn, services }: Scene,
  gone?: GonePlace,
  click?: PlaceClick,
): Promise<Located> {
  const target = codeOf(turn);
  if (target === undefined) return { turn, focus: noFocus };
  const texts = textsFor(turn.locale);
  const offered = await placesOfSelection(turn, services, target);
  if (gone === undefined) return { turn, offered, head: texts.chooseSelected };
  // The next click says another place: of this one, the question alone is left.
  const left = click && (click.block ?? click.rest);
  const userInputPrompt = left ?? turn.context.userInputPrompt ?? "";
  const asked = { ...turn, context: { ...turn.context, userInputPrompt } };
  return { turn: asked, offered, head: texts.chooseGone(gone.words) };
}

/** What a question names that was not found; undefined where it names nothing else. */
function goneOfQuestion(
  turn: Turn,
  { text, lines: [first], files: [file] }: Asked,
): GonePlace | undefined {
  if (file !== undefined)
    return file.lines && goneLines(turn, { ...file.lines, name: oneLine(file.path) });
  const other = findPath(text);
  if (other !== undefined) return { told: `${other}, not in this request`, words: other };
  return first && goneLines(turn, { startLine: first.startLine, endLine: first.endLine });
}

/** A place as the receipt tells it (`lines 40-50, not in the file`), and in the words of the person's language. */
function goneLines({ locale }: Turn, place: NamedLines) {
  const told = `${printPlace(place, "en")}, not in the file`;
  return { told, words: printPlace(place, locale) };
}

/** In characters, of a word that may be a path; how many words are looked at. */
const [maxWord, maxWords] = [300, 2_000];

const path = /^@?(?:[\w.@-]*[\\/])*[\w-][\w.-]*\.[A-Za-z]\w{0,7}$/;
const lines = /(?::\d{1,7}(?:[-:]\d{1,7}){0,2}|#L\d{1,7}(?:-L?\d{1,7})?)$/;

function findPath(text: string): string | undefined {
  const words = text.split(/[\s`'"()（），,;；<>[\]]+/, maxWords);
  for (const word of words) {
    if (word.length > maxWord || word.includes("://")) continue;
    const named = word.replace(/(?<![.。:：!?！？])[.。:：!?！？]+$/, "");
    const file = named.replace(lines, "");
    if (file !== named && path.test(file) && languageOf(file) !== "")
      return named.replace(/^@/, "");
  }
  return undefined;
}
