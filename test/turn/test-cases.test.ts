import { expect, test } from "vitest";
import { readCases } from "../../src/turn/test-cases.ts";

test("cases are read from lines with LF and with CRLF alike", () => {
  for (const end of ["\n", "\r\n"]) {
    const prompt = ["Please:", "1. happy path: adds two prices", " edge case: no price"].join(end);
    expect(readCases(`${prompt}${end}`)).toEqual({
      cases: [
        { line: "1. happy path: adds two prices", description: "adds two prices" },
        { line: "edge case: no price", description: "no price" },
      ],
      others: "Please:",
    });
  }
});

test("many blank lines in a prompt are read at once, and are no cases", () => {
  expect(readCases(" \n".repeat(200_000))).toEqual({ cases: [], others: "" });
});
