// Changes that an answer tells with code that it quotes, in words or beside blocks. The file says which side is which: what
// it holds is old, what it does not hold and is like that is new. So neither the language nor the order of the words counts;
// where it holds both, the words have to say it.
import { countText } from "../../../base/text/count-text.ts";
import { isSolid, joinLines, linesOf, trimEndSigns } from "../../../base/text/lines.ts";
import {
  declaredName,
  hasSameBrackets,
  isImportLine,
  likenessOfWords,
  type SourceLines,
  sourceLines,
  unitEnd,
  wordsOf,
} from "../../align/source-lines.ts";
import { importedNames } from "../../align/line-version.ts";
import { pathOfLine } from "../dress/path-in-text.ts";
import type { CodeBlock } from "../file-edit.ts";
import {
  addsBeside,
  addsCode,
  type Around,
  asksForChange,
  asksForCode,
  asksForLess,
  asksToRemove,
  importToAdd,
  importToGo,
  isHead,
  isListItem,
  isTurned,
  leadsOn,
  leadsToRemoval,
  leavesToPerson,
  lineNamed,
  namesToGo,
  onlyGoesOn,
  onlyTalks,
  ordersIn,
  pointsToRemoval,
  quotedIn,
  readApart,
  readSentence,
  refersBack,
  removesThat,
  renamedTo,
  scopeOf,
  sentencesOf,
  staysAsItIs,
  takesBack,
  tellsPlace,
  tellsWhere,
  toMove,
  turnsInto,
} from "./told-words.ts";

/** A line of text, or one of code by its indentation. */
export interface TextLine {
  text: string;
  /** In the answer, 1-based. */
  line: number;
  isCode: boolean;
}

interface Sides {
  search: string;
  replace: string;
}

/** What takes the place of what, and the blocks that said so. */
export interface ToldChange extends Sides {
  /** As in a unit. */
  everywhere?: number;
  line: number;
  filePath: string | undefined;
  blocks: readonly CodeBlock[];
}

/** Of an answer with more text none is read. */
export const maxTextLines = 2_000;
/** Pieces of code, and lines that quote any. */
const maxQuoted = 100;
const maxText = 1_000;

/** Code as the answer quotes it. */
interface Quotation {
  code: string;
  isOld: boolean;
  /** Where it begins and ends in the answer. */
  line: number;
  end: number;
  /** What quotes it, or leads to it; absent where nothing does. */
  sentence: Sentence | undefined;
  /** It is a part of the sentence. */
  isInline: boolean;
  /** What the sentence says since the quotation before, and behind this one. */
  before: string;
  after: string;
  block?: CodeBlock;
}

interface Sentence {
  text: string;
  line: number;
  path: string | undefined;
  /** Its code, with what is before and behind each. */
  quoted: readonly { code: string; before: string; after: string }[];
}

/** The file that the answer is about. */
class GivenFile {
  readonly text: string;
  readonly squeezed: string;
  #source: SourceLines | undefined;

  constructor(text: string) {
    this.text = text;
    this.squeezed = squeeze(text);
  }

