// Test cases on their way through prompts, `1. happy path: adds two prices`. A list that a person was shown is read, too.
import type { ListedCase, TestCase } from "../../turn/focus.ts";
import { Locale } from "../../base/errors/locale.ts";
import type { NamedLines } from "../place/find-names.ts";
import { printPlaceSentence, printPrompt } from "../click/sentences.ts";
import { findFenced } from "../../base/text/fence.ts";

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
  compareWithTests: (path: string) =>
    `\`${path}\` exists already, and it is not clear how these tests fit in. Add those that it lacks; do not replace it.`,
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
  compareWithTests: (path) =>
    `\`${path}\` 已经存在，但无法确定以上测试应如何合并。请只添加其中缺少的测试，不要替换该文件。`,
  addToSource: (path) => `请将以上内容添加到 \`${path}\` 的末尾，不要替换该文件。`,
  writeAll: (count) => ({ title: "全部编写", message: `编写全部 ${count} 个用例的测试` }),
  moreCases: {
    title: "推荐更多用例",
    message: "为这段代码推荐测试用例",
  },
  allCases: "正常路径，以及代码中可见的边界情况。",
};

export const testTexts: Record<Locale, TestTexts> = { en, zh };

/** Our two categories as lists of ours have them, in each language. */
const label = ["happy path", "edge case"]
  .flatMap((name) => Locale.options.map((locale) => testTexts[locale].category(name)))
  .join("|");

/** A case on its line: it has a number, or a category, or both. */
// oxlint-disable-next-line patterns/no-built-pattern -- The labels are our own.
const casePattern = new RegExp(
  `^\\s*(?=\\d+[.)]\\s|(?:${label})[:：])(?:\\d+[.)]\\s+)?(?:(?:${label})[:：])?`,
);

/** What a click on one case sends, or the button for all of them. */
export function printCases(cases: readonly TestCase[], place: NamedLines, locale: Locale): string {
  const lines = cases.map((item, nth) => {
    const text = `${item.category}: ${item.description}`;
    // A category that is none of ours would be read as a wish.
    return cases.length === 1 && casePattern.test(text) ? text : `${nth + 1}. ${text}`;
  });
  return printPrompt(printPlaceSentence("tests", place, locale), lines.join("\n"));
}

/** A request for more cases, with those that are written already as they stood in their list. */
export function printKnownCases(
  cases: readonly ListedCase[],
  place: NamedLines,
  locale: Locale,
): string {
  const lines = cases.map(({ line }) => line).join("\n");
  return printPrompt(printPlaceSentence("more-cases", place, locale), lines);
}

/**
 * Cases, and what a person has added. Text without cases says itself what to test, and so do fenced
 * blocks, whatever their lines are.
 */
export function readCases(prompt: string): { cases: ListedCase[]; others: string } {
  const cases: ListedCase[] = [];
  const others: string[] = [];
  const lines = prompt.split("\n");
  const fenced = findFenced(lines);
  for (const [nth, line] of lines.entries()) {
    const [opening] = fenced[nth] ? [] : (casePattern.exec(line) ?? []);
    if (opening === undefined) others.push(line);
    else cases.push({ line: line.trim(), description: line.slice(opening.length).trim() });
  }
  return { cases, others: others.join("\n").trim() };
}
