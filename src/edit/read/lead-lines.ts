// What the text above an edit says of it, in one way of writing: which file, and whether it is one of several options.
import { trimEndSigns } from "../../base/text/lines.ts";
import { maxTextLines } from "./blocks/quoted-change.ts";
import type { TextLine } from "./blocks/quoted-sentences.ts";
import { isListItem } from "./blocks/told-words.ts";
import type { CollectedEdits } from "./collected-edits.ts";
import { pathInSentence, pathOfLine } from "./dress/path-in-text.ts";
import { maxTag, readOpeningTag } from "./dress/tags.ts";
import { labelOf } from "./side-words.ts";

/** Characters of the file that are looked through for what is in quotes. */
const maxLooks = 20_000_000;
/** Below every heading of Markdown. */
const lowest = 7;

/** Follows the lines of text of an answer. */
export class LeadLines {
  /** All of them that are not empty; one more than are read, if there are more. */
  readonly lines: TextLine[] = [];
  readonly #edits: CollectedEdits;
  #above = "";
  /** Named by the last line of text, unless something else was named since. */
  #near: { path: string | undefined } | undefined;
  /** Named by the last heading. */
  #section: string | undefined;
  #optionLevel = lowest;
  /** An indented line is code here: below an empty one, or more of such. */
  #isCode = true;
  #isList = false;
  readonly #file: string;
  #looks: number;

  /** @param file the text of the file that is meant */
  constructor(edits: CollectedEdits, file: string) {
    this.#edits = edits;
    this.#file = file;
    this.#looks = Math.floor(maxLooks / (file.length + 1));
  }

  /** A line in words that are known; what it has in quotes is code if the file has it. */
  plain(line: string): string {
    return plainWords(line, (quoted) => {
      this.#looks -= 1;
      return this.#looks >= 0 && quoted.length > 1 && this.#file.includes(quoted);
    });
  }

