// One rule for all Chinese texts: full-width punctuation between Chinese, one space between Chinese and Latin
// letters or digits, none beside full-width punctuation.
import { expect, test } from "vitest";
import { listTexts, listPrompts } from "./list-texts.ts";

const faults: readonly [string, RegExp][] = [
  ["half-width punctuation behind Chinese", /\p{Script=Han}[,;!?]/u],
  ["half-width punctuation before Chinese", /[,;!?] ?\p{Script=Han}/u],
  ["half-width colon or bracket", /\p{Script=Han} ?[:(](?!列)|\(\p{Script=Han}|\p{Script=Han}\)/u],
  ["half-width full stop", /\p{Script=Han}\.(?!\w)/u],
  ["half-width quotes", /\p{Script=Han} ?["']\p{Script=Han}/u],
  ["no space between Chinese and Latin", /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u],
  [
    "a space beside full-width punctuation",
    /[，。；：！？、（）“”] (?!\n|%\})|(?<![\n#>|-]) [，。；：！？、（）“”]/u,
  ],
  ["a space between Chinese", /\p{Script=Han} +\p{Script=Han}/u],
  ["two spaces", /\p{Script=Han} {2,}/u],
];

test("the Chinese of all texts for people and models is set by the one rule", () => {
  const [own, prompts] = [listTexts("zh"), listPrompts("zh")];
  expect(own.length).toBeGreaterThan(150);
  expect(prompts.length).toBeGreaterThan(5);
  const found = [...own, ...prompts].flatMap(([place, text]) =>
    faults.flatMap(([name, form]) => {
      const [match] = form.exec(text) ?? [];
      return match === undefined ? [] : [`${place}: ${name}: ${match}`];
    }),
  );
  expect(found).toEqual([]);
});
