// Lines that stand for code left out: "...", "// ... existing code ...", "# 其余代码保持不变", in any comment style.
import { indentOf, isSolid, linesOf } from "../base/text/lines.ts";

/**
 * How sure it is that a line stands for code left out. `words` say it, and so do the dots of a `comment`. A
 * `phrase` may be a usual comment as well ("// other methods"), and bare `dots` may be code (Python has such
 * a statement): both count only where quoted lines would be lost otherwise.
 */
export type Placeholder = "words" | "comment" | "phrase" | "dots";

/** In characters: a longer line is no placeholder. */
const maxLine = 200;

const opener =
  /^(?:\/\/[/!]*|\/\*+|<!--+|<%--|<%#|\{\/\*+|\{\{!(?:--)?|\{#|\{-|\(\*+|--\[=*\[|--|@\*|#+!?|;+|%+|"""|'''|REM(?= )|\*+|'|")/;
const closer = /(?:\*\/\}?|-->|--%>|%>|\*\)|#\}|-\}|\]=*\]|\*@|--\}\}|\}\}|"""|''')$/;
const dotsAlone = /^(?:\.{3,}|[…⋯]+|。{3,}|．{3,})$/;
const dotsFirst = /^(?:\.{3}|[…⋯]|。{3}|．{3})/;
const dotsLast = /(?:\.{3}|[…⋯]|。{3}|．{3})$/;
const dotSigns = ".…⋯。．";
const bracketsFirst = "[(<{（【「《";
const bracketsLast = "])>}）】」》";
const frameSigns = "-=~*_#|:：!！ \t";
/** A spread, a rest element or a variadic: a name or a bracket right after the dots. */
const spread = /^\.{3}[\w$([{"'`@&*!~+-]/;

/** Says whether a line stands for code left out, and how sure that is. */
export function placeholderOf(line: string): Placeholder | undefined {
  if (line.length > maxLine || !mayHoldPlaceholder(line)) return undefined;
  const trimmed = line.trim();
  const [start] = opener.exec(trimmed) ?? [];
  const framed = /^(?:\{\{|<|\[)(.*?)(?:\}\}|>|\])$/.exec(trimmed)?.[1]?.trim() ?? "";
  if (dotsAlone.test(framed)) return trimmed.startsWith("{") ? "comment" : "dots";
  if (start === undefined) return judgeBare(trimmed);
  const inside = trimmed.slice(start.length).trim();
  // A string, not a comment of Vim or Visual Basic.
  if (/^["']$/.test(start) && inside.includes(start)) return undefined;
  // The star of a list or of a comment that goes on; a name may follow it in code.
  if (start.startsWith("*") && /^\*+[\w(*]/.test(trimmed)) return undefined;
  const [end = ""] = closer.exec(inside) ?? [];
  const content = inside.slice(0, inside.length - end.length).trim();
  if (dotsAlone.test(content.replaceAll(" ", ""))) {
    return /^["'*]/.test(start) && end === "" ? "dots" : "comment";
  }
  return judgeComment(content, start);
}

/** Not to be taken for code, even where nothing else speaks for a placeholder. */
export function isSurePlaceholder(placeholder: Placeholder | undefined): boolean {
  return placeholder === "words" || placeholder === "comment";
}

/** Whether a line of a text stands for code left out, and is not in the file. */
export function leavesOut(text: string, isKnown: (line: string) => boolean): boolean {
  if (!mayHoldPlaceholder(text)) return false;
  return linesOf(text).some((line) => isSurePlaceholder(placeholderOf(line)) && !isKnown(line));
}

/** Whether the line is all that a block of Python does beside its docstring: then bare dots are a statement. */
export function isPythonBody(lines: readonly string[], at: number): boolean {
  const indent = indentOf(lines[at] ?? "").length;
  let next = at + 1;
  while (next < lines.length && !isSolid(lines[next] ?? "")) next += 1;
  const below = lines[next];
  if (below !== undefined && indentOf(below).length >= indent) return false;
  let isDocstring = false;
  for (let above = at - 1; above >= 0; above -= 1) {
    const line = lines[above] ?? "";
    if (!isSolid(line)) continue;
    const quotes = line.match(/"""|'''/g)?.length ?? 0;
    const isQuoted = isDocstring || quotes > 0;
    if (quotes % 2 === 1) isDocstring = !isDocstring;
    if (!isQuoted) return indentOf(line).length < indent && /:\s*(?:#.*)?$/.test(line);
  }
  return false;
}

/** A quick look: most texts hold nothing of the kind. */
export function mayHoldPlaceholder(text: string): boolean {
  return /\.{3}|[…⋯]|。{3}|．{3}/.test(text) || hasPlaceholderWord(text);
}

const inlineComment = /\/\*[^*]{0,200}\*\/|<!--[^-]{0,200}-->/g;

/** A part of a line of code that stands for code left out: `{ ... }`, or a comment that says so with dots. */
export function inlinePlaceholders(line: string): string[] {
  if (line.length > maxLine || !/\.{3}|…/.test(line)) return [];
  const comments = (line.match(inlineComment) ?? []).filter(
    (comment) => /\.{3}|…/.test(comment) && isSurePlaceholder(placeholderOf(comment)),
  );
  const tail = /[^\s/:'"`]\s+(\/\/[^/]*|#[^#]*)$/.exec(line)?.[1] ?? "";
  const hasTail = /\.{3}|…/.test(tail) && placeholderOf(tail) === "words";
  const body = /\{ ?(?:\.{3}|…) ?\}/.exec(line)?.[0];
  return [...comments, ...(hasTail ? [tail] : []), ...(body === undefined ? [] : [body])];
}

interface Dress {
  words: string;
  hasDotsFirst: boolean;
  hasDotsLast: boolean;
  hasBrackets: boolean;
}

/** Takes dots, brackets and drawn lines off both ends. */
function undress(content: string): Dress {
  const dress = { words: "", hasDotsFirst: false, hasDotsLast: false, hasBrackets: false };
  let [from, to] = [0, content.length];
  const isOf = (signs: string, at: number) => signs.includes(content.charAt(at));
  for (; from < to; from += 1) {
    if (dotsFirst.test(content.slice(from, from + 3))) dress.hasDotsFirst = true;
    else if (isOf(bracketsFirst, from)) dress.hasBrackets = true;
    else if (!isOf(dotSigns, from) && !isOf(frameSigns, from)) break;
  }
  for (; to > from; to -= 1) {
    if (dotsLast.test(content.slice(Math.max(from, to - 3), to))) dress.hasDotsLast = true;
    else if (isOf(bracketsLast, to - 1)) dress.hasBrackets = true;
    else if (!isOf(dotSigns, to - 1) && !isOf(frameSigns, to - 1)) break;
  }
  return { ...dress, words: content.slice(from, to) };
}

function judgeComment(content: string, start: string): Placeholder | undefined {
  const { words, hasDotsFirst, hasDotsLast, hasBrackets } = undress(content);
  const { isAll, isClear, hasKey, startsWithKey, startsWithRest, endsWithState, isNamed, count } =
    readPlaceholderWords(words);
  const isShort = words.length <= 80;
  const hasDots = hasDotsFirst || hasDotsLast;
  // Code that was commented out.
  if (spread.test(content) && !hasDotsLast && count < 2) return hasKey ? "phrase" : undefined;
  // Dots, and a remark in brackets.
  if (hasDotsFirst && /^\P{Alphabetic}{1,8}[（(].*[)）]$/u.test(content)) return "words";
  if (isAll && hasKey && (hasDots || hasBrackets)) return "words";
  // It names what stays.
  if (endsWithState && (hasBrackets || isNamed) && isShort) return "words";
  if (hasDotsFirst && hasDotsLast) return hasKey || isAll ? "words" : "comment";
  if (hasDotsFirst) {
    const isName = count > 0 && count <= maxNamed && /^[\p{L}\s,/&-]+$/u.test(words);
    return isName || ((startsWithKey || endsWithState) && isShort) ? "words" : undefined;
  }
  if (hasDotsLast && ((startsWithKey && isClear) || (startsWithRest && isShort))) return "words";
  if (listed.test(words) && isShort) return "phrase";
  // A comment may as well say so of what the code does.
  const isPhrase = endsWithState && isShort && /^\p{Script=Han}+$/u.test(words);
  if (!isAll || !hasKey) return isPhrase && start !== "#" ? "phrase" : undefined;
  // Such a line may be a heading of Markdown.
  const isHeading = start === "#" && /^\p{Lu}/u.test(words);
  return isClear && !isHeading ? "words" : "phrase";
}

function judgeBare(line: string): Placeholder | undefined {
  if (dotsAlone.test(line.replaceAll(" ", ""))) return "dots";
  const { words, hasDotsFirst, hasDotsLast, hasBrackets } = undress(line);
  // Signs of code, which words do not have; a string that ends in dots ends in a quote.
  if (/["'`=$&;+\\@]|[,;{([]$/.test(line)) return undefined;
  const { isAll, isClear, hasKey, count } = readPlaceholderWords(words);
  if (!isAll || !hasKey) return undefined;
  if (spread.test(line) && !hasDotsLast && !(count > 1 && isClear)) return undefined;
  if (hasDotsFirst && (hasDotsLast || count > 1)) return "words";
  if (hasDotsLast && count > 1 && isClear) return "words";
  if (/[,.]/.test(words)) return hasDotsLast ? "phrase" : undefined;
  if (hasBrackets && count > 1) return isClear || !line.startsWith("<") ? "words" : undefined;
  // A sentence of a text begins with a capital.
  if (isClear && count > 2 && !/^\p{Lu}|\.$/u.test(line)) return "words";
  return count > 1 || hasDotsLast ? "phrase" : undefined;
}

// What people and models say in place of code that they leave out, in English and Chinese.

interface PlaceholderWords {
  /** Nothing else is said. */
  isAll: boolean;
  /** One word at least says that something stays, or was left out. */
  hasKey: boolean;
  /** The first word that counts does. */
  startsWithKey: boolean;
  /** The first word that counts names the rest. */
  startsWithRest: boolean;
  /** The last word says that nothing changes: "tags unchanged". */
  endsWithState: boolean;
  /** All else that it says is names: "`load` and its_path remain unchanged". */
  isNamed: boolean;
  /** It names the code that stays: "rest of the code", "other methods remain the same". */
  isClear: boolean;
  /** How many words; a run of Chinese counts its parts. */
  count: number;
}

const keys = new Set(
  (
    "existing rest remaining remainder unchanged unmodified untouched other others same previous prior earlier " +
    "original omitted omit snip snipped snippet elided skipped skip truncated abbreviated shortened hidden " +
    "keep kept remain remains stay stays leave unaltered identical collapsed continued continues etc more current"
  ).split(" "),
);
/** What stays, or how. */
const things = new Set(
  (
    "code file files function functions method methods class classes implementation implementations logic body " +
    "content contents component components module imports import fields field properties property cases case tests test routes " +
    "route handlers handler columns column lines line part parts section sections definitions declarations statements " +
    "entries items options props arguments args parameters params variables constants members types interfaces interface " +
    "setup config configuration script styles rules markup elements block blocks values keys stuff things everything text source " +
    "template page table query schema document list form view layout object constructor constructors destructor init " +
    "initializer initializers getters setters accessors hooks effects helpers utilities callbacks listeners watchers computed " +
    "annotations decorators attributes docs docstring docstrings comments header footer"
  ).split(" "),
);
const others = new Set(
  (
    "the your our my this that these those all any of is are was were be been as before above below here there for " +
    "brevity in on at goes go no not change changes changed needed required to from it its and or with by exactly " +
    "previously shown modified intact further else still up down nothing none off out left see again so forth like it " +
    "a an per will should must do"
  ).split(" "),
);
/** Words that say that nothing changes. */
const states = new Set(
  "unchanged unmodified untouched remain remains same omitted stay stays identical unaltered skipped elided truncated kept keep intact".split(
    " ",
  ),
);
/** Words that name the rest, before a thing. */
const rests = new Set("existing rest remaining remainder".split(" "));

/** Words that say by themselves that something was left out. */
const plain = new Set("snip snipped elided 省略".split(" "));

const chineseKeys =
  "其余 剩余 余下 剩下 其他 其它 现有 原有 已有 原来 原先 之前 此前 前面 后面 后续 省略 略 不变 未变 未改 未修改 未改动 未更改 无变化 没有变化 无需修改 无需改动 不需要修改 保持 保留 相同 一致 同上 同前 一样 照旧 原样 不动 维持".split(
    " ",
  );
const chineseThings =
  "代码 部分 内容 逻辑 方法 函数 实现 文件 类 导入 字段 属性 用例 测试 行 成员 语句 配置 路由 组件 变量 常量 参数 定义 声明 接口 类型 样式 业务 处理 流程 步骤 选项 元素 分支 模块 引用".split(
    " ",
  );
const chineseOthers =
  "的 了 与 和 以及 均 都 全部 所有 此处 这里 以上 以下 上面 下面 上述 中 在 为 是 请 并 或 等 按 仍 仍然 继续 其 原 无 没有 不 需 需要 修改 改动 变化 更改 如 如上 如下 今后 完全 任何 因 篇幅 为了 简洁 地 将 会 被 有 个 些 一些 到 从 至 第".split(
    " ",
  );
const chineseStates =
  "不变 未变 未改 未修改 未改动 未更改 无变化 没有变化 省略 保持 相同 一致 同上 无需修改 无需改动 不动 原样 保留".split(
    " ",
  );
const chineseWords = new Set([...chineseKeys, ...chineseThings, ...chineseOthers]);
const maxChinese = 5;
/** Words behind dots that only name what is left out: "... constants", "... root and index". */
const maxNamed = 3;

const quick =
  /existing|rest\b|remain|unchanged|unmodified|untouched|\bother|\bsame|previous|omit|snip|elided|skip|truncated|keep|no changes?|unaltered|identical|continue|其余|剩|余下|其他|其它|现有|原有|已有|原来|之前|省略|不变|略|未变|未改|变化|保持|保留|相同|一致|同上|同前|一样|照旧|原样|无需|不动/i;

/** Several names, and that they stay. */
const listed =
  /^(?:(?:the|all) )?(?<names>[\w$]+(?:(?:, (?:and )?| and | & |\/)[\w$]+)+):? (?:(?:is|are|all|both|stays?|remains?) )*(?:unchanged|untouched|unmodified|omitted|no changes?|the same|as (?:is|before|(?:it|they) (?:is|are|was|were)))$/i;

/** The names of which a comment says that they stay as they are. */
export function namesThatStay(line: string): string[] {
  const content = line.trim().replace(opener, "").replace(closer, "").trim();
  return listed.exec(content)?.groups?.["names"]?.split(/(?:, (?:and )?| and | & |\/)/) ?? [];
}

/** What may be between a name and what says that it stays. */
const linking = new Set("is are was were be the all both 均 都 仍 仍然 也 的".split(" "));

/** The text without names as code has them: in quotes, called, or of several words in one. */
function withoutNames(text: string): string {
  return text.replaceAll(/`[^`]*`|[\w$.]+(?:\([^()]*\))?/g, (word) =>
    /[`(_]|[a-z\d][A-Z]/.test(word) ? "" : word,
  );
}

/** A quick look, for texts of any length. */
function hasPlaceholderWord(text: string): boolean {
  return quick.test(text);
}

/** Reads what is said in place of code. */
function readPlaceholderWords(text: string): PlaceholderWords {
  const words = [...splitWords(text)];
  const bare = [...splitWords(withoutNames(text))];
  const isKey = (word: string) => keys.has(word) || chineseKeys.includes(word);
  const isThing = (word: string) => things.has(word) || chineseThings.includes(word);
  const isState = (word: string) => states.has(word) || chineseStates.includes(word);
  const isKnown = (word: string) =>
    isKey(word) ||
    isThing(word) ||
    others.has(word) ||
    chineseWords.has(word) ||
    /^\d+$/.test(word);
  const name = bare.findIndex((word) => !isKnown(word));
  const saysNoChange = /\b(?:no (?:\w+ )?changes?|not (?:changed|modified|shown))\b/i.test(text);
  const hasThing = words.some(isThing);
  const namesRest = words.some(
    (word) => rests.has(word) || /^(?:其余|剩余|余下|剩下|现有|原有|已有)$/.test(word),
  );
  const first = words.find((word) => !others.has(word) && !chineseOthers.includes(word));
  const isCode = words.some((word) =>
    /^(?:code|file|implementation|logic|body|代码|逻辑|实现)$/.test(word),
  );
  return {
    isAll: words.length > 0 && words.every(isKnown),
    hasKey: saysNoChange || words.some(isKey),
    startsWithKey: first !== undefined && isKey(first),
    startsWithRest: first !== undefined && (rests.has(first) || /^others?$/.test(first)),
    endsWithState: isState(words.at(-1) ?? "") || /\b(?:as before|no changes?)$/i.test(text),
    // A plain word is a name where all that follows it says that it stays.
    isNamed:
      name === -1
        ? bare.length < words.length
        : name < 2 && bare.slice(name + 1).every((word) => isState(word) || linking.has(word)),
    isClear:
      words.some((word) => plain.has(word)) ||
      (hasThing && ((namesRest && (isCode || words.includes("existing"))) || saysNoChange)) ||
      (words.some(isState) &&
        (hasThing || namesRest || chineseStates.includes(words.at(-2) ?? ""))),
    count: words.length,
  };
}

/** English words in lower case, Chinese ones as long as they are known, and any other sign by itself. */
function* splitWords(text: string): Iterable<string> {
  for (const [run] of text.matchAll(
    /[a-z]+(?:'[a-z]+)?|\d+|\p{Script=Han}+|[^\s\p{Script=Han}]/giu,
  )) {
    if (/^\p{Script=Han}/u.test(run)) yield* splitChinese(run);
    else if (!/^[,.:，。、：；()（）[\]`'"“”…-]$/.test(run)) yield run.toLowerCase();
  }
}

/** What is between known words is one word. */
function* splitChinese(run: string): Iterable<string> {
  let unknown = "";
  for (let at = 0; at < run.length;) {
    let length = Math.min(maxChinese, run.length - at);
    while (length > 0 && !chineseWords.has(run.slice(at, at + length))) length -= 1;
    if (length > 0 && unknown !== "") yield unknown;
    if (length > 0) yield run.slice(at, at + length);
    unknown = length > 0 ? "" : unknown + run.charAt(at);
    at += Math.max(1, length);
  }
  if (unknown !== "") yield unknown;
}
