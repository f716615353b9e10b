// What the line above a code block says of it: the old code, the new code, or one of several options.

import { trimEndSigns } from "../../../base/text/lines.ts";

export type BlockLabel = "before" | "after" | "search" | "replace";

const noise = /[*_`#>~"“”「」【】|]|\uFE0F|[\u2600-\u27BF\u{1F300}-\u{1FAFF}]/gu;
const number =
  /^(?:step |change |fix |edit |第)?(?:\d{1,2}|[a-z]|[一二三四五六七八九十])(?:[.):、：]|处|步)[ \t]*/i;
const endSigns = ":：.。,，… \t";
const lead =
  /^(?:(?:and )?(?:here(?:'s|’s| is| are)|this is|that is)(?: what)?|这是|以下是|下面是|如下是)[ \t]*/i;
const place =
  / (?:in|at|from|of|on) (?:the file )?(?:lines? \d[\d–-]*|[\w-]*[./\\][\w./\\-]*|line)$/i;
const remark = /[(（][^()（）]{0,80}[)）]/g;

/** Lower case, without marks and the colon at the end. */
const patterns: readonly (readonly [BlockLabel, RegExp])[] = [
  ["search", /^(?:(?:search|find)(?: (?:for|this|block|code))?|查找|搜索)$/],
  ["replace", /^(?:(?:replace|replacement)(?: block| code)?|替换)$/],
  [
    "before",
    /^(?:(?:the )?(?:before|was|old|original|current|existing|previous|buggy|problematic|broken|incorrect|wrong|bad|from)(?: (?:code|version|implementation|function|method|lines?|block|snippet|text|content|one|state))?(?: (?:the )?(?:change|changes|fix|edit|edits|refactor|refactoring|optimi[sz]ation|modification|update))?)$/,
  ],
  [
    "before",
    /^(?:please )?(?:replace|change|find|locate|update|modify)(?: (?:the|your|this|these|following|existing|current|old|original))*(?: (?:code|version|implementation|function|method|lines?|block|snippet|part))?$/,
  ],
  [
    "after",
    /^(?:(?:the )?(?:after|new|updated|fixed|improved|optimi[sz]ed|refactored|modified|corrected|revised|replacement|changed|correct|good|better|suggested|proposed|recommended|to|becomes|now)(?: (?:code|version|implementation|function|method|lines?|block|snippet|text|content|one|state|changes?|fix|edit))?(?: (?:the )?(?:change|changes|fix|edit|edits|refactor|refactoring|optimi[sz]ation|modification|update))?)$/,
  ],
  [
    "after",
    /^(?:(?:it |this |that |which |and )*(?:should|must) (?:be|become|read|look like(?: this)?)|(?:it |this |that |which )?becomes|use (?:this|the following)(?: code| version)?(?: instead)?|(?:changed|rewritten|replaced) (?:to|as|by|with)|应该是|应为|应改为|变为|变成)$/,
  ],
  [
    "after",
    /^(?:and )?(?:replace|change|update)? ?(?:it |this |that |them )?(?:with|to|into|by)(?: (?:the|this|these|following|new|updated|fixed|code|version|lines?|one))*$/,
  ],
  [
    "before",
    /^(?:修改前|改动前|更改前|变更前|优化前|修复前|重构前|调整前|替换前|更新前|改前|之前|原来|原先|原有|原始|原|旧|当前|目前|现有|错误|有问题|存在问题|问题)的?(?:代码|版本|实现|写法|函数|方法|内容|行|部分)?(?:如下|是)?$/,
  ],
  [
    "before",
    /^(?:请|需要|应该|应|可以|只需|只要)?(?:把|将)(?:下面|以下|这段|这一?行|如下|原来|原有|原|上述)?的?(?:这段|这一?行)?(?:代码|函数|方法|内容|部分|行)?(?:修改|替换|改)?$/,
  ],
  [
    "after",
    /^(?:请)?(?:修改后|改动后|更改后|变更后|优化后|修复后|重构后|调整后|替换后|改进后|更新后|之后|现在|新|新的|正确|正确的|修正后|替换为|替换成|改为|改成|修改为|修改成|更改为|变更为|更新为|建议|推荐)的?(?:修改|代码|版本|实现|写法|函数|内容|如下|以下代码|以下内容)*$/,
  ],
];

/** Undefined if the line says anything else. */
export function labelOf(line: string): BlockLabel | undefined {
  if (line.length > 160) return undefined;
  const bare = bareText(line);
  // The last clause names the block if the sentence does not: "On line 4, change".
  const [, clause = ""] = /[,，]([^,，]+)$/.exec(bare) ?? [];
  const isLabel = (text: string) => patterns.find(([, pattern]) => pattern.test(text))?.[0];
  return isLabel(bare) ?? (clause === "" ? undefined : isLabel(clause.trim()));
}

const optionWord =
  /option|approach|alternative|solution|variant|choice|possibility|proposal|method|way|方案|选项|方法|解法|做法|方式|思路|备选|第.种/i;
const optionHeading =
  /^(?:(?:option|approach|alternative|solution|variant|choice|possibility|proposal|method|way)[ \t]*(?:#|no\.?[ \t]*)?(?:\d{1,2}|[a-h]|i{1,3}|iv|v|one|two|three|four|first|second|third)\b|(?:first|second|third|fourth) (?:option|approach|alternative|solution|variant|way|method)\b|(?:可选)?(?:方案|选项|方法|解法|做法|方式|思路|解决方案|备选方案|备选)[ \t]*(?:[a-h\d一二三四五六七八九十甲乙丙丁])|(?:第[一二三四五六]种)(?:方案|方法|选项|解法|做法|方式|思路)?)(?=$|[ \t]*[:：.,，、。（(–—-])/i;

/** The title of a heading that offers one of several changes; undefined for any other line. */
export function optionOf(line: string): string | undefined {
  if (line.length > 200 || !optionWord.test(line) || !isHeading(line)) return undefined;
  const bare = line
    .replaceAll(/[*_`#>]/g, "")
    .trim()
    .replace(/^(?:[-+•][ \t]+|\d{1,2}[.)、][ \t]*)/, "");
  return optionHeading.test(bare.toLowerCase()) ? bare.replace(/[:：]$/, "").trim() : undefined;
}

