import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fence } from "../../../src/base/text/fence.ts";

test("no text can close its fence", () => {
  const text = fc.string({ unit: fc.constantFrom("`", "`", "a", "\n", " ") });
  fc.assert(
    fc.property(text, (inside) => {
      const lines = fence(inside, "ts").split("\n");
      const rule = /^(`{3,})ts$/.exec(lines[0] ?? "")?.[1] ?? "none";
      expect(lines.at(-1)).toBe(rule);
      expect(inside).not.toContain(rule);
      const end = inside === "" || inside.endsWith("\n") ? "" : "\n";
      expect(lines.slice(1, -1).join("\n") + (lines.length > 2 ? "\n" : "")).toBe(inside + end);
    }),
  );
});
