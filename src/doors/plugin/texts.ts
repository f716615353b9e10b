import type { Locale } from "../../base/errors/locale.ts";

/** What this door says in its own words, to the person in front of the plugin. */
interface PluginTexts {
  missing(fields: readonly string[]): string;
  unknownTask: string;
  /** @param language "" if nothing tells it */
  guessed(language: string): string;
  goneFunction(name: string): string;
  explainThis: string;
  /** Above the text of the window, where it is not around the selection. */
  window: string;
  /** How a change is introduced: one that lies outside of the selection, or one that crosses its border. */
  outside(crosses: boolean): string;
  /** Below it, what has to be done. */
  shouldRead(first: number, last: number): string;
  insertBefore(line: number): string;
  deleteLines(first: number, last: number): string;
  elsewhere: string;
  tooLarge: string;
  /** A limit of the model has ended its answer. */
  cut: string;
  /** The model's answer ended by itself, and nothing of it was shown. */
  brokeOff: string;
  otherFile(path: string): string;
  symbolsUsed(names: readonly string[]): string;
  symbolAt(name: string, line: number): string;
  /** Between a group of a list and its item. */
  colon: string;
  /** Between two sentences. */
  gap: string;
}

const lines = (first: number, last: number): string =>
  first >= last ? `line ${first}` : `lines ${first} to ${last}`;
const zhLines = (first: number, last: number): string =>
  first >= last ? `第 ${first} 行` : `第 ${first} 到 ${last} 行`;

const en: PluginTexts = {
  missing: (fields) => `Missing ${fields.length === 1 ? "field" : "fields"}: ${fields.join(", ")}.`,
  unknownTask: "The task_id is not known here, so the request has to bring this itself.",
  guessed: (language) =>
    `The request does not say which file the code is from, so ${language === "" ? "its language is unknown" : `${language} was guessed`}, and lines are counted from the start of the selection.`,
  goneFunction: (name) =>
    `The code of the request does not hold the function \`${name}\`, so the tests are for all of that code.`,
  explainThis: "Explain the selected code.",
  window: "The window also shows this:",
  outside: (crosses) =>
    crosses
      ? "The change reaches beyond the selection."
      : "A change is also needed outside the selection.",
  shouldRead: (first, last) => `${lines(first, last).replace("l", "L")} should read:`,
  insertBefore: (line) => `Insert before line ${line}:`,
  deleteLines: (first, last) => `Delete ${lines(first, last)}.`,
  elsewhere: "The selected code stays as it is.",
  tooLarge: "The change is too large to show.",
  cut: "The model's answer was cut off before its end.",
  brokeOff: "The model's answer broke off before its end. Please try again.",
  otherFile: (path) => `A change is also needed in \`${path}\`, which is not open here.`,
  symbolsUsed: (names) => `Names in the function: ${names.join(", ")}`,
  symbolAt: (name, line) => `\`${name}\` (line ${line})`,
  colon: ": ",
  gap: " ",
};

const zh: PluginTexts = {
  missing: (fields) => `缺少字段：${fields.join("、")}。`,
  unknownTask: "此处没有这个 task_id 的任务，因此请求需要自带这些内容。",
  guessed: (language) =>
    `请求没有说明代码来自哪个文件，${language === "" ? "因此语言未知" : `推测语言为 ${language}`}，行号从选中内容的开头算起。`,
  goneFunction: (name) => `请求中的代码没有函数 \`${name}\`，因此测试针对这段代码的全部内容。`,
  explainThis: "解释选中的代码。",
  window: "窗口中还显示了以下内容：",
  outside: (crosses) => (crosses ? "修改超出了选中内容的范围。" : "选中内容之外也需要修改。"),
  shouldRead: (first, last) => `${zhLines(first, last)}应改为：`,
  insertBefore: (line) => `请在第 ${line} 行之前插入：`,
  deleteLines: (first, last) => `请删除${zhLines(first, last)}。`,
  elsewhere: "选中的代码保持不变。",
  tooLarge: "修改内容过大，无法显示。",
  cut: "模型的回答在结束前被截断。",
  brokeOff: "模型的回答在结束前中断，请重试。",
  otherFile: (path) => `\`${path}\` 也需要修改，但该文件没有在这里打开。`,
  symbolsUsed: (names) => `函数中的名称：${names.join("、")}`,
  symbolAt: (name, line) => `\`${name}\`（第 ${line} 行）`,
  colon: "：",
  gap: "",
};

export function pluginTexts(locale: Locale): PluginTexts {
  return locale === "zh" ? zh : en;
}
