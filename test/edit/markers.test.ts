// Rules of the diff are never written into a file that does not hold such lines.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyDiff, parseAnswer } from "../../src/edit/read/parse-diff.ts";
import { applyUnits } from "../../src/edit/edit-session.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

function apply(before: string | undefined, ...diff: string[]): string {
  const result = applyDiff(before, lines(...diff));
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

const [search, middle, replace] = ["------- SEARCH", "=======", "+++++++ REPLACE"] as const;
const file = lines("a();", "b();", "c();");
const keywords = [
  "------- SEARCH",
  "+++++++ REPLACE",
  "<<<<<<< SEARCH",
  ">>>>>>> REPLACE",
  "<<<<<<< HEAD",
  ">>>>>>> UPDATED",
  ">>>>>>> main",
  "<<<<<<<",
  "</file-edit>",
  '<file-edit filePath="a.ts">',
];

test("no rule with a word is in a text that was made of a diff, wherever it stood", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...keywords),
      fc.nat({ max: 6 }),
      fc.array(fc.constantFrom("x();", "b();", "", "```", middle), { maxLength: 4 }),
      (marker, at, written) => {
        const diff = [search, "b();", middle, ...written, replace].toSpliced(at, 0, marker);
        const result = applyDiff(file, lines(...diff));
        if (result.ok) expect(result.text).not.toContain(marker);
      },
    ),
    { numRuns: 2000 },
  );
});

describe("a separator in REPLACE", () => {
  test("at its start is one too many", () => {
    expect(apply(file, search, "b();", middle, middle, "x();", replace)).toBe(
      lines("a();", "x();", "c();"),
    );
  });

  test.each([
    ["at its end", ["x();", middle]],
    ["between two versions of it", ["x();", middle, "y();"]],
    ["after what SEARCH quotes", ["b();", middle, "y();"]],
  ])("%s is refused", (_, written) => {
    expect(apply(file, search, "b();", middle, ...written, replace)).toBe("refused: malformed");
  });

  test("in the middle of lines that go on is text", () => {
    const diff = [search, "a();", "b();", middle, "a();", middle, "x();", replace];
    expect(apply(file, ...diff)).toBe(lines("a();", middle, "x();", "c();"));
  });

  test("that the file holds is text", () => {
    const before = lines("Title 1", middle, "text");
    const diff = [search, "text", middle, "text", "Title 2", middle, replace];
    expect(apply(before, ...diff)).toBe(`${before}Title 2\n${middle}\n`);
  });

  test("is text where the unit's own rules are longer", () => {
    const diff = ["--------- SEARCH", "c();", "=========", "Title", middle, "+++++++++ REPLACE"];
    expect(apply(file, ...diff)).toBe(lines("a();", "b();", "Title", middle));
  });

  test("of another length is text", () => {
    expect(apply(file, search, "c();", middle, "Headline", "========", replace)).toBe(
      lines("a();", "b();", "Headline", "========"),
    );
  });
});

describe("a code fence in REPLACE", () => {
  test("that closes nothing is dropped at the end of the unit, else refused", () => {
    expect(apply(file, search, "b();", middle, "x();", "```", replace)).toBe(
      lines("a();", "x();", "c();"),
    );
    expect(apply(file, search, "b();", middle, "x();", "```", "y();", replace)).toBe(
      "refused: malformed",
    );
  });

  test("around all of it is refused", () => {
    expect(apply(file, search, "b();", middle, "```js", "x();", "```", replace)).toBe(
      "refused: malformed",
    );
  });

  test("is text in a file that has such fences, and where it is one of two inside", () => {
    const before = lines("text", "```", "code", "```");
    expect(apply(before, search, "text", middle, "text", "```sh", "x", "```", replace)).toBe(
      before.replace("text\n", "text\n```sh\nx\n```\n"),
    );
    const diff = [search, "c();", middle, "c();", "```js", "x();", "```", replace];
    expect(apply(file, ...diff)).toBe(`${file}\`\`\`js\nx();\n\`\`\`\n`);
  });
});

test("rules are refused in a new file and in the whole of one as well", () => {
  expect(apply(undefined, search, middle, "x();", middle, replace)).toBe("refused: malformed");
  expect(apply(file, search, middle, "x();", ">>>>>>> main", "y();", replace)).toBe(
    "refused: malformed",
  );
});

test("what a caller gives as a unit, not as a diff, is text", () => {
  const unit = { search: "b();\n", replace: lines(middle, "```") };
  expect(applyUnits(file, [unit])).toMatchObject({
    ok: true,
    text: lines("a();", middle, "```", "c();"),
  });
});

test("a merge conflict of the file that an answer quotes is no unit", () => {
  const conflict = "<<<<<<< HEAD\nlet a = 1;\n=======\nlet a = 2;\n>>>>>>> feature\n";
  const before = `f();\n${conflict}g();\n`;
  const quote = "```js\n" + conflict + "```\n";
  const unitsOf = (answer: string) => parseAnswer(answer).files.flatMap(({ units }) => units);
  expect(applyUnits(before, unitsOf(quote))).toMatchObject({
    ok: false,
    error: { code: "malformed" },
  });
  // In a file without conflicts the words stand for SEARCH and REPLACE.
  expect(applyUnits("let a = 1;\n", unitsOf(quote))).toMatchObject({
    ok: true,
    text: "let a = 2;\n",
  });
});
