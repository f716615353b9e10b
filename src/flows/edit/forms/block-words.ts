// What the words around a code block say of it: whether it is the final version, an example, or comes beside what is there.
import { trimEndSigns } from "../../../base/text/lines.ts";
import { lastSentence } from "../../../edit/read/blocks/told-words.ts";

const final =
  /\b(?:final|finished|complete|full|whole|together|corrected|revised|better version)\b|最终|完整|综上|合起来|改进后|修正后/i;

/** A line says that what is below it is the final version. */
export function saysFinal(text: string): boolean {
  return final.test(text);
}

/** A line whose last sentence leads to the final version. */
export function announcesFinal(text: string): boolean {
  // What is set in bold at its start is a title.
  const behind = text.slice(text.lastIndexOf("**") + 1);
  const bare = /[\p{L}\p{N}]/u.test(behind) ? behind.trim() : text.trim();
  const last = lastSentence(bare);
  return /[:：][*_]*$/.test(last) && final.test(last);
}

/** A text ends with a colon: code comes next. */
export function leadsToCode(above: string): boolean {
  return /[:：]$/.test(trimEndSigns(above, "*_ \t"));
}

/** Code that only shows how something could be done. */
export function isOnlyIdea(above: string): boolean {
  return /\b(?:the|a|one|first|rough|basic) (?:first )?(?:idea|sketch)\b|\broughly\b|\bin principle\b|思路|大致(?:上?是|如下)|示意|伪代码/i.test(
    above,
  );
}

/** A text chooses the first of several versions. */
export function choosesFirst(text: string): boolean {
  return /\b(?:recommend|suggest|prefer|choose|use|pick|(?:go|going|stick) with)\b[^.,;]{0,20}\b(?:the )?(?:first|former)\b|\bthe (?:first|former)(?: one| version| option| variant| approach)? is (?:the one (?:that )?I\b|(?:[\w-]+ )?(?:better|shorter|simpler|cleaner|clearer|safer|enough|preferred|recommended|preferable)\b)|(?:推荐|建议|采用)(?:使用|采用)?(?:第一|前者|方案一)|用(?:第一种|前者)[^，。；]{0,6}(?:足够|就够|即可|就好|就行)|(?:第一种|前者)更/i.test(
    text,
  );
}

/** A line leads to what is meant only for somebody who wants something else than what came before. */
export function suitsOthers(above: string): boolean {
  return /\bif you(?:['’]d| would)? (?:\w+ )?(?:prefer|rather|like|want|need|insist)|如果[您你](?:还?是|更|比较)?(?:喜欢|偏好|偏爱|倾向|想|希望|需要|坚持)/i.test(
    lastSentence(above),
  );
}

/** A text recommends what it quotes. */
export function recommends(text: string): boolean {
  return /\bI(?:['’]d)? (?:recommend|suggest|prefer)\b|推荐/i.test(text);
}

const adding =
  /\b(?:add(?:s|ed|ing)?|insert(?:s|ed|ing)?|append|include|create|introduce|import|declare|define|below|above|after|before)\b|(?<![累参更])加(?!载)|插入|引入|新建|定义|声明|之前|之后|上面|下面/i;

/** A line announces something that comes beside what is there. */
export function announcesMore(above: string): boolean {
  return adding.test(above.replaceAll(/`[^`]*`|\b(?:the|this|your) imports?\b/gi, ""));
}

/** A text says that something goes to another place. */
export function tellsMove(text: string): boolean {
  return /\b(?:mov(?:e|es|ed|ing)|swap|reorder)\b|移(?!除)|挪|提前|调换|顺序/i.test(
    text.replaceAll(/`[^`]*`/g, ""),
  );
}

/** A text speaks of the order of things. */
export function tellsOrder(text: string): boolean {
  return tellsMove(text) || /\b(?:comes? first|order|before)\b|先/i.test(text);
}

/** A sentence says that something is no more there. */
export function tellsRemoval(sentence: string): boolean {
  return /^(?!.*(?:\bnot\b|n['’]t\b|不)).*(?:\b(?:removed|deleted|dropped)\b|(?:删除|删掉|移除|去掉)了)/i.test(
    sentence,
  );
}

/** What of which a text says that all else of it stays. */
export function restThatStays(text: string): string[] {
  return [...text.matchAll(rest)].map(({ groups }) => groups?.["en"] ?? groups?.["zh"] ?? "");
}

const rest =
  /(?:\b(?:rest|remainder|other [a-z]+|everything else) (?:of|in) (?:the )?`(?<en>[^`]+)`|`(?<zh>[^`]+)` ?(?:[\p{Script=Han}]{1,4})?的?(?:其他|其它|其余|剩余|剩下))[^.。`]{0,40}(?:unchanged|the same|as (?:it|they) (?:is|are)|alone|untouched|不变|保持|不动|原样)/giu;

/** A line is about code that calls what the file declares. */
export function isOfCaller(above: string): boolean {
  // Callers may be why something is added here.
  const lead =
    lastSentence(above)
      .split(/[,，]/)
      .at(-1) ?? "";
  return (
    !/^ ?(?:and |then )?(?:please )?(?:add|insert)\b|^ ?(?:请)?(?:添加|插入)/i.test(lead) &&
    /(?<!\b(?:tells?|gives?|shows?) (?:the |its )?)\bcallers?\b|\bcalling code\b|\bcall sites?\b|调用(?:处|方|者|的地方)/i.test(
      above,
    )
  );
}
