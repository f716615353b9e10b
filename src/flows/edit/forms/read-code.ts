// Code blocks that are no edits by their form: functions, classes, statements, or all of the file, as they should be.
import {
  columnsOf,
  isSolid,
  joinLines,
  linesOf,
  solidPart,
  trimEndSigns,
} from "../../../base/text/lines.ts";
import type { CodeAnalysis } from "../../../code/code-analysis.ts";
import { flattenSymbols } from "../../../code/symbols.ts";
import { Settings } from "../../../edit/align/settings.ts";
import { codeIn, isComment, likenessOfWords, wordsOf } from "../../../edit/align/source-lines.ts";
import { describeDiff } from "../../../edit/describe-error.ts";
import type { EditError, LineRange } from "../../../edit/edit-unit.ts";
import { readListing } from "../../../edit/find/decoration.ts";
import { isSurePlaceholder, placeholderOf } from "../../../edit/placeholder.ts";
import { readCodeApart, readQuotedCode } from "../../../edit/read/blocks/quoted-change.ts";
import type { TextLine } from "../../../edit/read/blocks/quoted-sentences.ts";
import {
  announcesExample,
  asksForLess,
  isHead,
  isListItem,
  asksWhich,
  leavesToPerson,
  onlyGoesOn,
  onlyOffers,
  quotedIn,
  speaksOfLess,
  lastSentence,
} from "../../../edit/read/blocks/told-words.ts";
import { pathOfLine, withoutPathLine } from "../../../edit/read/dress/path-in-text.ts";
import type { CodeBlock, EditForm } from "../../../edit/read/file-edit.ts";
import { labelOf } from "../../../edit/read/side-words.ts";
import type { EditScene } from "../show-edit.ts";
import { applyCode, analyzeText } from "./apply-code.ts";
import { type TextChange, plainText } from "./apply-text.ts";
import {
  removeAsTold,
  removeAsRemarked,
  ordersToRemove,
  changeAsTold,
  withoutReplacedImport,
} from "./around-code.ts";
import {
  announcesFinal,
  announcesMore,
  choosesFirst,
  isOfCaller,
  isOnlyIdea,
  recommends,
  saysFinal,
  suitsOthers,
} from "./block-words.ts";
import {
  mayChange,
  isOfOtherKind,
  shareOf,
  mostOffered,
  maxCompared,
  bareOf,
  declaredIn,
} from "./code-block.ts";
import { moveAsTold } from "./move-lines.ts";
import { namedLines } from "./named-lines.ts";
import { placeAsTold } from "./told-place.ts";
import { adds } from "./told-things.ts";

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
 * @param beside what the answer changes besides: the text that came of it, and its code, and what of that is above the blocks;
 *   and the lines of text
 */
export async function readCodeBlocks(
  scene: EditScene,
  blocksOfAnswer: readonly CodeBlock[],
  beside: {
    after?: string;
    code?: string;
    said?: readonly TextLine[];
    brought?: string | undefined;
  } = {},
): Promise<BlocksReading> {
  const { after = scene.target.text, code = "", said: allSaid = [] } = beside;
  const whole = plainText(after);
  const said = allSaid.filter(({ isCode }) => !isCode);
  const quoted = readQuotedCode(said, whole);
  const hasNone = blocksOfAnswer.length === 0 && beside.after === undefined;
  const apart = hasNone ? readCodeApart(allSaid) : [];
  const all = [...blocksOfAnswer, ...apart, ...quoted].sort((one, other) => one.line - other.line);
  const left = removeBlocks(whole, all.slice(0, maxBlocks));
  const moving = beside.after === undefined ? said : [];
  const { text, moved } = await moveAsTold(scene, left.text, moving, all.slice(0, maxBlocks));
  const gone = new Set([...left.gone, ...moved]);
  const file = { text, lines: linesOf(text), analysis: await analyzeText(scene, text) };
  const reader = new BlocksReader(scene, file, all, said, gone, beside.brought);
  const rivals = reader.offered();
  if (rivals !== undefined) return rivals;
  const refusal = await reader.apply();
  if (refusal !== undefined) return { kind: "refused", error: refusal };
  reader.applyTold(whole);
  return reader.end(whole, code);
}

