import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sortInSteps } from "../../../src/turn/context/sort-in-steps.ts";
import { seededRandom } from "../../helpers/seeded-random.ts";

function sortCounting(keys: readonly number[]): { sorted: unknown[]; pauses: number } {
  const items = keys.map((key, index) => ({ key, index }));
  const steps = sortInSteps(items, (left, right) => left.key - right.key);
  for (let pauses = 0; ; pauses += 1) {
    const step = steps.next();
    if (step.done === true) return { sorted: step.value, pauses };
  }
}

test("items come out in order, equal ones as they were, with pauses between", () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat({ max: 9_000 }), (seed, length) => {
      const random = seededRandom(seed);
      const keys = Array.from({ length }, () => Math.floor(random() * 50));
      const expected = keys
        .map((key, index) => ({ key, index }))
        .toSorted((left, right) => left.key - right.key);
      const { sorted, pauses } = sortCounting(keys);
      expect(sorted).toEqual(expected);
      expect(pauses).toBeGreaterThanOrEqual(Math.floor(length / 2_000));
    }),
    { numRuns: 20 },
  );
});
