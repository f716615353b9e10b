// Lines of a file that words mean, with a name or without: "the `with` block in `set`", "its last line", "函数体开头".
import {
  columnsOf,
  indented,
  indentOf,
  isSolid,
  joinLines,
  linesOf,
  solidPart,
} from "../../../base/text/lines.ts";
import type { CodeAnalysis } from "../../../code/code-analysis.ts";
import {
  declaredName,
  docstringEnd,
  headlinesAbove,
  isAfterGap,
  isComment,
  isImport,
  isDocstring,
  isCloser,
  hasSameBrackets,
  isEven,
  isHeadline,
  leastColumn,
  likenessOfWords,
  nameSetBy,
  solidLinesIn,
  type SourceLines,
  sourceLines,
  unitEnd,
  wordsOf,
} from "../../../edit/align/source-lines.ts";
import { keywordOf } from "../../../edit/align/align-units.ts";
import { hasWords, importedNames } from "../../../edit/align/line-version.ts";
import { firstWord } from "../../../edit/align/place-statements.ts";
import { isOnlyDocs } from "../../../edit/align/place-docs.ts";
import type { LineRange } from "../../../edit/edit-unit.ts";
import {
  asksToReplace,
  namesSeveral,
  ordersIn,
  sentenceEnd,
} from "../../../edit/read/blocks/told-words.ts";
import { leavesOut } from "../../../edit/placeholder.ts";
import { announcesMore, leadsToCode } from "./block-words.ts";
import { hasWord, rangesNamed } from "./named-lines.ts";
import { addBesideShown, asOrder, isMember, isNewCode, startsWith } from "./told-place.ts";

/** Solid lines [from, to). */
interface Region {
  from: number;
  to: number;
}

/** What words name, and how they speak of it. */
interface Thing {
  quoted: string | undefined;
  /** A word of code, or for what code is made of. */
  word: string | undefined;
  /** What is in it is meant, without its head and its end. */
  isBody: boolean;
  /** Where it is called. */
  isCall: boolean;
  /** All of a block, whose head is quoted. */
  isBlock: boolean;
  /** A line by its number, 1-based. */
  line: number | undefined;
  nth: "first" | "last" | undefined;
  relation: Relation | undefined;
}

/** What comes there; `in` where it only says what something else is in, `until` where it ends what begins before. */
type Relation = "before" | "after" | "start" | "end" | "replace" | "in" | "from" | "until";

