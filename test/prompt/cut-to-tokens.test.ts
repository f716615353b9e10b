import * as fc from "fast-check";
import { expect, test } from "vitest";
import { estimateTokens } from "../../src/turn/tokens.ts";
import { cutToTokens } from "../../src/prompt/liquid-language.ts";

const text = fc
  .array(fc.string({ unit: fc.constantFrom("a", "中", " ", "```") }), { minLength: 1 })
  .map((lines) => lines.join("\n"));

/** A final line end begins no line. */
function linesOf(whole: string): string[] {
  return whole.replace(/\n$/, "").split("\n");
}

test("a text that does not fit is cut on a line border, and what stays fits", () => {
  fc.assert(
    fc.property(text, fc.nat({ max: 30 }), (whole, most) => {
      fc.pre(estimateTokens(whole) > most);
      const lines = linesOf(whole);
      const kept = cutToTokens(whole, most).split("\n");
      const note = kept.pop();
      const left = lines.length - kept.length;
      expect(left).toBeGreaterThan(0);
      expect(note).toBe(`[${left} ${left === 1 ? "line" : "lines"} cut]`);
      expect(kept).toEqual(lines.slice(0, kept.length));
      expect(estimateTokens(kept.join("\n"))).toBeLessThanOrEqual(most);
    }),
  );
});
