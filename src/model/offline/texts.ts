import type { Locale } from "../../base/errors/locale.ts";
import type { CodeBranch, SymbolKind } from "../../code/code-analysis.ts";
import type { Repair } from "./repairs/repair.ts";

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

function lines(first: number, last: number): string {
  return first >= last ? `line ${first}` : `lines ${first} to ${last}`;
}

function zhLines(first: number, last: number): string {
  return first >= last ? `第 ${first} 行` : `第 ${first} 至 ${last} 行`;
}

/** What the offline model says, in Markdown. Names, paths and quotes come ready to print. */
const en = {
  /** One line: what answers here, what it can do, and how to get a real model. */
  notice:
    "> This is the built-in offline model. It goes by rules: it lists what can be read off code, repairs a few known " +
    "faults, and writes the skeletons of tests and doc comments, but it does not understand what code is for. For a " +
    "real model, set `OPENAI_API_KEY` (with `OPENAI_BASE_URL` for a server of your choice), or put a `models` table " +
    "into `rightseat.json`, or set `COPILOT_SERVER_ENDPOINT`.",
  nothingOpen:
    "No file is open and no code is selected. Open a file, or select the code that you mean, and ask again. " +
    "Questions without code need a real model.",
  emptyCode: (path: string): string =>
    `**${path}**: there is no code in it. Open a file with code, or select the code that you mean, and ask again.`,
  /** Below the outline, if a question came with the code. */
  freeQuestion: "Free questions need a real model; this is what the code shows.",
  unnamed: "An unnamed text",
  more: (left: number): string => `and ${left} more`,

  /** Which code this is: lines `first..last` of a file. */
  place: (path: string, language: string, first: number, last: number): string =>
    `**${path}**${language === "" ? "" : ` (${language})`}, ${lines(first, last)}.`,
  counts: (all: number, blank: number, comments: number | undefined): string =>
    `${count(all, "line")}, of which ${blank} blank${comments === undefined ? "" : ` and ${comments} with a comment only`}.`,
  partlyRead: (read: number): string =>
    `Only the first ${read} lines were looked at; what follows says nothing about the others.`,
  symbol: (kind: SymbolKind, name: string, first: number, last: number): string =>
    `${kind} ${name}, ${lines(first, last)}`,
  inside: (symbol: string): string => `**Part of** ${symbol}.`,
  outline: "**Declarations:**",
  plainOutline: "**Declarations**, as far as their first lines show them:",
  noOutline: "No line looks like the declaration of a function or a type.",
  entry: (symbol: string, signature: string, doc: string): string =>
    `${symbol}: ${signature}${doc === "" ? "" : `, documented as ${doc}`}`,
  longest: (symbol: string, size: number): string =>
    `**Longest function:** ${symbol} (${count(size, "line")}).`,
  branches: "**Branches and exits:**",
  branch: (kind: CodeBranch["kind"], text: string, line: number): string =>
    `line ${line}: ${kind}${text === "" ? "" : ` ${text}`}`,
  imports: "**Imports:**",
  todos: "**To-dos:**",
  todo: (line: number, text: string): string => `line ${line}: ${text}`,

  faults: "**Faults:**",
  fault: (line: number, says: Repair["says"]): string => `Line ${line}: ${says.en}`,
  /** Behind a fault that is not repaired. */
  faultLeft: "Not repaired: these lines look like others, or too much would change at once.",
  noFault: (rules: number): string =>
    `${rules === 1 ? "The only rule of the offline model for this language does not apply here" : `None of the ${rules} rules of the offline model applies here`}. Other faults were not looked for.`,
  rulesOfChange: "**Rules that make this change:**",
  noRuleOfChange: (rules: number): string =>
    `This change was not made by ${rules === 1 ? "the only rule" : `one of the ${rules} rules`} of the offline model. A real model can say what it does and why.`,
  passages: "**From the knowledge base**, the best passages first:",
  /** Without a grammar strings look like code. */
  notRead: "No grammar reads this text, so no faults were looked for.",
  noOptimization: "Nothing was measured. What would help, only a real model can say.",

  caseUsual: (name: string, parameters: readonly string[]): string =>
    `${name}${parameters.length === 0 ? "" : ` with usual values of ${parameters.join(", ")}`} gives the expected result`,
  caseBranch: (kind: CodeBranch["kind"], text: string, line: number): string =>
    `line ${line}: the ${kind} branch \`${text}\` is taken`,
  casePassed: (text: string, line: number): string =>
    `line ${line}: \`${text}\` does not hold from the start`,
  caseParameter: (name: string): string => `${name} is empty, missing or at its limit`,
  caseTwice: (name: string): string =>
    `${name} gives the same again when it is used a second time in the same way`,
  caseNone: (name: string): string =>
    `the code shows no further case of ${name}; put one of your own here`,
  codeOfLines: (first: number, last: number): string => `the code of ${lines(first, last)}`,
  noCodeToTest: (path: string): string =>
    `**${path}**: there is no code to test. Select the code that is to be tested, and ask again.`,

  /** In comments of test skeletons, without Markdown. */
  todoCheck: (name: string): string => `TODO: use ${name} and check what it gives.`,
  todoHidden: (name: string): string =>
    `TODO: tests cannot reach ${name} as it is; export it, or test it through what is exported.`,
  todoInclude: (name: string): string => `TODO: include the header that declares ${name}.`,
  skeletonNote: "A skeleton: what each test has to check is left to you.",

  docSummary: (name: string): string => `TODO: say what ${name} does.`,
  docTodo: "TODO",
  docGo: "does TODO.",
  noDoc: {
    nothing: "There is no declaration at this place that could be documented.",
    present: "There is a doc comment already.",
    language: "This model does not know how doc comments of this language are written.",
    place: "The declaration shares its line with other code, so a doc comment has no room.",
    recurs: "The declaration recurs in the file, so it is not clear where the comment belongs.",
  },
};

