// Changes that an answer tells with code that it quotes, in words or beside blocks. The file says which side is which: what
// it holds is old, what it does not hold and is like that is new. So neither the language nor the order of the words counts.
import { declaredName, hasSameBrackets } from "../../align/source-lines.ts";
import { indentOf, isSolid, linesOf } from "../../../base/text/lines.ts";
import { pathOfLine } from "../dress/path-in-text.ts";
import type { CodeBlock } from "../file-edit.ts";

/** A line of text that quotes code, or is code by its indentation. */
export interface QuotingLine {
  text: string;
  /** In the answer, 1-based. */
  line: number;
  isCode: boolean;
}

/** What takes the place of what, and the blocks that said so. */
export interface ToldChange {
  search: string;
  replace: string;
  line: number;
  filePath: string | undefined;
  blocks: readonly CodeBlock[];
}

/** Of an answer with more such lines none is read. */
export const maxQuoting = 100;
const maxText = 1_000;

export function quotesCode(text: string): boolean {
  return text.length < maxText && /`[^`]+`/.test(text);
}

/** Code as the answer quotes it. */
interface Quotation {
  code: string;
  isOld: boolean;
  /** Where it begins and ends in the answer. */
  line: number;
  end: number;
  /** Absent for a block. */
  sentence?: Sentence;
  /** What the sentence says between the quotation before and this one. */
  between: string;
  block?: CodeBlock;
}

interface Sentence {
  /** With a sign in place of what is quoted. */
  words: string;
  path: string | undefined;
  /** With what the sentence says before each, since the one before. */
  quoted: readonly { code: string; between: string }[];
}

/** The change is left to the person, is wanted elsewhere as well, or is only talked about. */
const hedge =
  /\?|^(?:wrong|incorrect|bad|错误|反例)|\b(?:I|if|when(?:ever)?|turns|unless|or|option|optional(?:ly)?|alternative(?:ly)?|could|might|may|perhaps|maybe|would|breaks?|fails?|consider|try|suppose|imagine|examples?|mistakes?|common(?:ly)?|people|everywhere|every|each|all|both|other)\b|如果|若|或|可选|也可以|考虑|所有|每|全部|处处|会|失败|出错|报错|试试|尝试|比如|例如|假如|假设|常见|方案|？/i;
const negation =
  /\b(?:not|never|avoid|without|no|nor|than|don['’]t)\b|不要|不应|不能|不是|勿|别|而非/i;
/** The sentences of a text that leave nothing to the person, and do not say what not to do. */
export function ordersIn(text: string): string[] {
  return text.split(sentenceEnd).filter((sentence) => {
    const words = sentence.replaceAll(/`[^`]*`/g, "`");
    return !hedge.test(words) && !negation.test(words);
  });
}

/** What comes behind these is what goes. */
const instead = /\b(?:instead of|rather than|in place of|over)$|(?:而不是|而非|代替|替代|取代)$/i;
/** The new code comes beside the old. */
const beside = /\b(?:add|insert|append|prepend)|[添增]|插入|追加|加上/i;
/** What came before it was no advice. */
const taken =
  /^(?:but |however,? )?(?:that|this|it|doing (?:so|that))\b.*\b(?:would|wrong|breaks?|fails?|mistake|bad)\b|^(?:但是?)?(?:这样|那样|这么做).*(?:会|错|不)/i;

/** A sentence that asks for something. */
const order =
  /^[-+*•>#\s\d.)、]*(?:(?:then|also|and|now|please|next|finally|step|fix|change|再|然后|还|并|也|请|需要|应该|应)[\d:：,，]*\s*)*(?:replace|change|update|modify|rewrite|rename|remove|delete|drop|add|insert|move|swap|wrap|use|import|把|将|删除|去掉|移除|添加|增加|加上|使用|改用|重命名)/i;

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
  lines: readonly QuotingLine[],
  blocks: readonly CodeBlock[],
  file: string,
): ToldChange[] {
  if (lines.length + blocks.length > maxQuoting) return [];
  const known = squeeze(file);
  const { quotations, sentences } = readQuotations(lines, blocks, known);
  const told: ToldChange[] = [];
  const left = new Set(sentences);
  for (let at = 0; at < quotations.length;) {
    const [one, next] = quotations.slice(at, at + 2);
    const pair = one && next && toChange(one, next, known);
    const change = pair ?? (one && toDeletion(one, known));
    // A word on its own may just be talked about.
    const isMore = change === undefined && one?.isOld === false && /\s/.test(one.code.trim());
    if (change === "unclear" || isMore) return [];
    if (change !== undefined) {
      told.push(change);
      for (const side of pair === undefined ? [one] : [one, next])
        if (side?.sentence !== undefined) left.delete(side.sentence);
    }
    at += pair === undefined ? 1 : 2;
  }
  const asksMore = [...left].some(({ words }) => words.includes("`") && order.test(words));
  return asksMore || sentences.some(({ words }) => taken.test(words)) ? [] : told;
}