/** The text without what lines above blocks order to remove, and the blocks that show it. */
function removeBlocks(
  whole: string,
  blocks: readonly CodeBlock[],
): { text: string; gone: ReadonlySet<CodeBlock> } {
  const gone = new Set<CodeBlock>();
  let text = whole;
  let order = "";
  for (const [nth, block] of blocks.entries()) {
    const isMore = gone.has(blocks[nth - 1] ?? block) && onlyGoesOn(block.above);
    order = isMore ? order : block.above;
    const without = removeAsTold(text, { ...block, above: order });
    if (without !== text) gone.add(block);
    text = without;
  }
  return { text, gone };
}

/** The text as the blocks find it. */
interface GivenText {
  text: string;
  lines: readonly string[];
  analysis: CodeAnalysis;
}

/** A block that may be a change, and what is not clear. */
interface Unread {
  block: ReadBlock;
  problem: string;
  places?: readonly LineRange[];
  /** It is to go. */
  isToGo?: true;
}

class BlocksReader {
  readonly #scene: EditScene;
  readonly #file: GivenText;
  readonly #bare: string;
  readonly #said: readonly TextLine[];
  readonly #gone: ReadonlySet<CodeBlock>;
  readonly #given: readonly ReadBlock[];
  /** The blocks that show lines of the file, with remarks behind them or none. */
  readonly #shown: ReadonlySet<ReadBlock>;
  readonly #isFirstBest: boolean;
  /** What came in place right before the next block. */
  #brought: string | undefined;
  readonly #meant: readonly ReadBlock[];
  readonly #read: ReadBlock[] = [];
  /** What each of them wrote that was not there. */
  readonly #written: { block: ReadBlock; lines: string[] }[] = [];
  readonly #unread: Unread[] = [];
  #after: string;
  #form: EditForm = "function";

  constructor(
    scene: EditScene,
    file: GivenText,
    all: readonly CodeBlock[],
    said: readonly TextLine[],
    gone: ReadonlySet<CodeBlock>,
    brought: string | undefined,
  ) {
    this.#brought = brought;
    this.#scene = scene;
    this.#file = file;
    this.#bare = bareOf(file.text);
    this.#said = said;
    this.#gone = gone;
    this.#after = file.text;
    const ends = new Set(file.lines.map((line) => line.trim()));
    const given = all.slice(0, maxBlocks).map((block) => readBlock(block, all, said, file, ends));
    this.#given = given;
    const codeOf = ({ code }: ReadBlock): string => joinLines(linesOf(code).map(codeIn));
    this.#shown = new Set(given.filter((one) => this.#bare.includes(bareOf(codeOf(one)))));
    this.#isFirstBest = said.some(({ text }) => choosesFirst(text));
    const isVersion = (one: ReadBlock): boolean =>
      !this.#shown.has(one) &&
      linesOf(one.code).some((line) => isSolid(line) && ends.has(line.trim()));
    const lastVersion = given.findLastIndex(isVersion);
    this.#meant = given.filter((one, nth) => this.#isMeant(one, nth, nth < lastVersion));
  }

