import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createTailBuffer } from "../../../../src/cli/code/run-check.ts";

test("the end of any stream is kept, whole characters of it, however it is cut", () => {
  const chunks = fc.array(fc.string({ unit: "grapheme", maxLength: 20 }), { maxLength: 30 });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 4, max: 40 }), (texts, most) => {
      const buffer = createTailBuffer(most);
      for (const text of texts) buffer.add(Buffer.from(text));
      const all = Buffer.from(texts.join(""));
      const { text } = buffer;
      if (all.length <= most) expect(text).toBe(all.toString());
      else {
        expect(text.startsWith("…")).toBe(true);
        expect(all.toString().endsWith(text.slice(1))).toBe(true);
        expect(Buffer.byteLength(text.slice(1))).toBeGreaterThan(most - 4);
      }
    }),
  );
});
