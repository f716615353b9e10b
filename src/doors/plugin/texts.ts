import type { Locale } from "../../base/errors/locale.ts";

/** What this door says in its own words, to the person in front of the plugin. */
export function pluginTexts(locale: Locale) {
  const say = (en: string, zh: string): string => (locale === "zh" ? zh : en);
  const lines = (first: number, last: number): string =>
    first >= last
      ? say(`line ${first}`, `第 ${first} 行`)
      : say(`lines ${first} to ${last}`, `第 ${first} 到 ${last} 行`);
  return {
    missing: (fields: readonly string[]) =>
      say(
        `Missing ${fields.length === 1 ? "field" : "fields"}: ${fields.join(", ")}.`,
        `缺少字段：${fields.join("、")}。`,
      ),
    unknownTask: say(
      "The task_id is not known here, so the request has to bring this itself.",
      "此处没有这个 task_id 的任务，因此请求需要自带这些内容。",
    ),
    /** @param language "" if nothing tells it */
    guessed: (language: string) =>
      say(
        `The request does not say which file the code is from, so ${language === "" ? "its language is unknown" : `${language} was guessed`}, and lines are counted from the start of the selection.`,
        `请求没有说明代码来自哪个文件，${language === "" ? "因此语言未知" : `推测语言为 ${language}`}，行号从选中内容的开头算起。`,
      ),
    goneFunction: (name: string) =>
      say(
        `The code of the request does not hold the function \`${name}\`, so the tests are for all of that code.`,
        `请求中的代码没有函数 \`${name}\`，因此测试针对这段代码的全部内容。`,
      ),
    explainThis: say("Explain the selected code.", "解释选中的代码。"),
    /** Above the text of the window, where it is not around the selection. */
    window: say("The window also shows this:", "窗口中还显示了以下内容："),
    /** How a change is introduced: one that lies outside of the selection, or one that crosses its border. */
    outside: (crosses: boolean) =>
      crosses
        ? say("The change reaches beyond the selection.", "修改超出了选中内容的范围。")
        : say("A change is also needed outside the selection.", "选中内容之外也需要修改。"),
    /** Below it, what has to be done. */
    shouldRead: (first: number, last: number) =>
      say(`${lines(first, last).replace("l", "L")} should read:`, `${lines(first, last)}应改为：`),
    insertBefore: (line: number) =>
      say(`Insert before line ${line}:`, `请在第 ${line} 行之前插入：`),
    deleteLines: (first: number, last: number) =>
      say(`Delete ${lines(first, last)}.`, `请删除${lines(first, last)}。`),
    elsewhere: say("The selected code stays as it is.", "选中的代码保持不变。"),
    tooLarge: say("The change is too large to show.", "修改内容过大，无法显示。"),
    /** The model's answer ended by itself, and nothing of it was shown. */
    brokeOff: say(
      "The model's answer broke off before its end. Please try again.",
      "模型的回答在结束前中断，请重试。",
    ),
    otherFile: (path: string) =>
      say(
        `A change is also needed in \`${path}\`, which is not open here.`,
        `\`${path}\` 也需要修改，但该文件没有在这里打开。`,
      ),
    symbolsUsed: (names: readonly string[]) =>
      say(`Names in the function: ${names.join(", ")}`, `函数中的名称：${names.join("、")}`),
    symbolAt: (name: string, line: number) =>
      say(`\`${name}\` (line ${line})`, `\`${name}\`（第 ${line} 行）`),
    /** Between a group of a list and its item, and between two sentences. */
    colon: say(": ", "："),
    gap: say(" ", ""),
  };
}
