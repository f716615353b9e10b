import * as fc from "fast-check";
import { expect, test } from "vitest";
import { encodeText } from "../../../src/base/wire/bytes.ts";
import { encodeForSocket } from "../../../src/base/wire/node-exchange.node.ts";

test("a text of any length and any letters has the bytes that the platform's encoder makes of it", () => {
  const text = fc
    .tuple(fc.string({ unit: "binary" }), fc.constantFrom(1, 40, 1_000, 30_000))
    .map(([unit, times]) => unit.repeat(times));
  fc.assert(
    fc.property(text, (given) => {
      const expected = new TextEncoder().encode(given);
      expect(Buffer.compare(encodeText(given), expected)).toBe(0);
      expect(Buffer.compare(encodeForSocket(given), expected)).toBe(0);
    }),
  );
});

test("half a character becomes the sign for what cannot be read", () => {
  expect([...encodeText("\uD83D")]).toEqual([0xef, 0xbf, 0xbd]);
  expect([...encodeForSocket("\uD83D")]).toEqual([0xef, 0xbf, 0xbd]);
});

test("bytes of one text stay as they are while the next one is encoded", () => {
  const first = encodeText("first");
  encodeText("second");
  expect(new TextDecoder().decode(first)).toBe("first");
});
