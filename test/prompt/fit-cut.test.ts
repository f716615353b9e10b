import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fitCut } from "../../src/prompt/build-prompt.ts";
import type { Cut } from "../../src/prompt/scope.ts";
import type { Spare } from "../../src/prompt/describe-context.ts";

type Field = keyof Cut;

const pieces = (field: Field, count: number): Spare => ({
  kind: "pieces",
  weigh: () => Array<number>(count).fill(10),
  leave: (cut, left) => ({ ...cut, [field]: left }),
  tell: () => undefined,
});
const text = (field: Field, sizes: readonly number[]): Spare => ({
  kind: "text",
  sizes,
  leave: (cut, size) => ({ ...cut, [field]: size }),
  tell: () => undefined,
});

/** What a prompt costs that holds 10 tokens of everything, and 10 more. */
const measureOf =
  (whole: Partial<Cut>) =>
  (cut: Cut): { tokens: number } => {
    const fields = Object.entries(whole) as [Field, number][];
    const kept = fields.map(([field, had]) => Math.min(had, cut[field]));
    return { tokens: 10 + kept.reduce((sum, count) => sum + 10 * count, 0) };
  };

test("spares go in the order of the list, whatever it is", () => {
  const whole = { history: 4, packageFiles: 3, around: 8, references: 2 };
  const spares: Spare[] = [
    pieces("history", 4),
    text("around", [8, 4, 2, 1, 0]),
    pieces("references", 2),
    pieces("packageFiles", 3),
  ];
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), (budget) => {
      const { cut, measured } = fitCut(spares, budget, measureOf(whole));
      expect(measured.tokens).toBeLessThanOrEqual(Math.max(budget, 10));
      const isWhole = (field: keyof typeof whole): boolean => cut[field] >= whole[field];
      if (!isWhole("around")) expect(cut.history).toBe(0);
      if (!isWhole("references")) expect([cut.history, cut.around]).toEqual([0, 0]);
      if (!isWhole("packageFiles")) expect(cut.references).toBe(0);
      // No more went than had to.
      const room = Math.floor((budget - 10) / 10);
      if (isWhole("around")) expect(Math.min(cut.history, 4)).toBe(Math.min(room - 13, 4));
    }),
  );
});

test("with nothing to spare the whole prompt is what there is", () => {
  const measure = measureOf({ around: 3 });
  expect(fitCut([], 5, measure).measured.tokens).toBe(40);
  expect(fitCut([pieces("history", 0)], 5, measure).measured.tokens).toBe(40);
});
