import type { EditErrorCode, EditLevel } from "../edit/edit-unit.ts";
import type { Locale } from "../errors/locale.ts";
import type { CodeProblem } from "../symbols/code-analysis.ts";
import type { TestCase } from "./test-cases.ts";

/** What flows say to people in their own words; the model's words come from `prompt/builtin`. */
export interface Texts {
  greeting(name: string, agent: string): string;
  offer: string;
  noCommands: string;
  version(agent: string, version: string, model: string): string;
  fix: { title: string; message: string; prompt: string };
  unittest: { title: string; message: string; prompt: string };
  /** The button of a command that a definition lists without a description. */
  runCommand(command: string): string;
  explainPassage: string;
  sources: string;
  explainSymbol(name: string): string;

  unnamedFile: string;
  newCode(path: string, first: number, last: number): string;
  wholeFile(path: string): string;
  otherFile(path: string): string;
  /** A unit of a change, and how it was found. */
  foundAt(unit: number, level: string, first: number, last: number): string;
  levels: Record<EditLevel, string>;
  /** A unit of a change that was not found. */
  missed(unit: number, code: EditErrorCode): string;
  brokenSyntax(line: number, problem: string): string;
  tryAgain: string;
  notApplied(why: string): string;
  refusals: Record<EditErrorCode | "touches-code", string>;
  proposed: string;
  noChange: string;
  choosePlace(unit: number): string;
  place(first: number, last: number, symbol: string, text: string): string;
  applyThere: string;
  fileChanged: string;
  showWhole: { title: string; message: string; prompt: string };
  explainChange: { title: string; message: string; prompt: string };

  /** What prompts are told of the code. */
  placeInPrompt(name: string, first: number, last: number): string;
  problem(problem: CodeProblem): string;
  syntaxProblem(line: number, problem: string): string;
  subject(path: string, name: string, first: number, last: number): string;

  chooseFunction: string;
  casesFor(name: string): string;
  noCases: string;
  testsFor(name: string): string;
  testCase(item: TestCase): string;
  category(name: string): string;
  /** Where tests stand in the file under test. */
  addToSource(path: string): string;
  writeAll(count: number): { title: string; message: string };
  moreCases: { title: string; message: string; prompt: string };
  knownCases: string;
  allCases: string;
  startOver: { title: string; message: string; prompt: string };
}

function lines(first: number, last: number): string {
  return first >= last ? `line ${first}` : `lines ${first} to ${last}`;
}

function zhLines(first: number, last: number): string {
  return first >= last ? `第 ${first} 行` : `第 ${first} 至 ${last} 行`;
}

const misses: Partial<Record<EditErrorCode, string>> & { "no-match": string } = {
  "no-match": "not found in the file",
  ambiguous: "fits several places",
  elision: "leaves out code that cannot be told",
};

const zhMisses: typeof misses = {
  "no-match": "文件中未找到",
  ambiguous: "符合多个位置",
  elision: "省略了无法确定的代码",
};

const problems: Record<CodeProblem["kind"], (text: string) => string> = {
  missing: (text) => `${text} is missing`,
  unexpected: (text) => `unexpected ${text}`,
  "unexpected-end": () => "the text ends too early",
};

const zhProblems: typeof problems = {
  missing: (text) => `缺少 ${text}`,
  unexpected: (text) => `意外的 ${text}`,
  "unexpected-end": () => "代码过早结束",
};

