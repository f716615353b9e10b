import { expect, test } from "vitest";
import { terminalLocale, withTerminalLocale } from "../../src/cli/read/read-settings-file.ts";

test.each([
  [{ LANG: "zh_CN.UTF-8" }, "zh"],
  [{ LANG: "en_US.UTF-8" }, "en"],
  [{ LANG: "zh_TW" }, "zh"],
  [{ LANG: "zh_CN.UTF-8", LC_ALL: "en_GB.UTF-8" }, "en"],
  [{ LANG: "en_US", LC_MESSAGES: "zh_CN@pinyin" }, "zh"],
  [{ LANG: "zh_CN", LC_ALL: "" }, "zh"],
  [{ LANG: "zh_CN", LC_ALL: "C.UTF-8" }, undefined],
  [{ LANG: "C" }, undefined],
  [{ LANG: "de_DE.UTF-8" }, undefined],
  [{}, undefined],
])("the terminal of %j speaks %s", (environment, locale) => {
  expect(terminalLocale(environment)).toBe(locale);
});

test("a settings file that says which language is spoken is stronger than the terminal", () => {
  const environment = { LANG: "zh_CN.UTF-8" };
  expect(withTerminalLocale({ locale: "en" }, environment)).toEqual({ locale: "en" });
  expect(withTerminalLocale({ models: [] }, environment)).toEqual({ locale: "zh", models: [] });
  expect(withTerminalLocale(undefined, environment)).toEqual({ locale: "zh" });
  expect(withTerminalLocale(undefined, {})).toBeUndefined();
  expect(withTerminalLocale("text", environment)).toBe("text");
});
