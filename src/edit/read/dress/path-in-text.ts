// The path of a file, as a line above an edit names it.
import { isSolid } from "../../../base/text/lines.ts";
import { advance } from "../../../base/text/progress.ts";

const pathLike =
  /^(?!--|#)(?:[A-Za-z]:(?=[\\/]))?[\\/]?(?:[\p{L}\p{M}\p{N}_.@+()[\]$~#&-]+[\\/])*[\p{L}\p{M}\p{N}_.@+()[\]$~#&-]+$/u;
const extension = /\.[A-Za-z][A-Za-z0-9]{0,9}$/;
/** Names of languages and tools that look like files. */
const product =
  /^(?:node|vue|next|nuxt|react|express|three|d3|chart|moment|require|angular|ember|backbone|asp|socket)\.(?:js|io|net)$/i;
const code =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kt|kts|scala|c|cc|cpp|cxx|h|hh|hpp|cs|rb|php|swift|m|mm|dart|lua|r|jl|ex|exs|erl|hs|ml|fs|vb|pl|sh|bash|zsh|ps1|sql|html?|xml|css|s[ac]ss|less|vue|svelte|json|ya?ml|toml|ini|cfg|conf|md|txt|gradle|proto|tf|lock|env|mk|cmake)$/i;

/** A word without blanks that is written like a path of a file. */
function looksLikePath(text: string): boolean {
  if (text.length > 300 || !pathLike.test(text) || !isBalanced(text) || product.test(text))
    return false;
  if (extension.test(text))
    return /[\\/]/.test(text) || (/.\.|^\.env$/.test(text) && code.test(text));
  return /[\\/]\w/.test(text) && /^\p{ASCII}+$/u.test(text);
}