const en: Texts = {
  greeting: (name, agent) => `Hello${name === "" ? "" : `, ${name}`}! This is ${agent}.\n\n`,
  offer: "What shall we do?\n",
  noCommands: "Ask me anything about the code in front of you.\n",
  version: (agent, version, model) => `${agent} ${version}, answering with the model "${model}".\n`,
  fix: {
    title: "Fix",
    message: "Look for the mistakes in this code and repair them",
    prompt: "Fix this code.",
  },
  unittest: {
    title: "Write unit tests",
    message: "Write unit tests for this code",
    prompt: "Recommend unit tests for this code.",
  },
  runCommand: (command) => `Run ${command}`,
  explainPassage: "Explain this passage.",
  sources: "**Sources:**",
  explainSymbol: (name) => `Explain \`${name}\`.`,

  unnamedFile: "file",
  newCode: (path, first, last) => `**New code**, \`${path}\`, ${lines(first, last)}:`,
  wholeFile: (path) => `**\`${path}\`** with the change:`,
  otherFile: (path) => `This is proposed for \`${path}\`, which is not open here:`,
  foundAt: (unit, level, first, last) => `Change ${unit}: ${lines(first, last)} (${level})`,
  levels: {
    exact: "found exactly",
    "line-ends": "found but for line ends or trailing blanks",
    indentation: "found with another indentation, which was adapted",
    typography: "found but for quotes, dashes or blanks",
    "blank-lines": "found but for blank lines",
    elision: "found by the lines around what was left out",
    decoration: "found after fences, line numbers or entities were taken off",
    "partial-line": "found inside a line",
    similar: "found with small misquotations; please check",
    "line-numbers": "by line numbers",
    "new-file": "fills the empty file",
    "whole-file": "replaces the whole file",
  },
  missed: (unit, code) => `Change ${unit}: ${misses[code] ?? misses["no-match"]}`,
  brokenSyntax: (line, problem) =>
    `**Please check**: the code was free of syntax errors before, and now has one at line ${line}: ${problem}.`,
  tryAgain: "The change cannot be made, so the model is asked once more.",
  notApplied: (why) => `**Nothing was changed**: ${why}`,
  refusals: {
    malformed: "the change is not written as it has to be.",
    truncated: "the change was cut off.",
    "no-match":
      "the code that is to be replaced does not stand in the file. The nearest place differs:",
    ambiguous: "the code that is to be replaced stands in several places.",
    overlap: "two parts of the change contradict each other.",
    unquoted: "lines would be lost that the change does not name.",
    indentation: "the indentation of the new lines cannot be told.",
    elision: "the change leaves out code that cannot be told.",
    "whole-file": "the change would replace the whole file.",
    "no-change": "the file already is as the change wants it.",
    "missing-file": "there is no such file.",
    "line-range": "the change names lines that the file does not have.",
    "touches-code": "the change touches code, and only comments may change here.",
  },
  proposed: "The model proposed:",
  noChange: "No change was proposed.",
  choosePlace: (unit) =>
    `**Nothing was changed yet**: change ${unit} fits several places. Choose the one that is meant.`,
  place: (first, last, symbol, text) =>
    `${lines(first, last)}${symbol === "" ? "" : `, ${symbol}`}: ${text}`,
  applyThere: "Apply the change at this place:",
  fileChanged: "The file has changed since, so the place was looked up again.",
  showWhole: {
    title: "Show the whole file",
    message: "Show the whole file with this change",
    prompt: "Show the whole file with this change.",
  },
  explainChange: {
    title: "Explain the change",
    message: "Explain what this change does and why",
    prompt: "Explain what this change does and why:",
  },

  placeInPrompt: (name, first, last) => `${name === "" ? "" : `${name}, `}${lines(first, last)}`,
  problem: ({ kind, text }) => problems[kind](text),
  syntaxProblem: (line, problem) => `Line ${line}: ${problem}`,
  subject: (path, name, first, last) =>
    `${path}, ${name === "" ? "" : `${name}, `}${lines(first, last)}`,

  chooseFunction: "Which function shall be tested?",
  casesFor: (name) =>
    `Test cases for \`${name}\`. Choose one to have it written, or write them all.`,
  noCases: "The model gave no list of test cases.",
  testsFor: (name) => `Recommend unit tests for \`${name}\`.`,
  testCase: ({ category, description }) => `${category}: ${description}`,
  category: (name) => name,
  addToSource: (path) => `Add this at the end of \`${path}\`; it does not replace the file.`,
  writeAll: (count) => ({ title: "Write all", message: `Write the tests of all ${count} cases` }),
  moreCases: {
    title: "Recommend more cases",
    message: "Recommend test cases for this code",
    prompt: "Recommend test cases for this code.",
  },
  knownCases: "These are written already:",
  allCases: "The happy path and the edge cases that the code shows.",
  startOver: {
    title: "Start over",
    message: "Show what this agent can do",
    prompt: "Start over.",
  },
};

