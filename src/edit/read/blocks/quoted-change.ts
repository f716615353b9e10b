// Changes in words: "Replace `a < b` with `a <= b`.", and "Change `a < b` to:" above a block of one line.
import { advance } from "../../../base/text/progress.ts";
import { pathOfLine } from "../dress/path-in-text.ts";
import type { FileEdit } from "../file-edit.ts";

/** A line of text that quotes code. */
export interface QuotingLine {
  text: string;
  /** In the answer, 1-based. */
  line: number;
}

/** Of an answer with more such lines none is read. */
export const maxQuoting = 100;
const maxText = 1_000;

export function quotesCode(text: string): boolean {
  return text.length < maxText && /`[^`]+`/.test(text);
}

/** These stand for the first, second, ... code that a line quotes. */
const firstSign = 0xe000;
const anySign = /[\uE000-\uF8FF]/;
const beginning =
  /^(?:[-+*•>#\s]|\d{1,2}[.)、]|(?:step|fix|change) \d{1,2}[:.)：]|\*\*|__|then\b|also\b|and\b|now\b|please\b|simply\b|just\b|so\b|solution:|fix:|(?:on|in|at) (?:the )?(?:file |function |method )?(?:lines? \d+|(?<place>[\uE000-\uF8FF]))[,:，：]|请|然后|再|只需|需要|应该|应|在?第 ?\d+ ?行[，,]?)\s*/i;
const orders = [
  /^(?:replace|change|update|modify|rewrite|correct|fix) (?:the |this |your )?(?:[a-z]+:? ){0,3}?(?<old>[\uE000-\uF8FF]),? (?:[a-z0-9]+ ){0,3}?(?:with|to|to be|by|into)(?: (?:the|this))?(?: [a-z]+){0,2}?[\s:：]*(?<new>[\uE000-\uF8FF])(?<rest>.*)$/i,
  /^(?:the (?:[a-z]+ ){0,3})?(?<old>[\uE000-\uF8FF]) (?:should|must|needs to) (?:be|become|read)(?: changed to| replaced (?:with|by))?:? (?<new>[\uE000-\uF8FF])(?<rest>.*)$/i,
  /^(?:把|将)[^\uE000-\uF8FF]{0,12}?(?<old>[\uE000-\uF8FF])[^\uE000-\uF8FF不]{0,6}?(?:改为|改成|替换为|替换成|换成|换为|修改为|修改成|改写为|变为)[\s:：]*(?<new>[\uE000-\uF8FF])(?<rest>.*)$/,
  /^(?<old>[\uE000-\uF8FF])\s*(?:应该?|需要|必须)(?:是|为|改为|改成|写成|替换为)[\s:：]*(?<new>[\uE000-\uF8FF])(?<rest>.*)$/,
];
const order =
  /^(?:replace|change|update|modify|rewrite|correct|fix|rename|remove|delete|add|insert|move|swap|wrap|use|把|将|删除|添加|增加|使用|改用)|\b(?:should|must|needs to) (?:be|become|read)\b|应该?(?:是|为|改)/i;
/** Where, why or what for, before the order. */
const clause = /^[^:：,，]{1,100}[:：,，]\s*(?=.)/;
const negation =
  /\b(?:not|never|avoid|wrong|incorrect|bad|instead|without|no|don['’]t)\b|不要|不应|不能|勿|别|错误|反例/i;
/** The change is left to the person, or is wanted in more than one place. */
const hedge =
  /\b(?:if|when(?:ever)?|unless|or|optional(?:ly)?|alternative(?:ly)?|could|might|may|perhaps|maybe|would|breaks?|fails?|consider|try|suppose|imagine|option|examples?|mistakes?|common(?:ly)?|people|everywhere|every|each|all|both|other)\b|如果|若|或|可选|也可以|考虑|所有|每|全部|处处|会|失败|出错|报错|试试|尝试|比如|例如|假如|假设|常见|方案/i;
/** What came before it was no advice. */
const taken =
  /^(?:but |however,? )?(?:that|this|it|doing (?:so|that))\b.*\b(?:would|wrong|breaks?|fails?|mistake|bad)\b|^(?:但是?)?(?:这样|那样|这么做).*(?:会|错|不)/i;
/** What may come behind the new code: where, why, or nothing. */
const ending =
  /^\s*(?:$|[.!。！,，;；(（]|(?:in|on|at|so|because|since|to|for|as|instead|here|which)\b|即可|就|来|以|吧)/i;

/**
 * The changes that the lines of an answer tell in words.
 *
 * @returns nothing if one of their sentences asks for a change that is not clear
 */
export function readQuotedChanges(lines: readonly QuotingLine[]): FileEdit[] {
  if (lines.length > maxQuoting) return [];
  const edits: FileEdit[] = [];
  for (const { text, line } of lines) {
    for (const sentence of sentencesOf(text)) {
      const change = match(sentence, orders);
      if (change !== undefined) edits.push(toEdit(change, line, sentence.path));
      else if (order.test(sentence.words) && anySign.test(sentence.words)) return [];
      else if (taken.test(sentence.words)) return [];
    }
  }
  return edits;
}

function toEdit(change: Change, line: number, filePath: string | undefined): FileEdit {
  return { filePath, form: "before-after", units: [{ ...change, line, strict: false }] };
}

/**
 * The change that the lines around a block of code tell of it: "Change `a < b` to:", or "Replace" above and
 * "with `a <= b`." below.
 */
export function toldChange(above: string, code: string, below = ""): Change | undefined {
  if (!quotesCode(above) && !quotesCode(below)) return undefined;
  const sentences = sentencesOf(`${above} \`\` ${below}`, code);
  return sentences
    .map((sentence) => match(sentence, orders))
    .find((change) => change !== undefined);
}

