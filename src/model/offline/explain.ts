// What code consists of, as far as a parser or, without one, its lines show.
import { cutText, foldSpaces, linesOf } from "../../base/text/lines.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import type {
  CodeAnalysis,
  CodeBranch,
  CodeRange,
  CodeSymbol,
  SymbolKind,
} from "../../code/code-analysis.ts";
import { flattenSymbols, isCallable, symbolAt } from "../../code/symbols.ts";
import type { Subject } from "../../turn/chat-model.ts";
import type { Locale } from "../../base/errors/locale.ts";

export interface CodePlace extends LineRange {
  /** Lines of the person's file above the text that was sent. */
  linesAbove: number;
  isWholeFile: boolean;
}

export interface Scene {
  subject: Subject;
  analysis: CodeAnalysis;
  place: CodePlace;
  texts: OfflineTexts;
}

/** Characters of a quote, and items of a list, that are shown. */
const [maxQuote, maxItems] = [120, 40];

/** The lines of `subject.file` that are meant: its place, else what is selected or visible, else all. */
export function placeOfSubject(subject: Subject): CodePlace {
  const { place, file, text, startLine } = subject;
  const count = Math.max(1, linesOf(file).length);
  const linesAbove = subject.linesAbove ?? (file === text ? startLine - 1 : 0);
  const first = startLine - linesAbove;
  const lines = place ?? { startLine: first, endLine: first + linesOf(text).length - 1 };
  const endLine = Math.min(lines.endLine, count);
  return {
    startLine: Math.min(lines.startLine, endLine),
    endLine,
    linesAbove,
    isWholeFile: lines.startLine <= 1 && endLine === count,
  };
}

/** Tells what the place of a subject consists of; claims nothing that the text does not show. */
export function explainCode({ subject, analysis, place, texts }: Scene): string {
  const { startLine, endLine, linesAbove } = place;
  const { symbols, source, language } = analysis;
  const lines = linesOf(source.text.replace("\uFEFF", ""));
  const range = { startLine, startColumn: 1, endLine: endLine + 1, endColumn: 1 };
  const print = (symbol: CodeSymbol): string =>
    texts.symbol(symbol.kind, code(nameOfSymbol(symbol)), symbol.range, linesAbove);
  const shown = flattenSymbols(symbols).filter((one) => startsIn(one.range, place));
  const around = symbolAt(analysis, startLine);
  const outline = itemsOf(symbols, "", (symbol) => {
    if (!startsIn(symbol.range, place)) return undefined;
    const doc = symbol.docComment && firstSentence(lines, symbol.docComment);
    return texts.entry(print(symbol), code(symbol.signature), doc ? code(doc) : "");
  });
  // Of a single function, or of a part of one.
  const isSingle = shown.filter(isCallable).length < 2;
  const branches = (isSingle ? analysis.branchesIn(range) : []).map((one) =>
    texts.branch(one.kind, one.text && code(one.text), one.line + linesAbove),
  );
  const imports = analysis.imports.filter((one) => startsIn(one.range, place));
  const own = lines.slice(startLine - 1, endLine);
  const blank = own.filter((line) => line.trim() === "").length;
  const id = subject.language === "" ? "" : code(subject.language);
  const name = subject.path === "" ? texts.unnamed : code(subject.path);
  return paragraphs(
    texts.place(name, id, startLine + linesAbove, endLine + linesAbove),
    texts.counts(own.length, blank),
    around === undefined || startsIn(around.range, place) ? "" : texts.inside(print(around)),
    shown.length === 0 && around === undefined ? texts.noOutline : "",
    list(language === undefined ? texts.plainOutline : texts.outline, outline, texts.more),
    list(texts.branches, branches, texts.more),
    list(texts.imports, [...new Set(imports.map((one) => one.source))].map(code), texts.more),
  );
}

/** A method with what holds it: `Cart.total`. */
export function nameOfSymbol(symbol: CodeSymbol): string {
  const { name, container } = symbol;
  return container === undefined || !isCallable(symbol) ? name : `${container}.${name}`;
}

/** What is inside of others comes below them. */
function itemsOf(
  symbols: readonly CodeSymbol[],
  indent: string,
  print: (symbol: CodeSymbol) => string | undefined,
): string[] {
  return symbols.flatMap((symbol) => {
    const item = print(symbol);
    if (item === undefined) return itemsOf(symbol.children, indent, print);
    return [`${indent}${item}`, ...itemsOf(symbol.children, `${indent}  `, print)];
  });
}