export type OfflineTexts = typeof en;

const zh: OfflineTexts = {
  notice:
    "> 这是内置的离线模型，按规则工作：它列出能从代码中直接读到的内容，修复少数几种已知错误，并生成测试和文档注释的骨架，" +
    "但不理解代码的用途。要使用真正的模型，请设置 `OPENAI_API_KEY`（如需其他服务器，再设置 `OPENAI_BASE_URL`），" +
    "或在 `rightseat.json` 中添加 `models` 表，或设置 `COPILOT_SERVER_ENDPOINT`。",
  nothingOpen:
    "没有打开文件，也没有选中代码。请打开文件或选中相关代码，然后再试。不涉及代码的问题需要真正的模型。",
  emptyCode: (path) => `**${path}**：其中没有代码。请打开有代码的文件或选中相关代码，然后再试。`,
  freeQuestion: "自由提问需要真正的模型；以下是能从代码中直接读到的内容。",
  unnamed: "未命名文本",
  more: (left) => `另有 ${left} 项`,

  place: (path, language, first, last) =>
    `**${path}**${language === "" ? "" : `（${language}）`}，${zhLines(first, last)}。`,
  counts: (all, blank, comments) =>
    `共 ${all} 行，其中空行 ${blank} 行${comments === undefined ? "" : `，纯注释 ${comments} 行`}。`,
  partlyRead: (read) => `只查看了前 ${read} 行，以下内容不涉及其余各行。`,
  symbol: (kind, name, first, last) => `${zhKinds[kind]} ${name}，${zhLines(first, last)}`,
  inside: (symbol) => `**所属**：${symbol}。`,
  outline: "**声明**：",
  plainOutline: "**声明**（根据声明的首行识别）：",
  noOutline: "没有哪一行看起来是函数或类型的声明。",
  entry: (symbol, signature, doc) =>
    `${symbol}：${signature}${doc === "" ? "" : `，文档注释：${doc}`}`,
  longest: (symbol, size) => `**最长的函数**：${symbol}（${size} 行）。`,
  branches: "**分支与出口**：",
  branch: (kind, text, line) =>
    `第 ${line} 行：${zhBranches[kind]}${text === "" ? "" : ` ${text}`}`,
  imports: "**导入：**",
  todos: "**待办：**",
  todo: (line, text) => `第 ${line} 行：${text}`,

  faults: "**错误：**",
  fault: (line, says) => `第 ${line} 行：${says.zh}`,
  faultLeft: "未修复：这几行与其他位置相同，无法区分，或一次改动过多。",
  noFault: (rules) => `离线模型的 ${rules} 条规则在这里都不适用。没有查找其他错误。`,
  rulesOfChange: "**这处修改用到的规则：**",
  noRuleOfChange: (rules) =>
    `这处修改不是根据离线模型的 ${rules} 条规则做出的。要了解它的作用和原因，请使用真正的模型。`,
  passages: "**知识库中最相关的段落：**",
  notRead: "没有可用于这种语言的语法，因此没有查找错误。",
  noOptimization: "没有进行任何测量，此模型也无法判断怎样改进。请使用真正的模型。",

  caseUsual: (name, parameters) =>
    `${name}${parameters.length === 0 ? "" : `（${parameters.join("、")} 取常规值）`}返回预期结果`,
  caseBranch: (kind, text, line) => `第 ${line} 行：进入${zhBranches[kind]}分支 \`${text}\``,
  casePassed: (text, line) => `第 ${line} 行：\`${text}\` 一开始就不成立`,
  caseParameter: (name) => `${name} 为空、缺失或取边界值`,
  caseTwice: (name) => `以相同方式再次使用 ${name} 时结果不变`,
  caseNone: (name) => `从代码中看不出 ${name} 的更多用例，请在此填写自己的用例`,
  codeOfLines: (first, last) => `${zhLines(first, last)}的代码`,
  noCodeToTest: (path) => `**${path}**：没有可测试的代码。请选中要测试的代码，然后再试。`,

  todoCheck: (name) => `TODO：使用 ${name} 并检查结果。`,
  todoHidden: (name) => `TODO：测试无法直接访问 ${name}，请将其导出，或通过已导出的代码测试。`,
  todoInclude: (name) => `TODO：包含声明 ${name} 的头文件。`,
  skeletonNote: "这只是骨架：每个测试要检查什么，由你填写。",

  docSummary: (name) => `TODO：说明 ${name} 的作用。`,
  docTodo: "TODO",
  docGo: "的作用：TODO。",
  noDoc: {
    nothing: "这里没有可以添加文档注释的声明。",
    present: "这里已有文档注释。",
    language: "此模型不了解这种语言的文档注释格式。",
    place: "声明与其他代码在同一行，没有位置添加文档注释。",
    recurs: "该声明在文件中多次出现，无法区分其位置。",
  },
};

const zhKinds: Record<SymbolKind, string> = {
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
};

const zhBranches: Record<CodeBranch["kind"], string> = {
  if: "条件",
  else: "否则",
  case: "情形",
  loop: "循环",
  catch: "异常捕获",
  throw: "抛出",
  return: "返回",
  ternary: "三元",
  logical: "逻辑",
  guard: "提前退出",
};

const texts: Record<Locale, OfflineTexts> = { en, zh };

export function offlineTexts(locale: Locale): OfflineTexts {
  return texts[locale];
}
