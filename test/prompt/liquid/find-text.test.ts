import * as fc from "fast-check";
import { expect, test } from "vitest";
import { includesText, lastPlaceOf, placesOf } from "../../../src/prompt/liquid/find-text.ts";
import { createTestEngine } from "../../helpers/render-template.ts";

const engine = createTestEngine({ maxTemplateFuel: 100_000_000 });
const text = fc.string({ unit: fc.constantFrom("a", "a", "a", "b"), maxLength: 300 });
const pattern = fc.string({
  unit: fc.constantFrom("a", "a", "a", "b"),
  minLength: 1,
  maxLength: 60,
});

test("places are those where the text is split, also for long patterns", () => {
  fc.assert(
    fc.property(text, pattern, fc.boolean(), (base, found, isInside) => {
      const whole = isInside ? `${base}${found}${base}${found}b` : base;
      const places = [...placesOf(whole, found, engine.createFuel())];
      const pieces = whole.split(found);
      let at = 0;
      const expected = pieces.slice(0, -1).map((piece) => {
        const place = at + piece.length;
        at = place + found.length;
        return place;
      });
      expect(places).toEqual(expected);
      expect(lastPlaceOf(whole, found, engine.createFuel())).toBe(whole.lastIndexOf(found));
      expect(includesText(whole, found, engine.createFuel())).toBe(whole.includes(found));
    }),
  );
});

test("an empty pattern is in every text", () => {
  expect(includesText("", "", engine.createFuel())).toBe(true);
  expect(includesText("a", "", engine.createFuel())).toBe(true);
});

test("a pattern that nearly fits everywhere costs no more than both lengths", () => {
  const half = "a".repeat(50_000);
  const whole = "a".repeat(1_000_000);
  const near = `${half}b${half}`;
  for (const find of [includesText, lastPlaceOf]) {
    const fuel = engine.createFuel();
    expect(find(whole, near, fuel)).toBe(find === includesText ? false : -1);
    expect(fuel.used).toBeLessThanOrEqual(2 * (whole.length + near.length));
  }
});