const english =
  /(?:\b(?:the|its|this|that|your|whole|entire|existing|current|old|only) )*(?:\blines? (?:(?:that|which|where|with)(?: [a-z]+){0,2} )?(?=`))?(?:\b(?<nth>first|last) )?(?:\b(?<lead>body|contents?|call)(?: of| to)? (?:the )?)?(?:`(?<quoted>[^`]+)`(?: (?:\w+ )?(?<kind>loop|block|body|call|callback|function|method)\b)?|\b(?<word>(?!before|after|above|below|behind|under)[a-z]+) (?:loop|block|statement|clause|branch|check|line|expression)\b(?<inner> body\b)?|\blines? (?<at>\d{1,6})\b|\b(?<piece>(?:function |method |loop )?body|loop(?! (?:head|header|condition|variable|counter|index)\b)|return|line)\b)/gi;
const chinese =
  /(?<nth>最后(?:的|一个)?|第一个?)?\s?(?:`(?<quoted>[^`]+)`|第 ?(?<at>\d{1,6}) ?行(?:代码)?|(?<piece>函数体|方法体|循环(?:体|(?!头|条件|变量))|返回语句|(?<=最后|第)[一]?行))\s?(?<kind>循环体?|语句块?|代码块|块|分支|回调函数|回调|调用|方法|函数|目标|规则|段落?|定义|检查|判断|赋值|视图)?(?:的?(?<inner>函数体|方法体|主体|全部内容))?/g;

const edge =
  /\b(?:(?<start>start|beginning|top)|(?<end>end|bottom)) of(?: the)?$|\b(?:(?<first>first)|(?<last>last)) (?:statement|line|thing|step|check) (?:of|in|inside)(?: the)?$/i;
const replaced =
  /^ (?:(?:can|should|must|needs? to) (?:simply |just )?)?(?:be|is|are) (?:replaced|rewritten|simplified)\b|^ (?:now |then )?becomes:/i;
const [above, below] = [
  /^(?:before|above)$/i,
  /^(?:after|below|behind|under|underneath|following|between)$/i,
];
/** Between a place and what is named are words that begin nothing else. */
const beginsMore =
  /^(?:and|in|from|with|by|when|that|which|it|you|is|are|we|so|(?!closing|opening|existing)\w+ing)$|[^\w*]/i;
const maxBetween = 5;
/** What is said right before a thing, and what comes of it. */
const leads: readonly (readonly [RegExp, Relation])[] = [
  [
    /\b(?:replac(?:es?|ing)|change|rewrite|turn|wrap|swap|merge|update)(?: the)?(?: imports? (?:of|for))?(?: the)?$/i,
    "replace",
  ],
  [/\b(?:lines?|statements?|calls?|everything|block|code|part) from(?: the)?$/i, "from"],
  [/\b(?:in|of|inside|within|from)(?: the)?$/i, "in"],
];
/** What is said right behind it in Chinese. */
const tails: readonly (readonly [RegExp, Relation])[] = [
  [/^\s?的?(?:开头|开始|起始|顶部|最(?:开头|开始|前面))/, "start"],
  [/^\s?的?(?:末尾|结尾|尾部|底部|最(?:末尾|后面?))/, "end"],
];
const sideZh =
  /^\s?(?:(?!的(?!定义|声明|赋值|调用|实现|[那这上下前后])|[里中内改换替为成]|[当目]前|然后|最后|以后)\p{Script=Han}){0,6}?(?:(?<before>之前|前面?|上[面方])|之[后间]|后面?|下[面方])/u;
const inZh = /^\s?(?:里面?|中|内部?|的)/;

/** Its end or start, as a place. */
const ofFile =
  /\b(?:end|bottom|top|start|beginning) of (?:the |this |your )?file\b|文件(?:的)?(?:末尾|最后|结尾|底部|开头|顶部)/i;

const atEnd = /\b(?:end|bottom) of (?:the |this |your )?file\b|文件的?(?:末尾|最后|结尾|底部)/i;
const adding = /\b(?:add|insert|put|place|append)\b|加|增|插入|放|补|声明/i;
const aShebang = /\b(?:the )?shebang(?: line)?\b(?! ?`)|shebang ?行?/i;

/** In characters: a longer text tells no place. */
const maxTold = 1_000;

/** What an answer says around code: right above it, behind it, and before, since the code before. */
export interface Words {
  above: string;
  tail?: string | undefined;
  lead?: string | undefined;
}

/**
 * The text with the code where the words of a sentence tell: at an edge of what they name, beside it, or in place of it;
 * undefined where they tell no such place, or more than one.
 *
 * @param within the lines that are meant
 */
export function placeInRegion(
  text: string,
  code: string,
  { above, tail = "", lead = "" }: Words,
  analysis: CodeAnalysis,
  within: LineRange | undefined,
): string | LineRange[] | undefined {
  const sentences = [lead, above, tail].flatMap((one) => one.slice(-maxTold).split(sentenceEnd));
  const [orders = [], behind = []] = [above, tail].map((words) =>
    ordersIn(asOrder(words).replace(aShebang, "`#!`")).map((one) => ({
      one,
      things: thingsIn(one),
    })),
  );
  // Besides, a place may be a time.
  const all = orders.filter(
    (one) =>
      hasPlace(one) &&
      (one === orders.at(-1) || adding.test(one.one) || !one.things.some(isBeside)),
  );
  // What leads to the code tells its place.
  const isLead = leadsToCode(above) || adding.test(orders.at(-1)?.one ?? "");
  const placing = all.at(-1) === orders.at(-1) && isLead ? all.slice(-1) : all;
  // What is said behind code tells no more than that it is a body.
  const replacing = behind.filter(({ things }) =>
    things.some((one) => one.isBody && one.relation === "replace"),
  );
  const [order, ...others] =
    [placing, replacing, orders.slice(-1)].find(({ length }) => length > 0) ?? [];
  if (order === undefined || others.length > 0) return undefined;
  const source = sourceLines(linesOf(text));
  const own = sourceLines(solidPart(linesOf(code)));
  const isPart = leavesOut(code, (line) => source.all.includes(line));
  if (own.texts.length === 0 || isPart) return undefined;
  const isEdge = order.things.some(({ relation }) => relation === "start" || relation === "end");
  const isAdded = adding.test(order.one) || ofFile.test(order.one) || order.things.some(isBeside);
  const beside = order.things.filter(isBeside).flatMap(({ quoted = [] }) => quoted);
  // A string that documents comes below a head.
  const isDocs = isDocstring(own.texts[0] ?? "");
  const shown =
    isEdge || isDocs || !isAdded ? undefined : addBesideShown(text, code, beside, within);
  if (shown !== undefined) return shown;
  if (ofFile.test(above) && beside.length === 0) {
    const isAtEnd = atEnd.test(order.one) && !asksToReplace(order.one);
    const isNew = isNewCode(own.all, source.all) && !source.all.includes(own.all[0] ?? "");
    return isAtEnd && isNew && !isDocs
      ? joinLines(source.all.toSpliced(source.all.findLastIndex(isSolid) + 1, 0, "", ...own.all))
      : undefined;
  }
  if (!order.things.some(isPlaced)) return undefined;
  const reader = new RegionReader(source, analysis);
  const told = sentences.filter((one) => one !== order.one);
  const scope = reader.scopeOf(order.things, told.flatMap(thingsIn), within);
  if (scope === undefined) return undefined;
  // What is told of before may be something else.
  const wide = reader.scopeOf(order.things, [], undefined) ?? scope;
  const places = order.things.filter((thing) => isPlaced(thing) && thing.relation !== "in");
  const [first, second] = places;
  if (first === undefined)
    return addToEmpty(source, own, scope, reader) ?? setAgain(source, own, scope);
  if (first.relation === "replace" || first.relation === "from") {
    const isSpan = first.relation === "from" && second?.relation === "until";
    const isRow = places.every(({ relation }) => relation === "replace");
    const regions = places
      .map(
        (thing) => reader.regionOf(thing, scope) ?? reader.regionOf(thing, within ? scope : wide),
      )
      .toSorted((one, other) => (one?.from ?? 0) - (other?.from ?? 0));
    const [start, end] = [regions[0], regions.at(-1)];
    if (start === undefined || end === undefined || regions.includes(undefined)) return undefined;
    const isOne =
      isRow && regions.every((one, nth) => nth === 0 || one?.from === regions[nth - 1]?.to);
    const region = { from: start.from, to: end.to };
    if (isSpan ? places.length > 2 : !isOne) return undefined;
    const isMany = isRow && places.length > 1;
    return isMany && isUsedElsewhere(source, own, region)
      ? undefined
      : replaceRegion(source, own, region, scope);
  }
  if (isDocs || !isNewCode(own.all, source.all, announcesMore(above) || adding.test(order.one)))
    return undefined;
  const isAlone = places.length === 1;
  const gapsIn = (lines: Region): { gaps: Gap[]; also: Gap[][] } => {
    const [all = [], ...also] = places.map((thing) => reader.gapsOf(thing, lines, isAlone, own));
    const isAlso = ({ at }: Gap): boolean =>
      also.every((more) => more.some((one) => one.at === at));
    const gaps = all.filter(isAlso);
    return {
      gaps: gaps.filter(({ at }, nth) => gaps.findIndex((one) => one.at === at) === nth),
      also,
    };
  };
  const scopes = [...reader.named(order.things.filter((thing) => !isPlaced(thing))), scope, wide];
  const { gaps = [], also = [] } = scopes.map(gapsIn).find((one) => one.gaps.length > 0) ?? {};
  const [gap, ...twins] = gaps;
  if (gap === undefined) return undefined;
  if (twins.length > 0)
    return gaps.map(({ like }) => {
      const line = (source.numbers[like] ?? 0) + 1;
      return { startLine: line, endLine: line };
    });
  // Code that has a line of those around shows where it is by itself.
  const reach = beside.length > 0 ? 0 : own.texts.length;
  const around = source.texts.slice(Math.max(0, gap.at - 1 - reach), gap.at + 1 + reach);
  const isShown = (line: string): boolean =>
    /\w{2}/.test(line) && !isCloser(line) && !isHeadline(line) && around.includes(line);
  if (own.texts.some(isShown)) return undefined;
  const columnOf = ({ like }: Gap): number => source.columns[like] ?? Infinity;
  const same = [gap, ...also.flatMap((more) => more.filter(({ at }) => at === gap.at))];
  const [outer = gap] = same.toSorted((one, other) => columnOf(one) - columnOf(other));
  const shownLines = /\b(?:blank|empty) line\b|空行/i.test(order.one)
    ? [...linesOf(code), ""]
    : linesOf(code);
  const isStart = same.some((one) => one.isStart);
  return insertAt(source, shownLines, { ...outer, isStart }, !isAlone);
}

/** A name that the region sets, and the code does not have, is in other lines. */
function isUsedElsewhere({ texts }: SourceLines, own: SourceLines, { from, to }: Region): boolean {
  const rest = texts.toSpliced(from, to - from);
  return texts.slice(from, to).some((line) => {
    const name = nameSetBy(line);
    return (
      name !== undefined &&
      !own.texts.some((one) => hasWord(one, name)) &&
      rest.some((one) => hasWord(one, name))
    );
  });
}

const isBeside = ({ relation }: Thing): boolean => relation === "before" || relation === "after";

const isPlaced = ({ relation }: Thing): boolean => relation !== undefined;

function hasPlace({ things }: { things: readonly Thing[] }): boolean {
  return things.some((thing) => isPlaced(thing) && thing.relation !== "in");
}

/** What a sentence names, in its order. */
function thingsIn(sentence: string): Thing[] {
  const isChinese = /\p{Script=Han}/u.test(sentence.replaceAll(/`[^`]*`/g, ""));
  const found = [...sentence.matchAll(isChinese ? chinese : english)].filter(({ groups }) =>
    keyword.test(groups?.["word"] ?? "if"),
  );
  const things: Thing[] = [];
  let end = 0;
  for (const [nth, match] of found.entries()) {
    const lead = sentence.slice(end, match.index).trim();
    end = match.index + match[0].length;
    const behind = isChinese ? sentence.slice(end).replace(/^(?: ?[和与、及] ?`[^`]+`)+/, "") : "";
    const rest = behind || sentence.slice(end, found[nth + 1]?.index);
    const {
      quoted,
      word,
      piece = "",
      kind = "",
      lead: of = "",
      inner = "",
      at,
    } = match.groups ?? {};
    const named = [piece, kind, of, inner].join(" ");
    const last = things.findLast(isPlaced)?.relation;
    const isSecond =
      last === "after" && /^[^\p{L},，、]*(?:and|[,，、和与])(?: the)?$/iu.test(lead);
    // "Body of `find`:"
    const isBare = of !== "" && nth === 0 && !/\w/.test(lead);
    // "Replace `a` and `b` with"
    const isMore = last === "replace" && /^(?:,|(?:, ?)?and)(?: the)?$/i.test(lead);
    const isEnd = last === "from" && /(?:^(?:to|through|until)(?: the)?|到)$/i.test(lead);
    const isBody = /\bbody\b|contents?|体|主体|内容/i.test(named);
    things.push({
      quoted,
      word: word?.toLowerCase() ?? wordOf(piece),
      isBody,
      isCall: /\bcall\b|调用/i.test(named),
      isBlock: /block|块/i.test(kind),
      line: at === undefined ? undefined : Number(at),
      nth: nthOf(match.groups?.["nth"] ?? ""),
      relation: isEnd
        ? "until"
        : isSecond && /\bbetween\b|之间/.test(sentence)
          ? "before"
          : isMore || (isBare && /^\W*$/.test(rest))
            ? "replace"
            : isChinese
              ? relationZh(sentence.slice(0, match.index).trim(), rest, isBody)
              : relationOf(lead, rest),
    });
  }
  // A line by its number is a place, and nothing else here.
  return things.filter((thing) => thing.line === undefined || isBeside(thing));
}

