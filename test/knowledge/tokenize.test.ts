import * as fc from "fast-check";
import { expect, test } from "vitest";
import { queryTermsOf, tokenize } from "../../src/knowledge/tokenize.ts";

test.each([
  ["words in lower case", "Refund the Order, please!", "refund the order please"],
  ["words of any script", "Straße ÉCOLE дом مرحبا 한국어", "straße école дом مرحبا 한국어"],
  ["composed and decomposed letters as the same", "cafe\u0301 café", "café café"],
  ["full-width letters as plain ones", "ＡＰＩ", "api"],
  ["half-width kana as full-width ones", "ﾃﾞ", "デ"],
  ["camel case whole and in parts", "rebuildIndex", "rebuildindex rebuild index"],
  ["acronyms as one part", "parseHTTPResponse", "parsehttpresponse parse http response"],
  ["snake case whole and in parts", "refund_order", "refund_order refund order"],
  ["constants whole and in parts", "MAX_PAYMENT_TRIES", "max_payment_tries max payment tries"],
  ["digits as parts of their own", "base64Encode", "base64encode base 64 encode"],
  ["no single letters as parts", "x_1", "x_1"],
  ["no underscores and dollars around a name", "__init__ $cart", "init cart"],
  ["paths and dots as borders", "shop/cart.add-item", "shop cart add item"],
  ["Chinese as characters and pairs", "重建索引", "重 建 索 引 重建 建索 索引"],
  ["no pairs over punctuation", "退款，重试。", "退 款 退款 重 试 重试"],
  ["kana as Chinese", "サーバー", "サ ー バ ー サー ーバ バー"],
  ["characters of two units whole", "𠮷野家", "𠮷 野 家 𠮷野 野家"],
  [
    "Chinese and names beside each other",
    "调用refund_order退款",
    "调 用 调用 refund_order refund order 退 款 退款",
  ],
  ["nothing from punctuation", " …、。!? ", ""],
])("%s", (_, text, tokens) => {
  expect(tokenize(text).join(" ")).toBe(tokens);
});

test("a very long word is cut and has no parts", () => {
  expect(tokenize("aB".repeat(100))).toEqual(["ab".repeat(32)]);
});

test("tokens of any text are not empty, hold no blanks, and are in lower case", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      for (const token of tokenize(text)) {
        expect(token).toMatch(/^\S+$/);
        expect(token.toLowerCase()).toBe(token);
      }
    }),
  );
});

test.each([
  ["questions go by their telling words", "How do I rebuild the index?", "rebuild index"],
  ["Chinese goes by pairs", "怎么重建索引？", "么重 重建 建索 索引"],
  ["a single character goes alone", "茶", "茶"],
  ["words that tell nothing are better than none", "what is it", "what is it"],
  ["each term comes once", "tea Tea TEA", "tea"],
  ["a question without words has no terms", "?!", ""],
])("%s", (_, query, terms) => {
  expect(queryTermsOf(query).terms.join(" ")).toBe(terms);
});

test("the last word, its last part, and long Latin words may be the beginning of another", () => {
  expect([...queryTermsOf("show rebuildInd").beginnings]).toEqual(["rebuildind", "rebuild", "ind"]);
  expect([...queryTermsOf("show 索引").beginnings]).toEqual([]);
  expect([...queryTermsOf("op x").beginnings]).toEqual([]);
  expect([...queryTermsOf("deploy the new one").beginnings]).toEqual(["deploy", "one"]);
});

test("a question that carries a whole file is searched by its first words", () => {
  const words = Array.from({ length: 10_000 }, (_, at) => `word${at}`);
  expect(queryTermsOf(words.join(" ")).terms.length).toBeLessThanOrEqual(200);
});