export interface Change {
  search: string;
  replace: string;
}

interface Sentence {
  /** With signs in place of quoted code. */
  whole: string;
  /** From the order on. */
  words: string;
  codes: readonly string[];
  /** The file that the sentence names for its change. */
  path: string | undefined;
}

/** @param block stands where the text quotes nothing */
function sentencesOf(text: string, block = ""): Sentence[] {
  const codes: string[] = [];
  const words = text.replaceAll(/`([^`]+)`|``/g, (_, code: string | undefined) => {
    codes.push(code?.trim() ?? block);
    return String.fromCharCode(firstSign + codes.length - 1);
  });
  return words.split(/(?<=[.!?])\s+|(?<=[。！？])/).map((part) => toSentence(part, codes));
}

function toSentence(part: string, codes: readonly string[]): Sentence {
  const whole = part.replaceAll(/\*\*|__/g, "").trim();
  let words = whole;
  let path: string | undefined;
  const step = (): boolean => {
    const found = findLead(words);
    const place = codeOf(found?.groups?.["place"], codes);
    path = pathOfLine(place) ?? path;
    words = words.slice(found?.[0].length ?? 0);
    return found !== undefined;
  };
  advance(() => -words.length, step);
  return { whole, words, codes, path };
}

/** What comes before the order itself. */
function findLead(words: string): RegExpExecArray | undefined {
  const found = beginning.exec(words);
  if (found !== null) return found;
  const before = clause.exec(words);
  const isOrder = before !== null && (order.test(before[0]) || negation.test(before[0]));
  return isOrder ? undefined : (before ?? undefined);
}

function codeOf(sign: string | undefined, codes: readonly string[]): string {
  return sign === undefined ? "" : (codes[sign.charCodeAt(0) - firstSign] ?? "");
}

function match({ whole, words, codes }: Sentence, patterns: readonly RegExp[]): Change | undefined {
  for (const pattern of patterns) {
    const { old, new: now, rest = "" } = pattern.exec(words)?.groups ?? {};
    if (old === undefined) continue;
    const [search, replace] = [codeOf(old, codes), codeOf(now, codes)];
    const isClear =
      !hedge.test(whole) && !anySign.test(rest) && ending.test(rest) && isCode(search);
    return isClear && search.trim() !== replace.trim() ? { search, replace } : undefined;
  }
  return undefined;
}

/** More than a name, which may be meant wherever it is used. */
function isCode(text: string): boolean {
  return !/^[\w.$-]*(?:\(\))?$/.test(text);
}