  /** "2. Or leave that alone", "Which do you prefer?": each of them is a change of its own. */
  offered(): BlocksReading | undefined {
    const [last, end = 0] = [this.#said.at(-1), this.#given.at(-1)?.line];
    const isAsked = last !== undefined && last.line > end && asksWhich(last.text);
    const other = this.#meant.find((one, nth) => nth > 0 && (isAsked || orElse.test(one.above)));
    if (other === undefined || this.#isFirstBest) return undefined;
    const problems = [describe(other.block, "it is offered in place of another one")];
    return { kind: "unread", problems, rivals: this.#meant.map(({ block }) => block) };
  }

  /**
   * Puts in place what can be, one block after the other.
   *
   * @returns the error where the file is too large
   */
  async apply(): Promise<EditError | undefined> {
    let refusal: EditError | undefined;
    for (const block of withoutPieces(this.#meant, this.#isSketch)) {
      const change = block.isClosed ? await this.#applyOne(block) : notClosed;
      this.#brought = "code" in change ? undefined : block.code;
      if (!("code" in change)) {
        this.#read.push(block);
        const known = new Set(linesOf(this.#after));
        const lines = linesOf(change.after).filter((line) => !known.has(line));
        this.#written.push({ block, lines });
        [this.#after, this.#form] = [change.after, change.form];
      } else {
        const places = change.candidates ?? namesakesOf(block, this.#file.analysis);
        this.#unread.push({ block, problem: change.message, places });
        if (change.code === "too-large") refusal ??= change;
      }
    }
    return refusal;
  }

  /** Changes what the text around the blocks, and remarks in them, order besides. */
  applyTold(whole: string): void {
    const [given, read] = [this.#given, this.#read];
    let after = read.reduce((known, block) => changeAsTold(known, block, read), this.#after);
    after = read.reduce(withoutReplacedImport, after);
    const around = new Set(read.flatMap(({ above, below }) => [above, below]));
    const telling = this.#said.filter(({ text }) => text.includes("`") && !around.has(text));
    const isShort = telling.length * whole.length <= maxTold;
    for (const { text } of read.length > 0 && isShort ? telling : [])
      after = changeAsTold(after, { below: text }, given);
    const problem = "it is to go, and it is not clear which lines are meant";
    for (const block of given.filter(this.#isOld))
      if (asksForLess(block.above)) this.#unread.push({ block, problem, isToGo: true });
    this.#after = given.filter((one) => this.#shown.has(one)).reduce(removeAsRemarked, after);
  }

  /** @param madeCode code of what the answer changes besides */
  end(whole: string, madeCode: string): BlocksReading {
    const [after, read, written] = [this.#after, this.#read, this.#written];
    const open = this.#openOnes(madeCode);
    const now = new Set(linesOf(after));
    const lost = written.filter(
      ({ block, lines }) => !this.#isSketch(block) && !lines.every((line) => now.has(line)),
    );
    const areRivals = open.length === 0 && lost.length > 0 && lost.length === written.length - 1;
    for (const { block } of lost)
      open.push({ block, problem: "another code block changes the same lines" });
    // A part of the change that is shown on its own says nothing new.
    const bareAfter = bareOf(after);
    const isNew = ({ block, isToGo }: Unread): boolean =>
      isToGo === true ||
      after === whole ||
      (this.#isOld(block) && this.#isElsewhere(block)) ||
      !bareAfter.includes(block.bare);
    const problems = open.filter(isNew).map(({ block, problem }) => describe(block, problem));
    const rivals = areRivals ? { rivals: written.map(({ block }) => block.block) } : {};
    const [{ places = [] } = {}, ...more] = read.length === 0 ? open : [];
    const choice = more.length === 0 && places.length > 1 ? { places } : {};
    if (problems.length > 0) return { kind: "unread", problems, ...rivals, ...choice };
    if (after === whole) return { kind: "none" };
    const shown = [...read, ...open.map(({ block }) => block)];
    return { kind: "change", form: this.#form, after, blocks: shown.map(({ block }) => block) };
  }

  /** A line of it, or one that says nearly the same, is in the file. */
  #isLikeFile({ code }: ReadBlock): boolean {
    const { text, lines } = this.#file;
    const own = linesOf(code).filter((line) => /\w/.test(line));
    const isKnown = (line: string): boolean =>
      lines.some((one) => likenessOfWords(one, line) >= mostAlike);
    return (
      shareOf(code, text) > 0 || (own.length * lines.length <= maxCompared && own.some(isKnown))
    );
  }

  #isMeant(one: ReadBlock, nth: number, isBeforeVersion: boolean): boolean {
    const { text } = this.#file;
    // Lines of the file with remarks behind them show what a later block changes.
    const isGone = linesOf(one.code).every((line) => !isSolid(line) || ordersToRemove(line));
    const isShown = this.#shown.has(one) && (isGone || isBeforeVersion);
    const isCall = isOfCaller(one.above) && !this.#isLikeFile(one);
    const isPassed =
      (leavesToPerson(one.above) || onlyOffers(one.above)) &&
      this.#given.slice(nth + 1).some((next) => recommends(next.above));
    const isOption = leavesToPerson(one.above) && (this.#isFirstBest || suitsOthers(one.above));
    const isOther = isPassed || (nth > 0 && (isOption || isCall));
    const isCode = !this.#gone.has(one.block) && mayChange(one, this.#scene, text);
    const isToCome = this.#isOld(one) ? this.#isElsewhere(one) || this.#comesAgain(one) : !isShown;
    return isToCome && !isOther && isCode;
  }

  /** The file has it. */
  readonly #isOld = ({ bare, code }: ReadBlock): boolean => {
    const isDeep = byIndentation.test(this.#scene.target.language);
    return this.#bare.includes(bare) && !(isDeep && isReindented(code, this.#file.lines));
  };

  /** What the file has elsewhere may be meant for a place that the answer names. */
  #isElsewhere({ named, bare }: ReadBlock): boolean {
    const end = (named?.endLine ?? 0) + linesOf(bare).length;
    const lines = named && this.#file.lines.slice(named.startLine - 1, end);
    return lines !== undefined && !bareOf(joinLines(lines)).includes(bare);
  }

  /** So may what is to come once more. */
  #comesAgain({ above, lead, code }: ReadBlock): boolean {
    const { text, analysis } = this.#file;
    const added =
      (announcesMore(above) || adds(above)) &&
      placeAsTold(text, code, { above, lead }, analysis, this.#scene.within);
    return typeof added === "string";
  }

  /** A line of text below it announces the final version. */
  readonly #isSketch = ({ line }: CodeBlock): boolean => {
    const last = this.#given.at(-1)?.line ?? 0;
    return this.#said.some((one) => one.line > line && one.line < last && announcesFinal(one.text));
  };

  async #applyOne(block: ReadBlock): Promise<(TextChange & { form: EditForm }) | EditError> {
    const above = this.#given[this.#given.indexOf(block) - 1];
    const shown = above !== undefined && this.#isOld(above) ? above.code : "";
    const told = { ...block, above: withPlaceOf(block.above, this.#brought, this.#after) };
    const placed = await applyCode(this.#scene, this.#after, told);
    const found = this.#withSettings(block, placed);
    // What the answer says is old has to go.
    const isKept =
      shown !== "" &&
      labelOf(above?.above ?? "") === "old" &&
      !("code" in found) &&
      bareOf(found.after).includes(bareOf(shown));
    return isKept ? oldStays : found;
  }

  /** What was made of a block; where that is not clear, or loses keys, the values of the settings that it shows instead. */
  #withSettings(
    { above, code }: ReadBlock,
    placed: (TextChange & { form: EditForm }) | EditError,
  ): (TextChange & { form: EditForm }) | EditError {
    const shown = new Settings(code);
    if (!shown.isPure) return placed;
    const settings = new Settings(this.#after);
    const arePaths = settings.hasPaths(shown);
    // A section shows what changes in it.
    const losesKeys =
      !("code" in placed) &&
      /^\[/m.test(code) &&
      !speaksOfLess(above) &&
      new Settings(placed.after).all.length < settings.all.length;
    if (!("code" in placed || arePaths || losesKeys)) return placed;
    const after = announcesMore(above) ? undefined : settings.changedAs(shown);
    if (after !== undefined && after !== this.#after) return { after, form: "function" };
    return arePaths ? noSettings : placed;
  }

  /** The blocks that were not read and may be a change of the file. */
  #openOnes(madeCode: string): Unread[] {
    const read = this.#read;
    if (read.length === 0 && madeCode === "") return [...this.#unread];
    const { text, lines } = this.#file;
    const names = new Set([
      ...declaredIn(linesOf(madeCode)),
      ...read.flatMap((one) => [...one.names]),
    ]);
    const [last, isTold] = [linesOf(this.#after), read.some(({ info }) => info !== "")];
    // Beside a change that is read with its language, code of none that is not of the file shows something else.
    const isOffered = (block: ReadBlock): boolean =>
      (isTold && block.info === "" && shareOf(block.code, text) === 0) ||
      (isOfCaller(block.above) && !this.#isLikeFile(block)) ||
      illustrates(block, names, [...lines, ...last], last);
    return this.#unread.filter(({ block }) => !isOffered(block) && !this.#isSketch(block));
  }
}

const besideThat =
  /^(?<lead>[^`]*?(?:\b(?:(?:right|directly|just|immediately|straight) (?<more>after|before)|(?<side>below|beneath|underneath|under|above)) |在))(?:it\b|(?:that|this)\b(?= ?[,:])|[其它]的?(?:正|紧)?(?<zh>下方|下面|后面|之后|上方|上面|前面|之前))/i;

/** Words that put code beside what the block before it has brought, with the line of that which they mean. */
function withPlaceOf(above: string, brought: string | undefined, text: string): string {
  const last = lastSentence(above);
  const { groups } = besideThat.exec(last) ?? {};
  if (groups === undefined || brought === undefined) return above;
  const { lead = "", more, side = more, zh = "" } = groups;
  const isAbove = /^(?:above|before)$|[上前]/i.test(side ?? zh);
  const own = solidPart(linesOf(brought));
  const line = (own.at(isAbove ? 0 : -1) ?? "").trim();
  const isOnce = linesOf(text).filter((one) => one.trim() === line).length === 1;
  if (!isOnce || line.includes("`")) return above;
  const rest = last.slice(lead.length).replace(/^(?:it|that|this|[其它])/i, `\`${line}\``);
  return above.slice(0, above.length - last.length) + lead + rest;
}

/** A block with what its answer and the file say of it. */
function readBlock(
  block: CodeBlock,
  all: readonly CodeBlock[],
  said: readonly TextLine[],
  { lines, analysis }: GivenText,
  ends: ReadonlySet<string>,
): ReadBlock {
  const shown = withoutUse(withoutPathLine(linesOf(block.code), lines), ends);
  const listing = listingOf(solidPart(shown), lines);
  const own = listing?.texts ?? shown;
  const code = joinLines(own);
  const bare = bareOf(code);
  // The head of the file may name any file.
  const head = own.find(isSolid) ?? "";
  const isOfFile = lines.includes(head) && pathOfLine(head) === block.filePath;
  const above = withHeadOfList(block, all, said);
  const from = all[all.indexOf(block) - 1]?.line ?? 0;
  const lead = said
    .filter(({ line, text }) => line > from && line < block.line && text !== block.above)
    .map(({ text }) => text)
    .join("\n");
  const isPair = all.some((one) => one !== block && one.above === block.above);
  const endLine = (listing?.from ?? 0) + own.length - 1;
  return {
    ...block,
    code,
    bare,
    above,
    lead,
    ...(listing && { lines: { startLine: listing.from, endLine } }),
    // What leads to another block is about that.
    tail: all.some((one) => one.above === block.below) ? "" : (block.below ?? ""),
    isOneOfSeveral: isPair,
    filePath: isOfFile || isOfOtherKind(block) ? undefined : block.filePath,
    isClosed: block.isClosed || endsLike(own, ends),
    block,
    names: declaredIn(own),
    named: namedLines(above, analysis, bare.trim()),
  };
}

/** A block without a first line that only names the file. */
interface ReadBlock extends CodeBlock {
  /** The lines of which a listing has the numbers. */
  lines?: LineRange;
  block: CodeBlock;
  /** What it declares. */
  names: ReadonlySet<string>;
  bare: string;
  /** The lines that the line above it names for it. */
  named: LineRange | undefined;
  /** What is told before, since the block before; and behind it, where that leads to no other block. */
  lead: string;
  tail: string;
  /** The line above leads to others, too. */
  isOneOfSeveral: boolean;
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

/** The line above a block, and before an item of a list the sentence that heads the list and quotes what the items are about. */
function withHeadOfList(
  { above, line }: CodeBlock,
  blocks: readonly CodeBlock[],
  said: readonly TextLine[],
): string {
  if (!isListItem(above)) return above;
  const isItem = (text: string): boolean => blocks.some((one) => one.above === text);
  const head = said.findLast((one) => one.line < line && isHead(one.text) && !isItem(one.text));
  const lead = lastSentence(head?.text);
  return quotedIn(lead).length === 1 ? `${trimEndSigns(lead, ":： ")}. ${above}` : above;
}

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

/** A line that is more like another one may be a new version of it; or is nothing else. */
const [mostLike, mostAlike] = [0.5, 0.8];

const noSettings = describeDiff("malformed", "its keys are not those of one setting each");
const notClosed = describeDiff("malformed", "it is not closed");

const oldStays = describeDiff("malformed", "the lines that are shown as the old ones would stay");

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

/** The blocks without ideas, and, where a line announces the final version, without the sketches of what it declares. */
function withoutPieces(
  blocks: readonly ReadBlock[],
  isSketch: (block: ReadBlock) => boolean,
): ReadBlock[] {
  return blocks.filter((block, nth) => {
    const { names, above } = block;
    const later = blocks.slice(nth + 1);
    if (later.length > 0 && isOnlyIdea(above)) return false;
    const declares = (one: ReadBlock): boolean =>
      names.size > 0 && [...names].every((name) => one.names.has(name));
    return !later.some((one) => (saysFinal(one.above) || isSketch(block)) && declares(one));
  });
}

/** All that the file has of the name that code begins with. */
function namesakesOf({ names }: ReadBlock, { symbols }: CodeAnalysis): LineRange[] {
  const [name] = names;
  return flattenSymbols(symbols).flatMap((one) => (one.name === name ? [one.range] : []));
}

function describe({ line }: CodeBlock, problem: string): string {
  return `The code block at line ${line} of your answer could not be read as a change of the file: ${problem}`;
}
