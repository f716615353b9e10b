// Code blocks that are no edits by their form: functions, classes, statements, or all of the file, as they should be.
import { languageOf } from "../../../turn/context/language.ts";
import { applyCodeAside, applyCodeEdit } from "../../../edit/apply-code-edit.ts";
import { applyUnits } from "../../../edit/edit-session.ts";
import { findTextChanges } from "../../../edit/unified-diff.ts";
import { describeDiff, describeSegment } from "../../../edit/describe-error.ts";
import { namedBy } from "../../../edit/align/align-units.ts";
import {
  codeIn,
  declaredName,
  isComment,
  isEven,
  isImport,
  likenessOfWords,
  nameSetBy,
  wordsOf,
} from "../../../edit/align/source-lines.ts";
import {
  readCodeApart,
  readQuotedCode,
  readToldChanges,
  type TextLine,
  type ToldChange,
} from "../../../edit/read/blocks/quoted-change.ts";
import {
  asksForLess,
  asksToReplace,
  isHead,
  leavesToPerson,
  namesSeveral,
  onlyGoesOn,
  onlyOffers,
  ordersIn,
  quotedIn,
  scopeOf,
  lastSentence,
  sentencesOf,
  speaksOfLess,
  withoutRemarks,
} from "../../../edit/read/blocks/told-words.ts";
import { hasWords } from "../../../edit/align/line-version.ts";
import { isSurePlaceholder, placeholderOf } from "../../../edit/placeholder.ts";
import {
  type EditError,
  type EditResult,
  encloses,
  type LineRange,
} from "../../../edit/edit-unit.ts";
import type { CodeBlock, CodeEdit, EditForm } from "../../../edit/read/file-edit.ts";
import { readListing } from "../../../edit/find/decoration.ts";
import { labelOf } from "../../../edit/read/side-words.ts";
import { pathOfLine, withoutPathLine } from "../../../edit/read/dress/path-in-text.ts";
import { coveredCode, readWrapper } from "../../../edit/read/dress/tags.ts";
import { isSameFile } from "../../../edit/read/is-same-file.ts";
import {
  columnsOf,
  countWhile,
  indentOf,
  isSolid,
  joinLines,
  linesOf,
  solidPart,
  trimEndSigns,
} from "../../../base/text/lines.ts";
import type { CodeAnalysis, CodeSymbol } from "../../../code/code-analysis.ts";
import { findDamage, flattenSymbols, isCallable } from "../../../code/symbols.ts";
import type { EditScene } from "../show-edit.ts";
import { mayBeTarget } from "../../place/edit-target.ts";
import { type TextChange, plainText } from "./apply-text.ts";
import {
  announcesExample,
  announcesFinal,
  announcesMore,
  choosesFirst,
  isOfCaller,
  isOnlyIdea,
  leadsToCode,
  leadsToCommand,
  recommends,
  restThatStays,
  saysFinal,
  suitsOthers,
  tellsRemoval,
} from "./block-words.ts";
import { hasWord, namedLines, renumbered } from "./named-lines.ts";
import {
  moveImport,
  placeAsTold,
  replaceSection,
  replaceVersion,
  withPutIn,
} from "./told-place.ts";
import { adds, edgeOfFile, isBeside, readOrder, type Words } from "./told-things.ts";

/** What code blocks make of the file. */
export type BlocksReading =
  /** No block can be meant as a change of the file. */
  | { kind: "none" }
  /** The text of the file after the change, with "\n" as its line ends, and the blocks that it came from. */
  | { kind: "change"; form: EditForm; after: string; blocks: readonly CodeBlock[] }
  /**
   * Blocks that may be a change, each with what is not clear, for the model; `rivals` if each changes the same lines in its
   * own way, `places` if all that is not clear is which of these is meant.
   */
  | {
      kind: "unread";
      problems: string[];
      rivals?: readonly CodeBlock[];
      places?: readonly LineRange[];
    }
  /** The file is too large for code. */
  | { kind: "refused"; error: EditError };

/** In characters of the file, each line of text that may tell a change: more is not read. */
const maxTold = 4_000_000;
/** Further blocks are not looked at. */
const maxBlocks = 20;

/**
 * Reads all blocks of an answer, one after the other: what they change is applied as a whole, or not at all.
 *
 * @param beside what the answer changes besides: the text that came of it, and its code; and the lines of text
 */