  /** The last line, and the path that the text names for what comes next. */
  get lead(): { above: string; path: string | undefined } {
    this.#near ??= { path: pathOf(this.#above) };
    return { above: this.#above, path: this.#near.path ?? this.#section };
  }

  /** The next path is that of the line, which is no text. */
  name(path: string | undefined): void {
    if (path !== undefined) this.#near = { path };
  }

  /** What is between the tags around a file is of that, also below text. */
  enclose(path: string | undefined): void {
    this.name(path);
    this.#section = path;
  }

  /**
   * Takes a line of text outside of code.
   *
   * @param number of the line, 1-based
   */
  take(line: string, number: number): void {
    const isCode = this.#isCode && !this.#isList && /^(?: {4}|\t)\s*\S/.test(line);
    this.#isCode = isCode || line.trim() === "";
    if (line.trim() === "") return;
    this.#isList = isCode ? this.#isList : isListItem(line);
    const text = isCode ? line : this.plain(line);
    if (this.lines.length <= maxTextLines)
      this.lines.push({ text, line: number, isCode, written: line });
    const level = headingLevel(line);
    const path = level === undefined ? pathOfLine(line) : undefined;
    // A path between a sentence that leads to code and the code only names its file.
    const isNamed = path !== undefined && /[:：][*_`]*$/.test(this.#above.trimEnd());
    this.#near = isNamed ? { path } : undefined;
    if (!isNamed) this.#above = text.slice(0, 1_000);
    if (level !== undefined || isBold(line)) this.#section = pathOf(line);
    const title = optionOf(line);
    if (title !== undefined) {
      this.#edits.enter({ title, line: number });
      this.#optionLevel = level ?? lowest;
    } else if (level !== undefined && level <= this.#optionLevel && labelOf(line) === undefined)
      this.#edits.enter(undefined);
  }
}

/** The path that the line names for what follows it. */
function pathOf(line: string): string | undefined {
  // An opening tag may end a line of text.
  const at = line.length < maxTag ? line.lastIndexOf("<file-edit") : -1;
  const tag = at === -1 ? undefined : readOpeningTag(line.slice(at));
  if (tag?.filePath !== undefined && tag.after.trim() === "") return tag.filePath;
  const isLead = headingLevel(line) !== undefined || /[:：][*_`]*$/.test(trimEndSigns(line, " \t"));
  return isLead ? pathInSentence(line) : pathOfLine(line);
}

function isBold(line: string): boolean {
  return /^[ \t]*(?:\*\*|__)[^*_]+(?:\*\*|__):?$/.test(trimEndSigns(line, " \t"));
}

/** The level of a heading of Markdown. */
function headingLevel(line: string): number | undefined {
  return /^[ \t]{0,3}(#{1,6})[ \t]/.exec(line)?.[1]?.length;
}

const optionNoun =
  "(?:option|approach|alternative|solution|variant|choice|possibility|proposal|method|way)";
const chineseNoun = "(?:方案|选项|方法|解法|做法|方式|思路|解决方案|备选方案|备选)";
// Its words are those above.
// oxlint-disable-next-line patterns/no-built-pattern
const optionHeading = new RegExp(
  `^(?:${optionNoun}[ \\t]*(?:#|no\\.?[ \\t]*)?(?:\\d{1,2}|[a-h]|i{1,3}|iv|v|one|two|three|four|first|second|third)\\b|` +
    `(?:first|second|third|fourth) ${optionNoun}\\b|` +
    `(?:可选)?${chineseNoun}[ \\t]*[a-h\\d一二三四五六七八九十甲乙丙丁]|第[一二三四五六]种${chineseNoun}?)` +
    "(?=$|[ \\t]*[:：.,，、。（(–—-])",
);
const listMark = /^(?:[-+•][ \t]+|\d{1,2}[.)、][ \t]*)/;

/** The title of a heading that offers one of several changes; undefined for any other line. */
export function optionOf(line: string): string | undefined {
  if (line.length > 200) return undefined;
  const bare = line
    .replaceAll(/[*_`#>]/g, "")
    .trim()
    .replace(listMark, "");
  if (!optionHeading.test(bare.toLowerCase()) || !isHeading(line)) return undefined;
  return bare.replace(/[:：]$/, "").trim();
}

/** A line that heads what follows: marked as a heading, bold from its start, ended by a colon, or no sentence. */
function isHeading(line: string): boolean {
  const text = line.trim().replace(listMark, "");
  return (
    /^(?:#{1,6}[ \t]|(?:\*\*|__)[^*_])|[:：](?:\*\*|__)?$/.test(text) ||
    (text.length <= 80 && !/[.。!！?？;；,，]$/.test(text))
  );
}

/** What is said for an act, and the word for it that the rules know. */
const acts: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w./-])substitut(?=(?:es?|ed|ing)\b)/gi, "replac"],
  [/(?<![\w./-])(?:swap|switch) out\b/gi, "replace"],
  [/(?<![\w./-])(?:eliminat|eras)(?=(?:es?|ed|ing)\b)/gi, "remov"],
  [/(?<![\w./-])(?:get rid of|do away with|take out|strip out)\b/gi, "remove"],
  [/(?<![\w./-])(?:adjust|alter|amend|tweak)(?=(?:ed|ing)\b)/gi, "updat"],
  [/(?<![\w./-])(?:adjust|alter|amend|tweak)(?=s?\b)/gi, "update"],
  [/剔除|去除|删去|拿掉/g, "删除"],
  [/(?:调整|更新|更改|变更|修正)(?=[为成])/g, "改"],
  [/置换(?=[为成])/g, "替换"],
];

/**
 * A line of text with one word for each act, and no signs around code. Where nothing is in backticks, all that is in quotes
 * is code if one of it has signs of that.
 *
 * @param isCode something in quotes is code as well
 */
function plainWords(line: string, isCode: (quoted: string) => boolean): string {
  if (line.length > maxLine) return line;
  const known = line.replaceAll(/<code>([^`]{1,80}?)<\/code>/g, "`$1`");
  const isBare = !known.includes("`") && !/^\s*[{[<]|[{,]\s?"\w+"\s?:/.test(line);
  const quoted = isBare ? [...known.matchAll(inQuotes)].map(([, one = ""]) => one) : [];
  const hasCode = quoted.some((one) => hasCodeSigns.test(one) || isCode(one));
  const ticked = hasCode ? known.replaceAll(inQuotes, "`$1`") : known;
  const toAct = (text: string, [said, act]: (typeof acts)[number]): string =>
    text.replaceAll(said, (word) =>
      /^[A-Z]/.test(word) ? act.charAt(0).toUpperCase() + act.slice(1) : act,
    );
  return ticked
    .replaceAll(/(\*{1,3}|_{1,3})(`[^`]*`)\1/g, "$2")
    .split(/(`[^`]*`)/)
    .map((part, nth) =>
      nth % 2 === 0
        ? acts
            .reduce(toAct, part)
            .replaceAll(aCodeName, (name) => (isCode(name) ? `\`${name}\`` : name))
        : part,
    )
    .join("");
}

/** No word of a language; what comes behind these words is new. */
const aCodeName =
  /(?<![\w./$-]|\b(?:be|use|using|to|with|by|as|of) )(?:[a-z]+[A-Z]\w*|[A-Za-z][A-Za-z\d]*_\w+|[A-Za-z_]\w*(?=\(\)))(?![\w/$-]|\.\w)/g;

const inQuotes = /(?<![\w=])["“]([^"“”`]{1,80})["”]/g;
const hasCodeSigns = /[=(){}<>;$_[\]]|\w[.:#]\w|[a-z][A-Z]/;

/** In characters: words of a longer one stay as they are. */
const maxLine = 2_000;
