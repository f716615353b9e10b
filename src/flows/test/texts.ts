import type { Locale } from "../../base/errors/locale.ts";
import type { TestCase } from "../../turn/focus.ts";

const categories: Readonly<Record<string, string>> = {
  "happy path": "正常路径",
  "edge case": "边界情况",
};

const en = {
  chooseFunction: "Which function should be tested?",
  casesFor: (name: string) =>
    `Test cases for \`${name}\`. Choose one to have it written, or write them all.`,
  noCases: "The model did not return a list of test cases.",
  answered: "It answered:",
  noCode: "There is no code to test. Select some, or open a file.",
  testCase: ({ category, description }: TestCase) => `${category}: ${description}`,
  category: (name: string) => name,
  addToTests: (path: string) =>
    `\`${path}\` exists already: these tests are added to it and do not replace it.`,
  addToSource: (path: string) =>
    `Add this at the end of \`${path}\`; it does not replace the file.`,
  writeAll: (count: number) => ({
    title: "Write all",
    message: count === 1 ? "Write the test of this case" : `Write the tests of all ${count} cases`,
  }),
  moreCases: {
    title: "Recommend more cases",
    message: "Recommend test cases for this code",
  },
  allCases: "The happy path and the edge cases that the code shows.",
};

export type TestTexts = typeof en;

const zh: TestTexts = {
  chooseFunction: "要为哪个函数编写测试？",
  casesFor: (name) => `\`${name}\` 的测试用例。可选择其中一个编写，也可全部编写。`,
  noCases: "模型没有给出测试用例列表。",
  answered: "它的回答是：",
  noCode: "没有可测试的代码。请选中代码，或打开一个文件。",
  testCase: ({ category, description }) => `${categories[category] ?? category}：${description}`,
  category: (name) => categories[name] ?? name,
  addToTests: (path) => `\`${path}\` 已经存在：以上测试添加到该文件中，不替换它。`,
  addToSource: (path) => `请将以上内容添加到 \`${path}\` 的末尾，不要替换该文件。`,
  writeAll: (count) => ({ title: "全部编写", message: `编写全部 ${count} 个用例的测试` }),
  moreCases: {
    title: "推荐更多用例",
    message: "为这段代码推荐测试用例",
  },
  allCases: "正常路径，以及代码中可见的边界情况。",
};

/** What the commands that recommend and write tests say to people. */
export const testTexts: Record<Locale, TestTexts> = { en, zh };