export async function readCodeBlocks(
  scene: EditScene,
  blocksOfAnswer: readonly CodeBlock[],
  beside: { after?: string; code?: string; said?: readonly TextLine[]; isQuoting?: boolean } = {},
): Promise<BlocksReading> {
  const {
    after: made = scene.target.text,
    code: madeCode = "",
    said: allSaid = [],
    isQuoting = true,
  } = beside;
  const { language } = scene.target;
  const whole = plainText(made);
  const said = allSaid.filter(({ isCode }) => !isCode);
  const quoted = isQuoting ? readQuotedCode(said, whole) : [];
  const hasNone = blocksOfAnswer.length === 0 && beside.after === undefined;
  const apart = hasNone ? readCodeApart(allSaid) : [];
  const all = [...blocksOfAnswer, ...apart, ...quoted].sort((one, other) => one.line - other.line);
  const gone = new Set<CodeBlock>();
  let text = whole;
  let order = "";
  for (const [nth, block] of all.slice(0, maxBlocks).entries()) {
    const isMore = gone.has(all[nth - 1] ?? block) && onlyGoesOn(block.above);
    order = isMore ? order : block.above;
    const without = removeAsTold(text, { ...block, above: order });
    if (without !== text) gone.add(block);
    text = without;
  }
  const [fileLines, bareText] = [linesOf(text), bareOf(text)];
  const ends = new Set(fileLines.map((line) => line.trim()));
  const analysis = await analyzeText(scene, text);
  const given = all.slice(0, maxBlocks).map((block): ReadBlock => {
    const shown = withoutUse(withoutPathLine(linesOf(block.code), fileLines), ends);
    const listing = listingOf(solidPart(shown), fileLines);
    const own = listing?.texts ?? shown;
    const names = declaredIn(own);
    const isClosed = block.isClosed || endsLike(own, ends);
    const code = joinLines(own);
    // The head of the file may name any file.
    const head = own.find(isSolid) ?? "";
    const isOfFile = fileLines.includes(head) && pathOfLine(head) === block.filePath;
    const filePath = isOfFile || isOfOtherKind(block) ? undefined : block.filePath;
    const bare = bareOf(code);
    const above = withHeadOfList(block, all, said);
    const named = namedLines(above, analysis, bare.trim());
    // What leads to another block is about that.
    const tail = all.some((one) => one.above === block.below) ? "" : (block.below ?? "");
    const from = all[all.indexOf(block) - 1]?.line ?? 0;
    const lead = said
      .filter(({ line, text: one }) => line > from && line < block.line && one !== block.above)
      .map((one) => one.text)
      .join("\n");
    // What one sentence leads to, imports besides.
    const isPair = all.some((one) => one !== block && one.above === block.above);
    const isAdded = isPair && own.every((line) => !isSolid(line) || isImport(line));
    const told = { above, tail, lead, isAdded };
    const lines = listing && {
      startLine: listing.from,
      endLine: listing.from + listing.texts.length - 1,
    };
    const known = lines === undefined ? {} : { lines };
    return { ...block, ...told, ...known, filePath, code, isClosed, block, names, bare, named };
  });
  const isOld = ({ bare, code }: ReadBlock): boolean =>
    bareText.includes(bare) && !(byIndentation.test(language) && isReindented(code, fileLines));
  // What the file has elsewhere may be meant for a place that the answer names.
  const isElsewhere = ({ named, bare }: ReadBlock): boolean => {
    const end = (named?.endLine ?? 0) + linesOf(bare).length;
    const lines = named && fileLines.slice(named.startLine - 1, end);
    return lines !== undefined && !bareOf(joinLines(lines)).includes(bare);
  };
  // So may what is to come once more.
  const comesAgain = ({ above, lead, code }: ReadBlock): boolean => {
    const added =
      (announcesMore(above) || adds(above)) &&
      placeAsTold(text, code, { above, lead }, analysis, scene.within);
    return typeof added === "string" && !added.includes(code + code);
  };
  const areRemarked = given.map(({ code }) =>
    bareText.includes(bareOf(joinLines(linesOf(code).map(codeIn)))),
  );
  const areVersions = given.map(
    ({ code }, nth) =>
      areRemarked[nth] === false &&
      linesOf(code).some((line) => isSolid(line) && ends.has(line.trim())),
  );
  const isFirstBest =
    said.some((one) => prefersFirst(one.text, given)) || recommends(lastSentence(given[0]?.above));
  const blocks = given.filter((one, nth) => {
    // Lines of the file with remarks behind them show what a later block changes.
    const isGone = linesOf(one.code).every((line) => !isSolid(line) || ordersToRemove(line));
    const isShown = areRemarked[nth] === true && (isGone || areVersions.includes(true, nth));
    const old = given[nth - 1];
    const isNext = old !== undefined && isOld(old) && isVersionOf(old.code, one.code, text);
    const isOption = leavesToPerson(one.above) && (isFirstBest || suitsOthers(one.above));
    const isCall = isOfCaller(one.above) && shareOf(one.code, text) === 0;
    const isPassed =
      (leavesToPerson(one.above) || onlyOffers(one.above)) &&
      given.slice(nth + 1).some((next) => recommends(next.above));
    const isOther = isPassed || (nth > 0 && (isOption || isCall));
    const isCode = !gone.has(one.block) && (isNext || mayChange(one, scene, text));
    const isMeant = isOld(one) ? isElsewhere(one) || comesAgain(one) : !isShown;
    return isMeant && !isOther && isCode;
  });
  // "2. Or leave that alone": each of them is a change of its own.
  const other = blocks.find((one, nth) => nth > 0 && orElse.test(one.above));
  if (other !== undefined && !isFirstBest) {
    const problems = [describe(other.block, "it is offered in place of another one")];
    return { kind: "unread", problems, rivals: blocks.map(({ block }) => block) };
  }
  /** A line of text below it announces the final version. */
  const isSketch = ({ line }: CodeBlock): boolean => {
    const last = given.at(-1)?.line ?? 0;
    return said.some((one) => one.line > line && one.line < last && announcesFinal(one.text));
  };
  let after = text;
  let form: EditForm = "function";
  const read: ReadBlock[] = [];
  const unread: {
    block: ReadBlock;
    problem: string;
    places?: readonly LineRange[];
    isToGo?: true;
  }[] = [];
  let refusal: EditError | undefined;
  const written: { block: ReadBlock; lines: string[] }[] = [];
  for (const block of withoutPieces(blocks, isSketch)) {
    const above = given[given.indexOf(block) - 1];
    const shown = above !== undefined && isOld(above) ? above.code : "";
    const isNext = isVersionOf(shown, block.code, after);
    const found = block.isClosed
      ? await applyCode(scene, after, block, isNext ? shown : undefined)
      : notClosed;
    // What the answer says is old has to go.
    const isKept =
      shown !== "" &&
      labelOf(above?.above ?? "") === "old" &&
      !("code" in found) &&
      bareOf(found.after).includes(bareOf(shown));
    const change = isKept ? oldStays : found;
    // What is offered besides may only vary a line of what was shown.
    const isVariant = read.length > 0 && leavesToPerson(block.above);
    if (isVariant && "code" in (await applyCode(scene, text, block))) continue;
    // What a sentence quotes may be a part of a line, or only talked about.
    if (quoted.includes(block.block) && !isWholeLine(change, after, block.code))
      return await readCodeBlocks(scene, blocksOfAnswer, { ...beside, isQuoting: false });
    if (!("code" in change)) {
      read.push(block);
      const known = new Set(linesOf(after));
      written.push({ block, lines: linesOf(change.after).filter((line) => !known.has(line)) });
      ({ after, form } = change);
    } else {
      const places = change.candidates ?? namesakesOf(block, analysis);
      unread.push({ block, problem: change.message, places });
      if (change.code === "too-large") refusal ??= change;
    }
  }
  if (refusal !== undefined) return { kind: "refused", error: refusal };
  after = read.reduce((known, block) => changeAsTold(known, block, read), after);
  after = read.reduce(withoutReplacedImport, after);
  const around = new Set(read.flatMap(({ above, below }) => [above, below]));
  const telling = said.filter(({ text: line }) => line.includes("`") && !around.has(line));
  const isShort = telling.length * whole.length <= maxTold;
  for (const { text: line } of read.length > 0 && isShort ? telling : [])
    after = changeAsTold(after, { below: line }, given);
  for (const block of given.filter(isOld))
    if (asksForLess(block.above))
      unread.push({
        block,
        problem: "it is to go, and it is not clear which lines are meant",
        isToGo: true,
      });
  after = given.filter((_, nth) => areRemarked[nth]).reduce(removeAsRemarked, after);
  const names = new Set([
    ...declaredIn(linesOf(madeCode)),
    ...read.flatMap((one) => [...one.names]),
  ]);
  const [last, isTold] = [linesOf(after), read.some(({ info }) => info !== "")];
  // Beside a change that is read, code that is not of the file and is only offered shows something else.
  const isOffered = ({ block }: { block: ReadBlock }): boolean =>
    (onlyOffers(block.above) && shareOf(block.code, text) < mostOffered) ||
    (isTold && block.info === "" && shareOf(block.code, text) === 0) ||
    isOfCaller(block.above) ||
    illustrates(block, names, [...fileLines, ...last], last);
  const isAlone = read.length === 0 && madeCode === "";
  const open = isAlone ? unread : unread.filter((one) => !isOffered(one) && !isSketch(one.block));
  const now = new Set(last);
  const lost = written.filter(
    ({ block, lines }) => !isSketch(block) && !lines.every((line) => now.has(line)),
  );
  const areRivals = open.length === 0 && lost.length > 0 && lost.length === written.length - 1;
  for (const { block } of lost)
    open.push({ block, problem: "another code block changes the same lines" });
  // A part of the change that is shown on its own says nothing new.
  const bareAfter = bareOf(after);
  const isNew = ({ block, isToGo }: (typeof unread)[number]): boolean =>
    isToGo === true ||
    !block.isClosed ||
    after === whole ||
    (isOld(block) && isElsewhere(block)) ||
    !bareAfter.includes(block.bare);
  const problems = open.filter(isNew).map(({ block, problem }) => describe(block, problem));
  const rivals = areRivals ? { rivals: written.map(({ block }) => block.block) } : {};
  const [{ places = [] } = {}, ...more] = read.length === 0 ? open : [];
  const choice = more.length === 0 && places.length > 1 ? { places } : {};
  if (problems.length > 0) return { kind: "unread", problems, ...rivals, ...choice };
  if (after === whole) return { kind: "none" };
  const shown = [...read, ...open.map(({ block }) => block)];
  return { kind: "change", form, after, blocks: shown.map(({ block }) => block) };
}