/** All that is quoted, in its order, without names and what comes again; and the sentences that quote anything. */
function readQuotations(
  lines: readonly QuotingLine[],
  blocks: readonly CodeBlock[],
  file: string,
): { quotations: Quotation[]; sentences: Sentence[] } {
  const isOld = (code: string): boolean => holds(file, squeeze(code));
  const sentences: Sentence[] = [];
  const all: Quotation[] = blocks.map((block) => {
    const { code, line } = block;
    const end = line + 1 + linesOf(code).length;
    return { code, isOld: isOld(code), line, end, between: block.above, block };
  });
  for (const { text, line, isCode } of lines) {
    const last = all.at(-1);
    if (isCode && last?.sentence === undefined && last?.end === line - 1) {
      last.code += `${text}\n`;
      [last.end, last.isOld] = [line, isOld(last.code)];
    } else if (isCode)
      all.push({ code: `${text}\n`, isOld: isOld(text), line, end: line, between: "" });
    else
      for (const sentence of readSentences(text)) {
        sentences.push(sentence);
        for (const { code, between } of sentence.quoted)
          all.push({ code, isOld: isOld(code), line, end: line, sentence, between });
      }
  }
  const sorted = all.toSorted((a, b) => a.line - b.line);
  const isAgain = ({ code }: Quotation, nth: number): boolean =>
    squeeze(code) === squeeze(sorted[nth + 1]?.code ?? "");
  return { quotations: sorted.filter((one, nth) => !isAgain(one, nth)), sentences };
}

