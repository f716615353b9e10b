import * as fc from "fast-check";
import { expect, test } from "vitest";
import { joinBytes } from "../../../src/base/wire/bytes.ts";

test("chunks are joined in order", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (chunks) => {
      expect([...joinBytes(chunks)]).toEqual(chunks.flatMap((chunk) => [...chunk]));
    }),
  );
});

test("a single chunk is handed on without a copy", () => {
  const chunk = new Uint8Array([1, 2]);
  expect(joinBytes([chunk])).toBe(chunk);
});