function firstSentence(lines: readonly string[], range: CodeRange): string {
  const words = lines
    .slice(range.startLine - 1, range.endLine)
    .map((line) => line.replace(commentSigns, "").trimEnd())
    .join("\n")
    .replace(/(?:\*\/|"""|'''|-->)$|<\/?\w+>/gm, " ");
  const text = foldSpaces(words);
  return /^.*?[.!?。！？](?=\s|$)/u.exec(text)?.[0] ?? text;
}

const commentSigns = /^\s*(?:\/\*+!?|\*(?!\/)|\/\/[/!]?|#+|--+\[*|[rbu]*"""|[rbu]*'''|<!--)?/i;

/**
 * The function or type that is meant: the one at the place. Of a whole file the only function; else what runs and is
 * what other files may use, or what comes first.
 */
export function symbolOf({ analysis, place }: Scene): CodeSymbol | undefined {
  const all = flattenSymbols(analysis.symbols);
  const { startLine, isWholeFile } = place;
  if (!isWholeFile)
    return symbolAt(analysis, startLine) ?? all.find(({ range }) => startsIn(range, place));
  const known = all.filter(({ kind }) => kind !== "module");
  const running = known.filter((symbol) => isCallable(symbol) && symbol.body !== undefined);
  if (running.length === 1) return running[0];
  const outer = known.filter(({ children }) => children.some(isCallable)).concat(running);
  const shown =
    outer.find(({ signature }) => /^(?:export|pub|public)\b/.test(signature)) ?? outer[0];
  return shown ?? known.find(({ kind }) => kind !== "variable") ?? known[0];
}

function startsIn({ startLine }: CodeRange, place: LineRange): boolean {
  return startLine >= place.startLine && startLine <= place.endLine;
}

/** Prints text as inline code, whatever it holds: one line, of bounded length, that cannot break out. */
export function code(text: string): string {
  const line = cutText(foldSpaces(text), maxQuote);
  const runs = line.match(/`+/g) ?? [];
  const ticks = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return runs.length === 0 ? `\`${line}\`` : `${ticks} ${line} ${ticks}`;
}

/**
 * A list below its title; nothing where there are no items.
 *
 * @param more says how many items are left out
 */
export function list(
  title: string,
  items: readonly string[],
  more: (count: number) => string,
): string {
  if (items.length === 0) return "";
  const left = items.length - maxItems;
  const shown = items.slice(0, maxItems).map((item) => item.replace(/^ */, "$&- "));
  return [`${title}\n`, ...shown, ...(left > 0 ? [`- ${more(left)}`] : [])].join("\n");
}

/** Paragraphs of an answer; those without text are left out. */
export function paragraphs(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== "")
    .map((part) => (part.endsWith("\n") ? part : `${part}\n`))
    .join("\n");
}

export type OfflineTexts = ReturnType<typeof offlineTexts>;

const zhKinds: Record<SymbolKind | CodeBranch["kind"], string> = {
  function: "函数",
  method: "方法",
  constructor: "构造函数",
  class: "类",
  interface: "接口",
  struct: "结构体",
  trait: "特征",
  enum: "枚举",
  type: "类型",
  module: "模块",
  variable: "变量",
  property: "属性",
  if: "条件",
  else: "否则",
  case: "情形",
  loop: "循环",
  catch: "异常捕获",
  throw: "抛出",
  return: "返回",
  guard: "提前退出",
};

/** What the offline model says, in Markdown. Names, paths and quotes come ready to print. */
export function offlineTexts(locale: Locale) {
  const isZh = locale === "zh";
  const say = (en: string, zh: string): string => (isZh ? zh : en);
  const lines = (first: number, last: number): string =>
    first >= last
      ? say(`line ${first}`, `第 ${first} 行`)
      : say(`lines ${first} to ${last}`, `第 ${first} 至 ${last} 行`);
  return {
    /** One line: what answers here, what it can do, and how to get a real model. */
    notice: say(
      "> This is the built-in offline model. It goes by rules: it lists what can be read off code, repairs a few known " +
        "faults, and writes the skeletons of tests and doc comments, but it does not understand what code is for. For a " +
        "real model, set `OPENAI_API_KEY` (with `OPENAI_BASE_URL` for a server of your choice), or put a `models` table " +
        "into `rightseat.json`, or set `COPILOT_SERVER_ENDPOINT`.",
      "> 这是内置的离线模型，按规则工作：它列出能从代码中直接读到的内容，修复少数几种已知错误，并生成测试和文档注释的骨架，" +
        "但不理解代码的用途。要使用真正的模型，请设置 `OPENAI_API_KEY`（如需其他服务器，再设置 `OPENAI_BASE_URL`），" +
        "或在 `rightseat.json` 中添加 `models` 表，或设置 `COPILOT_SERVER_ENDPOINT`。",
    ),
    nothingOpen: say(
      "No file is open and no code is selected. Open a file, or select the code that you mean, and ask again. " +
        "Questions without code need a real model.",
      "没有打开文件，也没有选中代码。请打开文件或选中相关代码，然后再试。不涉及代码的问题需要真正的模型。",
    ),
    nothingQuoted: say(
      "There is no code in your message. Put the code between two lines of three backticks, and ask again. " +
        "Questions without code need a real model.",
      "消息中没有代码。请把代码放在两行三个反引号之间，然后再试。不涉及代码的问题需要真正的模型。",
    ),
    noCode: (path: string) =>
      say(
        `**${path}**: there is no code in it. Open a file with code, or select the code that you mean, and ask again.`,
        `**${path}**：其中没有代码。请打开有代码的文件或选中相关代码，然后再试。`,
      ),
    freeQuestion: say(
      "Free questions need a real model; this is what the code shows.",
      "自由提问需要真正的模型；以下是能从代码中直接读到的内容。",
    ),
    passages: say(
      "**From the knowledge base**, the best passages first:",
      "**知识库中最相关的段落：**",
    ),
    unnamed: say("An unnamed text", "未命名文本"),
    more: (left: number) => say(`and ${left} more`, `另有 ${left} 项`),

    /** Which code this is: lines `first..last` of a file. */
    place: (path: string, id: string, first: number, last: number) =>
      say(
        `**${path}**${id && ` (${id})`}, ${lines(first, last)}.`,
        `**${path}**${id && `（${id}）`}，${lines(first, last)}。`,
      ),
    counts: (all: number, blank: number) =>
      say(
        `${all} line${all === 1 ? "" : "s"}, of which ${blank} blank.`,
        `共 ${all} 行，其中空行 ${blank} 行。`,
      ),
    symbol: (kind: SymbolKind, name: string, at: LineRange, above: number) => {
      const place = lines(at.startLine + above, at.endLine + above);
      return say(`${kind} ${name}, ${place}`, `${zhKinds[kind]} ${name}，${place}`);
    },
    inside: (symbol: string) => say(`**Part of** ${symbol}.`, `**所属**：${symbol}。`),
    outline: say("**Declarations:**", "**声明**："),
    plainOutline: say(
      "**Declarations**, as far as their first lines show them:",
      "**声明**（根据声明的首行识别）：",
    ),
    noOutline: say(
      "No line looks like the declaration of a function or a type.",
      "没有哪一行看起来是函数或类型的声明。",
    ),
    entry: (symbol: string, signature: string, doc: string) =>
      say(
        `${symbol}: ${signature}${doc && `, documented as ${doc}`}`,
        `${symbol}：${signature}${doc && `，文档注释：${doc}`}`,
      ),
    branches: say("**Branches and exits:**", "**分支与出口**："),
    branch: (kind: CodeBranch["kind"], text: string, line: number) =>
      `${lines(line, line)}${say(": ", "：")}${isZh ? zhKinds[kind] : kind}${text && ` ${text}`}`,
    imports: say("**Imports:**", "**导入：**"),

    faults: say("**Faults:**", "**错误：**"),
    fault: (line: number, says: Readonly<Record<Locale, string>>) =>
      say(`Line ${line}: ${says.en}`, `第 ${line} 行：${says.zh}`),
    /** Behind a fault that is not repaired. */
    faultLeft: say(
      "Not repaired: these lines look like others, or too much would change at once.",
      "未修复：这几行与其他位置相同，无法区分，或一次改动过多。",
    ),
    noFault: say(
      "None of the rules of the offline model applies here. Other faults were not looked for.",
      "离线模型的规则在这里都不适用。没有查找其他错误。",
    ),
    noOptimization: say(
      "Nothing was measured. What would help, only a real model can say.",
      "没有进行任何测量，此模型也无法判断怎样改进。请使用真正的模型。",
    ),

    caseUsual: (name: string, parameters: readonly string[]) =>
      say(
        `${name}${parameters.length === 0 ? "" : ` with usual values of ${parameters.join(", ")}`} gives the expected result`,
        `${name}${parameters.length === 0 ? (/\w$/.test(name) ? " " : "") : `（${parameters.join("、")} 取常规值）`}返回预期结果`,
      ),
    caseBranch: (kind: CodeBranch["kind"], text: string, line: number) =>
      say(
        `line ${line}: the ${kind} branch \`${text}\` is taken`,
        `第 ${line} 行：进入${zhKinds[kind]}分支 \`${text}\``,
      ),
    caseParameter: (name: string) =>
      say(`${name} is empty, missing or at its limit`, `${name} 为空、缺失或取边界值`),
    caseNone: (name: string) =>
      say(
        `the code shows no further case of ${name}; put one of your own here`,
        `从代码中看不出 ${name} 的更多用例，请在此填写自己的用例`,
      ),
    codeOfLines: (first: number, last: number) =>
      say(`the code of ${lines(first, last)}`, `${lines(first, last)}的代码`),
    /** In comments of test skeletons, without Markdown. */
    todoCheck: (name: string) =>
      say(`TODO: use ${name} and check what it gives.`, `TODO：使用 ${name} 并检查结果。`),
    skeletonNote: say(
      "A skeleton: what each test has to check is left to you.",
      "这只是骨架：每个测试要检查什么，由你填写。",
    ),

    docSummary: (name: string) =>
      say(`TODO: say what ${name} does.`, `TODO：说明 ${name} 的作用。`),
    docGo: say("does TODO.", "的作用：TODO。"),
    docPresent: say("There is a doc comment already.", "这里已有文档注释。"),
    noDoc: say(
      "There is no declaration at this place for which this model can write a doc comment.",
      "这里没有此模型能添加文档注释的声明。",
    ),
  };
}
