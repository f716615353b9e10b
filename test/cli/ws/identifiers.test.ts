import * as fc from "fast-check";
import { expect, test } from "vitest";
import { identifierAt } from "../../../src/cli/ws/ide.ts";
import { listUses } from "../../../src/code/symbols.ts";
import { parser } from "./test-project.ts";

test("the name at a place covers it or ends right before it, whatever the text", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b1", ".", " ", "\n", "\r\n", "中", "🛒") });
  fc.assert(
    fc.property(text, fc.nat(5), fc.nat(20), (code, line, character) => {
      const written = code.split(/\r\n|\r|\n/)[line] ?? "";
      const isLetter = (at: number): boolean => /[ab1中]/.test(written[at] ?? "");
      let [start, end] = [character, character];
      while (isLetter(start - 1)) start -= 1;
      while (isLetter(end)) end += 1;
      const name = written.slice(start, end);
      expect(identifierAt(code, line, character)?.name ?? "").toBe(name);
    }),
  );
});

test("a name behind a dot, an arrow or two colons is a member", () => {
  expect(identifierAt("cart.total", 0, 5)).toEqual({ name: "total", isMember: true });
  expect(identifierAt("cart->total", 0, 8)).toEqual({ name: "total", isMember: true });
  expect(identifierAt("cart", 0, 0)).toEqual({ name: "cart", isMember: false });
});

test("uses are listed once, at their first place outside of comments and strings", async () => {
  const code = 'def f(a):\n    # limit\n    print("limit")\n    return a + limit + limit\n';
  const analysis = await parser.analyze(code, "python");
  const [f] = analysis.symbols;
  expect(f).toBeDefined();
  const uses = f === undefined ? [] : listUses(analysis, f.range);
  expect(uses.filter(({ name }) => name === "limit")).toEqual([
    { name: "limit", line: 3, character: 15 },
  ]);
  expect(new Set(uses.map(({ name }) => name)).size).toBe(uses.length);
});