const orElse = /^\s*(?:[-*+•]|\d{1,2}[.)、])\s*(?:\*\*)?(?:or\b|或者?)/i;

/** Languages in which the depth of a line says what it is in. */
const byIndentation = /^(?:python|yaml|coffeescript|haskell|fsharp|nim|pug|haml|s[au]ss|stylus)$/;

/** The file has the lines of some code, and nowhere as deep to each other. */
function isReindented(code: string, file: readonly string[]): boolean {
  const [own, all] = [linesOf(code).filter(isSolid), file.filter(isSolid)];
  if (own.length * all.length > maxCompared) return false;
  const shiftAt = (at: number, nth: number): number =>
    columnsOf(all[at + nth] ?? "") - columnsOf(own[nth] ?? "");
  const places = [...all.keys()].filter((at) =>
    own.every((line, nth) => line.trim() === all[at + nth]?.trim()),
  );
  // The first line may have lost its indentation.
  const isAsDeep = (at: number): boolean =>
    own.every((_, nth) => nth === 0 || shiftAt(at, nth) === shiftAt(at, 1));
  return !places.some(isAsDeep);
}

/** The lines up to a comment that announces an example of use, below which nothing is of the file. */
function withoutUse(lines: readonly string[], known: ReadonlySet<string>): readonly string[] {
  const at = lines.findIndex((line, nth) => {
    const [text, remark] = [line.trim(), line.replace(/^[^\p{L}]+/u, "")];
    return nth > 0 && isComment(text) && !known.has(text) && announcesExample(`${remark}:`);
  });
  const isOfFile = (line: string): boolean => line.trim().length > 3 && known.has(line.trim());
  return at === -1 || lines.slice(at).some(isOfFile)
    ? lines
    : lines.slice(0, lines.findLastIndex((line, nth) => nth < at && isSolid(line)) + 1);
}

/** The line above a block, and before an item of a list the sentence that heads the list and quotes what the items are about. */
function withHeadOfList(
  { above, line }: CodeBlock,
  blocks: readonly CodeBlock[],
  said: readonly TextLine[],
): string {
  if (!/^\s*(?:[-*+•]|\d{1,2}[.)、])\s/.test(above)) return above;
  const isItem = (text: string): boolean => blocks.some((one) => one.above === text);
  const head = said.findLast((one) => one.line < line && isHead(one.text) && !isItem(one.text));
  const lead = lastSentence(head?.text);
  return quotedIn(lead).length === 1 ? `${trimEndSigns(lead, ":： ")}. ${above}` : above;
}

/** The change has the code as a line, alone or in place of one that begins as it does, or sets what it sets. */
function isWholeLine(change: TextChange | EditError, before: string, code: string): boolean {
  if ("code" in change) return false;
  const [old, now] = [before, change.after].map(linesOf);
  const [own, known] = [code.trim(), new Set(now)];
  const gone = old?.filter((line) => !known.has(line)).map((line) => line.trim()) ?? [];
  const [word] = wordsOf(own);
  const begins = (line: string): boolean =>
    [...wordsOf(line)][0] === word || namedBy(line) === namedBy(own);
  return now?.some((line) => line.trim() === own) === true && gone.every(begins);
}

