import { expect, test } from "vitest";
import { readPages, splitPage } from "../../scripts/check-links.ts";
import { listTexts, listPrompts } from "./list-texts.ts";

/** What plain English says in another way, with what is fine all the same. */
const clumsy: readonly [string, RegExp][] = [
  ["is no X", /(?<!\b[Tt]here )\b(?:is|are|was|were) no (?!longer\b|more\b)/],
  ["but for", /\bbut for\b/],
  [
    "stands",
    /\bstands\b|\bstand (?:in|at|on|for|once|together|there|nowhere|above|behind|below)\b/,
  ],
  ["cannot be told", /\bcan(?:not| not|'t)? be told\b(?! apart)/],
  ["shall", /\bshall\b/i],
  ["blank", /\bblanks\b|\b(?:one|a|each|that|trailing|leading) blank\b(?! line)/],
];

/** The lines of the pages outside of code blocks; what is quoted as code may be anybody's. */
function listDocs(): (readonly [place: string, text: string])[] {
  return [...readPages()].flatMap(([page, text]) =>
    splitPage(text).prose.map((line) => [page, line.replaceAll(/`[^`]*`/g, "CODE")] as const),
  );
}

test("the English of all texts for people and models is plain", () => {
  const texts = [...listTexts("en"), ...listPrompts("en"), ...listDocs()];
  expect(texts.length).toBeGreaterThan(1_000);
  const found = texts.flatMap(([place, text]) =>
    clumsy.filter(([, form]) => form.test(text)).map(([name]) => `${place}: ${name}`),
  );
  expect(found).toEqual([]);
});