const zh: Texts = {
  greeting: (name, agent) => `你好${name === "" ? "" : `，${name}`}！我是 ${agent}。\n\n`,
  offer: "想做什么？\n",
  noCommands: "关于眼前的代码，有任何问题都可以问我。\n",
  version: (agent, version, model) => `${agent} ${version}，使用模型“${model}”回答。\n`,
  fix: { title: "修复", message: "找出这段代码中的错误并修复", prompt: "修复这段代码。" },
  unittest: {
    title: "编写单元测试",
    message: "为这段代码编写单元测试",
    prompt: "为这段代码推荐单元测试。",
  },
  runCommand: (command) => `执行 ${command}`,
  explainPassage: "解释这段内容。",
  sources: "**来源：**",
  explainSymbol: (name) => `解释 \`${name}\`。`,

  unnamedFile: "文件",
  newCode: (path, first, last) => `**新代码**，\`${path}\`，${zhLines(first, last)}：`,
  wholeFile: (path) => `**\`${path}\`** 修改后的全文：`,
  otherFile: (path) => `以下修改针对 \`${path}\`，该文件未在此处打开：`,
  foundAt: (unit, level, first, last) => `修改 ${unit}：${zhLines(first, last)}（${level}）`,
  levels: {
    exact: "精确匹配",
    "line-ends": "忽略行尾或尾部空白后匹配",
    indentation: "缩进不同，已调整",
    typography: "忽略引号、破折号或空格差异后匹配",
    "blank-lines": "忽略空行后匹配",
    elision: "根据省略处前后的行匹配",
    decoration: "去除围栏、行号或实体后匹配",
    "partial-line": "在行内匹配",
    similar: "引用略有出入，请核对",
    "line-numbers": "按行号",
    "new-file": "写入空文件",
    "whole-file": "替换整个文件",
  },
  missed: (unit, code) => `修改 ${unit}：${zhMisses[code] ?? zhMisses["no-match"]}`,
  brokenSyntax: (line, problem) =>
    `**请核对**：代码原本没有语法错误，修改后第 ${line} 行出现语法错误：${problem}。`,
  tryAgain: "修改无法应用，正在请模型重新给出。",
  notApplied: (why) => `**未作任何修改**：${why}`,
  refusals: {
    malformed: "修改的格式不正确。",
    truncated: "修改内容被截断。",
    "no-match": "文件中没有要替换的代码。最接近的位置差异如下：",
    ambiguous: "要替换的代码在文件中出现多次。",
    overlap: "修改的两部分相互冲突。",
    unquoted: "会丢失修改中没有提到的行。",
    indentation: "无法确定新行的缩进。",
    elision: "修改省略了无法确定的代码。",
    "whole-file": "修改会替换整个文件。",
    "no-change": "文件已经是修改后的样子。",
    "missing-file": "没有这个文件。",
    "line-range": "修改提到了文件中不存在的行。",
    "touches-code": "修改涉及代码，而这里只允许修改注释。",
  },
  proposed: "模型给出的修改是：",
  noChange: "没有提出修改。",
  choosePlace: (unit) => `**尚未修改**：修改 ${unit} 符合多个位置，请选择其中一个。`,
  place: (first, last, symbol, text) =>
    `${zhLines(first, last)}${symbol === "" ? "" : `，${symbol}`}：${text}`,
  applyThere: "在此位置应用修改：",
  fileChanged: "文件在此期间已更改，因此重新查找了位置。",
  showWhole: {
    title: "显示完整文件",
    message: "显示修改后的完整文件",
    prompt: "显示修改后的完整文件。",
  },
  explainChange: {
    title: "解释修改",
    message: "解释这次修改的内容和原因",
    prompt: "解释这次修改的内容和原因：",
  },

  placeInPrompt: (name, first, last) => `${name === "" ? "" : `${name}，`}${zhLines(first, last)}`,
  problem: ({ kind, text }) => zhProblems[kind](text),
  syntaxProblem: (line, problem) => `第 ${line} 行：${problem}`,
  subject: (path, name, first, last) =>
    `${path}，${name === "" ? "" : `${name}，`}${zhLines(first, last)}`,

  chooseFunction: "要为哪个函数编写测试？",
  casesFor: (name) => `\`${name}\` 的测试用例。可选择其中一个编写，也可全部编写。`,
  noCases: "模型没有给出测试用例列表。",
  testsFor: (name) => `为 \`${name}\` 推荐单元测试。`,
  testCase: ({ category, description }) => `${categories[category] ?? category}：${description}`,
  category: (name) => categories[name] ?? name,
  addToSource: (path) => `请将以上内容添加到 \`${path}\` 的末尾，不要替换该文件。`,
  writeAll: (count) => ({ title: "全部编写", message: `编写全部 ${count} 个用例的测试` }),
  moreCases: {
    title: "推荐更多用例",
    message: "为这段代码推荐测试用例",
    prompt: "为这段代码推荐测试用例。",
  },
  knownCases: "以下用例已经编写：",
  allCases: "正常路径，以及代码中可见的边界情况。",
  startOver: { title: "重新开始", message: "查看该智能体的功能", prompt: "重新开始。" },
};

const categories: Readonly<Record<string, string>> = {
  "happy path": "正常路径",
  "edge case": "边界情况",
};

const texts: Record<Locale, Texts> = { en, zh };

export function textsFor(locale: Locale): Texts {
  return texts[locale];
}
