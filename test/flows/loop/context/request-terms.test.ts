import { expect, test } from "vitest";
import {
  type RequestTerms,
  addNamed,
  readTerms,
} from "../../../../src/flows/loop/context/request-terms.ts";

function wordsOfProse({ words }: RequestTerms): string[] {
  return [...words.values()].flatMap(({ word, weight }) => (weight === 1 ? [word] : []));
}

test.each<[string, string[]]>([
  ["Bookings that end before they start", ["bookings", "end", "start"]],
  // Names of code and files are no words.
  ["Rename `parseBooking` of src/booking.ts and readTotal()", []],
  ["把 basket 清空", ["basket"]],
])("words of %s", (request, words) => {
  expect(wordsOfProse(readTerms(request))).toEqual(words);
});

test.each<[string, string[]]>([
  ["`Cart.total` is wrong", ["total"]],
  ["Add --dry-run to it", ["--dry-run"]],
  ['It prints "not found here"', ["not found here"]],
  ["上限从 5 MB 提高到 20 MB", ["5 MB", "20 MB", "20", "上限", "提高"]],
  ["短信里“还有 1 天到期”应该写成“明天到期”", ["短信", "还有", "天到期", "明天到期"]],
  ['```\n`fenced` "text"\n```', []],
])("texts of %s", (request, texts) => {
  expect([...readTerms(request).texts.keys()]).toEqual(texts);
});

test("of a long request no more than ten texts are looked for", () => {
  const request = Array.from({ length: 99 }, (_, nth) => `\`name${nth}\``).join(" ");
  expect(readTerms(request).texts.size).toBe(10);
});

test("a file that is named is looked for as others import it", () => {
  const terms = addNamed(readTerms("it fails"), ["src/user-pages.test.ts"]);
  expect([...terms.texts.keys()]).toEqual(["user-pages.test.ts", "user-pages.test"]);
  expect(wordsOfProse(terms)).toEqual(["fails", "user", "pages"]);
});
