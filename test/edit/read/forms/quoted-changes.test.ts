// Changes that an answer tells in words, with the code in backticks.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnswer } from "../../../../src/edit/read/parse-diff.ts";

const units = (answer: string) =>
  parseAnswer(answer).files.flatMap(({ filePath, form, units: all }) =>
    all.map(({ search, replace }) => [filePath, form, search, replace]),
  );
const change = (path?: string) => [[path, "before-after", "a < b", "a <= b"]];

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
