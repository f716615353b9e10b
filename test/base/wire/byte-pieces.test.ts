import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countBytes } from "../../helpers/count-bytes.ts";
import { BytePieces, joinBytes } from "../../../src/base/wire/bytes.ts";

test("the whole is what came, however it was cut", () => {
  const large = fc.array(fc.oneof(fc.nat(3), fc.nat(1_500), fc.nat(20_000)), { maxLength: 80 });
  const many = fc.array(fc.nat(9), { minLength: 500, maxLength: 1_600, size: "max" });
  const sizes = fc.oneof(
    large,
    many,
    fc.tuple(large, many, large).map((parts) => parts.flat()),
  );
  fc.assert(
    fc.property(sizes, (lengths) => {
      const pieces = new BytePieces();
      const all = lengths.map((length, nth) => new Uint8Array(length).fill(nth + 1));
      for (const piece of all) pieces.add(piece);
      const expected = joinBytes(all);
      expect([pieces.byteLength, pieces.last]).toEqual([expected.byteLength, expected.at(-1)]);
      const whole = pieces.take();
      expect(whole.byteLength).toBe(expected.byteLength);
      expect(whole.every((byte, at) => byte === expected[at])).toBe(true);
      expect([pieces.byteLength, pieces.last, pieces.take().byteLength]).toEqual([0, undefined, 0]);
    }),
  );
});

test.each([1, 7, 1_000, 5_000])("pieces of %i bytes are copied at most twice", (size) => {
  const total = 300_000;
  const copied = countBytes(() => {
    const pieces = new BytePieces();
    for (let at = 0; at < total; at += size) pieces.add(new Uint8Array(size));
    expect(pieces.take().byteLength).toBeGreaterThanOrEqual(total);
  });
  expect(copied).toBeLessThanOrEqual(2 * (total + size));
});