function declaredIn(lines: readonly string[]): Set<string> {
  return new Set(lines.flatMap((line) => declaredName(line.trim()) ?? []));
}

/** The text with what lines of text order, if that is all that counts. */
function applyTold(
  text: string,
  lines: readonly TextLine[],
  quoted: readonly CodeBlock[],
  counts: (unit: ToldChange) => boolean,
): string {
  const units = readToldChanges(lines, quoted, text);
  const result = units.length > 0 && units.every(counts) ? applyUnits(text, units) : undefined;
  return result?.ok === true ? result.text : text;
}

/** The text without a block that the line above it orders to remove. */
function removeAsTold(text: string, block: CodeBlock): string {
  if (!speaksOfLess(block.above)) return text;
  const above = withoutRemarks(sentencesOf(block.above).findLast(speaksOfLess) ?? "");
  const lead = { text: above, line: block.line - 1, isCode: false };
  const remove = (known: string, code: string): string =>
    applyTold(known, [lead], [{ ...block, code }], ({ replace }) => replace === "");
  const removed = remove(text, block.code);
  if (removed !== text) return removed;
  // Imports may be apart.
  const lines = linesOf(block.code).filter(isSolid);
  const areImports =
    lines.length <= maxImports && lines.every((one) => isImport(one) && isEven([one]));
  let rest = text;
  for (const line of areImports ? lines : []) {
    const next = remove(rest, `${line}\n`);
    if (next === rest) return text;
    rest = next;
  }
  return rest;
}

/** Of more, none goes. */
const maxImports = 50;

/** The text without the lines behind which a block has a comment that orders to remove them. */
function removeAsRemarked(text: string, { code }: ReadBlock): string {
  const all = linesOf(text);
  const gone = linesOf(code)
    .filter(ordersToRemove)
    .map((line) => all.findIndex((one) => one.trim() === codeIn(line).trim()));
  const isOnce = (at: number): boolean =>
    all.filter((one) => one.trim() === all[at]?.trim()).length === 1;
  const places = new Set(gone.filter((at) => at !== -1 && isOnce(at)));
  return places.size === 0 ? text : joinLines(all.filter((_, at) => !places.has(at)));
}

function ordersToRemove(line: string): boolean {
  const remark = line.slice(codeIn(line).length);
  const order = /^\W*(?:remove|delete)(?: (?:this|the))?(?: \w+)?\W*$|^\W*(?:删除|移除)/i;
  return codeIn(line).trim() !== "" && order.test(remark);
}

/** The text with what the lines around a block order besides, or say of imports, of which no block shows anything. */
export function changeAsTold(
  text: string,
  { above = "", below = "" }: Partial<Pick<CodeBlock, "above" | "below">>,
  blocks: readonly Pick<CodeBlock, "code">[],
): string {
  if (!`${above}${below}`.includes("`")) return text;
  const isShown = (code: string): boolean =>
    code !== "" && blocks.some((block) => block.code.includes(code));
  const isNew = ({ search, replace }: ToldChange): boolean => !isShown(search) && !isShown(replace);
  // The last sentence above leads to the block.
  const told = [...sentencesOf(above).slice(0, -1), below].join("\n");
  const clauses = told
    .replaceAll(/`[^`]*`|[;；]\s*/g, (part) => (part.startsWith("`") ? part : "\n"))
    .split("\n")
    .map((one, line) => ({ text: one, line, isCode: false }));
  const [own, ...others] = blocks.flatMap(({ code }) => linesOf(code).filter(isImport));
  const place = (known: string, sentence: string): string =>
    own === undefined || others.length > 0 || !/\bimport\b|导入/i.test(sentence)
      ? known
      : moveImport(known, own, sentence);
  return [above, below]
    .flatMap(sentencesOf)
    .reduce(
      (known, sentence) => place(changeImport(known, sentence), sentence),
      applyTold(text, clauses, [], isNew),
    );
}

/** The text without the import that others replace. */
function withoutReplacedImport(text: string, { code, above }: ReadBlock): string {
  const own = linesOf(code).filter(isSolid);
  const quoted = ordersIn(above).filter(asksToReplace).flatMap(quotedIn);
  const isOld = (line: string): boolean =>
    isImport(line) && !own.includes(line) && quoted.some((one) => hasWord(line, one));
  const old = quoted.length > 0 && own.every(isImport) ? linesOf(text).filter(isOld) : [];
  return old.length === 1 ? joinLines(linesOf(text).filter((line) => !isOld(line))) : text;
}

/** The text with the import that a sentence says is added, or is no more there. */
function changeImport(text: string, sentence: string): string {
  const isAdded = announcesMore(sentence);
  const isSaid = isAdded ? ordersIn(sentence).length > 0 : tellsRemoval(sentence);
  const [only, ...more] = quotedIn(sentence)
    .map((quoted) => quoted.trim())
    .filter((one) => isImport(one) && text.includes(`${one}\n`) !== isAdded);
  if (!isSaid || only === undefined || more.length > 0) return text;
  const result = isAdded
    ? applyCodeEdit(text, only, { isAdded })
    : applyUnits(text, [{ search: `${only}\n`, replace: "" }]);
  return result.ok ? result.text : text;
}

/** Of code that only illustrates, the file has less. */
export const mostOffered = 0.3;
/** Pairs of lines. */
const maxCompared = 50_000;

