import type { EditErrorCode, EditLevel } from "../edit/edit-unit.ts";
import type { CodeProblem } from "../code/code-analysis.ts";
import type { RefusalCode } from "../turn/proposed-edit.ts";
import type { Message } from "../base/errors/app-error.ts";
import type { Locale } from "../base/errors/locale.ts";
import { printLines } from "./place/find-names.ts";

function lines(first: number, last: number): string {
  return first >= last ? `line ${first}` : `lines ${first} to ${last}`;
}

const linesZh = (startLine: number, endLine: number): string =>
  printLines({ startLine, endLine }, "zh");

const notFound: Message = { en: "not found in the file", zh: "文件中未找到" };
const misses: Partial<Record<EditErrorCode, Message>> = {
  ambiguous: { en: "fits several places", zh: "符合多个位置" },
  elision: { en: "leaves out code that is not known", zh: "省略了无法确定的代码" },
};

const problems: Record<CodeProblem["kind"], (text: string) => Message> = {
  missing: (text) => ({ en: `${text} is missing`, zh: `缺少 ${text}` }),
  unexpected: (text) => ({ en: `unexpected ${text}`, zh: `意外的 ${text}` }),
  "unexpected-end": () => ({ en: "the text ends too early", zh: "代码过早结束" }),
};

/** What flows say to people in their own words; the model's words are the prompts of the commands. */
const en = {
  sources: "**Sources:**",

  unnamedFile: "file",
  newCode: (path: string, first: number, last: number) =>
    `**New code**, \`${path}\`, ${lines(first, last)}:`,
  wholeFile: (path: string) => `**\`${path}\`** with the change:`,
  otherFile: (path: string) => `This is proposed for \`${path}\`, which is not open here:`,
  foundAt: (unit: number, level: string, first: number, last: number) =>
    `Change ${unit}: ${lines(first, last)} (${level})`,
  levels: {
    exact: "found exactly",
    "line-ends": "found, with other line ends or trailing spaces",
    indentation: "found with another indentation, which was adapted",
    typography: "found, with other quotes, dashes or spaces",
    "blank-lines": "found, with other blank lines",
    elision: "found by the lines around the gap",
    decoration: "found after fences, line numbers or entities were taken off",
    "partial-line": "found inside a line",
    similar: "found with small misquotations; please check",
    "line-numbers": "by line numbers",
    "new-file": "fills the empty file",
    "whole-file": "replaces the whole file",
  } satisfies Record<EditLevel, string>,
  missed: (unit: number, code: EditErrorCode) => `Change ${unit}: ${(misses[code] ?? notFound).en}`,
  brokenSyntax: (line: number, problem: string) =>
    `**Please check**: the code was free of syntax errors before, and now has one at line ${line}: ${problem}.`,
  /** @param why a sentence */
  tryAgain: (why: string) => `The change cannot be made: ${why} The model is asked once more.`,
  notApplied: (why: string) => `**Nothing was changed**: ${why}`,
  refusals: {
    malformed: "the change is not in the expected format.",
    truncated: "the change was cut off.",
    "no-match": "the code to replace was not found in the file.",
    ambiguous: "the code to replace is in the file several times.",
    overlap: "two parts of the change contradict each other.",
    unquoted: "lines would be lost that the change does not name.",
    indentation: "the indentation of the new lines is not clear.",
    elision: "the change leaves out code, and it is not clear which.",
    "whole-file": "the change would replace the whole file.",
    "no-change": "the file already contains this change.",
    "missing-file": "there is no such file.",
    "too-large": "the file and the code are too large to be compared here.",
    "line-range": "the change names lines that the file does not have.",
    "touches-code": "the change touches code, and only comments may change here.",
    "unknown-comments":
      "comments and code look alike in this language, so the change cannot be checked.",
    "changed-since": "this code was edited after the change was proposed.",
  } satisfies Record<RefusalCode, string>,
  nearest: "The nearest place differs:",
  proposed: "The model proposed:",
  noChange: "No change was proposed.",
  unread: "its code could not be read as a change of the file.",
  chooseOption:
    "**Nothing was changed yet**: there are several ways to make the change. Choose one.",
  choosePlace: (unit: number) =>
    `**Nothing was changed yet**: change ${unit} fits several places. Choose the one that is meant.`,
  chooseNamed: "The question names several places. Choose the one that is meant.",
  chooseSelected: "The position of the selection is not known. Choose the code that is meant.",
  chooseGone: (place: string) =>
    `The place that is named was not found: ${place}. Choose the code that is meant.`,
  questionCut: "(The question is longer and was cut here.)",
  place: (first: number, last: number, symbol: string, text: string) =>
    `${lines(first, last)}${symbol === "" ? "" : `, ${symbol}`}: ${text}`,
  fileChanged: "The file has changed since, so the place was looked up again.",
  showWhole: {
    title: "Show the whole file",
    message: "Show the whole file with this change",
  },
  explainChange: {
    title: "Explain the change",
    message: "Explain what this change does and why",
  },

  /** What prompts are told of the code. */
  placeInPrompt: (name: string, first: number, last: number) =>
    `${name === "" ? "" : `${name}, `}${lines(first, last)}`,
  problem: ({ kind, text }: CodeProblem) => problems[kind](text).en,
  syntaxProblem: (line: number, problem: string) => `Line ${line}: ${problem}`,
  subject: (path: string, place: string) => `${path}, ${place}`,

  retry: { title: "Try again", message: "Ask the model the same again" },
  /** Of a model's answer that was cut off, or is empty. */
  faults: {
    cut: "The model's answer was cut off before its end.",
    empty: "The model's answer was empty.",
  },
  leftOut: "Not all next steps are shown: there are more of them than one answer has room for.",
  startOver: {
    title: "Start over",
    message: "Show what this agent can do",
    prompt: "",
  },

  typeNext: "**You can type next:**",
  /** @param words as Markdown code */
  typed: (words: string, message: string) => `${words}: ${message}`,
  typedNumbers: (words: string) => `${words}, with numbers of this list:`,
  /** For the model: what was chosen from such a list. */
  chosenNumbers: (numbers: readonly string[]) =>
    `${numbers.length === 1 ? "Number" : "Numbers"} ${numbers.join(", ")} of the last list in your answer.`,
};

