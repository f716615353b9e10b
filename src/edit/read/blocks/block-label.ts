// What the line above a code block says of it: the old code, the new code, or one of several options.

import { trimEndSigns } from "../../../base/text/lines.ts";
import { type Side, sideOfPhrase } from "../side-words.ts";

const endSigns = ":：.。,，… \t*_`";
const place =
  / (?:in|at|from|of|on) (?:the file )?(?:lines? \d[\d–-]*|[\w-]*[./\\][\w./\\-]*|line)$/i;
const remark = /[(（][^()（）]{0,80}[)）]/g;

/** The side that a line above a block names for it; undefined if the line says anything else. */
export function labelOf(line: string): Side | undefined {
  if (line.length > 160) return undefined;
  const bare = bareText(line);
  // The last clause names the block if the sentence does not: "On line 4, change".
  const [, clause = ""] = /[,，]([^,，]+)$/.exec(bare) ?? [];
  return sideOfPhrase(bare) ?? sideOfPhrase(clause);
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

/** The last sentence, without remarks, the place that it names, and what it names in backticks. */
function bareText(line: string): string {
  const sentence = lastSentence(line.trim());
  const unnamed = sentence.replaceAll(/`[^`]*`/g, " ");
  const named = /\p{L}/u.test(unnamed) ? unnamed : sentence;
  return trimEndSigns(named.replaceAll(remark, ""), endSigns).replace(place, "");
}

function lastSentence(text: string): string {
  const ends = [...text.matchAll(/[.!;][ \t]|[。！；]/g)].map(
    ({ index, 0: end }) => index + end.length,
  );
  const start = ends.findLast((end) => text.slice(end).trim() !== "") ?? 0;
  return text.slice(start).trim();
}
