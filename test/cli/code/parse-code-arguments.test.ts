import { cliTexts } from "../../../src/cli/texts.ts";
import { expect, test } from "vitest";
import { joinWords, parseAllow, splitOperands } from "../../../src/cli/code/run-code.ts";

const texts = cliTexts("en");

test("what follows -- is the check, with all its options", () => {
  const written = ["code", "do it", "--yes", "--", "npm", "test", "--", "-x"];
  expect(splitOperands(["do it", "npm", "test", "--", "-x"], written)).toEqual({
    words: ["do it"],
    check: ["npm", "test", "--", "-x"],
  });
  expect(splitOperands(["do it"], ["code", "do it"])).toEqual({
    words: ["do it"],
    check: undefined,
  });
  expect(splitOperands(["npm"], ["code", "--", "npm"])).toEqual({ words: [], check: ["npm"] });
});

test("a request without quotes is refused with the quoted one", () => {
  expect(() => joinWords(["don't", "stop"], texts)).toThrow("rightseat code 'don'\\''t stop'");
  expect(joinWords(["do it"], texts)).toBe("do it");
  expect(joinWords([" "], texts)).toBeUndefined();
});

test("--allow takes patterns inside the folder, and nothing is allowed without one", () => {
  const allows = parseAllow(["src/**", "*.md"], texts);
  expect(["src/a/b.js", "docs/x.md", "test/a.js"].map(allows)).toEqual([true, true, false]);
  expect(parseAllow([], texts)("a.js")).toBe(false);
  for (const pattern of ["", "../**", "src/../../x", "a\\b", "x".repeat(1_001)])
    expect(() => parseAllow([pattern], texts)).toThrow("cannot be used");
});
