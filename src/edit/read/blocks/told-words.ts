// What the words around quoted code say of a change of it: whether it is asked for, where, and how often.
import { foldSpaces, trimEndSigns } from "../../../base/text/lines.ts";
import { labelOf } from "../side-words.ts";

/** In place of a side of the change, while words are read; other code is a backtick there. */
const side = "\uE000";

/** The change is left to the person, is wanted elsewhere as well, or is only talked about. */
const doubt =
  /[?？]|^\W*(?:wrong|incorrect|bad)\b|^ ?(?:错误|反例)|\b(?:I|(?:you|we)['’]d|if|when(?:ever)?|turns|unless|or|option|optional(?:ly)?|alternative(?:ly)?|could|might|may|perhaps|maybe|would|breaks?|fails?|consider|try(?![-/]|\s(?:block|catch|except|statement)\b)|suppose|imagine|(?:for|an?|by way of) examples?|mistakes?|common(?:ly)?|people|(?<!\bthe )other|the other (?:file|module|place|project)s?|elsewhere|another|except|apart|already|tempt\w*|nobody|callers|wrong to|(?:in|of|for) (?:(?:the|your) )?(?:unit )?tests?|in future)\b|^\W*(?:once|later|until|before|after that|next time)\b(?! ?:)|如果|若(?!干)|或|也许|可选|也可以|考虑|失败|出错|报错|调用方|试试|尝试|比如|例如|假如|假设|常见|方案|除了|除非|除外|已经(?!不)|[我你]已|下次|以后|将来|以前|测试(?:文件|代码|用例)|[改写换][成为]了/i;
const condition =
  /[?？]|\b(?:if|when(?:ever)?|unless|or|option|optional(?:ly)?|alternative(?:ly)?|could|might|may|perhaps|maybe|consider|suppose|examples?|elsewhere|another|you['’]d|wrong to)\b|如果|若(?!干)|或|也许|可选|也可以|考虑|试试|尝试|比如|例如|假如|假设|方案|除非|[我你]已|以后|将来|以前|[改写换][成为]了/i;
const thereAlready =
  /\balready (?:there|has|have|exists?|imported|defined)\b|\b(?:there|imported|included|defined) already\b|已经?(?:有|存在|定义|导入|声明)/gi;
const quantity = /\b(?:everywhere|throughout|every|each|all|both)\b|所有|每|全部|处处|两处/i;
/** What comes of a change that nobody wants. */
const outcome = /会(?:导致|引起|引发|造成|破坏|产生|出现?|报|失败|崩溃|变慢|降低)/;
const negation =
  /\b(?:not|never|avoid|without|no|nor|than)\b|n['’]t\b|不 ?[要应能是必该用改换需]|无需|没必要|勿|(?<![级类区分特识判性个鉴])别(?![的名人处])|而非/i;

/** What comes behind these is what goes. */
const instead =
  /\b(?:instead of|rather than|in place of|over|than)$|[,;] not$|(?:而不是|而非|代替|替代|取代|比)$/i;
const rejecting =
  /(?:\b(?:do not|don['’]t|never) (?:use|call|write)|\bavoid(?: using)?|\b(?:instead of|rather than)(?: using)?|(?:不要|不应该?|别|勿)(?:再|继续)?(?:使?用|写成?))$/i;
const denied =
  /[,，;；] ?但?[这那](?:样|么做)?[是会]?(?:错|不对|不行)|^ ?(?:(?:is|was|does|did|will|can|has) ?(?:n['’]t|not)|cannot|is (?:wrong|a mistake)|[是并]?[错不])/i;
const takenBack =
  /^(?:but |however,? )?(?:that|this|it|doing (?:so|that))\b.*\b(?:would|wrong|breaks?|fails?|mistake|bad)\b|^(?:但是?)?(?:这样|那样|这么做).*(?:会|错|不)/i;
/** All that was proposed is, if nothing comes behind it. */
const retraction =
  /\b(?:scratch that|never ?mind|actually,? no\b|take (?:that|this|it) back|(?:do not|don['’]t) (?:apply|make) (?:this|that|it|the (?:change|edit|code|patch|diff))s?\b|(?:ignore|disregard|discard|forget) (?:this|that|the|my) (?:above|previous|change|edit|suggestion|code|patch|diff|replacement))|\b(?:do not|don['’]t) (?:change|touch|edit) (?:it|(?:this|that) (?:line|code|value|setting|function|method))[.!]*$|(?:不要|不用|别|无需)(?:应用|采用|采纳)|请?忽略(?:上述|以上|上面|前面|该|此|这)|收回(?:上述|以上|上面|这)/i;
/** Behind such words, it stays as it is. */
const turn =
  /\bon (?:second thoughts?|reflection)\b|\b(?:actually|hold on|wait|hmm|however)\b|不过|然而|但|等等|等一下|(?:重新|再)(?:检查|核对|[看想])/i;
const staying =
  /\b(?:must|has to|should) (?:stay\b|keep its (?:present|current|old|original) )|\bneeds? no (?:change|modification|fix)|\b(?:leave|keep)\b(?! (?:the (?:rest|other)|everything|all|other))[^.]* as (?:it|they) (?:is|are|was|were)\b|\b(?:do|should|must|need) ?n[o'’]t (?:to )?(?:be )?(?:chang|touch|appl|modif|alter|edit|replac)|\bno (?:change|fix)\w* (?:is|are) (?:needed|necessary)|\bnothing (?:needs|has) to (?:be )?chang|\b(?:correct|fine|right) as (?:it|they) (?:is|are)\b|[这该此]个?(?:一?[行处段]|代码|函数|方法)[^，。]{0,6}(?:不需要|无需|不用|不必|不要)(?:改|动|修改)|(?:不需要|无需|不用|不必)(?:做|作|进行)?任何(?:改动|修改|更改)/i;
/** Sentences that want all to be as it was; and what else may be meant to stay. */
const keeping = [
  /^[^\p{L}]{0,4}(?:(?:but|so|actually|that said|however|on second thoughts?|wait|hmm|or|and|please|just|better|for now|still)\b[^\p{L}]{1,4}){0,4}(?:i(?: would|['’]d) )?(?:ignore|disregard|forget|skip|scratch|undo|discard|leave|keep) (?:it|this|that|these|them|things|(?:the|my) (?:above|original|old|present|current)(?: [a-z]{2,12})?)(?=[^\p{L}]{0,3}$|[.,;!]| (?:as|alone|unchanged|the way|for now|like)\b)/iu,
  /\b(?:so|and|but) (?:please )?(?:leave|keep|ignore|forget) (?:it|this|that)(?=[^\p{L}]{0,3}$|[.,;!]| (?:as|alone|unchanged)\b)/iu,
  /(?:^|[,.;] ?)(?:\w+ )?(?:better |best )?(?:do not|don['’]t|not to) (?:touch|change|apply|modify|edit|use) (?:it|this|that|them|anything)\b/i,
  /(?:^|[,.;] ?)no (?:change|fix|edit)\w* (?:is |are )?(?:needed|necessary|required)(?=[^\p{L}]{0,3}$|[.,;])/iu,
  /\bthe (?:original|old|present|current)(?: \w+)? (?:is|was) (?:right|correct|fine)\b/i,
  /^[^\p{L}]{0,4}(?:(?:不过|但是?|算了|还是|其实|等等|等一下|所以|那就?|就|先|请|最好|暂时)[，,、 ]{0,2}){0,4}(?:(?:保持|维持)(?:原样|现状|不变)|(?:不要|不用|不必|无需|别)(?:改|动|修改|应用)(?:它|了|这[里段]|吧)?(?:$|[。，,！!])|忽略(?:它|这|上|以上|前面)|当我没说)/u,
  /原来的?(?:写法|代码|实现|逻辑)[^，。]{0,4}(?:没有?问题|是?对的?|正确)/,
];
const others =
  /\b(?:rest|other|others|else|everything|remaining|signature|behaviou?r|but|except)\b|其他|其余|其它|剩|别的|签名|行为|接口|除/i;
/** What is before it may be said of the old side. */
const arrow = /(?:→|⇒|➜|->|=>)$/;

/** A sentence that asks for something. */
const order =
  /^[-+*•>#\s\d.)、]*(?:(?:then|also|and|now|please|next|finally|step|fix|change|再|然后|还|并|也|请|需要|应该|应)[\d:：,，]*\s*)*(?:replace|change|update|modify|rewrite|rename|remove|delete|drop|add|insert|move|swap|wrap|use(?!-)|import|把|将|删除|去掉|移除|添加|增加|加上|使用|改用|重命名)/i;
const forbidding = /^(?:please )?(?:do not|don['’]t|never|avoid)\b|^(?:请)?(?:不要|不应|[别勿])/i;
const toYou = /\b(?:you|we|let['’]s)\b|可以|请|应|需/i;
/** English, or Chinese. */
const isKnown =
  /\b(?:the|is|was|are|it|of|and|that|this|to|has|had|have|from|with|in|as|for|uses?|means?|got|expected)\b|^(?!.*[\u3040-\u30ff]).*\p{Script=Han}/iu;
const asking =
  /(?:^\W*in (?:the |your )?(?:[\w-]+ ){1,4}|^[^\p{L}\w\uE000]*|[,;:：.)*–—-] ?|\b(?:you|we|please|should|must|can|then|and|now|so|let['’]s|(?:needs?|ha(?:ve|s)|is|sure|best|better) to) |` (?:\w+ )?|\blines? \d+ )(?:(?:just|simply|also|then|instead|now|please|\w+ly) )*(?:replace|change|update|modify|rewrite|rename|swap|switch|turn|convert|correct|fix|set|make|use|write|call|prefer)\b|\bby (?:chang|replac|us|switch|rewrit|swapp|turn|convert)ing\b|\b(?:should|must|ought to|has to|have to|needs? to) (?:\w+ly |instead )?(?:be(?:come)?|read|say|have been)\b(?! (?:the same|equivalent|equal|compared|called|run|used(?! instead)))|\bbecomes\b|\bfrom ?\uE000 ?to\b|\bbe (?:(?:re)?written as|(?:simplified|shortened) to)\b|→|⇒|➜|->|=>|\||[改换替]|应|请?使?用|写[成为]/iu;
const changing = /\b(?:replac|chang|updat|swap|switch|turn|convert|correct|rewrit|modif)/i;
const onto = /\b(?:to|with|by|into)$/i;
/** Says by itself that the new code follows. */
const onward =
  /(?:→|⇒|➜|->|=>|\b(?:should|must|has to|needs? to|ought to) (?:be(?:come)?|read)|\bbecomes|\bbe (?:re)?written as|\bbe (?:simplified|shortened) to|(?:改|换|替换|修改|更改)[成为]|应该?[是为])$/i;
const employing =
  /(?:^|[,，;；.。]|\bbut|\bso|\band)\s*(?:(?:please |instead,? |just )*(?:us|writ|call|prefer|chang|replac|it (?:should|must))|而?应|改|而是|请|使?用(?!于))/i;
/** The old code is wanted to change wherever it is. */
const everyPlace =
  /^[^\uE000]*?(\b(?:every|each|all|both)\b|所有|每|全部|两处)(?:[\w\s`,]{0,40}|[^\uE000\s,，;；。]{0,12})\uE000|^[^\uE000]*\uE000 ?(全部|全都|统一|一律)|^[^\uE000]*\uE000[^\uE000]*\uE000 ?(everywhere|throughout|in (?:all|every|each|both)\b)/i;

const clauseEnd =
  /[,，;；()（）]|\s[–—-]+\s|(?=\b(?:because|since|so that|otherwise|in order to|to (?:avoid|prevent|ensure|make sure))\b)|(?=因为|由于|否则|以便|从而|这样|以?避免|以确保)/i;
const because =
  /^ ?(?:(?:because|since|as (?:it|they|the|this|that|there)|otherwise)\b|因为|由于|否则|不然|以免)/i;
const whyFirst = /^\W*(?:(?:and|also) )?(?:since|because|as)\b[^,]*,|^(?:因为|由于)[^，,]*[，,]/i;
const purpose =
  /^ ?(?:(?:so(?: that)?|which|in order to|to (?:avoid|prevent|ensure|make sure|keep|fix|match|handle|allow)|that way|this way|and the (?!.*\b(?:would|breaks?|fails?|could|might)))\b|.*不会|以便|从而|这样|以?避免|防止|使(?!用)|以?确保)/i;
const therefore = /^\s*(?:(?:so|therefore|thus|hence)\b|因此|所以|故)/i;

/** The new code comes beside the old. */
const beside = /\b(?:add|insert|append|prepend)|[添增]|插入|追加|加(?:上|入|一)/i;
const leaving =
  /^\W*or\b|^[^\p{L}]*或者?|\b(?:optional(?:ly)?|alternative(?:ly|s)?|could also|might also|if you|not to|(?:do not|don['’]t)(?! need| have)|examples?|wrong way)\b|可选|也可以|不要|如果(?:你|您|需要|想|希望)|例如|反例|错误(?:示例|做法|写法)|另一种/iu;

/** What is quoted goes. */
const removing =
  /(?:\b(?:remove|delete|drop)(?: (?:the|this|that|these|those|following|unused|unneeded|unnecessary|redundant|duplicated?|extra|stray|dead|whole|entire|private|separate|old|it|them|two|three|lines?|imports?|statements?|calls?|methods?|functions?|class|variable|property|field|rule|code|block|from|file))*|(?:删除|删掉|移除|去掉)(?!之?后)(?:[\p{Script=Han}\d]|import){0,16})$/iu;
/** What is below goes. */
const pointing =
  /^.*?(?:\b(?:remove|delete|drop) (?:(?:this|these|those|(?:it|them)(?= ?:)|the (?:following|first|second|third|last|whole|entire))\b)|(?:删除|删掉|移除|去掉)(?!之?后)[^，。]{0,8}?(?:[这第]|[下上]面|以下))/i;
/** Why, behind what is said. */
const reason = /[,，] ?(?:which|that|as|since|because|因为|它)(?![^,，]*[,，])[^`]*$/i;
/** What it goes from, and what is done besides. */
const wherein =
  /(?<verb>删除|删掉|移除|去掉) ?(?:` ?(?:服务|函数|方法|类|段|部分)?|\w+ ?)[里中内]?的|(?: from| in| of| inside)(?: the| your)? (?:`(?: \w+)?|\w+(?: \w+)?)$/;

const oneLine = /\b(?:line|import|statement|call)\b|行/i;
const manyLines = /\b(?:lines|imports|statements|calls|code|block)\b|[几两二三四些]|代码/i;

/** Names of what the change is in. */
const scoped =
  /(?:(?<!\b(?:as|like|unlike) )\b(?:in|inside|within|of) (?:\w+ ){0,3}`(?<en>[\w$.#:]+[?!]?)(?:\(\))?`(?! ?(?:and|or|,|&) ?`)|(?<!` ?[和与、及] ?)`(?<zh>[\w$.#:]+[?!]?)(?:\(\))?` ?(?:函数|方法|组件|类)?的?(?:函数体|实现)?[里中内的])/gi;

const sentenceEnd = /(?<=[.!?](?:\*{1,2}|_{1,2}|["”)])?)\s+|(?<=[。！？])/g;

/** The sentences of a text; what code between backticks has ends none. */
export function sentencesOf(text: string): string[] {
  const masked = text.replaceAll(/`[^`]*`/g, (code) => "`".repeat(code.length));
  const found: string[] = [];
  let from = 0;
  for (const { 0: gap, index } of masked.matchAll(sentenceEnd)) {
    if (gap === "" && index === text.length) continue;
    found.push(text.slice(from, index));
    from = index + gap.length;
  }
  return [...found, text.slice(from)];
}

export function lastSentence(text = ""): string {
  return sentencesOf(text).at(-1) ?? "";
}

/** A text with each space one, and a backtick in place of code; what is not to be forgotten is to be done. */
function bareWords(text: string): string {
  return foldSpaces(text)
    .replaceAll(/`[^`]*`/g, "`")
    .replaceAll(/\b(?:do not|don['’]t) forget (?:to )?|(?:不要|别)忘[了记]?/gi, "");
}

/** A text without what it tells of something that is no more of use. */
function withoutWhyGone(text: string): string {
  return text
    .replace(
      /^[^`,;.]*` (?:is|are)(?:n['’]t| (?:no longer|not|never))\b[^,;.`]*[,;] (?=so\b|and\b|please\b|you\b|then\b|remove\b|delete\b|drop\b)/i,
      "",
    )
    .replaceAll(
      /[,，;]? (?:that|which|it|they)(?:['’](?:s|re)| is| are)(?:n['’]t| (?:no longer|not|now))\b[^,，.;:：`]*[,，]?/gi,
      "",
    );
}

/** What a text has between backticks. */
export function quotedIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, one = ""]) => one);
}

/** What a sentence orders to import no more. */
export function importToGo(sentence: string): string | undefined {
  const [, en, zh = en] =
    /\b(?:remove|delete|drop)\b(?![^.`]*\bfrom\b)[^.`]{0,30}\bimports?(?: of| for)? `([^`]+)`|(?:删除|移除|去掉)[^，。`]{0,12}(?:导入|引用)[^，。`]{0,4}`([^`]+)`/i.exec(
      sentence,
    ) ?? [];
  return ordersIn(sentence).some(speaksOfLess) ? zh : undefined;
}

/** The sentences of a text that leave nothing to the person, and do not say what not to do. */
export function ordersIn(text: string): string[] {
  return sentencesOf(text).filter((sentence) => {
    const words = withoutWhyGone(bareWords(sentence)).replace(whyFirst, "");
    return ![doubt, quantity, negation].some((pattern) => pattern.test(words));
  });
}

/** A text that leaves all that it speaks of to the person. */
export function onlyOffers(text: string): boolean {
  const sentences = sentencesOf(text)
    .map(bareWords)
    .filter((words) => words.trim() !== "");
  // What comes last says what is asked for; a fault that is told before is no doubt.
  const leads = sentences.map((words) => lastClause(bareEnd(words)));
  return leads.length > 0 && leads.every((words) => doubt.test(words));
}

/** What a sentence says before and behind code that it quotes. */
export interface Around {
  before: string;
  after: string;
}

export interface Telling {
  /** Nothing else could be meant by the words. */
  isSure: boolean;
  /** As in a unit. */
  everywhere?: number;
}

/** Whether a sentence asks for nothing. */
export function onlyTalks(sentence: string): boolean {
  const words = bareWords(sentence);
  return !order.test(words) && !asking.test(words);
}

/** Whether a sentence asks for a change of what it quotes. */
export function asksForChange(text: string): boolean {
  const words = bareWords(text).trim();
  const isOrder = words.split(/[:：,，]|→|⇒|➜/).some((one) => order.test(one));
  return words.includes("`") && isOrder;
}

/** How it speaks of the new code, right before that. */
const oneNew =
  /(?<=\b(?:by|with|to|into)) (?:(?:the|an?|this|just|one|single|following|new) )+(?:line|statement|expression|call|query)$|(?<=[为成])(?:[这下]面?的?)?(?:一[行条]|单行)(?:代码|语句)?$/i;

/** Whether a sentence says that code which it quotes comes in; `perhaps` where it may only talk about that. */
export function asksForCode({ before, after }: Around): boolean | "perhaps" {
  const [lead, behind] = [bareWords(before), bareWords(after)];
  const end = bareEnd(lead).replace(oneNew, "");
  const isUsed =
    /\b(?:use|write|call|make (?:it|this|that))$|[：:]$|(?:使?用|写[成为]?)$/i.test(lead.trim()) &&
    (/^ ?(?:instead\b|代替|[,，;；(（]|[.。]?$)/i.test(behind) || because.test(behind));
  const isChanged = onward.test(end) || (changing.test(lead) && onto.test(end));
  const isNeeded =
    /\bneeds?$/i.test(lead.trim()) &&
    /^ ?(?:(?:right|directly|just|immediately) )?(?:after|before|above|below|at|behind) /i.test(
      behind,
    );
  const [near = ""] = lead.split(/[;；]/).slice(-1);
  if (!isUsed && !isNeeded && !beside.test(near) && !isChanged) return false;
  return isDoubtful(lastClause(lead) + side + behind) ? "perhaps" : true;
}

/** Whether a sentence behind a change takes it back. */
export function takesBack(text: string): boolean {
  return takenBack.test(bareWords(text).trim());
}

/** Whether the last words of an answer take back all that it proposes, and propose nothing in its place. */
export function retracts(words: string): boolean {
  const bare = bareWords(words);
  const [last = ""] = sentencesOf(bare).slice(-1);
  const kept = sentencesOf(bare)
    .slice(-2)
    .some((one) => keeping.some((pattern) => pattern.test(one)) && !others.test(one));
  if (kept && !last.includes("`")) return true;
  const from = turn.exec(bare)?.index ?? bare.length;
  const at = retraction.exec(bare)?.index ?? (staying.test(bare.slice(from)) ? from : -1);
  return at !== -1 && !/\b(?:use|to) `|改用|换成/.test(bare.slice(at));
}

/** Whether what is behind comes in place of what is before the words. */
export function isTurned(between: string): boolean {
  return instead.test(bareEnd(bareWords(between)));
}

/** Whether a line is an item of a list. */
export function isListItem(text: string): boolean {
  return /^\s*(?:[-*+•]|\d{1,3}[.)、])\s/.test(text);
}

/** Whether a sentence says that what it speaks of stays. */
export function staysAsItIs(sentence: string): boolean {
  return staying.test(bareWords(sentence));
}

/** Whether words order to turn what is quoted between them into what is quoted behind. */
export function turnsInto(before: string, between: string): boolean {
  const isOrder =
    changing.test(lastClause(bareWords(before))) &&
    /^(?: in (?:the|this|your) (?:whole |entire )?file)? ?(?:to|by|with|into) ?$/i.test(between);
  return isOrder || /^ ?(?:直接|统一)?(?:改|换|替换|修改|更改)[成为] ?$/.test(between);
}

/** Whether an arrow, and nothing else, leads from one side to the other. */
export function leadsOn(between: string): boolean {
  return arrow.exec(between.trim())?.index === 0;
}

/** Whether the new code comes beside the old. */
export function addsBeside(between: string): boolean {
  return beside.test(bareWords(between));
}

/** Whether words order to add the code right behind them. */
export function addsCode(before: string): boolean {
  return /(?:^|[^\p{L}])(?:add|insert|append)(?: a call (?:of|to))? ?$|(?:添加|加上|插入|补上|加一?[行句个])(?:调用)? ?$/iu.test(
    before,
  );
}

/** Whether words say before or behind what something comes. */
export function tellsPlace(words: string): boolean {
  return /\b(?:before|after|above|below) (?:`|the |lines? \d)|[前后]/i.test(bareWords(words));
}

/** Whether a line heads those below it. */
export function isHead(text: string): boolean {
  return /^(?:#{1,6}\s|(?:\*\*|__)[^*_]+(?:\*\*|__):?$)|[:：][*_]*$/.test(text.trim());
}

/** Whether the last sentence of a text asks a person to choose. */
export function asksWhich(text: string): boolean {
  return /\bwhich (?:of|one|do|would|option|way|approach|version|fits|suits)\b.*\?|\b(?:tell|let) me (?:know )?which\b|哪[种个一].*[？?]|请(?:从中)?选择|请?告诉我.*哪/i.test(
    bareWords(lastSentence(text.trim())),
  );
}

/** Whether a head says that what is below it is left to the person, or what not to do. */
export function leavesToPerson(head: string): boolean {
  return leaving.test(bareWords(lastSentence(head.trim())));
}

/**
 * Reads the words around two sides in one sentence.
 *
 * @returns undefined where they do not ask for the change, or not in this order
 */
export function readSentence(
  around: Around,
  betweenSides: string,
  isOldFirst: boolean,
): Telling | undefined {
  const between = arrow.exec(betweenSides.trimEnd())?.[0] ?? bareWords(betweenSides);
  const [lead, after] = [withoutFacts(around.before), bareWords(around.after)];
  const asked = `${lead}${side}${between}`;
  // "`now` instead of `old`", and nothing else, is an order.
  const isBare = isTurned(between) && !/[\p{L}`]/u.test(lead) && /^[.。;；]?$/.test(after.trim());
  const isReport = isKnown.test(asked) && !asking.test(asked) && !isBare;
  if (isOldFirst === isTurned(between) || denied.test(after) || isReport) return undefined;
  if (!/[\p{L}→⇒➜|]|->|=>/u.test(between)) return undefined;
  const isRejected = rejecting.test(bareEnd(lead)) && employing.test(between);
  if (negation.test(lastClause(lead)) && !isRejected) return undefined;
  // What is moved has another place, and stays what it is.
  const isMove = /\bmove\b|移(?!除)|挪/i.test(lastClause(lead)) && !/\bfrom ?$/.test(lead);
  if (isMove && !(/[:：] ?$/.test(lead) && onward.test(bareEnd(between)))) return undefined;
  if (isOldFirst && negation.test(lastClause(between))) return undefined;
  const words = `${lead}${side}${between}${side}${after.split("|", 1)[0] ?? ""}`;
  const [, ...found] = (isOldFirst && everyPlace.exec(words)) || [];
  const places = found.find((word) => word !== undefined);
  if (isDoubtful(places === undefined ? words : words.replace(places, ""))) return undefined;
  const isFrom = /\bfrom ?$/.test(lead) && bareEnd(between).trim() === "to";
  const isAsked = isFrom || (changing.test(lastClause(lead)) && onto.test(bareEnd(between)));
  const isSure = !namesOther(between) && (!isOldFirst || isAsked || onward.test(bareEnd(between)));
  if (places === undefined) return { isSure };
  return { isSure, everywhere: /\bboth\b|两/i.test(places) ? 2 : 0 };
}

/** As {@link readSentence}, for sides that are apart from each other. */
export function readApart(old: Around, now: Around, isOldFirst: boolean): Telling | undefined {
  // A colon at the end leads to the new side.
  const [was, is] = [withoutFacts(old.before), withoutFacts(bareEnd(now.before))];
  const [afterOld, afterNew] = [bareWords(old.after), bareWords(now.after)];
  const isGiven = (words: string): boolean =>
    [rejecting, instead].some((one) => one.test(bareEnd(words))) || labelOf(words) === "old";
  // What goes is named as such where it comes last, and what comes first is not.
  if (isOldFirst ? isGiven(is) : !isGiven(was)) return undefined;
  const clauses = was
    .split(/[:：]/)
    .flatMap((one) => one.split(clauseEnd))
    .map((one) => one.trim());
  const isForbidden = clauses.some((one) => forbidding.test(one)) && !isGiven(was);
  const isAsked = isForbidden || clauses.some((one) => order.test(one)) || toYou.test(was);
  // What is said of the old code alone tells what is wrong with it.
  const isLeft = isAsked && isDoubtful(was + side + afterOld);
  const isDenied = isAsked && !isGiven(was) && negation.test(lastClause(was));
  if (isLeft || isDenied) return undefined;
  if (negation.test(lastClause(is)) || isDoubtful(is + side + afterNew)) return undefined;
  const isSure = onward.test(bareEnd(is)) || (changing.test(was + is) && onto.test(bareEnd(is)));
  return { isSure: isOldFirst && isSure && !namesOther(is) };
}

/** Whether the words before new code tell that it is what a sentence before quoted, as it should be. */
export function refersBack(before: string): boolean {
  const fillers =
    /\b(?:you|we|please|then|simply|just|so|also|therefore)\b|因此|所以|请|[你您它其将把]/gi;
  const words = withoutFacts(before);
  return !namesOther(words) && labelOf(words.replaceAll(fillers, "")) === "new";
}

/** Whether the words before new code are about something that they name, and not only name where that is. */
function namesOther(words: string): boolean {
  return words.replaceAll(/\b(?:in|inside|within|of) (?:\w+ ){0,3}`/gi, "").includes("`");
}

/** That it goes, behind what is quoted, or at the end of what leads to it. */
const isToGo =
  /^ ?(?:(?:rule|line|import|block|class|method|function|call|field|property) )?(?:is (?:never|not|no longer) (?:used|needed|read|called)(?: \w+)?,? (?:and|so(?: it)?) )?(?:(?:should|must|needs? to|has to|can)(?: also| then| now| safely)* (?:go$|be (?:removed|deleted|dropped))|(?:应该?|可以?|需要?)(?:被|直接|一并)?(?:删除|删掉|移除|去掉))/i;
/** What goes comes in elsewhere. */
const moving =
  /^[^.;。；]*(?:\b(?:and|then) (?:add|move|put|insert|place)\b|[并再后][^。；`]{0,6}(?:添加|加[到入]|移[到入]|放[到入]))/i;

const addedImport =
  /(?:\b(?:add|insert)\b[^`,]{0,40}\bimport\b|\b(?:needs?|ha(?:ve|s)|remember) to (?:\w+ )?import\b|[添增]加[^`，]{0,12}导入|(?:需要?|记得|还要|请)[^`，]{0,6}[导引]入)[^`,，]{0,20}`([^`]+)`/i;

/** The import that a sentence orders to add. */
export function importToAdd(sentence: string): string | undefined {
  const [said = ""] = ordersIn(sentence);
  return addedImport.exec(said)?.[1];
}

/** What a sentence orders to move. */
export function toMove(sentence: string): string | undefined {
  const [said = ""] = ordersIn(sentence);
  const [, en, zh = en] =
    /\bmove\b(?:(?!\b(?:before|after|above|below|to)\b)[^`.]){0,30}`([^`]+)`|[将把][^`，。]{0,12}`([^`]+)`[^`，。]{0,8}(?:移(?!除)|挪|放到)/i.exec(
      said,
    ) ?? [];
  return zh;
}

/** The new name of what a sentence orders to rename. */
export function renamedTo(sentence: string): string | undefined {
  const [said = ""] = ordersIn(sentence);
  return /(?:\brename\b[^`.]{0,30}`[^`]+`[^`.]{0,30}\b(?:to|into|as)|(?:重命名|改名|更名)[为成]?) ?`([\w$]+)/i.exec(
    said,
  )?.[1];
}

/** Whether a sentence orders to remove the code that it leads to, or begins with. */
export function asksToRemove({ before, after }: Around, lines: number): boolean {
  if (moving.test(bareWords(after))) return false;
  const lead = withoutWhyGone(withoutFacts(bareEnd(before)).replace(reason, ""));
  const said = bareEnd(lead.replace(wherein, "$<verb>"));
  const [words] = removing.exec(said) ?? isToGo.exec(bareWords(after)) ?? [];
  return words !== undefined && removes(words, lead, after, lines);
}

/** Whether an order in these words is one for so many lines, which nothing before or behind the code takes back. */
function removes(words: string, lead: string, after: string, lines: number): boolean {
  const isOne = oneLine.test(words) && !manyLines.test(words);
  const isAsked = !(isOne && lines > 1) && !negation.test(lastClause(lead));
  return isAsked && !isDoubtful(lead + side + bareWords(after));
}

/** The names of what a sentence orders to remove as a whole. */
export function namesToGo(sentence: string): string[] {
  return /[:：]$/.test(sentence.trim())
    ? []
    : [...sentence.matchAll(removedName)].map(
        ({ groups }) => groups?.["en"] ?? groups?.["zh"] ?? "",
      );
}

const removedName =
  /\b(?:remove|delete|drop) (?:the )?(?:\w+ )?`(?<en>[\w$]+)(?:\(\))?`(?! (?:from|in|of|call|line|argument|param\w*|import|flag|keyword|prefix|check)\b)|(?:删除|删掉|移除) ?(?:资源|方法|函数|类|变量|常量|整个)? ?`(?<zh>[\w$]+)(?:\(\))?`(?! ?(?:中|里|的|调用|参数|前缀|关键字|这?[一]?行))/gi;

/** A text without what it tells besides, in brackets. */
export function withoutRemarks(text: string): string {
  return text.replaceAll(/[(（][^()（）]*[)）]/g, "");
}

/** Whether words say "and", and nothing else: what was said above goes on. */
export function onlyGoesOn(text: string): boolean {
  const words = withoutRemarks(text)
    .replaceAll(/[^\p{L}\s]/gu, "")
    .trim();
  return /^(?:and(?: the(?: \w+)? (?:function|method|field|class|lines?|imports?|block|call|rule))?|as well as|以及|还有|[和与及])$/i.test(
    words,
  );
}

/** Whether a text speaks of something that goes. */
export function speaksOfLess(text: string): boolean {
  return /\b(?:remove|delete|drop|go)\b|删|移除|去掉/i.test(bareWords(text));
}

/** Whether a sentence of a text orders to remove something. */
export function asksForLess(text: string): boolean {
  return ordersIn(text).some(speaksOfLess);
}

/** Whether an order is about a new version of something. */
export function asksToReplace(sentence: string): boolean {
  return /\b(?:replac|chang|rewrit|updat)|[换改写]/i.test(bareWords(sentence));
}

/** Whether an order is about several lines of the file. */
export function namesSeveral(sentence: string): boolean {
  return /\b(?:lines|statements|calls)\b|` ?(?:and|,|[和与、及]) ?(?:the )?`|[两三四几][行个条]/i.test(
    bareWords(sentence),
  );
}

/** Whether the words before a block order to remove it, whatever they say behind that. */
export function pointsToRemoval({ before, after }: Around, lines: number): boolean {
  const last = lastSentence(bareWords(before));
  const lead = last.replace(/\bI(?:['’](?:d|ll)| would| will)\b/, "");
  const said = pointing.exec(lead)?.[0];
  return said !== undefined && removes(lead, said, after, lines);
}

/** Whether the words right before what is quoted order to remove it. */
export function leadsToRemoval(before: string): boolean {
  return removing.test(bareEnd(withoutFacts(before)));
}

/** Whether a sentence orders to remove what the one before it quotes. */
export function removesThat(text: string, lines: number): boolean {
  const [first = ""] = bareWords(text).split(clauseEnd);
  const isThat = /\b(?:that|this|it|them)\b|[这该它]/.test(first);
  const before = trimEndSigns(first, " .。!！").replace(/(?:即可|就行|就好)$/, "");
  return isThat && asksToRemove({ before, after: "" }, lines);
}

/** Whether the words before a quotation say that something is in it. */
export function tellsWhere(before: string): boolean {
  return /\b(?:from|in|inside|within|under|of|at)\b[^,;:()]*$/i.test(bareWords(before));
}

/** The name of the function or the like in which the words before sides, or directly behind one, place them. */
export function scopeOf(before: string, behind: readonly string[]): string | undefined {
  const tails = behind.map((text) => /^(?:in|inside|within|of)\b[^,;，；]*/.exec(text.trim())?.[0]);
  const names = new Set(
    [...foldSpaces([before, ...tails].join(" ")).matchAll(scoped)].map(
      ({ groups }) => groups?.["en"] ?? groups?.["zh"],
    ),
  );
  const [name] = names;
  return names.size === 1 ? name?.split(/[.#:]/).at(-1) : undefined;
}

/** The number of the line in which the words before sides place them. */
export function lineNamed(before: string): number | undefined {
  const [only, ...more] = [...before.matchAll(/\b[Ll]ine (\d{1,6})\b|第 ?(\d{1,6}) ?行/g)];
  return only === undefined || more.length > 0 ? undefined : Number(only[1] ?? only[2]);
}

function bareEnd(words: string): string {
  return trimEndSigns(words, " :：*_");
}

/** What follows is shown as a mistake. */
const asWrong = /\b(?:wrong|incorrect|bad|mistakes?|common(?:ly)?)\b|错误|反例/i;

/** What is told of names before a colon, or in another cell of a table, is why. */
function withoutFacts(text: string): string {
  const before = bareWords(text);
  const colon = Math.max(before.lastIndexOf(":"), before.lastIndexOf("："));
  const head = before.slice(0, Math.max(0, colon));
  // So is what introduces an order, and leaves nothing to the person.
  const isFact =
    head.includes("`") ||
    (order.test(lastClause(before.slice(colon + 1)).trim()) &&
      !condition.test(head) &&
      !asWrong.test(head));
  return before.slice(Math.max(isFact ? colon : -1, before.lastIndexOf("|")) + 1);
}

function lastClause(words: string): string {
  return words.split(/[,，;；]/).at(-1) ?? "";
}

function isDoubtful(words: string): boolean {
  const kept = withoutReasons(words);
  const behind = kept.join(",").split(side).slice(1).join("");
  const at = kept.findIndex((clause) => clause.includes(side));
  // In Chinese, what is told before an order is why; only a condition leaves it to the person.
  const isLed = order.test(kept[at] ?? "");
  const isWhy = (clause: string, nth: number): boolean =>
    isLed && nth < at && /\p{Script=Han}/u.test(clause);
  const isLeft = (clause: string, nth: number): boolean =>
    (isWhy(clause, nth) ? condition : doubt).test(clause.replaceAll(thereAlready, "")) ||
    (isOrderPart(clause) && quantity.test(clause));
  return outcome.test(behind) || kept.some(isLeft);
}

/** Not a fact beside the change. */
function isOrderPart(clause: string): boolean {
  return (
    clause.includes(side) ||
    /^\s*(?:(?:in|for|at|on|across|throughout|and)\b|[在对并也])/i.test(clause)
  );
}

/** The clauses without facts that lead to the change, and without why it is made. */
function withoutReasons(words: string): string[] {
  // What is in brackets is told besides, if it does not begin with a doubt.
  const clauses = words
    .replaceAll(/[(（](?!optional|if|unless|or\b|可选|如果|若|或)[^()（）\uE000]*[)）]/gi, "")
    .split(clauseEnd);
  const start = clauses.findLastIndex((one) => therefore.test(one) && one.includes(side));
  return clauses
    .slice(Math.max(0, start))
    .filter((one) => one.includes(side) || !(because.test(one) || purpose.test(one)));
}

const example =
  /^(?:(?:now|then|and|finally|afterwards),? )?(?:you can )?(?:re-?)?run (?:the |your |all |its |unit )*(?:tests?|checks?|build|linter?|suite)\b|\bto (?:verify|check|confirm|test)(?: (?:it|this|that|the (?:fix|change|result)))?$|^(?:运行|执行)(?:一下)?(?:单元)?测试|^(?:(?:example )?usage(?: examples?)?|(?:the )?usage (?:stays|remains|is) (?:the same|unchanged)|(?:用法|调用方式)(?:保持)?不变|examples?(?: of use| use(?: cases?)?)?|use cases?|(?:a |quick |sanity )*(?:check|test)|trying it out|(?:expected |sample )?output|用法|示例|输出(?:结果)?|测试(?:一下|代码)?|\p{Script=Han}{0,6}验证(?:一下)?)$|\b(?:call|use|test|verify|check)(?:ing)? (?:it|this|the function)(?: \w+ly)? (?:like|as|with|by|so|in this|this)\b|\b(?:called|used) like\b|\b(?:for example|for instance|e\.g\.)$|(?:使用|用法|调用)示例|示例用法|调用方式|使用方法|(?:例如|比如)$/iu;

/** A line that announces an example of use, or what comes out. */
export function announcesExample(above: string): boolean {
  const line = above.trim();
  const isHeading = /^(?:#|\*\*)/.test(line);
  const isLabel = isHeading || /[:：]$/.test(trimEndSigns(line, "*_` "));
  const words = line.split(/[.!]\s+|[。！]/).at(-1) ?? "";
  return isLabel && line.length <= 120 && example.test(words.replaceAll(/[#*`:：]/g, "").trim());
}
