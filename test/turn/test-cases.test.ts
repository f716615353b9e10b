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