function nthOf(word: string): Thing["nth"] {
  return /first|第一/i.test(word) ? "first" : /last|最后/i.test(word) ? "last" : undefined;
}

function wordOf(piece: string): string | undefined {
  if (/^(?:loop|循环)/i.test(piece)) return "loop";
  if (/return|返回/i.test(piece)) return "return";
  return /line|行/i.test(piece) ? "line" : undefined;
}

function relationOf(lead: string, rest: string): Relation | undefined {
  const { start, end, first, last } = edge.exec(lead)?.groups ?? {};
  if (start !== undefined || first !== undefined) return "start";
  if (end !== undefined || last !== undefined) return "end";
  for (const said of lead
    .split(" ")
    .slice(-maxBetween - 1)
    .toReversed()) {
    const word = said.replace(/^\W+/, "");
    if (above.test(word)) return "before";
    if (below.test(word)) return "after";
    if (beginsMore.test(word)) break;
  }
  return (
    leads.find(([words]) => words.test(lead))?.[1] ?? (replaced.test(rest) ? "replace" : undefined)
  );
}

function relationZh(lead: string, rest: string, isBody: boolean): Relation | undefined {
  const isReplaced =
    (isBody || /[将把][^，。；]{0,40}$/.test(lead)) &&
    /^[^，。；]{0,12}(?:替换|[改换并写][成为])/.test(rest);
  if (lead.endsWith("从") && rest.includes("到")) return "from";
  const side = sideZh.exec(rest)?.groups;
  const besides = side && (side["before"] === undefined ? "after" : "before");
  const relation =
    tails.find(([words]) => words.test(rest))?.[1] ??
    besides ??
    (inZh.test(rest) ? "in" : undefined);
  // What is set by a name is of that name.
  const isOf = relation === "in" && /^\s?的(?!代码|实现|内部)/.test(rest);
  return isReplaced && (isOf || relation === undefined) ? "replace" : relation;
}

