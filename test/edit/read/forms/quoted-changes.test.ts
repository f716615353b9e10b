// Changes that an answer tells in words, with the code in backticks.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAnswer } from "../../../../src/edit/read/parse-diff.ts";

const units = (answer: string) =>
  parseAnswer(answer).files.flatMap(({ filePath, form, units: all }) =>
    all.map(({ search, replace }) => [filePath, form, search, replace]),
  );
const change = (path?: string) => [[path, "before-after", "a < b", "a <= b"]];

describe("a sentence that says what takes the place of what is a change", () => {
  test.each([
    "Replace `a < b` with `a <= b`.",
    "Change `a < b` to `a <= b`",
    "The loop ends too early. Please change `a < b` to `a <= b`, so that the last item counts.",
    "- **Fix:** update the condition `a < b` to `a <= b`.",
    "1. On line 12, replace `a < b` by `a <= b`.",
    "In `total()`, change `a < b` to `a <= b`.",
    "`a < b` should be `a <= b`.",
    "The condition `a < b` must be changed to `a <= b`.",
    "请将 `a < b` 改为 `a <= b`。",
    "少算了一项：把条件 `a < b` 改成 `a <= b`，这样就对了。",
    "`a < b` 应为 `a <= b`。",
  ])("%s", (answer) => {
    expect(units(answer)).toEqual(change());
  });

  test("and may name the file", () => {
    expect(units("In `src/cart.ts`, change `a < b` to `a <= b`.")).toEqual(change("src/cart.ts"));
  });

  test("and so may several", () => {
    const answer =
      "Two things:\n\n- Replace `a < b` with `a <= b`.\n- Change `i = 1` to `i = 0`.\n";
    expect(units(answer)).toEqual([...change(), [undefined, "before-after", "i = 1", "i = 0"]]);
  });

  test("with the new line in a block below it", () => {
    const answer = "Change `a < b` on line 3 to:\n\n```ts\na <= b\n```\n";
    expect(units(answer)).toEqual([[undefined, "before-after", "a < b", "a <= b"]]);
  });
});

describe("words that do not say so for sure are none", () => {
  test.each([
    "If it should count, change `a < b` to `a <= b`.",
    "You could replace `a < b` with `a <= b`.",
    "Do not replace `a < b` with `a <= b`.",
    "Wrong: change `a < b` to `a <= b`.",
    "Replace `a < b` with `a <= b` or `a != b`.",
    "Replace `a < b` with `a <= b`. Then rename `x` to `y`.",
    "Replace `a < b` with `a <= b`. Remove `c()`.",
    "Replace every `a < b` with `a <= b`.",
    "I replaced `a < b` with `a <= b`.",
    "Change `a < b` to `a <= b` and the test turns red.",
    "Change `a < b` to `a <= b`, and it would break.",
    "To see it fail, change `a < b` to `a <= b`.",
    "For example, replace `a < b` with `a <= b`.",
    "You could try: replace `a < b` with `a <= b`.",
    "Alternatively: replace `a < b` with `a <= b`.",
    "Option 1: replace `a < b` with `a <= b`.",
    "A common mistake: change `a < b` to `a <= b`.",
    "If it still fails: replace `a < b` with `a <= b`.",
    "Replace `a < b` with `a <= b`; that would be wrong.",
    "Replace `a < b` with `a <= b`. This would be wrong, though.",
    "如果需要：把 `a < b` 改成 `a <= b`。",
    "把 `a < b` 改成 `a <= b`。但这样会越界。",
    "把 `a < b` 改成 `a <= b` 会报错。",
    "Replace `total` with `sum`.",
    "Change `total()` to `sum()`.",
    "`a < b` is faster than `a <= b`.",
    "如果需要，把 `a < b` 改成 `a <= b`。",
    "不要把 `a < b` 改成 `a <= b`。",
  ])("%s", (answer) => {
    expect(units(answer)).toEqual([]);
  });

  test("a block of several lines does not take the place of one that is quoted", () => {
    const answer = "Change `def total(self):` to:\n\n```py\ndef total(self):\n    return 1\n```\n";
    expect(units(answer)).toEqual([]);
  });

  test("nor is anything read beside a block of code", () => {
    const answer = "Replace `a < b` with `a <= b`.\n\n```ts\nwhile (a <= b) {}\n```\n";
    expect(units(answer)).toEqual([]);
  });

  test("whatever sentences come with it, a change is read as it is told, or not at all", () => {
    const told = "Replace `a < b` with `a <= b`.";
    const words = fc.constantFrom(
      "if",
      "the",
      "`x`",
      "or",
      "not",
      "change",
      "to",
      "loop",
      "`y > 0`",
      ".",
      ":",
      "改为",
      "不",
    );
    const sentence = fc.array(words, { maxLength: 8 }).map((all) => all.join(" "));
    fc.assert(
      fc.property(sentence, sentence, (before, after) => {
        for (const unit of units(`${before}\n${told}\n${after}\n`)) {
          expect([change()[0], [undefined, "before-after", "y > 0", "x"]]).toContainEqual(unit);
        }
      }),
    );
  });
});
