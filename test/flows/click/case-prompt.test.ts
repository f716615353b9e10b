import * as fc from "fast-check";
import { expect, test } from "vitest";
import { finish } from "../../../src/edit/steps.ts";
import { printCases, printKnownCases, readCases } from "../../../src/flows/click/case-prompt.ts";

test("cases are read from lines with LF and with CRLF alike", () => {
  for (const end of ["\n", "\r\n"]) {
    const prompt = ["Please:", "1. happy path: adds two prices", " edge case: no price"].join(end);
    expect(finish(readCases(`${prompt}${end}`))).toEqual({
      cases: [
        { line: "1. happy path: adds two prices", description: "adds two prices" },
        { line: "edge case: no price", description: "no price" },
      ],
      others: "Please:",
    });
  }
});

test("many blank lines in a prompt are read at once, and are no cases", () => {
  expect(finish(readCases(" \n".repeat(200_000)))).toEqual({ cases: [], others: "" });
});

const sentence = fc
  .array(
    fc.constantFrom("adds", "no items", "1.", "2)", "happy path:", "两个价格", "[lines 1-2]"),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((words) => words.join(" "));
const ours = fc.constantFrom("happy path", "edge case");

test("cases that were printed are read back, and the mark is what is left", () => {
  const cases = fc.array(fc.record({ description: sentence, category: ours }), { minLength: 1 });
  fc.assert(
    fc.property(cases, (given) => {
      const { cases: read, others } = finish(readCases(printCases(given, "[total, lines 3-9]")));
      expect(read.map(({ description }) => description)).toEqual(
        given.map(({ description }) => description),
      );
      expect(others).toBe("[total, lines 3-9]");
    }),
  );
});

test("a case of a category that is none of ours is read back as a case, too", () => {
  for (const category of ["performance", "安全"]) {
    const { cases, others } = finish(
      readCases(printCases([{ description: "adds", category }], "[lines 1-2]")),
    );
    expect(cases).toEqual([{ line: `1. ${category}: adds`, description: `${category}: adds` }]);
    expect(others).toBe("[lines 1-2]");
  }
});

test("known cases that were printed are read back from the request for more of them", () => {
  const listed = fc.array(fc.record({ description: sentence, category: ours }), { minLength: 1 });
  fc.assert(
    fc.property(listed, (given) => {
      const { cases } = finish(readCases(printCases(given, "")));
      const prompt = printKnownCases("More, please.", "Written already:", cases, "[lines 1-2]");
      expect(prompt.split("\n")[0]).toBe("More, please. [lines 1-2]");
      expect(finish(readCases(prompt)).cases).toEqual(cases);
    }),
  );
});
