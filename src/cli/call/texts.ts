import type { Locale } from "../../errors/locale.ts";

/** What stands around an answer. Errors and help are in English, like every other command's. */
const texts = {
  en: {
    next: "Next steps:",
    ask: "What next?",
    nothing: "Nothing more",
    tick: "Which ones? Space ticks, Enter sends what is ticked. Nothing ticked: other steps.",
    back: "Back to the list",
    apply: "Apply this change to the file",
    written: (file: string) => `${file} was written.`,
    question: "What would you like to know?",
    noQuestion: "Type a question, or press Ctrl-C.",
  },
  zh: {
    next: "接下来可以：",
    ask: "接下来做什么？",
    nothing: "到此为止",
    tick: "选择哪些？空格键勾选，回车键发送；不勾选则显示其他操作。",
    back: "返回列表",
    apply: "把修改写入文件",
    written: (file: string) => `${file} 已写入。`,
    question: "你想问什么？",
    noQuestion: "请输入问题，或按 Ctrl-C 退出。",
  },
} satisfies Record<Locale, unknown>;

export type CallTexts = (typeof texts)["en"];

export function callTexts(locale: Locale): CallTexts {
  return texts[locale];
}