/** A line that heads what follows: marked as a heading, bold from its start, or ended by a colon. */
function isHeading(line: string): boolean {
  const text = line.trim().replace(/^(?:[-+•][ \t]+|\d{1,2}[.)、][ \t]*)/, "");
  return (
    /^#{1,6}[ \t]/.test(text) ||
    /^(?:\*\*|__)[^*_]/.test(text) ||
    /[:：](?:\*\*|__)?$/.test(text) ||
    (text.length <= 80 && !/[.。!！?？;；,，]$/.test(text))
  );
}

/** Whether a markdown heading ends what an earlier one has begun. */
export function headingLevel(line: string): number | undefined {
  const [, marks] = /^[ \t]{0,3}(#{1,6})[ \t]/.exec(line) ?? [];
  return marks?.length;
}

/** The last sentence, without marks, numbers, remarks, and what it names in backticks. */
function bareText(line: string): string {
  const sentence = lastSentence(line.trim());
  const unnamed = sentence.replaceAll(/`[^`]*`/g, " ");
  const named = /\p{L}/u.test(unnamed) ? unnamed : sentence;
  const text = named
    .replaceAll(noise, "")
    .replaceAll(remark, "")
    .replaceAll(/[ \t]+/g, " ")
    .trim()
    .replace(/^[-+•] /, "")
    .replace(number, "")
    .replace(lead, "");
  return trimEndSigns(text, endSigns)
    .replace(place, "")
    .replace(/ (?:in|of|from|at)(?: the file)?$/, "")
    .trim()
    .toLowerCase();
}

function lastSentence(text: string): string {
  const ends = [...text.matchAll(/[.!;][ \t]|[。！；]/g)].map(
    ({ index, 0: end }) => index + end.length,
  );
  const start = ends.findLast((end) => text.slice(end).trim() !== "") ?? 0;
  return text.slice(start).trim();
}
