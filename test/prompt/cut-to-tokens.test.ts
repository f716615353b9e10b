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

test("a text that fits is handed on as it is", () => {
  fc.assert(
    fc.property(text, fc.nat({ max: 50 }), (whole, more) => {
      expect(cutToTokens(whole, estimateTokens(whole) + more)).toBe(whole);
    }),
  );
});

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

test("as many lines stay as fit", () => {
  const line = "x".repeat(33);
  const cost = estimateTokens(`${line}\n`);
  const whole = Array.from({ length: 10 }, () => line).join("\n");
  expect(cutToTokens(whole, 3 * cost)).toBe(`${line}\n${line}\n${line}\n[7 lines cut]`);
  expect(cutToTokens(whole, 0)).toBe("[10 lines cut]");
});

test("a final line end is no line that was cut", () => {
  expect(cutToTokens("aaaa\nbbbb\n", 1)).toBe("[2 lines cut]");
});

test("without a usable bound nothing is cut", () => {
  expect(cutToTokens("a\nb", Number.NaN)).toBe("a\nb");
  expect(cutToTokens("a\nb", -1)).toBe("a\nb");
  expect(cutToTokens("a\nb", Number.POSITIVE_INFINITY)).toBe("a\nb");
});
