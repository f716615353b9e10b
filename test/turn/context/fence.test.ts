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

test("the info string is one word without backticks", () => {
  expect(fence("a", "c++ evil")).toBe("```c++\na\n```");
  expect(fence("a", "x`y")).toBe("```x\na\n```");
  expect(fence("a", "ts\n```\n")).toBe("```ts\na\n```");
  expect(fence("a")).toBe("```\na\n```");
});

test("the fence is no longer than it has to be", () => {
  const text = fc.string({ unit: fc.constantFrom("`", "`", "`", "a"), maxLength: 60 });
  fc.assert(
    fc.property(text, (inside) => {
      const runs = (inside.match(/`+/g) ?? []).map((run) => run.length);
      const rule = "`".repeat(Math.max(2, ...runs) + 1);
      expect(fence(inside)).toBe(`${rule}\n${inside}${inside === "" ? "" : "\n"}${rule}`);
    }),
  );
});
