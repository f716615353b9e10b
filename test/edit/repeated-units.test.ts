import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyDiff } from "../../src/edit/read/parse-diff.ts";

const unit = (search: string, replace: string) =>
  `------- SEARCH\n${search}=======\n${replace}+++++++ REPLACE\n`;

test.each([
  ["a change", "x\na\ny\n", unit("a\n", "b\n"), "x\nb\ny\n"],
  ["an addition", "x\na\ny\n", unit("a\n", "a\nb\n"), "x\na\nb\ny\n"],
  ["a deletion", "x\na\ny\n", unit("a\n", ""), "x\ny\n"],
])("%s that is written twice is made once", (_, before, diff, after) => {
  const result = applyDiff(before, `${diff}${diff}\n${diff}`);
  expect(result).toMatchObject({ ok: true, text: after });
  expect(result.ok && result.units).toHaveLength(3);
});

test("a unit that is written twice and fits two places is refused", () => {
  const twice = unit("a\n", "b\n").repeat(2);
  expect(applyDiff("a\nx\na\n", twice)).toMatchObject({ ok: false, error: { code: "ambiguous" } });
});

test("units that only look alike both count, and overlap", () => {
  const diff = unit("a\n", "b\n") + unit("a\n", "c\n");
  expect(applyDiff("x\na\n", diff)).toMatchObject({ ok: false, error: { code: "overlap" } });
});

test("the line number of a diff settles which of several places is meant, and nothing else", () => {
  const lines = fc.array(fc.constantFrom<string>("a", "b", "  c"), { minLength: 4, maxLength: 6 });
  fc.assert(
    fc.property(lines, fc.integer({ min: 2, max: 5 }), fc.nat(), (block, count, nth) => {
      const at = nth % count;
      const before = `${block.join("\n")}\n`.repeat(count);
      const all = Array.from({ length: count }, () => block);
      const after = all.map((one, place) => (place === at ? one.with(1, "new") : one));
      const start = at * block.length + 1;
      const [first = "", second = "", ...others] = block;
      const sides = [` ${first}`, `-${second}`, "+new", ...others.map((line) => ` ${line}`)];
      const hunk = (line: number) =>
        `--- a/x\n+++ b/x\n@@ -${line},${block.length} +${line},${block.length} @@\n${sides.join("\n")}\n`;
      const wanted = `${after.flat().join("\n")}\n`;
      expect(applyDiff(before, hunk(start))).toMatchObject({ ok: true, text: wanted });
      const only = `${block.join("\n")}\n`;
      const wrong = applyDiff(only, hunk(start + 40));
      expect(wrong).toMatchObject({ ok: true, text: `${block.with(1, "new").join("\n")}\n` });
    }),
  );
});
