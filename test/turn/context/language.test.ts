import { expect, test } from "vitest";
import { languageOf } from "../../../src/turn/context/language.ts";

test.each([
  ["src/a.ts", "typescript"],
  ["C:\\code\\A.JAVA", "java"],
  ["a.b/main.go", "go"],
  ["a.ts/readme", ""],
  ["Makefile", ""],
  ["x.constructor", ""],
  ["", ""],
])("the language of %j is %j", (path, language) => {
  expect(languageOf(path)).toBe(language);
});