export type Texts = typeof en;

const zh: Texts = {
  sources: "**来源：**",

  unnamedFile: "文件",
  newCode: (path, first, last) => `**新代码**，\`${path}\`，${linesZh(first, last)}：`,
  wholeFile: (path) => `**\`${path}\`** 修改后的全文：`,
  otherFile: (path) => `以下修改针对 \`${path}\`，该文件未在此处打开：`,
  foundAt: (unit, level, first, last) => `修改 ${unit}：${linesZh(first, last)}（${level}）`,
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
  missed: (unit, code) => `修改 ${unit}：${(misses[code] ?? notFound).zh}`,
  brokenSyntax: (line, problem) =>
    `**请核对**：代码原本没有语法错误，修改后第 ${line} 行出现语法错误：${problem}。`,
  tryAgain: (why) => `修改无法应用：${why}正在请模型重新给出。`,
  notApplied: (why) => `**未作任何修改**：${why}`,
  refusals: {
    malformed: "修改的格式不正确。",
    truncated: "修改内容被截断。",
    "no-match": "文件中没有要替换的代码。",
    ambiguous: "要替换的代码在文件中出现多次。",
    overlap: "修改的两部分相互冲突。",
    unquoted: "会丢失修改中没有提到的行。",
    indentation: "无法确定新行的缩进。",
    elision: "修改省略了无法确定的代码。",
    "whole-file": "修改会替换整个文件。",
    "no-change": "文件已经是修改后的样子。",
    "missing-file": "没有这个文件。",
    "too-large": "文件和代码太大，无法在这里逐行比对。",
    "line-range": "修改提到了文件中不存在的行。",
    "touches-code": "修改涉及代码，而这里只允许修改注释。",
    "unknown-comments": "无法区分该语言中的注释与代码，因此无法检查此修改。",
    "changed-since": "提出修改之后，这里的代码又被编辑过。",
  },
  nearest: "最接近的位置差异如下：",
  proposed: "模型给出的修改是：",
  noChange: "没有提出修改。",
  unread: "回答中的代码无法作为文件的修改读取。",
  chooseOption: "**尚未修改**：可以有几种修改方式，请选择一种。",
  choosePlace: (unit) => `**尚未修改**：修改 ${unit} 符合多个位置，请选择其中一个。`,
  chooseNamed: "问题中提到了多处代码，请选择其中一处。",
  chooseSelected: "无法确定选区的位置，请选择所指的代码。",
  chooseGone: (place) => `未找到所指的位置：${place}。请选择要处理的代码。`,
  questionCut: "（问题较长，此处只保留了开头。）",
  place: (first, last, symbol, text) =>
    `${linesZh(first, last)}${symbol === "" ? "" : `，${symbol}`}：${text}`,
  fileChanged: "文件在此期间已更改，因此重新查找了位置。",
  showWhole: {
    title: "显示完整文件",
    message: "显示修改后的完整文件",
  },
  explainChange: {
    title: "解释修改",
    message: "解释这次修改的内容和原因",
  },

  placeInPrompt: (name, first, last) => `${name === "" ? "" : `${name}，`}${linesZh(first, last)}`,
  problem: ({ kind, text }) => problems[kind](text).zh,
  syntaxProblem: (line, problem) => `第 ${line} 行：${problem}`,
  subject: (path, place) => `${path}，${place}`,

  retry: { title: "重试", message: "请模型重新回答" },
  faults: {
    cut: "模型的回答在结束前被截断。",
    empty: "模型的回答是空的。",
  },
  leftOut: "部分后续操作未显示：数量或内容超出了单次回答的上限。",
  startOver: { title: "重新开始", message: "查看该智能体的功能", prompt: "" },

  typeNext: "**接下来可以输入：**",
  typed: (words, message) => `${words}：${message}`,
  typedNumbers: (words) => `${words}，其中的数字为下列编号：`,
  chosenNumbers: (numbers) => `你上一个回答末尾列表中的第 ${numbers.join("、")} 项。`,
};

const texts: Record<Locale, Texts> = { en, zh };

export function textsFor(locale: Locale): Texts {
  return texts[locale];
}
