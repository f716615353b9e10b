import * as fc from "fast-check";
import { expect, test } from "vitest";
import { trimEndSigns, trimSigns } from "../../../src/base/text/lines.ts";

const text = fc.string({ unit: fc.constantFrom("a", ";", ":", "{", "\n"), maxLength: 12 });

test("the signs go from the ends as a pattern would take them", () => {
  fc.assert(
    fc.property(text, (whole) => {
      expect(trimEndSigns(whole, ";:")).toBe(whole.replace(/[;:]+$/, ""));
      expect(trimSigns(whole, ";:")).toBe(whole.replaceAll(/^[;:]+|[;:]+$/g, ""));
    }),
    { numRuns: 1000 },
  );
});
