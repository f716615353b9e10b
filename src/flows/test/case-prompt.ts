// Test cases on their way through prompts, `1. happy path: adds two prices`. A list that a person was shown is read, too.
import type { ListedCase, TestCase } from "../../turn/focus.ts";
import { Locale } from "../../base/errors/locale.ts";
import type { NamedLines } from "../place/place-words.ts";
import { printPlaceSentence, printPrompt } from "../click/sentences.ts";
import { testTexts } from "./texts.ts";
import { findFenced } from "../../base/text/fence.ts";

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
