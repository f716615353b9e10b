// Where a call may begin: known of the beginning of a line, so that words go out as they come.
import { pathOfInfo, pathOfLine } from "../../edit/read/dress/path-in-text.ts";
import { closesFence, readFence } from "../../base/text/fence.ts";

/** What announces an example, or the text of something, at the end of a line with a colon. */
const example =
  /\b(?:for example|e\.g\.|for instance|(?:an|this|the following) example|looks? like(?: this)?|like (?:so|this)|contains|(?:content|contents) of|observation)(?![\w./-])|例如|比如|举例|示例如下|格式如下|形如|的内容|观察结果/i;
/** A code block that says that it is what came of a call. */
const shownOutput = /^(?:tool_)?(?:outputs?|results?|responses?|observation)$/i;
/** Files that hold data or prose: their text may look like a call. */
const dataFile = /\.(?:jsonc?|ya?ml|md|mdx|markdown|txt|xml|html?|toml)$/i;

/** Results that are repeated, texts of files, examples, and what a model thinks aloud. */
const quoteTag =
  /^ {0,3}<((?:antml:)?(?:tool_results?|tool_response|tool_output|function_results?|function_response|observation|file_contents?|documents?|examples?|scratchpad|analysis|reflection|thinking))(?=[\s>])[^<>]{0,400}>/i;

export function isAnnounced(above: string): boolean {
  return /[:：][*_`]{0,4}$/.test(above.trimEnd()) && example.test(above);
}

/** Lines in which no call can begin: a quotation, or text. They go on until it says so; undefined for this line alone. */
export interface Quoted {
  kind: "quote" | "text";
  until: ((line: string) => boolean) | undefined;
}

/** What begins with the line and is an example, an output, or the text of a file. */
export function quoteOf(line: string, above: string): Quoted | undefined {
  const [, name] = quoteTag.exec(line) ?? [];
  if (name !== undefined || /^ {0,3}<!--/.test(line)) {
    const closing = name === undefined ? "-->" : `</${name}>`;
    const isOver = line.includes(closing);
    return { kind: "quote", until: isOver ? undefined : (each) => each.includes(closing) };
  }
  const fence = line.length < 1_000 ? readFence(line) : undefined;
  if (fence === undefined || !/^ {0,3}$/.test(fence.indent)) return undefined;
  const until = (each: string): boolean => closesFence(each, fence);
  if (isAnnounced(above) || shownOutput.test(fence.info)) return { kind: "quote", until };
  const path = pathOfInfo(fence.info) ?? pathOfLine(above);
  return path !== undefined && dataFile.test(path) ? { kind: "text", until } : undefined;
}

/** Marks of a list, then a call, or what may yet become one. */
const bare =
  /^[ \t]{0,3}(?:(?:[-*•]|\d{1,2}[.)]?) {0,3})?(?:$|[<{[`~]|functools\[|(?:print\()?(?:await {0,8})?[\w.:/-]{0,200}(?:\(|$))/;
/** A label, or signs around a word, with a call behind it. */
const labelled =
  /^[ \t]{0,3}(?:(?:[-*•]|\d{1,2}[.)]) {0,3})?(?:\*{0,2}(?:ai ?)?(?:(?:tool|function|action) ?[a-z]{0,6}|[a-z_]\w{0,30}|[工具调用函数]{1,4}) ?\d{0,2}\*{0,2} ?(?:[:：]\*{0,2} ?|$)|[^\p{L}\p{N}\s{[`~]{1,4} ?(?:[\p{L}_▁][\p{L}\p{N}_▁-]{0,30})?(?: ?[^\p{L}\p{N}\s{[`~]{1,4})? ?)(?:\w{1,30}: ?)?(?:$|[<{[`~]|[\w.:/-]{1,200} ?(?:$|[^\p{L}\p{N}\s.,;:!?()'"”’…*_/&+~])|(?:await {0,8})?[\w.]{1,200}\()/iu;

/** Whether a line may begin a call; so may each of its beginnings. What begins with `>` is quoted. */
export function mayBegin(start: string): boolean {
  const text = start.slice(0, 400);
  return !/^[ \t]{0,3}>(?!>|$)/.test(text) && (bare.test(text) || labelled.test(text));
}

/** Signs of a call that may come behind words on a line. */
const inline =
  /<[|｜][^<>\n"]{1,60}>|<[^<>\s"=|｜]{1,60}[|｜]>|<(?:[\w.-]{1,24}:)?\w{0,20}(?:tool|function)_?(?:calls?|use|code)>|\[TOOL_CALLS\]/iy;
const open = /(?:<[^<>\n"]{0,60}|\[[A-Z_]{0,12})$/y;
/** In characters: so far a line is looked through for signs. */
const maxInline = 2_000;

/**
 * Where a sign of a call is behind words on one line: what is in quotes, or only spoken of, is none.
 *
 * @param from what comes before was looked through
 * @param isOpen the line goes on: a sign may just have begun
 */
export function findInline(line: string, from: number, isOpen: boolean): number | undefined {
  if (line.length > maxInline || /^[ \t]*>/.test(line)) return undefined;
  for (let at = from; at < line.length; at += 1) {
    if (line[at] !== "<" && line[at] !== "[") continue;
    inline.lastIndex = at;
    open.lastIndex = at;
    const [sign] = inline.exec(line) ?? [];
    if (sign === undefined && isOpen && open.test(line)) return at;
    const isSign = sign !== undefined && /^\s*(?:$|[<{[\w])/.test(line.slice(at + sign.length));
    if (isSign && !isQuoted(line.slice(0, at))) return at;
  }
  return undefined;
}

function isQuoted(before: string): boolean {
  return before.split("`").length % 2 === 0 || /["'“‘「（(]$/.test(before);
}
