// A refused edit says whether the file has the lines of REPLACE already; how long that takes must not
// depend on what the model wrote.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { describeNoMatch } from "../../../src/edit/describe-error.ts";
import { FileIndex } from "../../../src/edit/find/file-index.ts";

const hint = "The file already contains the text of REPLACE";

function isSaidDone(file: string, replace: string): boolean {
  const { message } = describeNoMatch(1, "no such line\n", replace, new FileIndex(file));
  return message.includes(hint);
}

/** The definition: whole lines, without the blanks behind them. */
function standsIn(file: string, replace: string): boolean {
  if (replace.trim() === "") return false;
  return `\n${file}\n`.includes(`\n${replace.replace(/\s+$/, "")}\n`);
}

const signs = ["a", " ", "\t", "\n", '"', ".", "-", "=", "/", "*", "\\", "\u3000"];
const short = fc.string({ unit: fc.constantFrom(...signs), maxLength: 8 });
/** Up to 200,000 characters in a few runs of one or two signs. */
const long = fc
  .array(
    fc.tuple(
      fc.constantFrom(...signs, "a\n", '"\\', "a.", "// ", "\n\n", " \t"),
      fc.integer({ min: 1, max: 20_000 }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((runs) => runs.map(([sign, times]) => sign.repeat(times)).join(""));

test("whole lines of REPLACE that are in the file are named, others are not", () => {
  const file = fc.array(short, { minLength: 1, maxLength: 5 }).map((lines) => lines.join("\n"));
  const cut = fc
    .tuple(file, fc.nat(20), fc.nat(20), short)
    .map(([text, from, length, more]) => [text, text.slice(from, from + length) + more] as const);
  fc.assert(
    fc.property(cut, ([text, replace]) => {
      fc.pre(text !== "");
      expect(isSaidDone(text, replace)).toBe(standsIn(text, replace));
    }),
    { numRuns: 2000 },
  );
});

test("long runs of signs are described as short ones are", () => {
  fc.assert(
    fc.property(long, long, (file, replace) => {
      const whole = replace.trim() !== "";
      expect(isSaidDone(`${file}\n${replace.trimEnd()}\nend`, replace)).toBe(whole);
      expect(isSaidDone(file, `${replace}never`)).toBe(false);
    }),
    { numRuns: 25 },
  );
});

// Each took minutes: a pattern, or a search, that starts anew at every blank or line.
test.each([
  ["a million blanks before the last letter", "a\n", `x${" ".repeat(1_000_000)}y\n`],
  [
    "lines that repeat around another one",
    "a\n".repeat(500_000),
    `${"a\n".repeat(120_000)}b\n${"a\n".repeat(120_000)}`,
  ],
])("%s end with the test", (_, file, replace) => {
  expect(isSaidDone(file, replace)).toBe(false);
});
