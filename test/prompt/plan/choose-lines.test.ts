import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TextLines } from "../../../src/base/text/lines.ts";
import { chooseLines, costOfLines, linesAround } from "../../../src/prompt/plan-file.ts";

const ranges = fc
  .tuple(fc.integer({ min: 1, max: 320 }), fc.integer({ min: 0, max: 40 }))
  .map(([startLine, more]) => ({ startLine, endLine: startLine + more }));

test("ranges come in order and apart, hold the place, and stay within the limit", () => {
  fc.assert(
    fc.property(
      ranges,
      fc.array(ranges, { maxLength: 12 }),
      fc.integer({ min: 0, max: 4_000 }),
      fc.integer({ min: 1, max: 50 }),
      (place, others, maxTokens, first) => {
        const text = Array.from({ length: 300 }, (_, at) => `line ${at};`).join("\n");
        const lines = new TextLines(text);
        const parts = others.map((range) => ({ ranges: [range], isDefinition: true }));
        const plan = { isWhole: false, maxTokens, place, parts: () => parts };
        const found = chooseLines(plan, maxTokens, lines, first);
        const last = first + 299;
        for (const [at, range] of found.ranges.entries()) {
          const before = found.ranges[at - 1]?.endLine ?? -Infinity;
          expect(range.startLine).toBeGreaterThan(before + 2);
          expect(range.startLine).toBeGreaterThanOrEqual(first);
          expect(range.endLine).toBeLessThanOrEqual(last);
          expect(range.endLine).toBeGreaterThanOrEqual(range.startLine);
        }
        const isShown = (line: number) =>
          found.ranges.some(({ startLine, endLine }) => line >= startLine && line <= endLine);
        const isThere = place.startLine <= last && place.endLine >= first;
        const start = isThere ? Math.max(place.startLine, first) : first;
        const end = isThere ? Math.min(place.endLine, last) : first;
        for (let line = start; line <= end; line += 1) expect(isShown(line)).toBe(true);
        const placeCost = costOfLines("x".repeat(12 * (end - start + 1)), end - start + 1);
        // Lines between two that are shown cost less than a note.
        const filled = (found.ranges.length + others.length + 2) * 2 * 8;
        const cost = costOfLines("x".repeat(10 * found.shown), found.shown);
        expect(cost).toBeLessThanOrEqual(placeCost + Math.max(maxTokens, 0) * 1.3 + filled + 20);
        expect(found.count).toBe(300);
      },
    ),
  );
});

test("with less room the lines around a place go from the outside", () => {
  const text = Array.from({ length: 2_000 }, (_, at) => `const name${at} = ${at};`).join("\n");
  const lines = new TextLines(text);
  const place = { startLine: 1_000, endLine: 1_001 };
  const plan = { isWhole: true, maxTokens: 0, place, parts: () => linesAround(place) };
  const shown = [20_000, 2_000, 500, 100, 0].map(
    (limit) => chooseLines(plan, limit, lines, 1).ranges,
  );
  expect(shown).toMatchInlineSnapshot(`
    [
      [
        {
          "endLine": 1513,
          "startLine": 488,
        },
      ],
      [
        {
          "endLine": 1065,
          "startLine": 936,
        },
      ],
      [
        {
          "endLine": 1017,
          "startLine": 984,
        },
      ],
      [
        {
          "endLine": 1005,
          "startLine": 996,
        },
      ],
      [
        {
          "endLine": 1001,
          "startLine": 1000,
        },
      ],
    ]
  `);
});
