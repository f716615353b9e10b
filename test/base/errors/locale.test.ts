import { expect, test } from "vitest";
import { parseLocale } from "../../../src/base/errors/locale.ts";

test.each([
  ["zh-CN", "zh"],
  ["en_US", "en"],
  ["ZH", "zh"],
  ["zh-Hans-CN", "zh"],
  ["fr-FR,fr;q=0.9,zh;q=0.8,en;q=0.7", "zh"],
  [" en;q=0.5 , zh", "en"],
  ["en ;q=0.5, zh", "en"],
])("%s is read as %s", (tags, locale) => {
  expect(parseLocale(tags)).toBe(locale);
});

test.each([null, undefined, "", ",", "*", "fr", "english", "zho", "-en"])(
  "%j is no language of ours",
  (tags) => {
    expect(parseLocale(tags)).toBeUndefined();
  },
);