/** It only quotes a piece of a line, or calls what the change declares where the file has no such line. */
function illustrates(
  { code, above }: ReadBlock,
  names: ReadonlySet<string>,
  all: readonly string[],
  last: readonly string[],
): boolean {
  const lines = linesOf(code).filter((line) => /\w/.test(line));
  if (lines.length * all.length > maxCompared) return false;
  const bare = lines.map((line) => codeIn(line.trim()));
  const known = new Set(last.map((line) => line.trim()));
  if (bare.some((line) => known.has(line))) return false;
  const [only = "", ...more] = bare;
  const isPiece = more.length === 0 && all.some((line) => line.includes(only));
  if (isPiece && !announcesMore(above)) return true;
  const uses = bare.filter((line) => [...wordsOf(line)].some((word) => names.has(word)));
  // What the line above is about, other than the change.
  const quoted = quotedIn(above).flatMap((one) => [...wordsOf(one.replace(/\(.*/, ""))]);
  const isMeant = quoted.some((word) => !names.has(word));
  const isLike = (line: string): boolean =>
    all.some((one) => likenessOfWords(line, one) >= mostLike);
  return uses.length > 0 && !isMeant && !announcesMore(above) && !uses.some(isLike);
}

/** A line that is more like another one may be a new version of it. */
const mostLike = 0.5;
/** It is one. */
const surelyLike = 0.7;

/** The code of an answer without fences, with text around it, as a block: most of its lines are the file's. */
export function unfencedCode(answer: string, text: string): CodeBlock[] {
  // Most of what is so much longer is not in the file.
  if (answer.length > 3 * text.length + 10_000) return [];
  const all = linesOf(answer.trimEnd());
  const covered = coveredCode(all, "");
  const lines = covered === all ? paragraphsIn(all, text) : covered;
  const code = joinLines(lines);
  const filePath = readWrapper(all.find(isSolid) ?? "")?.path;
  const block = { info: "", code, raw: answer, above: "", filePath, line: 1 };
  const solid = joinLines(linesOf(code).filter((line) => !isComment(line.trim())));
  const isCode = /\n./.test(code) && shareOf(solid, text) >= 0.5;
  return isCode ? [{ ...block, option: undefined, isClosed: true }] : [];
}

/** What is set apart by empty lines, from the first to the last of which the text has a line; none where a sentence is between. */
function paragraphsIn(lines: readonly string[], text: string): readonly string[] {
  const known = new Set(linesOf(text).map((line) => line.trim()));
  const isKnown = (line: string): boolean => line.trim().length > 3 && known.has(line.trim());
  const isEnd = (line: string | undefined): boolean => !isSolid(line ?? "");
  let [from, to] = [lines.findIndex(isKnown), lines.findLastIndex(isKnown)];
  while (from > 0 && !isEnd(lines[from - 1])) from -= 1;
  // What is open goes on.
  const isOpen = (): boolean =>
    to - from < maxOpen &&
    !isEven(lines.slice(Math.max(0, from), to + 1).map((line) => line.trim()));
  while (to < lines.length - 1 && (!isEnd(lines[to + 1]) || isOpen())) to += 1;
  // Right above code a sentence may lead to it.
  if (from < to && isSentence(lines[from] ?? "", /[:：]$/)) from += 1;
  const own = lines.slice(Math.max(0, from), to + 1);
  const isText = (line: string, nth: number): boolean =>
    isEnd(own[nth - 1]) && isEnd(own[nth + 1]) && isSentence(line, /[.:!?。：！？]$/);
  return own.some(isText) ? [] : own;
}

/** Lines, of which each empty one may look back at all. */
const maxOpen = 1_000;

/** Several words, or some of Chinese, without the signs of code. */
function isSentence(line: string, end: RegExp): boolean {
  const areWords =
    /^\S.* |\p{Script=Han}/u.test(line) && !/[(){}=;]/.test(line.replaceAll(/`[^`]*`/g, ""));
  return areWords && end.test(line);
}

const notClosed = describeDiff("malformed", "it is not closed");
const oldStays = describeDiff("malformed", "the lines that are shown as the old ones would stay");

/** Behind a block that nothing closes, text of the answer would seem to be code: the last line has to be the file's. */
function endsLike(lines: readonly string[], ends: ReadonlySet<string>): boolean {
  const last = lines.findLast(isSolid)?.trim() ?? "";
  return isSurePlaceholder(placeholderOf(last)) || ends.has(last);
}

/** Lines with the numbers that they have in the file: one of them at least is like the line of its number. */
function listingOf(
  lines: readonly string[],
  file: readonly string[],
): ReturnType<typeof readListing> {
  const listing = readListing(lines);
  const isLike = (text: string, nth: number): boolean =>
    likenessOfWords(text, file[(listing?.from ?? 0) - 1 + nth] ?? "") >= mostOffered;
  return listing?.texts.some(isLike) === true ? listing : undefined;
}

/** A block without a first line that only names the file. */
interface ReadBlock extends CodeBlock {
  /** The lines of which a listing has the numbers. */
  lines?: LineRange;
  block: CodeBlock;
  /** What it declares. */
  names: ReadonlySet<string>;
  bare: string;
  /** What is told before, since the block before; and behind it, where that leads to no other block. */
  lead: string;
  tail: string;
  /** It comes beside what is there. */
  isAdded: boolean;
  /** The lines that the line above it names for it. */
  named: LineRange | undefined;
}

/**
 * The blocks without those that others hold, and, where a line announces the final version, without the sketches of
 * what it declares.
 */
function withoutPieces(
  blocks: readonly ReadBlock[],
  isSketch: (block: ReadBlock) => boolean,
): ReadBlock[] {
  return blocks.filter((block, nth) => {
    const { bare, names, above } = block;
    const later = blocks.slice(nth + 1);
    if (later.length > 0 && isOnlyIdea(above)) return false;
    if (later.some((one) => one.bare !== bare && holdsLines(one.code, block.code))) return false;
    const declares = (one: ReadBlock): boolean =>
      names.size > 0 && [...names].every((name) => one.names.has(name));
    return !later.some((one) => (saysFinal(one.above) || isSketch(block)) && declares(one));
  });
}

/** A text chooses the first of several versions: it says so, or recommends what only that has. */
function prefersFirst(text: string, blocks: readonly CodeBlock[]): boolean {
  const [named = ""] = quotedIn(sentencesOf(text).find(recommends) ?? "");
  return choosesFirst(text) || hasWord(blocks[0]?.code ?? "", named);
}

/** It has all lines of an excerpt, comments aside, in their order. */
export function holdsLines(code: string, excerpt: string): boolean {
  const lines = linesOf(code).map((line) => line.trim());
  const wanted = linesOf(excerpt)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !isComment(line));
  let at = -1;
  if (wanted.length === 0) return bareOf(code).includes(bareOf(excerpt));
  return wanted.every((line) => (at = lines.indexOf(line, at + 1)) !== -1);
}

/** What code with `... existing code ...` makes of a file, or why that is not clear. */
export async function applyMarkedCode(
  scene: EditScene,
  codeEdit: CodeEdit,
  filePath: string | undefined,
  before: string,
): Promise<TextChange | EditError> {
  const text = plainText(before);
  const change = await applyCode(scene, text, { ...codeEdit, filePath, above: "" });
  const isOther = "code" in change && change.code !== "too-large";
  return isOther ? describeDiff("malformed", change.message) : change;
}

function analyzeText({ target, services, turn }: EditScene, text: string): Promise<CodeAnalysis> {
  return services.code.analyze(text, target.language, target.path, { signal: turn.signal });
}

/**
 * The text with the change, or what is wrong with it.
 *
 * @param old code of the file that it takes the place of
 */
async function applyCode(
  scene: EditScene,
  text: string,
  {
    code,
    filePath,
    above: told,
    tail = "",
    lead = "",
    lines,
    isAdded = false,
  }: Pick<CodeBlock, "code" | "filePath"> & Words & Pick<CodeEdit, "lines"> & { isAdded?: boolean },
  old?: string,
): Promise<{ after: string; form: EditForm } | EditError> {
  const { services, turn, within } = scene;
  const was = await analyzeText(scene, text);
  const above = renumbered(told, plainText(scene.target.text), text);
  const [head = "", next = ""] = linesOf(code).filter(isSolid);
  const isRest = restThatStays(`${above}\n${tail}`).some((name) => wordsOf(head).has(name));
  const placed = isRest
    ? undefined
    : scene.target.language === "markdown" && !announcesMore(above)
      ? replaceSection(text, code)
      : placeAsTold(text, code, { above, tail, lead }, was, within);
  if (
    typeof placed === "string" &&
    findDamage(was, await analyzeText(scene, placed), false) === undefined
  )
    return { after: placed, form: "function" };
  const isEdge = edgeOfFile(lastSentence(above)) !== undefined;
  const named = isEdge ? undefined : namedLines(above, was, code.trim());
  const orders = ordersIn(above).filter(asksToReplace);
  const hints = {
    near: lines ?? namesake(code, text, above, named ?? within) ?? named,
    isChange: above !== "" && !announcesMore(lastSentence(above)),
    isAdded: isAdded || announcesMore(above),
    isLess:
      speaksOfLess(above) ||
      (isAboutMember(code, above, was, within) && !tellsRemoval(above) ? false : undefined),
    isReplaced: orders.length > 0,
  };
  const options = { within, isUnnamed: filePath === undefined, ...hints };
  const shown = isRest ? `${code}${indentOf(next)}...\n` : code;
  const result =
    old !== undefined
      ? applyUnits(text, [{ search: old, replace: code }], { within })
      : await applyCodeAside(text, shown, options, services.code.applyCode, turn.signal);
  const isLine = linesOf(code).filter(isSolid).length === 1;
  const isLess = result.ok && linesOf(result.text).length < linesOf(text).length;
  const isUnclear = isLine && !isLess && orders.some(namesSeveral);
  const isWhole = result.ok && result.units.some(({ level }) => level === "whole-file");
  const damageOf = async (after: string): Promise<string | undefined> =>
    findDamage(was, await analyzeText(scene, after), isWhole);
  // A line with something put in is that line, whatever other one it is like.
  const isMost = result.ok && isLine && !hints.isAdded;
  const longer = isMost ? withPutIn(text, head, lines ?? named ?? within) : undefined;
  if (longer !== undefined && (await damageOf(longer)) === undefined)
    return { after: longer, form: "function" };
  const each = isLine && !hints.isAdded ? replaceEach(text, head, result, above) : undefined;
  if (each !== undefined && (await damageOf(each)) === undefined)
    return { after: each, form: "function" };
  const damage = result.ok ? await damageOf(result.text) : undefined;
  const form = old !== undefined ? "before-after" : isWhole ? "whole-file" : "function";
  const meant = functionIn(was, named) ?? functionQuoted(was, above) ?? within;
  // The text is about what it sets, or it begins as one block of the file does.
  const first = head.trim();
  const isTold =
    quotedIn(above).includes(nameSetBy(first) ?? first) ||
    (next !== "" && linesOf(text).filter((line) => line.trim() === first).length === 1);
  const isRegion = result.ok && !isWhole;
  const isAstray =
    isRegion &&
    !isTold &&
    [meant, within ?? meant].every((range) => isBeyond(range, code, text, result.text));
  const isAgain = isRegion && saysAgain(text, result.text, hints.isAdded);
  const isOther = result.ok && isAway({ above, tail, lead }, text, result.text);
  if (result.ok && damage === undefined && !isUnclear && !isAstray && !isAgain && !isOther)
    return { after: result.text, form };
  const leads = leadsToCode(above) && (isLine || !announcesMore(above)) && !onlyOffers(above);
  const isRefused = !leads || (!result.ok && result.error.code === "too-large");
  const version = isRefused ? undefined : replaceVersion(text, code, { above, lead }, was, within);
  if (version !== undefined && (await damageOf(version)) === undefined)
    return { after: version, form: "function" };
  if (!result.ok)
    return Array.isArray(placed) ? describeSegment(1, linesOf(code), placed) : result.error;
  const reason = isUnclear ? severalMeant : (damage ?? (isAgain ? saidAgain : elsewhere));
  return describeDiff("malformed", reason);
}

/** The text with a line in place of all that are as the one that it replaces, where the last words above say so. */
function replaceEach(
  text: string,
  line: string,
  result: EditResult,
  above: string,
): string | undefined {
  const words = lastSentence(above).replaceAll(/`[^`]*`/g, "`");
  const isBoth = /\bboth\b|[两二](?:处|个|行)/i.test(words);
  if (!isBoth && !/\b(?:each|every|all|everywhere)\b|每|都|所有/i.test(words)) return undefined;
  const all = linesOf(text);
  const places = result.ok
    ? findTextChanges(text, result.text).flatMap((one) => [one.startLine, one.endLine])
    : (result.error.candidates ?? []).flatMap((one) => [one.startLine, one.endLine]);
  const [old, ...others] = new Set(places.map((place) => all[place - 1]?.trim() ?? ""));
  const same = [...all.keys()].filter((at) => all[at]?.trim() === old);
  const isAll = isBoth ? same.length === 2 : same.length > 1;
  if (old === undefined || old.length < 4 || others.length > 0 || !isAll) return undefined;
  const now = all.map((one) => (one.trim() === old ? indentOf(one) + line.trim() : one));
  return joinLines(now);
}

/** The lines, if they are a function. */
function functionIn(
  { symbols }: CodeAnalysis,
  lines: LineRange | undefined,
): LineRange | undefined {
  const isOne = (one: CodeSymbol): boolean =>
    isCallable(one) && one.range.startLine === lines?.startLine;
  return flattenSymbols(symbols).some(isOne) ? lines : undefined;
}

/** The one function that a text quotes, or of several the one in which something is. */
function functionQuoted({ symbols }: CodeAnalysis, above: string): LineRange | undefined {
  const names = quotedIn(above).map((one) => one.replace(/\(.*/, ""));
  const scopes = sentencesOf(above).flatMap((one) => scopeOf(one, []) ?? []);
  const isMeant = ({ name }: CodeSymbol): boolean => names.includes(name);
  const all = flattenSymbols(symbols).filter((one) => isCallable(one) && isMeant(one));
  const found = all.length > 1 ? all.filter(({ name }) => scopes.includes(name)) : all;
  return found.length === 1 ? found[0]?.range : undefined;
}

const binding = /\b(?:let|const|va[lr]|final|auto)\s+(?:mut\s+)?([\w$]+)\b[^=]*=(?!=)(.*)/;

/**
 * New lines bind what the line right before them does, which stays, and do not use that; or, where nothing says that they come
 * besides, the first of them begins as that line does, and has all of its words.
 */
function saysAgain(was: string, now: string, isAdded: boolean): boolean {
  const lines = linesOf(was);
  return findTextChanges(was, now).some(({ startLine, endLine, text }) => {
    const above = lines[startLine - 2] ?? "";
    const added = linesOf(text).filter(isSolid);
    const name = binding.exec(above)?.[1];
    const isBound = added.some((line) => {
      const [, one, value = ""] = binding.exec(line) ?? [];
      return one !== undefined && one === name && !hasWord(value, name);
    });
    const below = lines.slice(endLine).find(isSolid) ?? "";
    const field = fieldName.exec(added.at(-1) ?? "")?.[0];
    if (endLine < startLine && field !== undefined && below.startsWith(field)) return true;
    const [own, next = ""] = [above.trim(), added[0]?.trim()];
    const head = countWhile(own.length, (at) => next.startsWith(own.slice(0, at + 1)));
    const isLike = head * 2 >= own.length || (head > 2 && wordsOf(own).size > 2);
    const isSame = endLine < startLine && isLike && hasWords(next, own);
    return isBound || (isSame && !isAdded);
  });
}

/** A field, up to its name. */
const fieldName =
  /^\s*(?:(?:private|public|protected|readonly|static|final|internal) )+[\w$]+(?=[:?!]? )/;

/** A sentence puts the code beside what it quotes of a line, and that goes, or nothing comes beside it. */
function isAway(words: Words, was: string, now: string): boolean {
  const { order } = readOrder(words) ?? {};
  const places = order && adds(order.one) ? order.things.filter(isBeside) : [];
  const quoted = places.flatMap(({ quoted: one = "" }) => (/[\s:]/.test(one) ? one : []));
  const lines = linesOf(was);
  return quoted.some((one) => {
    const isPlace = (line: string): boolean => line.includes(one);
    if (!lines.some(isPlace)) return false;
    if (!linesOf(now).some(isPlace)) return true;
    return !findTextChanges(was, now).some(({ startLine, endLine }) =>
      lines.slice(Math.max(0, startLine - 3), endLine + 2).some(isPlace),
    );
  });
}

/** Statements change nothing of the lines that are meant, and something elsewhere. */
function isBeyond(meant: LineRange | undefined, code: string, was: string, now: string): boolean {
  const lines = linesOf(code).map((line) => line.trim());
  const isUnit = lines.some(
    (line) => isImport(line) || declaredName(line) !== undefined || /^<[a-z]/i.test(line),
  );
  if (meant === undefined || meant.startLine === meant.endLine || isUnit) return false;
  return findTextChanges(was, now).every(
    ({ startLine, endLine }) => endLine < meant.startLine - 1 || startLine > meant.endLine + 1,
  );
}

const elsewhere = "its only place is not in the lines that are meant";
const saidAgain = "it would come behind a line that it seems to replace";
const severalMeant = "it is to replace several lines, and it is not clear which";

/** A text names a member of what the code shows, or one is selected. */
function isAboutMember(
  code: string,
  above: string,
  { symbols }: CodeAnalysis,
  within: LineRange | undefined,
): boolean {
  const [, ...members] = declaredIn(linesOf(code));
  const isOne = ({ name, range }: CodeSymbol): boolean =>
    members.includes(name) && within !== undefined && encloses(within, range);
  const isNamed = quotedIn(above).some((one) => members.includes(one.replace(/\(.*/, "")));
  return isNamed || flattenSymbols(symbols).filter(isOne).length === 1;
}

/** The one line of a text, or of those that are meant, that sets or imports what a line of code does. */
function namesake(
  code: string,
  text: string,
  above: string,
  meant: LineRange | undefined,
): LineRange | undefined {
  const [line = "", ...others] = linesOf(code).filter(isSolid);
  const key = others.length > 0 ? undefined : namedBy(line.trim());
  if (key === undefined) return undefined;
  const lines = linesOf(text);
  const places = lines.flatMap((one, nth) => (namedBy(one.trim()) === key ? [nth + 1] : []));
  const isMeant = (at: number): boolean =>
    meant !== undefined && at >= meant.startLine && at <= meant.endLine;
  // Of several that are quoted each may be meant.
  const isQuoted = above.includes(`\`${key}\``);
  const isAlone = meant === undefined && !announcesMore(above);
  const isOnly = isImport(line) || isAlone || (isQuoted && above.split("`").length === 3);
  const [place, ...more] = isOnly ? places : isQuoted ? [] : places.filter(isMeant);
  return place === undefined || more.length > 0 ? undefined : { startLine: place, endLine: place };
}

/** All that the file has of the name that code begins with. */
function namesakesOf({ names }: ReadBlock, { symbols }: CodeAnalysis): LineRange[] {
  const [name] = names;
  return flattenSymbols(symbols).flatMap((one) => (one.name === name ? [one.range] : []));
}

/**
 * Lines of the file, and then a new version of them: it has half of their words, declares what they declare, and
 * shows no line that the file has anywhere else, or only one line is another one. Code that comes beside them has not.
 */
function isVersionOf(old: string, code: string, text: string): boolean {
  if (old.trim() === "") return false;
  const [before = [], after = [], file = []] = [old, code, text].map((one) =>
    linesOf(one).map((line) => line.trim()),
  );
  const [shown, all] = [new Set(before), new Set(file)];
  const now = new Set(after.map((line) => declaredName(line)));
  const isLine = before.filter((line, nth) => line !== after[nth]).length === 1;
  if (before.length > 2 && before.length === after.length && isLine) return true;
  const [was, words] = [[...wordsOf(old)], wordsOf(code)];
  return (
    [...shown].every((line) => now.has(declaredName(line)) || declaredName(line) === undefined) &&
    was.filter((word) => words.has(word)).length * 2 >= was.length &&
    after.every((line) => line.length <= 3 || shown.has(line) || !all.has(line))
  );
}

const notCode =
  /^(?:sh|bash|shell|shellscript|zsh|fish|console|terminal|powershell|ps1|bat|cmd|text|txt|plain|plaintext|output|log|mermaid)$/i;
const settings = /^(?:ini|cfg|conf|env|properties|dockerfile|makefile|diff|patch|csv|http)$/i;

/** What the first word behind a fence says of the code in it: that it is of a language, of another one, or nothing. */
export function languageKind(info: string, language: string): "own" | "other" | "none" {
  const word = wordOf(info);
  const known = languageOf(`x.${word}`);
  if (word === "") return "none";
  if (familyOf(known || word) === familyOf(language)) return "own";
  return known !== "" || notCode.test(word) || settings.test(word) ? "other" : "own";
}

function wordOf(info: string): string {
  return info.trim().split(/[\s:{]/, 1)[0] ?? "";
}

/** Whether a block may be meant as code of the file: not a command, an example, another file, or a quotation. */
function mayChange(block: CodeBlock, { target, turn }: EditScene, text: string): boolean {
  const word = wordOf(block.info);
  const known = languageOf(`x.${word}`);
  const isOwn = familyOf(known || word) === familyOf(target.language);
  const share = shareOf(block.code, text);
  const isHere =
    isSameFile(block.filePath, target.path) ||
    (share >= 0.5 && mayBeTarget(block.filePath, target, turn));
  if (!isHere) return false;
  // What was typed or printed, where it is not a script that is to change.
  const isCommand = (): boolean =>
    share === 0 && !hasLike(block, text) && (block.above === "" || leadsToCommand(block.above));
  const isScript = isOwn && (block.filePath !== undefined || !isCommand());
  if (notCode.test(word) && !isScript) return false;
  const isOther = known !== "" && !isOwn && !isPart(known, target.path);
  if (isOther && share < 0.5) return false;
  const [fileLines, lines] = [text, block.code].map((one) =>
    linesOf(one).map((line) => line.trim()),
  );
  const heads = new Set(fileLines?.filter((line) => declaredName(line) !== undefined));
  return lines?.some((line) => heads.has(line)) === true || !announcesExample(block.above);
}

/** A line of it is like one of the text. */
function hasLike({ code }: CodeBlock, text: string): boolean {
  const [lines, known] = [linesOf(code).filter(isSolid), linesOf(text)];
  if (lines.length * known.length > maxCompared) return false;
  // What is set before a command in one line is no statement.
  const isSame = (line: string, one: string): boolean =>
    line.includes(" = ") && nameSetBy(line.trim()) === nameSetBy(one.trim());
  return lines.some((line) =>
    known.some((one) => likenessOfWords(line, one) >= surelyLike || isSame(line, one)),
  );
}

/** The text names a file of another language than the code is of. */
function isOfOtherKind({ info, filePath = "" }: CodeBlock): boolean {
  const [own, named] = [languageOf(`x.${wordOf(info)}`), languageOf(filePath)];
  return own !== "" && named !== "" && familyOf(own) !== familyOf(named) && !isPart(own, filePath);
}

/** Whether files of this name hold code of the other language as well. */
function isPart(language: string, path: string): boolean {
  const isPage = /\.(?:html?|vue|svelte|astro|php|[jt]sx|jsp|erb)$/i.test(path);
  return (
    isPage && /^(?:html|xml|css|s[ac]ss|less|(?:java|type)script(?:react)?|tsx)$/.test(language)
  );
}

function familyOf(language: string): string {
  const name = language.toLowerCase();
  if (/^(?:shellscript|shell|[bkz]?a?sh)$/.test(name)) return "shell";
  return /^(?:(?:java|type)script(?:react)?|tsx)$/.test(name) ? "script" : name;
}

/** How much of the code the text has: what names another language may be a part of the file all the same. */
export function shareOf(code: string, text: string): number {
  const known = new Set(linesOf(text).map((line) => line.trim()));
  const lines = linesOf(code).filter(isSolid);
  return lines.filter((line) => known.has(line.trim())).length / lines.length;
}

/** Lines that can be looked for in others, whatever their indentation. */
function bareOf(code: string): string {
  const lines = code.trim().split("\n");
  return `\n${lines.map((line) => line.trim()).join("\n")}\n`;
}

function describe({ line }: CodeBlock, problem: string): string {
  return `The code block at line ${line} of your answer could not be read as a change of the file: ${problem}`;
}