  get source(): SourceLines {
    return (this.#source ??= sourceLines(linesOf(this.text)));
  }
}

/** Of the words of both sides, at least so much is the same. */
const leastAlike = 0.4;
/** Lines between a quotation and the block that it is about. */
const maxGap = 4;

/**
 * The changes that an answer tells of a file.
 *
 * @returns nothing where anything else in it may be meant as a change of the file
 */
export function readToldChanges(
  lines: readonly TextLine[],
  blocks: readonly CodeBlock[],
  given: string,
): ToldChange[] {
  if (lines.length > maxTextLines) return [];
  const sentences = lines.flatMap((line) => (line.isCode ? [] : readSentences(line)));
  const file = new GivenFile(given.replaceAll("\r\n", "\n"));
  const quotations = readQuotations(lines, blocks, sentences, file.squeezed);
  const told: ToldChange[] = [];
  const left = new Set(sentences);
  for (let at = 0; at < quotations.length;) {
    const [one, next] = quotations.slice(at, at + 2);
    if (one === undefined) break;
    const pair = next && toChange(one, next, file);
    const change = pair ?? toDeletion(one, sentences, file, told.at(-1)?.replace === "");
    // A word on its own may just be talked about.
    const isTalk = one.isInline && (tellsWhere(one.before) || onlyTalks(one.sentence?.text ?? ""));
    const isMore = !one.isOld && /[\s@]|\)$/.test(one.code.trim()) && !isTalk;
    const sides = pair === undefined || next === undefined ? [one] : [one, next];
    const isToGo = !one.isInline && one.isOld && asksForLess(one.before);
    if (change === "unclear" || (change === undefined && (isMore || isToGo))) return [];
    if (change !== undefined) {
      if (isLeft(sides, lines, sentences)) return [];
      const { search, replace } = change;
      if (told.some((other) => other.search === search && other.replace !== replace)) return [];
      told.push(change);
      for (const { sentence } of sides) if (sentence !== undefined) left.delete(sentence);
    }
    at += sides.length;
  }
  const asksMore = [...left].some(({ text }) => asksForChange(text));
  const kept = [...left].flatMap(({ text }) => (staysAsItIs(text) ? quotedIn(text) : []));
  if (told.some(({ search }) => kept.some((one) => search.includes(one)))) return [];
  // Of a list of changes each item is one.
  const items = new Set(lines.flatMap(({ text, line }) => (isListItem(text) ? [line] : [])));
  const isOfList = ({ line }: { line: number }): boolean => items.has(line);
  const isLost = (one: Sentence): boolean => isOfList(one) && quotedIn(one.text).length > 1;
  if (told.filter(isOfList).length > 1 && [...left].some(isLost)) return [];
  return asksMore ? [] : told;
}

/**
 * New code that sentences quote with nothing that it takes the place of, as blocks: they have to say where it belongs. None
 * where one of them may only talk about it.
 */
export function readQuotedCode(lines: readonly TextLine[], given: string): CodeBlock[] {
  const quoting = lines.filter(({ text }) => text.includes("`"));
  if (quoting.length === 0 || quoting.length > maxQuoted) return [];
  const file = squeeze(given);
  const found: CodeBlock[] = [];
  for (const line of quoting) {
    const sentences = readSentences(line);
    for (const [nth, { text, quoted }] of sentences.entries()) {
      const [only, ...more] = quoted.filter(({ code }) => !holds(file, squeeze(code)));
      // Beside an old side it is the new one.
      const isAlone = quoted.length === 1 || (only !== undefined && addsBeside(only.before));
      if (only === undefined || more.length > 0 || !isAlone) continue;
      const isAsked = asksForCode(only);
      const isLine = /\s/.test(only.code) || isCallToAdd(only.code, only.before, only.after);
      if (isAsked === false || !isLine) continue;
      if (isAsked === "perhaps") return [];
      const rest = trimEndSigns(text.replace(`\`${only.code}\``, ""), ".。 ");
      const above = [...sentences.slice(0, nth).map((one) => one.text), rest].join(" ");
      const block = { info: "", code: `${only.code}\n`, raw: "", above, filePath: undefined };
      found.push({ ...block, option: undefined, line: line.line, isClosed: true });
    }
  }
  return found;
}

/**
 * The new code of a change that a sentence tells, of which the text has the old side and not the new one.
 *
 * @param given the changed text, and what of the change is quoted besides
 * @param was the text before the change
 * @param isOther a path names another file
 * @param made the changed text
 */
