import type { Locale } from "../errors/locale.ts";
import type { Fault } from "./offline-fix.ts";
import type { OutlineEntry } from "./outline.ts";

/** What the offline model says, in Markdown. Names, paths and quotes come ready to print. */
export interface OfflineTexts {
  /** One line: what answers here, and how to get a real model. */
  notice: string;
  unnamed: string;
  /** Which code this is: lines `first..last` of a file. */
  place(path: string, language: string, first: number, last: number): string;
  emptyCode(path: string): string;
  counts(lines: number, blank: number, comments: number | undefined): string;
  /** Says that only the first `read` lines were looked at. */
  partlyRead(read: number): string;
  outline: string;
  noOutline: string;
  entry(kind: string, name: string, line: number): string;
  imports: string;
  todos: string;
  todo(line: number, text: string): string;
  longest(name: string, entry: OutlineEntry): string;
  more(count: number): string;
  /** A chat without code: what was asked, and what can be said about it. */
  quote: string;
  noQuestion: string;
  cannotAnswer(messages: number, tokens: number): string;

  /** Of a repair that a rule can make. */
  fault(line: number, fault: Fault): string;
  noFault: string;
  noOptimization: string;
  caseUsual(name: string, parameters: readonly string[]): string;
  caseBranch(kind: string, text: string, line: number): string;
  caseParameter(name: string): string;
  skeletonNote: string;
  docSummary(name: string): string;
  docParameter: string;
  docResult: string;
  docGo: string;
  hasDoc: string;
}

const en: OfflineTexts = {
  notice:
    "> This is the built-in offline model: it lists what it can read off the text, but it does not understand, explain, " +
    "repair or write code. For a real model, set `OPENAI_API_KEY` (with `OPENAI_BASE_URL` for a server of your " +
    "choice), or put a `models` table into `rightseat.json`, or set `COPILOT_SERVER_ENDPOINT`.",
  unnamed: "An unnamed text",
  place: (path, language, first, last) =>
    `**${path}**${language === "" ? "" : ` (${language})`}, ${first === last ? `line ${first}` : `lines ${first} to ${last}`}.`,
  emptyCode: (path) => `**${path}**: the editor sent no code.`,
  counts: (lines, blank, comments) =>
    `${count(lines, "line")}, of which ${blank} blank${comments === undefined ? "" : ` and ${comments} with a comment only`}.`,
  partlyRead: (read) =>
    `Only the first ${read} lines were looked at; what follows says nothing about the others.`,
  outline: "**Declarations**, as far as their first lines show them:",
  noOutline: "No line looks like the declaration of a function or a type.",
  entry: (kind, name, line) => `${kind} ${name}, line ${line}`,
  imports: "**Imports:**",
  todos: "**To-dos:**",
  todo: (line, text) => `line ${line}: ${text}`,
  longest: (name, { line, endLine }) =>
    `**Longest function**, judging by indentation: ${name}, ${count(endLine - line + 1, "line")} (${line} to ${endLine}).`,
  more: (left) => `and ${left} more`,
  quote: "The last message begins with:",
  noQuestion: "There is no message from a person.",
  cannotAnswer: (messages, tokens) =>
    `There ${messages === 1 ? "is 1 message" : `are ${messages} messages`} of about ${count(tokens, "token")}, and neither a file nor a selection came along. ` +
    "Free questions need a real model; of code that is selected or open in the editor this model can list the outline.",

  fault: (line, fault) => `Line ${line}: ${faults[fault]}.`,
  noFault:
    "None of the few faults that this model knows stands here. That says nothing about others.",
  noOptimization:
    "Nothing was measured, and this model cannot tell what would help. A real model can.",
  caseUsual: (name, parameters) =>
    `${name}${parameters.length === 0 ? "" : ` with usual values of ${parameters.join(", ")}`} gives the expected result`,
  caseBranch: (kind, text, line) => `line ${line}: the ${kind} branch \`${text}\` is taken`,
  caseParameter: (name) => `${name} is empty, missing or at its limit`,
  skeletonNote: "A skeleton: what each test has to check is left to you.",
  docSummary: (name) => `TODO: say what ${name} does.`,
  docParameter: "TODO",
  docResult: "TODO",
  docGo: "does TODO.",
  hasDoc: "There is a doc comment already, or no declaration at this place.",
};

