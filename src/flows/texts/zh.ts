import type { EditErrorCode } from "../../edit/edit-unit.ts";
import type { CodeProblem } from "../../code/code-analysis.ts";
import type { Texts } from "./en.ts";

function lines(first: number, last: number): string {
  return first >= last ? `第 ${first} 行` : `第 ${first} 至 ${last} 行`;
}

const misses: Partial<Record<EditErrorCode, string>> & { "no-match": string } = {
  "no-match": "文件中未找到",
  ambiguous: "符合多个位置",
  elision: "省略了无法确定的代码",
};

const problems: Record<CodeProblem["kind"], (text: string) => string> = {
  missing: (text) => `缺少 ${text}`,
  unexpected: (text) => `意外的 ${text}`,
  "unexpected-end": () => "代码过早结束",
};

export const zh: Texts = {
  sources: "**来源：**",

  unnamedFile: "文件",
  newCode: (path, first, last) => `**新代码**，\`${path}\`，${lines(first, last)}：`,
  wholeFile: (path) => `**\`${path}\`** 修改后的全文：`,
  otherFile: (path) => `以下修改针对 \`${path}\`，该文件未在此处打开：`,
  foundAt: (unit, level, first, last) => `修改 ${unit}：${lines(first, last)}（${level}）`,
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
  missed: (unit, code) => `修改 ${unit}：${misses[code] ?? misses["no-match"]}`,
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
    "line-range": "修改提到了文件中不存在的行。",
    "touches-code": "修改涉及代码，而这里只允许修改注释。",
    "unknown-comments": "无法区分该语言中的注释与代码，因此无法检查此修改。",
  },
  nearest: "最接近的位置差异如下：",
  proposed: "模型给出的修改是：",
  noChange: "没有提出修改。",
  unread: "回答中的代码无法作为文件的修改读取。",
  chooseOption: "**尚未修改**：回答给出了几种修改方案，请选择一种。",
  choosePlace: (unit) => `**尚未修改**：修改 ${unit} 符合多个位置，请选择其中一个。`,
  chooseNamed: "问题中提到了多处代码，请选择其中一处。",
  chooseSelected: "无法确定选区的位置，请选择所指的代码。",
  chooseGone: (place) => `未找到所指的位置：${place}。请选择要处理的代码。`,
  questionCut: "（问题较长，此处只保留了开头。）",
  place: (first, last, symbol, text) =>
    `${lines(first, last)}${symbol === "" ? "" : `，${symbol}`}：${text}`,
  fileChanged: "文件在此期间已更改，因此重新查找了位置。",
  showWhole: {
    title: "显示完整文件",
    message: "显示修改后的完整文件",
  },
  explainChange: {
    title: "解释修改",
    message: "解释这次修改的内容和原因",
  },

  placeInPrompt: (name, first, last) => `${name === "" ? "" : `${name}，`}${lines(first, last)}`,
  problem: ({ kind, text }) => problems[kind](text),
  syntaxProblem: (line, problem) => `第 ${line} 行：${problem}`,
  subject: (path, name, first, last) =>
    `${path}，${name === "" ? "" : `${name}，`}${lines(first, last)}`,

  retry: { title: "重试", message: "请模型重新回答" },
  leftOut: "部分后续操作未显示：数量或内容超出了单次回答的上限。",
  startOver: { title: "重新开始", message: "查看该智能体的功能", prompt: "" },

  typeNext: "**接下来可以输入：**",
  typed: (words, message) => `${words}：${message}`,
  typedNumbers: (words) => `${words}，其中的数字为下列编号：`,
  chosenNumbers: (numbers) => `你上一个回答末尾列表中的第 ${numbers.join("、")} 项。`,
};
