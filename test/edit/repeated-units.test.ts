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