const faults: Record<Fault, string> = {
  looseEquality: "`==` and `!=` convert their operands; the strict form compares as written",
  noneEquality: "`None` is compared by identity",
  bareExcept: "a bare `except` also catches `KeyboardInterrupt` and `SystemExit`",
  varKeyword: "`var` is visible outside of its block",
  nullEquality: "a missing value is compared loosely",
  stringIdentity: "`==` compares references, not the text of strings",
};

const zh: OfflineTexts = {
  notice:
    "> 这是内置的离线模型：它只列出能从文本中直接读到的内容，不能理解、解释、修复或编写代码。要使用真正的模型，请设置 " +
    "`OPENAI_API_KEY`（如需其他服务器，再设置 `OPENAI_BASE_URL`），或在 `rightseat.json` 中添加 `models` 表，或设置 " +
    "`COPILOT_SERVER_ENDPOINT`。",
  unnamed: "未命名文本",
  place: (path, language, first, last) =>
    `**${path}**${language === "" ? "" : `（${language}）`}，第 ${first === last ? first : `${first} 至 ${last}`} 行。`,
  emptyCode: (path) => `**${path}**：编辑器没有发来代码。`,
  counts: (lines, blank, comments) =>
    `共 ${lines} 行，其中空行 ${blank} 行${comments === undefined ? "" : `，纯注释 ${comments} 行`}。`,
  partlyRead: (read) => `只查看了前 ${read} 行，以下内容不涉及其余各行。`,
  outline: "**声明**（根据声明的首行识别）：",
  noOutline: "没有哪一行看起来是函数或类型的声明。",
  entry: (kind, name, line) => `${kinds[kind] ?? kind} ${name}，第 ${line} 行`,
  imports: "**导入：**",
  todos: "**待办：**",
  todo: (line, text) => `第 ${line} 行：${text}`,
  longest: (name, { line, endLine }) =>
    `**最长的函数**（按缩进判断）：${name}，${endLine - line + 1} 行（第 ${line} 至 ${endLine} 行）。`,
  more: (left) => `另有 ${left} 项`,
  quote: "最后一条消息的开头是：",
  noQuestion: "没有用户消息。",
  cannotAnswer: (messages, tokens) =>
    `共有 ${messages} 条消息，约 ${tokens} 个 token，没有附带文件或选中的代码。自由提问需要真正的模型；` +
    "对于编辑器中选中或打开的代码，此模型可以列出其结构。",

  fault: (line, fault) => `第 ${line} 行：${zhFaults[fault]}。`,
  noFault: "没有发现此模型所知的少数几种错误，但不代表没有其他错误。",
  noOptimization: "没有进行任何测量，此模型也无法判断怎样改进。请使用真正的模型。",
  caseUsual: (name, parameters) =>
    `${name}${parameters.length === 0 ? "" : `（${parameters.join("、")} 取常规值）`}返回预期结果`,
  caseBranch: (kind, text, line) => `第 ${line} 行：进入 ${kind} 分支 \`${text}\``,
  caseParameter: (name) => `${name} 为空、缺失或取边界值`,
  skeletonNote: "这只是骨架：每个测试要检查什么，由你填写。",
  docSummary: (name) => `TODO：说明 ${name} 的作用。`,
  docParameter: "TODO",
  docResult: "TODO",
  docGo: "的作用：TODO。",
  hasDoc: "这里已有文档注释，或者没有声明。",
};

const zhFaults: Record<Fault, string> = {
  looseEquality: "`==` 和 `!=` 会转换操作数，严格形式按原值比较",
  noneEquality: "与 `None` 的比较应使用 `is`",
  bareExcept: "裸 `except` 还会捕获 `KeyboardInterrupt` 和 `SystemExit`",
  varKeyword: "`var` 在块外也可见",
  nullEquality: "对空值使用了宽松比较",
  stringIdentity: "`==` 比较的是引用，而不是字符串的内容",
};

/** Keywords of languages stay as they are. */
const kinds: Readonly<Record<string, string>> = {
  function: "函数",
  method: "方法",
  class: "类",
  interface: "接口",
  type: "类型",
};

const texts: Record<Locale, OfflineTexts> = { en, zh };

export function offlineTexts(locale: Locale): OfflineTexts {
  return texts[locale];
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
