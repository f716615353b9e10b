// What words name as a place of code, with a name or without: "the `with` block in `set`", "its last line", "函数体开头".
import { asksToReplace, ordersIn, sentencesOf } from "../../../edit/read/blocks/told-words.ts";
import { leadsToCode } from "./block-words.ts";

/** What words name, and how they speak of it. */
export interface Thing {
  quoted: string | undefined;
  /** A word of code, or for what code is made of. */
  word: string | undefined;
  /** What is in it is meant, without its head and its end. */
  isBody: boolean;
  /** Where it is called. */
  isCall: boolean;
  /** The word behind a name: `table` of "the `orders` table". */
  kind: string | undefined;
  /** All of a block, whose head is quoted. */
  isBlock: boolean;
  /** The line that has it, and not what begins there. */
  isLine: boolean;
  /** It is where code comes as the first or last line. */
  isEdge?: boolean;
  /** A line by its number, 1-based. */
  line: number | undefined;
  nth: "first" | "last" | undefined;
  /** So many lines, or statements. */
  count: number | undefined;
  relation: Relation | undefined;
}

/** What comes there; `in` where it only says what something else is in, `until` where it ends what begins before. */
type Relation = "before" | "after" | "start" | "end" | "replace" | "in" | "from" | "until";

const english =
  /(?:\b(?:the|its|this|that|your|whole|entire|existing|current|old|new|only) )*(?:\blines? (?:(?:that|which|where|with)(?: [a-z]+){0,2} )?(?=`))?(?:\b(?<nth>first|last|final) )?(?:\b(?<lead>body|contents?|call)(?: of| to)? (?:the )?)?(?:`(?<quoted>[^`]+)`(?: (?:\w+ )?(?<kind>loop|block|body|call|callback|function|method)\b)?|\b(?<word>(?!before|after|above|below|behind|under)[a-z]+) (?:loop|block|statement|clause|branch|check|line|expression)\b(?<inner> body\b)?|(?:\b\w+ (?:in|on|at) )?\blines? (?<at>\d{1,6})\b|(?<=\b(?:first|last) )(?<count>two|three|four|five|[2-9]) (?<many>lines|statements)\b|\b(?<piece>(?:function |method |loop )?body|(?:function|method)(?=[\s*]*(?:[:.,;]|$))|loop(?! (?:head|header|condition|variable|counter|index)\b)|return|line)\b|(?<=\bthe )(?<noun>[a-z]{3,})(?= ?[*:.,]|$| (?<made>(?:is|was|has been) (?:created|opened|declared|defined|set|read|assigned|built|started)\b)))/gi;
const chinese =
  /(?<nth>最后(?:的|一个)?|第一个?|[前后末](?=[两二三四五2-9]))?\s?(?:(?<count>[两二三四五2-9]) ?(?<many>行(?:代码)?|[条个]语句)|`(?<quoted>[^`]+)`|第 ?(?<at>\d{1,6}) ?行(?:代码)?|(?<piece>函数体|方法体|(?:函数|方法)(?=的?(?:开头|开始|起始|顶部|末尾|结尾|尾部|底部|最))|循环(?:体|(?!头|条件|变量))|返回语句|(?<=最后|第)[一]?行))\s?(?<kind>循环体?|语句块?|代码块|块|分支|回调函数|回调|调用|方法(?!体)|函数(?!体)|目标|规则|段落?|定义|检查|判断|赋值|视图)?(?:的?(?<inner>函数体|方法体|主体|全部内容))?/g;

const edges: readonly (readonly [RegExp, Relation])[] = [
  [/\b(?:in front|ahead) of(?: the)?$/i, "before"],
  [
    /\b(?:start|beginning|top) of(?: the)?$|\b(?:first (?:statement|line|thing|step|check)|as (?:the|its) first \w+) (?:of|in|inside)(?: the)?$/i,
    "start",
  ],
  [
    /\b(?:end|bottom) of(?: the)?$|\b(?:last (?:statement|line|thing|step|check)|as (?:the|its) last \w+) (?:of|in|inside)(?: the)?$/i,
    "end",
  ],
];
const replaced =
  /^ (?:(?:can|should|must|needs? to) (?:simply |just )?)?(?:be|is|are) (?:replaced|rewritten|simplified|(?:reduced|shortened|condensed|collapsed) (?:in)?to)\b|^ (?:now |then )?becomes:/i;
const [placesAbove, placesBelow] = [
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
    /\b(?:replac(?:es?|ing)|change|rewrite|turn|wrap|swap|merge|update|instead of|takes? the place of|in place of)(?: the)?(?: imports? (?:of|for))?(?: the(?: \w+)?)?$/i,
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
  /^\s?(?:(?!的(?!定义|声明|赋值|调用|实现|[那这上下前后])|[里中内改换替为成])\p{Script=Han}){0,6}?(?:(?<before>之前|前面|上(?:[面方]|一?行))|之[后间]|后面|下(?:[面方]|一?行))/u;
/** More words before these tell of a time. */
const nextZh =
  /^\s?(?!当前|目前|然后|最后|以后)(?:的(?:定义|声明|实现|函数))?\p{Script=Han}{0,2}?(?:(?<before>前)|后)(?![两二三四五几\d])/u;
const ousting = /(?:代替|替代|取代|替换|改写|合并)(?: ?`[^`]+` ?\p{Script=Han}{0,2}的)?$/u;
const inZh = /^\s?(?:里面?|中|内部?|的)/;

const ofFile =
  /\b(?:(?<first>first line)|(?<end>end|bottom|last line)|top|start|beginning) of (?:the |this |your )?\w*file\b|文件的?(?:(?<firstZh>第一行)|(?<endZh>末尾|最后|结尾|底部)|开头|顶部)/i;

/** The edge of the file that words name; `top` may be below its header. */
export function edgeOfFile(words: string): "first" | "end" | "top" | undefined {
  const { groups } = ofFile.exec(words) ?? {};
  if (groups === undefined) return undefined;
  const { first, firstZh = first, end, endZh = end } = groups;
  return firstZh !== undefined ? "first" : endZh !== undefined ? "end" : "top";
}

const adding =
  /\b(?:add|insert|put|place|append|missing)\b|(?<![累参更])加(?!载)|增|插入|放|补|声明/i;

/** Words, other than those of code that they quote, say that something is added. */
export function adds(words: string): boolean {
  return adding.test(words.replaceAll(/`[^`]*`/g, ""));
}
const aShebang = /\b(?:the )?shebang(?: line)?\b(?! ?`)|shebang ?行?/i;

/** In characters: a longer text tells no place. */
export const maxTold = 1_000;

/** What an answer says around code: right above it, behind it, and before, since the code before. */
export interface Words {
  above: string;
  tail?: string | undefined;
  lead?: string | undefined;
  /** The code was elsewhere in the file. */
  isMoved?: boolean;
}

/** A sentence that orders something, and what it names. */
export interface Order {
  one: string;
  things: readonly Thing[];
}

/** The one order that tells where code goes, or what comes closest; and what is told besides. */
export function readOrder({
  above,
  tail = "",
  lead = "",
}: Words): { order: Order; told: Thing[] } | undefined {
  const sentences = [lead, above, tail].flatMap((one) => sentencesOf(one.slice(-maxTold)));
  const [orders = [], behind = []] = [above, tail].map((words) =>
    ordersIn(asOrder(words.slice(-maxTold))).map((one) => ({ one, things: thingsIn(one) })),
  );
  // Besides, a place may be a time.
  const all = orders.filter(
    (one) =>
      hasPlace(one) && (one === orders.at(-1) || adds(one.one) || !one.things.some(isBeside)),
  );
  // What leads to the code tells its place.
  const isLead = leadsToCode(above) || adds(orders.at(-1)?.one ?? "");
  const placing = all.at(-1) === orders.at(-1) && isLead ? all.slice(-1) : all;
  // What is said behind code tells no more than that it is a body, or what it replaces.
  const replacing = behind
    .map(asReplacing)
    .filter(({ one, things }) =>
      things.some(
        ({ isBody, relation, quoted = "" }) =>
          relation === "replace" &&
          (isBody || (itReplaces.test(one) && (/\s/.test(quoted) || ofUnit.test(one)))),
      ),
    );
  const [order, ...others] =
    [placing, replacing, orders.slice(-1)].find(({ length }) => length > 0) ?? [];
  if (order === undefined || others.length > 0) return undefined;
  // What a sentence begins with is what it is about.
  const topicsIn = (sentence: string): Thing[] =>
    thingsIn(sentence).slice(0, /^[^\p{L}\p{N}`]*`/u.test(sentence) ? 1 : undefined);
  return { order, told: sentences.filter((one) => one !== order.one).flatMap(topicsIn) };
}

/** "That is the new body of `find`." */
function asReplacing({ one, things }: Order): Order {
  const isSaid =
    /^[^\p{L}]*(?:it|this|that|these|those)\b.*\b(?:is|are|replaces?)\b.*\bbody\b/iu.test(one);
  const toBody = (thing: Thing): Thing =>
    thing.isBody && thing.relation !== "replace" ? { ...thing, relation: "replace" } : thing;
  return isSaid ? { one, things: things.map(toBody) } : { one, things };
}

const itReplaces =
  /^[^\p{L}]*(?:(?:it|this|that|the (?:\w+ )?(?:line|code|block|version))\b[^`]{0,20}\b)?(?:replaces|takes the place of)\b/iu;

const ofUnit = /\b(?:function|method|class|constant|variable) `/i;

/** When what is added runs leaves it an order. */
const condition = / (?:when|if)\b[^,:`]*(?=[:：]?$)/gim;

/** A place that is told behind an order, in brackets. */
const inBrackets =
  /[(（]((?:(?:right|directly|just) )?(?:below|above|before|after) (?:the )?`[^()（）]*|(?:在 ?)?`[^`]+` ?(?:之?[前后]|[上下]面)[^()（）]*)[)）]([:：]?)$/i;

/** Words as an order: who would add something gives one, and what a sentence begins with may be a place as well as a time. */
function asOrder(words: string): string {
  const [, place, end = ""] = inBrackets.exec(words) ?? [];
  if (place !== undefined) return `Add this ${place}${end}`;
  return words
    .replace(/^.*, so (?=(?:add|insert|put|place)\b)/i, "")
    .replace(/\bI(?:['’]d| would|['’]ll| will)(?: also)? (?=add|insert|put|place)/i, "")
    .replace(/(?<=^[-+*•\d.)\s]{0,8}|[.!?] )before (?=(?:the (?:\w+ )?)?`)/i, "Right before ")
    .replaceAll(condition, "")
    .replace(aShebang, "`#!`");
}

export const isBeside = ({ relation }: Thing): boolean =>
  relation === "before" || relation === "after";

export const isPlaced = ({ relation }: Thing): boolean => relation !== undefined;

export function hasPlace({ things }: { things: readonly Thing[] }): boolean {
  return things.some((thing) => isPlaced(thing) && thing.relation !== "in");
}

/** What a sentence names, in its order. */
export function thingsIn(sentence: string): Thing[] {
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
      noun,
      word = noun,
      piece = "",
      kind = "",
      lead: of = "",
      inner = "",
      at,
      count = "",
      many = "",
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
    const isWhole = /^(?:function|method|函数|方法)$/i.test(piece);
    const nthIn = nthOf(match.groups?.["nth"] ?? "");
    // "As the first line of `find`"
    const isEdge = wordOf(piece || many) === "line" && nthIn !== undefined && /\bas$/i.test(lead);
    const isOfEdge = things.at(-1)?.isEdge === true && /^(?:of|in|inside)(?: the)?$/.test(lead);
    const ownEdge = nthIn === "first" ? "start" : "end";
    const edge = isEdge ? ownEdge : isOfEdge ? things.pop()?.relation : undefined;
    const isBody = isWhole || /\bbody\b|contents?|体|主体|内容/i.test(named);
    const before = sentence.slice(0, match.index).trim();
    const isLine = /行|语句/.test(piece + many);
    const told = isChinese ? relationZh(before, rest, isBody, isLine) : relationOf(lead, rest);
    // Of a function without a name only an edge is a place, and of any other word what is beside it.
    if (isWhole && told !== "start" && told !== "end") continue;
    if (noun !== undefined && !parts.test(noun) && told !== "before" && told !== "after") continue;
    things.push({
      quoted,
      word: isEdge ? undefined : (word?.toLowerCase() ?? wordOf(piece || many)),
      isBody: isBody || isEdge,
      isEdge,
      isCall:
        (noun !== undefined && !parts.test(noun) && match.groups?.["made"] === undefined) ||
        /\bcall\b|调用/i.test(named),
      kind: quoted === undefined ? undefined : /^ ([a-z]+)\b/.exec(rest)?.[1],
      isBlock: /block|块/i.test(kind),
      isLine: quoted !== undefined && /^(?: (?:\w+ )?line\b| ?[那这该]?一?行)/.test(rest),
      line: at === undefined ? undefined : Number(at),
      nth: nthIn,
      count: counts.get(count.toLowerCase()) ?? (Number(count) || undefined),
      relation:
        edge ??
        (isEnd
          ? "until"
          : isSecond && /\bbetween\b|之间/.test(sentence)
            ? "before"
            : isMore || (isBare && /^\W*$/.test(rest))
              ? "replace"
              : told),
    });
  }
  // "Under `jobs.test`, add this after `steps`"
  const [top, ...below] = things.filter(isPlaced);
  if (
    top?.relation === "after" &&
    below.length > 0 &&
    /^[^\p{L}`]*under (?:the )?`/iu.test(sentence)
  )
    top.relation = "in";
  // "A counterpart to `a`, directly after it"
  const [it, ...those] = things;
  const [, side = ""] =
    those.length > 0 || it?.relation !== undefined ? [] : (besideIt.exec(sentence) ?? []);
  if (it !== undefined && side !== "") it.relation = placesAbove.test(side) ? "before" : "after";
  // "Replace both lines of the body"
  const [body, ...others] = things.filter((thing) => thing.isBody);
  const isBare = body?.relation === "in" && body.quoted === undefined && others.length === 0;
  if (
    isBare &&
    asksToReplace(sentence) &&
    things.every((thing) => thing === body || thing.relation === undefined)
  )
    body.relation = "replace";
  // A line by its number is a place, and nothing else here.
  return things.filter((thing) => thing.line === undefined || isBeside(thing));
}

const besideIt =
  /` ?(?:\w+ )?,? (?:and )?(?:put it |placed )?(?:right |directly |just |immediately )?(before|above|after|below|behind) (?:it|this|that)[:.]?$/i;

function nthOf(word: string): Thing["nth"] {
  return /first|第一|前/i.test(word)
    ? "first"
    : /last|final|最后|[后末]/i.test(word)
      ? "last"
      : undefined;
}

function wordOf(piece: string): string | undefined {
  if (/^(?:loop|循环)/i.test(piece)) return "loop";
  if (/return|返回/i.test(piece)) return "return";
  if (/statement|语句/i.test(piece)) return "statement";
  return /line|行/i.test(piece) ? "line" : undefined;
}

const counts: ReadonlyMap<string, number> = new Map(
  Object.entries({ two: 2, three: 3, four: 4, five: 5, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5 }),
);

function relationOf(lead: string, rest: string): Relation | undefined {
  const edge = edges.find(([words]) => words.test(lead))?.[1];
  if (edge !== undefined && !replaced.test(rest)) return edge;
  const said = lead.replace(/\bthe following(?= \w)/i, "the");
  const words = said.split(" ").slice(-maxBetween - 1);
  for (const word of words.map((one) => one.replace(/^\W+/, "")).toReversed()) {
    if (placesAbove.test(word)) return "before";
    if (placesBelow.test(word)) return "after";
    if (beginsMore.test(word)) break;
  }
  return (
    leads.find(([one]) => one.test(lead))?.[1] ?? (replaced.test(rest) ? "replace" : undefined)
  );
}

function relationZh(
  lead: string,
  rest: string,
  isBody: boolean,
  isLine: boolean,
): Relation | undefined {
  const isReplaced =
    (isBody || isLine || /[将把][^，。；]{0,40}$/.test(lead)) &&
    /^[^，。；]{0,12}(?:替换|[改换并写缩][成为]|简化[成为])/.test(rest);
  if (lead.endsWith("从") && /^[^,，;；。移挪搬放改]{0,12}到/.test(rest)) return "from";
  const side = (sideZh.exec(rest) ?? nextZh.exec(rest))?.groups;
  const besides = side && (side["before"] === undefined ? "after" : "before");
  if (ousting.test(lead) && !inZh.test(rest)) return "replace";
  const relation =
    tails.find(([words]) => words.test(rest))?.[1] ??
    besides ??
    (inZh.test(rest) ? "in" : undefined);
  // What is set by a name is of that name.
  const isOf = relation === "in" && /^\s?的(?!代码|实现|内部)/.test(rest);
  return isReplaced && (isOf || relation === undefined) ? "replace" : relation;
}

export const keyword =
  /^(?:foreach|for|while|with|try|catch|except|rescue|finally|if|else|switch|match|return|do|guard|case|using|throw|raise|yield)$/i;
/** What has members, and what makes it: each is one thing of a file. */
const parts = /^(?:class|struct|interface|enum|trait|module|component|(?:con|de)structor)$/i;
export const loops = /^(?:for|foreach|while|until|loop|repeat|do)\b/i;