const keyword =
  /^(?:foreach|for|while|with|try|catch|except|rescue|finally|if|else|switch|match|return|do|guard|case|using|throw|raise|yield)$/i;
const loops = /^(?:for|foreach|while|until|loop|repeat|do)\b/i;

/** Finds what is told in a text. */
class RegionReader {
  readonly #source: SourceLines;
  readonly #analysis: CodeAnalysis;

  constructor(source: SourceLines, analysis: CodeAnalysis) {
    this.#source = source;
    this.#analysis = analysis;
  }

  /** What an order says that all of it is in, within what is selected, or the one thing that is told of before. */
  scopeOf(
    things: readonly Thing[],
    told: readonly Thing[],
    within: LineRange | undefined,
  ): Region | undefined {
    const all = this.#all();
    const around = this.named(told.filter(({ relation }) => relation === "in"));
    const [only = all, ...more] = around.length === 1 ? around : this.named(told);
    const meant = within === undefined ? only : solidLinesIn(within, this.#source);
    let scope = within === undefined && more.length > 0 ? all : meant;
    for (const thing of things.filter(({ relation }) => relation === "in")) {
      const region = this.regionOf(thing, scope) ?? this.regionOf(thing, all);
      if (region === undefined) return undefined;
      scope = region;
    }
    return scope;
  }

  #all(): Region {
    return { from: 0, to: this.#source.texts.length };
  }

  /** What some things name, by their names alone. */
  named(some: readonly Thing[]): Region[] {
    const names = new Set(some.flatMap(({ quoted = "" }) => (aName.test(quoted) ? quoted : [])));
    const found = [...names].slice(-maxNames).flatMap((name) => this.#named(name, this.#all()));
    return found.filter(({ from }, nth) => found.findIndex((one) => one.from === from) === nth);
  }

  /** The one place among the lines of the scope that a thing may be. */
  regionOf(thing: Thing, scope: Region): Region | undefined {
    const [only, ...more] = this.#regionsOf(thing, scope, true);
    return more.length === 0 ? only : undefined;
  }

  /** Where something may come in beside a thing, or in it. */
  gapsOf(thing: Thing, scope: Region, isAlone: boolean, own: SourceLines): Gap[] {
    return this.#regionsOf(thing, scope, isAlone).flatMap((region): Gap | [] => {
      const { from, to } = region;
      const top = headlinesAbove(this.#source, from);
      const head = this.#source.texts[from] ?? "";
      const isUnit =
        to > from + 1 &&
        head !== thing.quoted &&
        (declaredName(head) !== undefined || keywordOf(head) !== "");
      const isLoose = isAfterGap(this.#source, top) || (isUnit && isAfterGap(this.#source, to));
      if (thing.relation === "after" && this.#isHead(thing, region, own)) {
        const at = this.bodyOf(region)?.from ?? from + 1;
        return { at, like: from + 1, isAbove: true, isLoose: false };
      }
      if (thing.relation === "before")
        return { at: top, like: from, isAbove: true, isLoose, isUnit };
      if (thing.relation === "after")
        return { at: to, like: from, isAbove: false, isLoose, isUnit };
      const body = thing.isBody ? region : this.bodyOf(region);
      if (body === undefined) return [];
      const isAbove = thing.relation === "start";
      const like = body.from < body.to ? body.from : -1;
      const end = Math.min(unitEnd(this.#source, body.from), body.to);
      const areLoose = end < body.to ? isAfterGap(this.#source, end) : end > body.from + 1;
      const at = isAbove ? body.from : body.to;
      return { at, like, isAbove, isLoose: areLoose, isStart: isAbove };
    });
  }

  /** What is below the head of a block that is quoted comes into it, unless it is another one of its kind, or as deep. */
  #isHead({ quoted = "", isBlock, line }: Thing, { from }: Region, own: SourceLines): boolean {
    const { texts, columns } = this.#source;
    const head = texts[from] ?? "";
    const isQuoted = !isBlock && /[\s:{>]/.test(quoted) && startsWith(head, quoted.trim());
    const isLine = isQuoted || line !== undefined;
    const [kind, now] = [head, own.texts.find((one) => !isHeadline(one)) ?? ""].map(kindOf);
    const least = leastColumn(own);
    const isOther = (kind === "" || kind !== now) && !(least > 0 && least === columns[from]);
    return isLine && isOther && (columns[from + 1] ?? 0) > (columns[from] ?? 0);
  }

  #regionsOf(thing: Thing, scope: Region, isAlone: boolean): Region[] {
    const found = this.#find(thing, scope, isAlone);
    const all =
      thing.nth === undefined ? found : found.slice(...(thing.nth === "first" ? [0, 1] : [-1]));
    return thing.isBody ? all.flatMap((one) => this.bodyOf(one) ?? []) : all;
  }

  #named(quoted: string, scope: Region): Region[] {
    return (
      rangesNamed([quoted], this.#analysis)
        .flat()
        .map((range) => solidLinesIn(range, this.#source))
        // Without a grammar a head may be all that is known.
        .map(({ from, to }) => ({ from, to: to - from > 1 ? to : unitEnd(this.#source, from) }))
        .filter(({ from, to }) => from >= scope.from && to <= scope.to)
    );
  }

  /** @param isAlone nothing else tells which of several is meant */
  #find(thing: Thing, scope: Region, isAlone: boolean): Region[] {
    const { quoted, word, isBody, isCall, nth, line: number } = thing;
    if (number !== undefined) {
      const at = this.#source.numbers.indexOf(number - 1);
      return at === -1 ? [] : [{ from: at, to: at + 1 }];
    }
    if (word === "line") return this.#lineOf(scope, nth);
    if (quoted === undefined && word === undefined) return isBody ? [scope] : [];
    if (quoted === undefined || keyword.test(quoted)) {
      const kind = quoted ?? word ?? "";
      const found = this.#where(scope, (line) =>
        kind === "loop" ? loops.test(line) : beginsWith(line, kind),
      );
      const columnOf = ({ from }: Region): number => this.#source.columns[from] ?? 0;
      const least = Math.min(...found.map(columnOf));
      return isAlone ? found.filter((one) => columnOf(one) === least) : found;
    }
    const name = quoted
      .replace(/\(\)$|(?<=.)(?:\.{3}|…).*$/, "")
      .replace(/\($/, "")
      .trim();
    const holds = (line: string): boolean => hasCall(line, name);
    if (isCall) return this.#where(scope, holds);
    const wanted = [...wordsOf(name)];
    const sets = (line: string): boolean => nameSetBy(line) === name || isImportOf(line, name);
    const kinds = [
      sets,
      (line: string) => lastOf(nameSetBy(line) ?? "") === name,
      (line: string) => beginsWith(line, name),
      holds,
      (line: string) =>
        wanted.length > 1 &&
        wanted.every((one) => line.includes(one)) &&
        declaredName(line) !== undefined,
      (line: string) => hasWord(line, name),
    ];
    const named = this.#named(quoted, scope);
    const isOther = !sets(this.#source.texts[named[0]?.from ?? -1] ?? "");
    const isSet = isOther && this.#where(scope, sets).length > 0;
    const isNamed = !isSet && (named.length === 1 || /^[\w$.:#]+(?:\(.*\))?$/.test(quoted));
    const all = [isNamed ? named : [], ...kinds.map((kind) => this.#where(scope, kind))];
    return isAlone ? (all.find(({ length }) => length > 0) ?? []) : all.flat();
  }

  /** The statements of a kind, without the head of what they are in. */
  #where({ from, to }: Region, isOfKind: (line: string) => boolean): Region[] {
    const { texts } = this.#source;
    const isHead = to - from > 1 && declaredName(texts[from] ?? "") !== undefined;
    return texts.slice(from, to).flatMap((line, nth) => {
      const at = from + nth;
      const isOne = !(isHead && nth === 0) && isOfKind(line);
      return isOne ? { from: at, to: Math.min(unitEnd(this.#source, at), to) } : [];
    });
  }

  /** The first or last line that says something. */
  #lineOf({ from, to }: Region, nth: Thing["nth"]): Region[] {
    const isClosed = isCloser(this.#source.texts[to - 1] ?? "");
    const at = nth === "first" ? from : isClosed ? to - 2 : to - 1;
    return nth === undefined || at <= from ? [] : [{ from: at, to: at + 1 }];
  }

  /** What is below the head of a block, and before what closes it. */
  bodyOf({ from, to }: Region): Region | undefined {
    const { texts, columns } = this.#source;
    const own = columns[from] ?? 0;
    let head = from;
    while (head + 1 < to && /^\{$/.test(texts[head + 1] ?? "")) head += 1;
    // A head over several lines is not told from what is in it.
    if (!isEven(texts.slice(from, head + 1).map((line) => line.replace(/^[}\])\s]+|\{$/g, ""))))
      return undefined;
    const start = Math.min(docstringEnd(this.#source, head), to);
    const isClosed = (columns[to - 1] ?? 0) <= own && isCloser(texts[to - 1] ?? "");
    const end = isClosed ? to - 1 : to;
    return start <= end ? { from: start, to: end } : undefined;
  }
}

const aName = /^(?=.*[A-Za-z])[\w$.:#~%()-]+[?!]?$/;
/** Of what is told besides, these may say what something is in. */
const maxNames = 4;

/** But for what closes the block before it. */
function beginsWith(line: string, word: string): boolean {
  return startsWith(line.replace(/^[}\])\s]+/, ""), word);
}

/** Of `self.limit`, and of a key between quotes, the name alone. */
function lastOf(set: string): string | undefined {
  return set
    .replaceAll(/["']/g, "")
    .split(/[\s.#:]+/)
    .at(-1);
}

function isImportOf(line: string, name: string): boolean {
  return isImport(line) && [...importedNames(line)].join() === name;
}

function kindOf(line: string): string {
  return keywordOf(line) || (/^(?:- )?[\w$-]+(?=[\s:])/.exec(line)?.[0] ?? "");
}

function hasCall(line: string, callee: string): boolean {
  const call = callee.includes("(") ? callee : `${callee}(`;
  const at = line.indexOf(call);
  return at !== -1 && !/[\w$]/.test(line[at - 1] ?? "");
}

/** Where lines come in: behind so many solid lines, and as deep as one of them; -1 where there is none. */
interface Gap {
  at: number;
  like: number;
  /** Right above what is behind them, and not right below what is before. */
  isAbove: boolean;
  /** What is there is set apart. */
  isLoose: boolean;
  /** That is a declaration of several lines. */
  isUnit?: boolean;
  /** It is where a block begins. */
  isStart?: boolean;
}

/** In the one empty block that is meant. */
function addToEmpty(
  source: SourceLines,
  own: SourceLines,
  scope: Region,
  reader: RegionReader,
): string | undefined {
  const body = reader.bodyOf(scope);
  const isEmpty = body !== undefined && body.from === body.to;
  return isEmpty
    ? insertAt(source, own.all, { at: body.from, like: -1, isAbove: false, isLoose: true })
    : undefined;
}

/** Lines that each set what one line of those that are meant sets, in place of that. */
function setAgain(
  { all, numbers, texts }: SourceLines,
  own: SourceLines,
  { from, to }: Region,
): string | undefined {
  const lines = [...all];
  if (to - from < 2 || to - from === texts.length || !own.texts.every((line) => isEven([line])))
    return undefined;
  for (const line of own.texts) {
    const set = nameSetBy(line);
    const isOne = (text: string, nth: number): boolean =>
      nth >= from && nth < to && nameSetBy(text) === set;
    const [at, ...more] = texts.flatMap((text, nth) => (isOne(text, nth) ? [nth] : []));
    const number = numbers[at ?? -1];
    const isLine =
      at !== undefined && isEven([texts[at] ?? ""]) && declaredName(line) === undefined;
    if (set === undefined || number === undefined || more.length > 0 || !isLine) return undefined;
    lines[number] = `${indentOf(all[number] ?? "")}${line}`;
  }
  return joinLines(lines);
}

function insertAt(
  source: SourceLines,
  code: readonly string[],
  { at, like, isAbove, isLoose, isUnit = false, isStart = false }: Gap,
  isBetween = false,
): string | undefined {
  const { all, numbers } = source;
  const own = solidPart(code);
  const [head = "", model = ""] = [all[numbers[at - 1] ?? -1], all[numbers[like] ?? -1]];
  // In an empty block the code is as deep as it is shown.
  const isShown = like === -1 && columnsOf(own[0] ?? "") > columnsOf(head);
  if (like === -1 && !isShown) return undefined;
  // Behind the end of a block code may be as deep as it is shown, and not in that.
  const least = leastColumn(sourceLines(own));
  const isBehind =
    !isAbove &&
    least > 0 &&
    least < columnsOf(model) &&
    least >= columnsOf(all[numbers[at] ?? -1] ?? "");
  const deep = own.find((line) => isSolid(line) && columnsOf(line) === least) ?? "";
  const shown = isShown ? own : indented(own, indentOf(isBehind ? deep : model));
  const [above, below] = [(numbers[at - 1] ?? -1) + 1, numbers[at] ?? all.length];
  // Between two things that are set apart the code is, too, and so is a member among others; else as it is shown.
  const isBlock = isMember(own) || isUnit || (isAbove && !isStart && own.length > 2);
  const isOfNext = isOnlyDocs(own) || (isAbove && isHeadline(own.at(-1)?.trim() ?? ""));
  const isApart = isLoose && isBlock && !isOfNext;
  const begins = !isAbove && (isApart || code[0]?.trim() === "");
  const isAfter = isAbove ? isApart || (isLoose && isComment(all[below]?.trim() ?? "")) : false;
  const isNext = isAbove || isSolid(all[above] ?? "");
  const ends = isAfter || (isNext && code.at(-1)?.trim() === "");
  const gap = isBetween ? all.slice(above, below) : [];
  const line = isAbove || isBetween ? below : above;
  if (gap.length > 0) return joinLines(all.toSpliced(line, 0, ...shown, ...gap));
  return joinLines(
    all.toSpliced(line, 0, ...(begins ? [""] : []), ...shown, ...(ends ? [""] : [])),
  );
}

function replaceRegion(
  { all, numbers, texts }: SourceLines,
  own: SourceLines,
  { from, to }: Region,
  scope: Region,
): string | undefined {
  const rest = [...texts.slice(scope.from, from), ...texts.slice(to, scope.to)];
  const names = new Set(rest.flatMap((line) => declaredName(line) ?? []));
  const [beside, around] = [texts.toSpliced(from, to - from), [texts[from - 1], texts[to]]];
  // What is shown of the lines around is more than a new version, and so is a head of them.
  const isMore = (line: string, nth: number): boolean =>
    line.length > 3 &&
    !isCloser(line) &&
    !keyword.test(line.replace(/\W+$/, "")) &&
    ((nth === 0 ? beside : /[{:]$/.test(line) ? rest : around).includes(line) ||
      names.has(declaredName(line) ?? ""));
  const [word, old] = [own.texts[0], texts[from]].map((line = "") => firstWord(line));
  // The head of a block is not all of it.
  const isOneLine = to - from > 1 && own.texts.length === 1;
  const isHead = isOneLine && (keyword.test(word ?? "") || /^<\w/.test(word ?? "")) && old === word;
  if (isHead || /(?:[({[,:]|\b(?:do|then))$/.test(own.texts.at(-1) ?? "")) return undefined;
  const isWhole = from < to && isEven(own.texts) && isEven(texts.slice(from, to));
  if (!isWhole || own.texts.some(isMore)) return undefined;
  const [first = 0, last = 0] = [numbers[from], numbers[to - 1]];
  const shown = indented(own.all, indentOf(all[first] ?? ""));
  return joinLines(all.toSpliced(first, last + 1 - first, ...shown));
}

/** How much two lines say the same, from 0 to 1, for one to be the other anew. */
const alike = 0.5;
/** The next best place is so much worse. */
const margin = 0.2;
/** Of more lines some may be new versions of others. */
const mostBehind = 3;

/**
 * The text with the code in place of the lines among those that are meant of which it is a new version: its first line and its
 * last one are like theirs, and like no others there. Undefined where nothing less than the file is meant.
 */
export function replaceVersion(
  text: string,
  code: string,
  words: Words,
  analysis: CodeAnalysis,
  within: LineRange | undefined,
): string | undefined {
  const [things = [], ...told] = [words.lead ?? "", words.above]
    .flatMap((one) => one.slice(-maxTold).split(sentenceEnd))
    .map(thingsIn)
    .toReversed();
  const isNamed = [things, ...told].flat().some(({ quoted }) => quoted !== undefined);
  if (hasPlace({ things }) || namesSeveral(words.above) || !(isNamed || within)) return undefined;
  const source = sourceLines(linesOf(text));
  const own = sourceLines(solidPart(linesOf(code)));
  const scope = new RegionReader(source, analysis).scopeOf(things, told.flat(), within);
  const isPart = leavesOut(code, (line) => source.all.includes(line));
  if (scope === undefined || own.texts.length === 0 || isPart) return undefined;
  const [from, lines] = [scope.from, source.texts.slice(scope.from, scope.to)];
  if (lines.length * own.texts.length > maxPairs) return undefined;
  const [first = "", last = ""] = [own.texts[0], own.texts.at(-1)];
  const isOne = unitEnd(own, 0) === own.texts.length;
  const endOf = (nth: number): number => Math.min(unitEnd(source, from + nth), scope.to);
  // A block that has all lines of the one that begins as it does comes in place of that.
  const heads = lines.flatMap((line, nth) => (line === first ? [nth] : []));
  const [head = -1] = heads;
  const isKept = (line: string): boolean => own.texts.includes(line);
  if (
    heads.length === 1 &&
    isOne &&
    own.texts.length > 2 &&
    source.texts.slice(from + head, endOf(head)).every(isKept)
  )
    return replaceRegion(source, own, { from: from + head, to: endOf(head) }, scope);
  const isBlock = declaredName(lines[0] ?? "") !== undefined || within === undefined;
  if (heads.length > 0 || lines.length === source.texts.length || !isBlock) return undefined;
  const likeness = (now: string, was: string): number => {
    const isOther =
      [now, was].some((one) => keyword.test(firstWord(one))) && firstWord(now) !== firstWord(was);
    return isOther ? 0 : Math.max(likenessOfWords(now, was), hasWords(now, was) ? alike : 0);
  };
  const places = lines.flatMap((line, nth) => {
    const score = likeness(first, line);
    if (score < alike || nth === 0) return [];
    const start = from + nth;
    if (isOne) return [{ from: start, to: isHeadOf(first, line) ? start + 1 : endOf(nth), score }];
    const ends = lines.slice(nth, nth + 2 * own.texts.length + 2).map((one) => likeness(last, one));
    const [best = 0, second = 0] = ends.toSorted((a, b) => b - a);
    // A new version of one line, and new lines behind it.
    const isOneLine =
      best < alike &&
      own.texts.length <= mostBehind &&
      own.texts.slice(1).every((one) => lines.every((other) => likeness(one, other) < alike));
    if (isOneLine) return [{ from: start, to: endOf(nth), score }];
    return best < alike || best - second < margin
      ? []
      : [{ from: start, to: start + ends.indexOf(best) + 1, score }];
  });
  const [best, second] = places.toSorted((a, b) => b.score - a.score);
  if (best === undefined || best.score - (second?.score ?? 0) < margin) return undefined;
  if (best.to > best.from + 1 || !isOne) return replaceRegion(source, own, best, scope);
  const at = source.numbers[best.from] ?? 0;
  const now = indented(own.all, indentOf(source.all[at] ?? ""));
  return hasSameBrackets([source.texts[best.from] ?? ""], own.texts)
    ? joinLines(source.all.toSpliced(at, 1, ...now))
    : undefined;
}

/** One line is the head of what the other begins, anew. */
function isHeadOf(now: string, was: string): boolean {
  return (
    firstWord(now) === firstWord(was) && now.at(-1) === was.at(-1) && keyword.test(firstWord(now))
  );
}

/** Lines of the code and of what is meant: a product. */
const maxPairs = 50_000;

/** The text with one of its imports beside the one where a sentence puts it. */
export function moveImport(text: string, line: string, sentence: string): string {
  const [place, ...others] = thingsIn(sentence).filter(isBeside);
  const rest = linesOf(text).filter((one) => one !== line);
  const at = rest.findIndex((one) => one === place?.quoted && isImport(one));
  const isOne = rest.length === linesOf(text).length - 1 && others.length === 0;
  if (place === undefined || at === -1 || !isOne) return text;
  return joinLines(rest.toSpliced(place.relation === "before" ? at : at + 1, 0, line));
}