/** The sentences of a line. */
function readSentences(text: string): Sentence[] {
  const found: Sentence[] = [];
  let [words, between] = ["", ""];
  let quoted: { code: string; between: string }[] = [];
  let path: string | undefined;
  const end = (): void => {
    if (words.trim() !== "") found.push({ words: words.trim(), path, quoted });
    [words, between, quoted, path] = ["", "", [], undefined];
  };
  for (const part of text.split(/(`[^`]+`)/)) {
    const code = /^`([^`]+)`$/.exec(part)?.[1]?.trim();
    for (const [nth, piece] of code === undefined ? part.split(sentenceEnd).entries() : []) {
      if (nth > 0) end();
      words += piece;
      between += piece;
    }
    if (code === undefined) continue;
    path ??= pathOfLine(code);
    words += "`";
    if (pathOfLine(code) !== undefined || isName(code)) {
      between += "`";
      continue;
    }
    quoted.push({ code, between });
    between = "";
  }
  end();
  return found;
}

const sentenceEnd = /(?<=[.!?])\s+|(?<=[。！？])/;

/** What may be meant wherever it is used. */
function isName(code: string): boolean {
  return /^[\w.$-]*(?:\((?:\w*:)*\))?$/.test(code);
}

/** Undefined where the two are no sides of a change; `unclear` where they may be, and may not. */
function toChange(
  one: Quotation,
  next: Quotation,
  file: string,
): ToldChange | "unclear" | undefined {
  const isBeside = one.sentence === next.sentence && one.sentence !== undefined;
  const isNear =
    (one.sentence === undefined || next.sentence === undefined) && next.line - one.end <= maxGap;
  if (one.isOld === next.isOld || !(isBeside || isNear)) return undefined;
  const [old, now] = one.isOld ? [one, next] : [next, one];
  // Several lines may show what is around the one that the text quotes.
  const isOpen = old.sentence !== undefined && squeeze(now.code).includes("\n");
  if (isOpen || likeness(old.code, now.code) < leastAlike || showsOther(old.code, now.code, file))
    return undefined;
  if (beside.test(next.between)) return undefined;
  const sentences = [one, next].flatMap(({ sentence }) => sentence ?? []);
  const isTurned = instead.test(next.between.trimEnd());
  // What says something of the code before a colon, or in another cell of a table, tells why.
  const colon = Math.max(one.between.lastIndexOf(":"), one.between.lastIndexOf("："));
  const isReason = one.between.slice(0, Math.max(0, colon)).includes("`");
  const why = one.between.slice(
    0,
    Math.max(isReason ? colon : -1, one.between.lastIndexOf("|")) + 1,
  );
  const isDoubtful =
    sentences.some(({ words }) => hedge.test(words.replace(why, ""))) ||
    negation.test(
      one.between
        .slice(why.length)
        .split(/[,，;；]/)
        .at(-1) ?? "",
    ) ||
    (one.isOld ? isTurned || negation.test(next.between) : isBeside && !isTurned);
  if (isDoubtful) return "unclear";
  const blocks = [one, next].flatMap(({ block }) => block ?? []);
  const line = blocks[0] === undefined ? one.line : blocks[0].line + 1;
  const filePath = sentences.find(({ path }) => path !== undefined)?.path;
  return { ...sidesOf(old, now), line, filePath, blocks };
}

/** What is quoted goes. */
const removing =
  /(?:\b(?:remove|delete|drop)|删除|删掉|移除|去掉)(?:\s+(?:the|this|that|unused|whole|line|import|statement|call))*[\s未使用的这一整行]*$/i;

/** A whole line that a sentence orders to remove, and that the file has once. */
function toDeletion(
  { code, between, line, isOld, sentence }: Quotation,
  file: string,
): ToldChange | undefined {
  const isOrder = sentence?.quoted.length === 1 && removing.test(between.trimEnd());
  if (!isOld || !isOrder || hedge.test(sentence.words) || negation.test(between)) return undefined;
  const places = file.split("\n").filter((own) => own === squeeze(code));
  if (places.length !== 1) return undefined;
  return { search: code.trim(), replace: "", line, filePath: sentence.path, blocks: [] };
}

/** The new side is not the old one anew: it opens or declares something else, or has lines that the file has elsewhere. */
function showsOther(old: string, now: string, file: string): boolean {
  const [was, lines] = [squeeze(old).split("\n"), squeeze(now).split("\n")];
  const names = new Set(lines.map((line) => declaredName(line)));
  const isGone = was.flatMap((line) => declaredName(line) ?? []).some((name) => !names.has(name));
  const more = lines.filter((line) => line.length > 3 && !was.includes(line));
  const isMore = lines.length > 1 && more.some((line) => holds(file, line));
  return isGone || isMore || !hasSameBrackets(was, lines);
}

/** One line may be a part of a line; beside a block of several it is one as they are. */
function sidesOf(old: Quotation, now: Quotation): { search: string; replace: string } {
  const [first = "", ...more] = linesOf(old.code).filter(isSolid);
  const isLine = more.length === 0 && linesOf(now.code).filter(isSolid).length === 1;
  const indent = indentOf(old.sentence === undefined ? first : (linesOf(now.code)[0] ?? ""));
  const toSide = ({ code, sentence }: Quotation): string =>
    isLine ? code.trim() : sentence === undefined ? code : `${indent}${code}\n`;
  return { search: toSide(old), replace: toSide(now) };
}

/** Lines without what is around them, each space one. */
function squeeze(text: string): string {
  return linesOf(text)
    .filter(isSolid)
    .map((line) => line.trim().replaceAll(/\s+/g, " "))
    .join("\n");
}

/** Whether a text holds some code, and not only a part of a word. */
function holds(text: string, code: string): boolean {
  const isWord = (sign: string | undefined): boolean => /[\p{L}\p{N}_$]/u.test(sign ?? "");
  if (code === "") return false;
  for (let at = text.indexOf(code); at !== -1; at = text.indexOf(code, at + 1)) {
    const isCut = isWord(text[at - 1]) && isWord(code[0]);
    if (!isCut && !(isWord(code.at(-1)) && isWord(text[at + code.length]))) return true;
  }
  return false;
}

/** The share of words that two texts have in common (Dice). */
function likeness(one: string, other: string): number {
  const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const [words, left] = [wordsIn(one), wordsIn(other)];
  const all = words.length + left.length;
  const shared = words.filter((word) => {
    const at = left.indexOf(word);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
  return (2 * shared.length) / (all || 1);
}