export function unmetChange(
  lines: readonly TextLine[],
  given: string,
  was: string,
  isOther: (path: string) => boolean,
  made = given,
): string | undefined {
  const quoting = lines.filter(({ text }) => text.includes("`"));
  const sentences = quoting.length > maxQuoted ? [] : quoting.flatMap(readSentences);
  const rows = rowsOfChange(lines.slice(0, maxQuoted));
  const count = sentences.reduce((sum, { quoted }) => sum + quoted.length, 2 * rows.length);
  const isUntold = sentences.length === 0 && rows.length === 0;
  if (isUntold || count * given.length > maxTold) return undefined;
  const file = squeeze(given);
  const left = made === given ? file : squeeze(made);
  const isThere = ({ code }: { code: string }): boolean => holds(file, squeeze(code));
  // What an item of a list asks for may be in other places of the file, too.
  const items = new Set(lines.flatMap(({ text, line }) => (isListItem(text) ? [line] : [])));
  const old = squeeze(was);
  const countIn = (text: string, code: string): number =>
    countText(`\n${text}\n`, `\n${squeeze(code)}\n`);
  const isElsewhere = (code: string): boolean =>
    items.size > 1 && countIn(old, code) > 0 && countIn(file, code) <= countIn(old, code);
  // What is above and below a line that the text has once.
  const sidesOf = (text: string, code: string): (string | undefined)[] => {
    const [above = "", below, ...more] = `\n${text}\n`.split(`\n${squeeze(code)}\n`);
    const isOne = below !== undefined && more.length === 0;
    return isOne ? [above.split("\n").at(-1), below.split("\n", 1)[0]] : [];
  };
  let declared: Set<string> | undefined;
  const isKept = (name: string): boolean => {
    const namesOf = (line: string): string[] => [...wordsOf(declaredName(line.trim()) ?? "")];
    declared ??= new Set(linesOf(given).flatMap(namesOf));
    return declared.has(name);
  };
  const row = rows.find(([, now]) => !holds(file, squeeze(now)));
  if (row !== undefined) return row[1];
  for (const { text, line, path, quoted } of sentences) {
    if (path !== undefined && isOther(path)) continue;
    // What is optional in the code is no offer.
    if (leavesToPerson(text.replaceAll(/` is optional\b/g, "`"))) continue;
    // Also the head of a block.
    const isLine = ({ code }: { code: string }): boolean =>
      ["", " {"].some((end) => `\n${left}\n`.includes(`\n${squeeze(headOf(code))}${end}\n`));
    const stays = quoted.find(
      (one) => leadsToRemoval(one.before) && !tellsWhere(one.before) && isLine(one),
    );
    if (stays !== undefined) return stays.code;
    const kept = ordersIn(text).flatMap(namesToGo).find(isKept);
    if (kept !== undefined) return kept;
    const moved = toMove(text);
    const beside = sidesOf(left, moved ?? "");
    if (
      moved !== undefined &&
      sidesOf(old, moved).some((one = "", nth) => /\w/.test(one) && one === beside[nth])
    )
      return moved;
    const missing = [importToAdd(text), renamedTo(text)].find(
      (one) => one !== undefined && !holds(file, squeeze(one)),
    );
    if (missing !== undefined) return missing;
    const gone = importToGo(text);
    const isImported = (one: string): boolean => isImportLine(one) && holds(one, gone ?? "");
    if (gone !== undefined && left.split("\n").some(isImported)) return gone;
    const [unused] = unusedImports(text, left);
    if (unused !== undefined) return unused;
    const countOf = (all: string, code: string): number => [...placesIn(all, squeeze(code))].length;
    const [, ofLine, staying = ofLine ?? ""] = thatStays.exec(text) ?? [];
    const isCut = countOf(left, staying) < countOf(old, staying);
    if (staying !== "" && isCut) return staying;
    const ousted = thatReplaces.test(text) ? quotedIn(text).find(standsIn(old, left)) : undefined;
    if (ousted !== undefined) return ousted;
    // In a list of changes the new side may be elsewhere in the file, too.
    const [, wanted = ""] = (items.size > 1 && items.has(line) && turnsTo.exec(text)) || [];
    const isLate = countOf(left, wanted) <= countOf(old, wanted);
    if (/\w/.test(wanted) && isLate && ordersIn(text).length > 0) return wanted;
    // Beside something that is quoted, too, and then also what has no spaces.
    const sign = quoted.length > 1 ? /[\s(=]/ : /[^\w.$()"'-]/;
    const lost = quoted.find(
      (one) =>
        sign.test(one.code) &&
        !/\.{3}|…/.test(one.code) &&
        asksForCode(one) === true &&
        (!isThere(one) || (items.has(line) && isElsewhere(one.code))),
    );
    if (lost !== undefined) return lost.code;
    for (const [nth, next] of quoted.slice(1).entries()) {
      const one = quoted[nth] ?? next;
      const isOld = isThere(one);
      if (isOld === isThere(next)) continue;
      const around = { before: one.before, after: next.after };
      if (readSentence(around, next.before, isOld) !== undefined) return (isOld ? next : one).code;
    }
  }
  return undefined;
}

const turnsTo =
  /(?:\b(?:change|set|update|replace|bump|raise|lower|increase|decrease|reduce|switch)\b[^`]{0,30}`[^`]+`[^`]{0,20}\b(?:to|by|with)|`[^`]+`[^`，。]{0,12}[改换设调][成为到]) ?`([^`]+)`/i;
/** "The `a` line stays as it is." */
const thatStays =
  /`([^`]+)` (?:lines?|calls?|statements?|checks?|imports?) (?:\w+ )?(?:stays?|remains?|(?:is|are) (?:kept|unchanged|fine))\b|`([^`]+)` ?[这那]?一?行[^，。]{0,4}(?:不变|保持|保留|不用|无需)/i;
/** "This replaces `a` and `b`", and not with what. */
const thatReplaces =
  /^[^\p{L}`]*(?:it|this|that|which|these|those)\b[^`]{0,30}\breplaces?\b(?!.*\b(?:with|by|from|everything)\b)/iu;

/** Whether all lines that hold some code are in both texts. */
function standsIn(old: string, now: string): (code: string) => boolean {
  const count = (text: string, line: string): number => countText(`\n${text}\n`, `\n${line}\n`);
  return (code) => {
    const own = old.split("\n").filter((line) => holds(line, squeeze(code)));
    const areFew = own.length > 0 && own.length <= maxMeant;
    const stands = (line: string): boolean => count(now, line) >= count(old, line);
    return /[\s(]/.test(code) && areFew && own.every(stands);
  };
}

/** The imports of which a sentence says that they are to go, or have gone, and of which the text uses nothing. */
export function unusedImports(sentence: string, text: string): string[] {
  if (!ofImport.test(sentence) || !isNoMore.test(sentence) || toKeep.test(sentence)) return [];
  const lines = linesOf(text);
  const quoted = quotedIn(sentence);
  const isMeant = (line: string): boolean =>
    isImportLine(line.trim()) && quoted.some((one) => [...placesIn(line, one)].length > 0);
  const meant = quoted.length * text.length > maxTold ? [] : lines.filter(isMeant);
  if (meant.length > maxMeant) return [];
  return meant.filter((line) => {
    const names = [...importedNames(line.trim())];
    const isUsed = (name: string): boolean =>
      lines.some((one) => one !== line && [...placesIn(one, name)].length > 0);
    return names.length > 0 && !names.some(isUsed);
  });
}

/** Lines that words may mean. */
const maxMeant = 10;
const ofImport = /\b(?:imports?|includes?|using|use|require)\b|导入|引入|引用/i;
const isNoMore =
  /\b(?:remov|delet|drop)\w*|\bunused\b|\b(?:no longer|not|never|n['’]t)(?: \w+)? (?:used|needed|required)\b|n['’]t (?:used|needed|required)|\bobsolete\b|删|移除|去掉|不再|多余|未使用|用不到|没有?用/i;
const toKeep =
  /\b(?:do not|don['’]t|never|not to|must not|should not|shouldn['’]t|cannot|can['’]t) (?:remove|delete|drop)|\b(?:keep|stays?|if|unless|once)\b|保留|(?:不要|别|勿|不能)(?:删|移)|如果|若/i;

/** Between two pairs: "and", "and both occurrences of". */
const goesOnAs =
  /^[,，、;；]? ?(?:and|以及|还有|[和并再])? ?(?:(?:every|each|all|both|the) ?(?:other |two |three )?(?:occurrences?|uses?|instances?|calls?|places?)?(?: of| to)?)?$/i;

/** The old and the new side of each row of a table whose head says that it has both. */
function rowsOfChange(lines: readonly TextLine[]): [old: string, now: string][] {
  let head = "";
  const isOfBoth = (text: string): boolean =>
    /\b(?:current(?:ly)?|old|before|wrong|from|was|found)\b|原|旧|当前|现|错误/i.test(text) &&
    /\b(?:new|after|correct(?:ed)?|right|suggested|to|fix(?:ed)?|should be)\b|新|改为|正确|建议/i.test(
      text,
    );
  return lines.flatMap(({ text }): [string, string][] => {
    if (!text.trim().startsWith("|")) head = "";
    else if (head === "") head = text;
    const [old, now] = quotedIn(text)
      .filter((one) => one.trim() !== "")
      .slice(-2);
    return old === undefined || now === undefined || !isOfBoth(head) ? [] : [[old, now]];
  });
}

/** Pieces that are quoted, and characters of the file: a product. */
const maxTold = 4_000_000;

/** Of `if (a) { ... }` the head. */
function headOf(code: string): string {
  return code.replace(/ ?\{ ?(?:\.{3}|…) ?\}$/, "");
}

/** A sentence behind it takes it back, or what heads it leaves it to the person. */
function isLeft(
  sides: readonly Quotation[],
  lines: readonly TextLine[],
  sentences: readonly Sentence[],
): boolean {
  const own = sentences.findLastIndex((one) => one === sides.at(-1)?.sentence);
  const start = sides[0]?.line ?? 0;
  const head = lines.findLast(({ line, text }) => line < start && isHead(text));
  return (
    sentences.slice(own + 1, own + 3).some(({ text }) => takesBack(text)) ||
    leavesToPerson(head?.text ?? "")
  );
}

/** All that is quoted, in its order, without names and what comes again at once. */
function readQuotations(
  lines: readonly TextLine[],
  blocks: readonly CodeBlock[],
  sentences: readonly Sentence[],
  file: string,
): Quotation[] {
  const all: Omit<Quotation, "isOld">[] = sentences.flatMap((sentence) =>
    sentence.quoted.map((one) => {
      const { line } = sentence;
      return { ...one, sentence, isInline: true, line, end: line };
    }),
  );
  const apart = { sentence: undefined, isInline: false, before: "", after: "" };
  for (const block of blocks) {
    const { code, line } = block;
    all.push({ ...apart, code, line, end: line + 1 + linesOf(code).length, block });
  }
  for (const piece of piecesApart(lines)) all.push({ ...apart, ...piece });
  if (all.length > maxQuoted) return [];
  const sorted = all.toSorted((a, b) => a.line - b.line);
  for (const one of sorted) {
    if (one.isInline) continue;
    const lead = sentences.findLast((each) => each.line < one.line);
    const tail = sentences.find((each) => each.line > one.end);
    one.sentence = lead;
    one.before = lead?.text ?? "";
    // The sentence goes on.
    if (tail !== undefined && /^\s*(?:[a-z]|如果|若|除非)/.test(tail.text)) one.after = tail.text;
  }
  return sorted
    .filter(({ code }, nth) => squeeze(code) !== squeeze(sorted[nth + 1]?.code ?? ""))
    .map((one) => ({ ...one, isOld: holds(file, squeeze(one.code)) }));
}

/** Code that is set apart: by its indentation, or in quotes as all of a line. */
function piecesApart(lines: readonly TextLine[]): { code: string; line: number; end: number }[] {
  const found: { code: string; line: number; end: number }[] = [];
  for (const { text, line, isCode } of lines) {
    const alone = isCode ? text : codeAlone(text);
    const last = found.at(-1);
    if (alone === undefined) continue;
    if (isCode && last?.end === line - 1) {
      last.code += `${text}\n`;
      last.end = line;
    } else found.push({ code: `${alone}\n`, line, end: line });
  }
  return found;
}

/** Code that is set apart without a fence, as blocks. */
export function readCodeApart(lines: readonly TextLine[]): CodeBlock[] {
  if (lines.length > maxTextLines) return [];
  return piecesApart(lines).map(({ code, line }) => {
    const above = lines.findLast((one) => one.line < line)?.text ?? "";
    const named = { info: "", filePath: undefined, option: undefined };
    return { ...named, code, raw: code, above, line: line - 1, isClosed: true };
  });
}

/** Code may quote, too: between two signs, or behind a space or a sign that opens something, and before no sign that ends. */
const quotation =
  /(``(?:[^`]|`(?!`))+``|`(?:[^`]*[\s([{=,:+]`(?!\.[\s`]|[\s,;:!?)，。；：、\p{Script=Han}])[^`]+`)+[^`]*`(?![\w`])|`[^`]+`)/u;

/** Words in quotes on both sides of an arrow. */
const wordsOfArrow = /["“]([^"“”`]{1,80})["”] ?(→|⇒|➜|->|=>) ?["“]([^"“”`]{1,80})["”]/g;

/** Where a sentence has code. */
interface Place {
  code: string;
  from: number;
  to: number;
}

/** The sentences of a line. */
function readSentences({ text: written, line }: TextLine): Sentence[] {
  if (written.length >= maxText) return [];
  const text = written.replaceAll(wordsOfArrow, "`$1` $2 `$3`");
  const found: Sentence[] = [];
  let own = "";
  let path: string | undefined;
  let quoted: Place[] = [];
  const end = (): void => {
    const all = own;
    // Names do not say where they are, but an arrow, or an order to change one into the other, makes them sides.
    const areSides = (from?: Place, to?: Place): boolean => {
      if (from === undefined || to === undefined) return false;
      const [lead, between] = [all.slice(0, from.from), all.slice(from.to, to.from)];
      const isTurn = turnsInto(lead, between) || isTurned(between);
      const isPart =
        (from.code.includes(to.code) && !/[,，]/.test(between)) || to.code.startsWith(from.code);
      const isLike = isPart || likenessOfWords(from.code, to.code) >= 0.5;
      return (
        (leadsOn(between) && !tellsWhere(lead)) ||
        (lead.endsWith("from ") && between === " to ") ||
        (isTurn && isLike)
      );
    };
    const sides = quoted.filter(
      (one, nth) =>
        !isName(one.code) ||
        isCallToAdd(one.code, all.slice(0, one.from), all.slice(one.to)) ||
        areSides(quoted[nth - 1], one) ||
        areSides(one, quoted[nth + 1]),
    );
    const toSide = (nth: number): Around & { code: string } => {
      const { code = "", from = 0, to = 0 } = sides[nth] ?? {};
      const before = all.slice(sides[nth - 1]?.to ?? 0, from);
      // A second pair goes on with the words of the first.
      const isMore = nth > 1 && goesOnAs.test(before.trim());
      const between = all.slice(to, sides[nth + 1]?.from ?? to).trim();
      const isNext = nth % 2 === 1 && between !== "" && goesOnAs.test(between);
      const after = isNext ? "" : all.slice(to);
      return { code, before: isMore ? toSide(nth - 2).before : before, after };
    };
    if (all.trim() !== "")
      found.push({ text: all, line, path, quoted: sides.map((_, nth) => toSide(nth)) });
    [own, path, quoted] = ["", undefined, []];
  };
  for (const part of text.split(quotation)) {
    const code = quotation.test(part) ? unquote(part) : undefined;
    if (code === undefined)
      for (const [nth, piece] of sentencesOf(part).entries()) {
        if (nth > 0) end();
        own += piece;
      }
    else {
      const named = pathOfLine(code);
      if (named !== undefined && /\.[A-Za-z]\w*$/.test(named)) path ??= named;
      const from = own.length;
      own += `\`${code.replaceAll("`", "'")}\``;
      quoted.push({ code, from, to: own.length });
    }
  }
  end();
  return found;
}

/** A call, as a statement: an order adds it at a place. */
function isCallToAdd(code: string, before: string, after: string): boolean {
  const isOrder = addsCode(before) && /[\w)]\(.*\);?$/.test(code);
  return isOrder && tellsPlace(`${before} ${after}`);
}

/** What may be meant wherever it is used. */
function isName(code: string): boolean {
  return /^(?!\.[a-z])[\w.$]*(?:-[\w.$]+)*[?!]?(?:\((?:\w*:)*\))?$/.test(code);
}

/** The code that is all of a line of text. */
function codeAlone(text: string): string | undefined {
  const [lead, quoted = "", tail = ""] = text.length < maxText ? text.trim().split(quotation) : [];
  const isAlone = lead === "" && /^[.,;:。，；：]?$/.test(tail) && quoted !== "";
  const code = isAlone ? unquote(quoted) : "";
  return code === "" || isName(code) ? undefined : code;
}

function unquote(quoted: string): string {
  const signs = quoted.startsWith("``") ? 2 : 1;
  return quoted.slice(signs, -signs).trim();
}

/** Undefined where the two are no sides of a change; `unclear` where they may be, and may not. */
function toChange(
  one: Quotation,
  next: Quotation,
  file: GivenFile,
): ToldChange | "unclear" | undefined {
  const areBeside = isBeside(one, next);
  if (!areBeside && !isNear(one, next)) return undefined;
  const between = areBeside ? next.before : "";
  const isOldFirst = one.isOld && !(next.isOld && isTurned(between));
  // What goes is no side.
  const size = linesOf(one.code).filter(isSolid).length;
  if (!one.isInline && next.isInline && pointsToRemoval({ before: one.before, after: "" }, size))
    return undefined;
  const [old, now] = isOldFirst ? [one, next] : [next, one];
  const telling = areBeside
    ? readSentence({ before: one.before, after: next.after }, between, isOldFirst)
    : readApart(old, now, isOldFirst);
  const isSure = telling?.isSure === true;
  if (!old.isOld) return undefined;
  // Several lines may show what is around the one that the text quotes.
  const isOpen = old.isInline && squeeze(now.code).includes("\n");
  const isOther = !isSure && (now.isOld || likenessOfWords(old.code, now.code) < leastAlike);
  if (isOpen || isOther || showsOther(old.code, now.code, file.squeezed, isSure)) return undefined;
  if (addsBeside(next.before)) return undefined;
  // Code that is set apart is a part of a line only if it begins as that part does.
  const [first, begins] = [old, now].map(({ code }) => wordsOf(code).values().next().value);
  if (old.isInline && !now.isInline && first !== begins) return undefined;
  const sides =
    telling &&
    placeSides(
      { search: old.code.trim(), replace: now.code.trim() },
      file,
      telling.everywhere,
      scopeOf(one.before, [between, next.after]) ?? lineNamed(one.before),
    );
  if (telling === undefined) return undefined;
  if (sides === undefined) return "unclear";
  const blocks = [one, next].flatMap(({ block }) => block ?? []);
  const filePath = [one, next]
    .flatMap(({ sentence }) => sentence?.path ?? [])
    .find((path) => path !== old.code);
  const line = blocks[0] === undefined ? one.line : blocks[0].line + 1;
  return { ...sides, line, filePath, blocks };
}

/** Both are parts of one sentence. */
function isBeside(one: Omit<Quotation, "isOld">, next: Omit<Quotation, "isOld">): boolean {
  return one.isInline && next.isInline && one.sentence === next.sentence;
}

/** Two pieces of code that are not in one sentence may be sides of a change. */
function isNear(one: Quotation, next: Quotation): boolean {
  if (next.line - one.end > maxGap) return false;
  if (!one.isInline || !next.isInline) return true;
  const areAlone = [one, next].every(({ sentence }) => sentence?.quoted.length === 1);
  return areAlone && refersBack(next.before);
}

/** A whole line that a sentence, or the one behind it, orders to remove, or a block, that the file has once. */
function toDeletion(
  { code, before, after, line, isOld, isInline, sentence, block }: Quotation,
  sentences: readonly Sentence[],
  { squeezed: file, text }: GivenFile,
  isBehindOne: boolean,
): ToldChange | undefined {
  const count = linesOf(code).filter(isSolid).length;
  const next = sentences[sentences.findIndex((one) => one === sentence) + 1];
  const isAsked =
    asksToRemove({ before, after }, count) ||
    (!isInline && pointsToRemoval({ before, after }, count)) ||
    (isBehindOne && onlyGoesOn(before)) ||
    (isInline && next?.quoted.length === 0 && removesThat(next.text, count));
  // Lines may go from what is quoted.
  if (!isAsked || (isInline && tellsWhere(before))) return undefined;
  const isThere = isOld && countText(`\n${file}\n`, `\n${squeeze(code)}\n`, 2) === 1;
  if (!isThere) return undefined;
  const blocks = block === undefined ? [] : [block];
  // Of the empty lines around what is set apart one goes with it.
  const [, behind, ...more] = text.split(`\n\n${code}`);
  const isApart = more.length === 0 && /^\s*(?:\n|[})\]]|end\b|$)/.test(behind ?? " x");
  const isOwnLine = `\n\n${text}`.includes(`\n\n${code.trim()}\n\n`);
  const top = isOwnLine ? "\n\n" : "";
  const search = isInline ? `${code.trim()}${top}` : `${isApart ? "\n" : ""}${code}`;
  return { search, replace: "", line, filePath: sentence?.path, blocks };
}

/** The sides as a unit has them; undefined where it is not clear which of several places is meant. */
function placeSides(
  sides: Sides,
  file: GivenFile,
  everywhere: number | undefined,
  name: string | number | undefined,
): (Sides & Pick<ToldChange, "everywhere">) | undefined {
  const { search } = sides;
  const { text } = file;
  const places = [...placesIn(text, search)];
  const scope = name === undefined ? undefined : scopeIn(file.source, name);
  const inside = places.filter((at) => scope === undefined || (at >= scope.from && at < scope.to));
  const [at, ...more] = inside;
  if (everywhere !== undefined)
    return inside.length === countText(text, search) ? { ...sides, everywhere } : undefined;
  if (scope === undefined || (inside.length === 0 && places.length === 1)) return sides;
  return at === undefined || more.length > 0
    ? undefined
    : inLines(text, { from: scope.from, at }, sides);
}

/** Lines. */
const maxContext = 50;

/** The sides with the lines before them, as many as tell the place from others. */
function inLines(
  text: string,
  { from, at }: { from: number; at: number },
  { search, replace }: Sides,
): Sides {
  const lineEnd = text.indexOf("\n", at);
  const end = lineEnd === -1 ? text.length : lineEnd;
  let start = text.lastIndexOf("\n", at) + 1;
  const isTwin = (): boolean => countText(`\n${text}`, `\n${text.slice(start, end)}\n`, 2) > 1;
  for (let more = 0; more < maxContext && start > from && isTwin(); more += 1)
    start = text.lastIndexOf("\n", start - 2) + 1;
  const [lead, rest] = [text.slice(start, at), text.slice(at + search.length, end)];
  return { search: `${lead}${search}${rest}\n`, replace: `${lead}${replace}${rest}\n` };
}

/** Where the text has the one function, class or the like of a name, or a line by its number. */
function scopeIn(
  source: SourceLines,
  name: string | number,
): { from: number; to: number } | undefined {
  const { all, texts, numbers } = source;
  const offsetOf = (line: number): number => joinLines(all.slice(0, line)).length;
  if (typeof name === "number") return { from: offsetOf(name - 1), to: offsetOf(name) };
  const [head, ...more] = texts.flatMap((line, nth) =>
    line.includes(name) && declaredName(line) === name ? [nth] : [],
  );
  if (head === undefined || more.length > 0) return undefined;
  const end = numbers[unitEnd(source, head)] ?? all.length;
  return { from: offsetOf(numbers[head] ?? 0), to: offsetOf(end) };
}

/** The new side is not the old one anew: it opens or declares something else, or has lines that the file has elsewhere. */
function showsOther(old: string, now: string, file: string, isSure: boolean): boolean {
  const [was, lines] = [squeeze(old).split("\n"), squeeze(now).split("\n")];
  const names = new Set(lines.map((line) => declaredName(line)));
  const isGone =
    !isSure && was.flatMap((line) => declaredName(line) ?? []).some((name) => !names.has(name));
  const more = lines.filter((line) => line.length > 3 && !was.includes(line));
  const isMore = lines.length > 1 && more.some((line) => holds(file, line));
  return isGone || isMore || !hasSameBrackets(was, lines);
}

/** Lines without what is around them, each space one. */
function squeeze(text: string): string {
  return linesOf(text)
    .filter(isSolid)
    .map((line) => line.trim().replaceAll(/\s+/g, " "))
    .join("\n");
}

/** Where a text has some code that is not only a part of a word. */
function* placesIn(text: string, code: string): Generator<number, void, void> {
  const isWord = (sign: string | undefined): boolean => /[\p{L}\p{N}_$]/u.test(sign ?? "");
  if (code === "") return;
  for (let at = text.indexOf(code); at !== -1; at = text.indexOf(code, at + code.length)) {
    const isCut = isWord(text[at - 1]) && isWord(code[0]);
    if (!isCut && !(isWord(code.at(-1)) && isWord(text[at + code.length]))) yield at;
  }
}

function holds(text: string, code: string): boolean {
  return placesIn(text, code).next().done !== true;
}