/** What may come before a path. */
const starts: readonly RegExp[] = [
  /^(?:[-+*•]|\d{1,3}[.)])[ \t]/,
  /^(?:\/[/*]|#|--|;|<!--)/,
  /^(?:\*\*|__)?(?:file ?name|file ?path|file|path|in|update|edit|modify|change|changes (?:to|in))(?:[ \t]*[:：]|[ \t]|(?=[*`"]))/i,
];
/** Chinese has no spaces between words; what follows in another script is another word. */
const chineseLabel = /^(?:文件名|文件路径|文件|路径|修改|在)(?:[ \t]*[:：]|[ \t]|(?=[\w@*`"]))/;
/** A language, or a line, before the path of a code fence. */
const infoStart = /^(?:[\w+#.-]{2,20}|\w(?!:[\\/])):/;
const ends: readonly string[] = ["*/", "-->", ":", "："];
const pairs: readonly (readonly [string, string])[] = [
  ...["`", "**", "*", "__", '"', "'"].map((mark) => [mark, mark] as const),
  ...["()", "[]", "【】"].map(([open = "", close = ""]) => [open, close] as const),
];
const closings = pairs.map(([, close]) => close);
/** What a sentence has behind a path, and a place in the file. */
const sentenceEnds: readonly string[] = [",", ".", ";", "!", "?", "'s", "’s"];
const place = /(?::\d{1,7}(?:[-:]\d{1,7})?|#L\d{1,7}(?:-L?\d{1,7})?)$/;

/**
 * The path that a text consists of: what looks like one with the fewest marks taken away, so that a path keeps
 * whatever it begins with. One without an extension counts if nothing in it has one.
 */
function peel(
  text: string,
  peelFirst: (text: string) => string = (same) => same,
): string | undefined {
  let bare = text.trim();
  let path: string | undefined;
  const step = (): boolean => {
    const inner = withoutStart(bare, [chineseLabel]);
    if (inner === bare && looksLikePath(bare)) {
      const isNamed = extension.test(bare);
      path = isNamed ? bare : (path ?? bare);
      if (isNamed) return false;
    }
    const next = (inner === bare ? withoutMark(bare, peelFirst) : inner).trim();
    if (next === bare) return false;
    bare = next;
    return true;
  };
  advance(() => -bare.length, step);
  return path;
}

/** Without one mark: the outermost first, and both of a pair before one alone. */
function withoutMark(text: string, peelFirst: (text: string) => string): string {
  for (const without of [peelFirst, withoutLabel, withoutPair, withoutHalf]) {
    const inner = without(text);
    if (inner !== text && inner !== "") return inner;
  }
  return text;
}

function withoutLabel(text: string): string {
  const inner = withoutStart(text, starts);
  return inner === text ? withoutEnd(text, ends) : inner;
}

function withoutPair(text: string): string {
  for (const [open, close] of pairs) {
    if (!text.startsWith(open) || !text.endsWith(close)) continue;
    const inner = text.slice(open.length, -close.length);
    if (open !== close || !inner.includes(open)) return inner;
  }
  const link = text.startsWith("[") && text.endsWith(")") ? text.lastIndexOf("](") : -1;
  return link === -1 ? text : text.slice(1, link);
}

function withoutHalf(text: string): string {
  const open = pairs.find(([mark]) => text.startsWith(mark))?.[0] ?? "";
  return open === "" ? withoutEnd(text, closings) : text.slice(open.length);
}

function withoutStart(text: string, patterns: readonly RegExp[]): string {
  const length = Math.max(0, ...patterns.map((pattern) => pattern.exec(text)?.[0].length ?? 0));
  return text.slice(length);
}

function withoutEnd(text: string, marks: readonly string[]): string {
  const found = marks.find((mark) => text.endsWith(mark)) ?? "";
  return text.slice(0, text.length - found.length);
}

/**
 * The path that a line consists of: alone, in backticks, bold, as a heading or a comment, after `File:`.
 * Undefined if anything else is on the line.
 */
export function pathOfLine(line: string): string | undefined {
  return line.length > 400 ? undefined : peel(line);
}

/**
 * Lines of code without a first one that is a comment and only names the file, as `// filepath: src/a.ts` does.
 *
 * @param file the lines of the file: one that it has is code
 */
export function withoutPathLine(
  lines: readonly string[],
  file: readonly string[],
): readonly string[] {
  const at = lines.findIndex(isSolid);
  const line = (lines[at] ?? "").trim();
  const isComment = /^(?:\/[/*]|#(?!!)|--|;|%|<!--)/.test(line);
  if (!isComment || pathOfLine(line) === undefined) return lines;
  if (file.some((other) => other.trim() === line)) return lines;
  const rest = lines.slice(at + 1);
  return isSolid(file[0] ?? "") ? rest.slice(Math.max(0, rest.findIndex(isSolid))) : rest;
}

const word = /`[^`]+`|\*\*[^*]+\*\*|[^\s`*，。：；、！？（）「」《》【】“”—–]+/g;
/** The one path that a sentence or heading names; undefined for none and for several, or one that is not clear. */
export function pathInSentence(line: string): string | undefined {
  if (line.length > 1_000) return undefined;
  const alone = pathOfLine(line);
  if (alone !== undefined) return alone;
  const found = new Set<string | undefined>();
  for (const { 0: written, index } of line.matchAll(word)) {
    if (written.includes("://")) continue;
    const isPart = /[`*]/.test(line.charAt(index - 1));
    const path = isPart ? undefined : peel(withoutNeighbours(written), withoutPlace);
    if (path !== undefined && code.test(path)) found.add(path);
    // What is a part of something else says that another file is meant.
    else if (code.test(/^\.\w+/.exec(written.slice(written.lastIndexOf(".")))?.[0] ?? ""))
      found.add(undefined);
  }
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

function withoutPlace(text: string): string {
  return withoutEnd(text, sentenceEnds).replace(place, "");
}

/** Without the words that Chinese writes against a path. */
function withoutNeighbours(written: string): string {
  const [before = ""] = /^[^\p{ASCII}]+(?=[\w@])/u.exec(written) ?? [];
  const start = /[在把将对到从和与用看改新件径中的]$/.test(before) ? before.length : 0;
  let end = written.length;
  while (end > start && written.charCodeAt(end - 1) > 127) end -= 1;
  return written.slice(start, extension.test(written.slice(start, end)) ? end : undefined);
}

const attribute =
  /\b(?:title|file|filename|path|filepath|filePath)=(?:"([^"]*)"|'([^']*)'|([^\s"'}]+))/;

/** The path in what is after a code fence: `ts:src/a.ts`, `src/a.ts`, `ts title="src/a.ts"`. */
export function pathOfInfo(info: string): string | undefined {
  if (info.length > 400) return undefined;
  const [, double, single, bare] = attribute.exec(info) ?? [];
  const named = double ?? single ?? bare;
  if (named !== undefined) return named;
  const words = info.trim().split(/\s+/);
  for (const each of words) {
    const path = peel(each, (text) => withoutStart(text, [infoStart]).replace(place, ""));
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Every bracket that is open is closed, and the whole is no link. */
function isBalanced(text: string): boolean {
  if (text.includes("](")) return false;
  const open: string[] = [];
  for (const sign of text) {
    if (sign === "(" || sign === "[") open.push(sign === "(" ? ")" : "]");
    else if ((sign === ")" || sign === "]") && open.pop() !== sign) return false;
  }
  return open.length === 0;
}
