// All units of an edit share one budget.
import { expect, test } from "vitest";
import { EditSession } from "../../src/edit/edit-session.ts";
import { FileIndex } from "../../src/edit/find/file-index.ts";
import { findNearest } from "../../src/edit/describe-error.ts";
import { findSimilar } from "../../src/edit/find/find-similar.ts";
import { quotedPlaces } from "../../src/edit/find/place.ts";
import { toQuery } from "../../src/edit/find/place.ts";

const many = (count: number, line: (nth: number) => string): string[] =>
  Array.from({ length: count }, (_, nth) => line(nth));
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

test("the words of a line that was not found are looked for within the budget of the edit", () => {
  const lines = many(5_000, (nth) => `const value = compute(other, ${nth});`);
  const index = new FileIndex(text(lines));
  const find = () => findNearest(["let value = compute(any, other)"], index);
  expect(find()).toBeDefined();
  for (let nth = 0; nth < 100; nth += 1) find();
  expect(index.budget.words).toBe(0);
  expect(find()).toBeUndefined();
});

test("units that nearly fit in many places share what may be compared", () => {
  const lines = many(3_000, (nth) => `// comment number ${nth % 50} about nothing at all ${nth}`);
  const index = new FileIndex(text(lines));
  const search = many(12, (nth) => `// coment numbr ${nth} abuot nothing at all ${nth * 3}`);
  search[5] = lines[700] ?? "";
  const before = index.budget.characters;
  findSimilar(toQuery(search, index), index);
  const first = before - index.budget.characters;
  expect(first).toBeGreaterThan(1_000);
  findSimilar(toQuery(search, index), index);
  expect(before - index.budget.characters).toBe(2 * first);
});

test("nothing is found similar once the budget of the edit is used up", () => {
  const lines = many(40, (nth) => `const value${nth} = compute(${nth});`);
  const search = lines.slice(10, 18).with(3, "const valeu13 = compute(13);");
  const find = (index: FileIndex) => findSimilar(toQuery(search, index), index);
  const index = new FileIndex(text(lines));
  expect(find(index)).toHaveLength(1);
  index.budget.characters = 0;
  expect(find(index)).toEqual([]);
});

test("a unit that fits one place exactly is found whatever the others have used up", () => {
  const lines = many(40, (nth) => `const value${nth} = compute(${nth});`);
  const session = new EditSession(text(lines));
  for (let nth = 0; nth < 40; nth += 1) {
    const search = `${lines[nth] ?? ""}\n`;
    expect(session.add({ search, replace: `// ${nth}\n` })).toMatchObject({ ok: true });
  }
  expect(session.end()).toMatchObject({ ok: true });
});

test("once the lines of the budget are used up, what fits several places is ambiguous at a glance", () => {
  const index = new FileIndex("a\nb\nA\na\nb\nc\n");
  const find = (search: string[]) => quotedPlaces(toQuery(search, index), index);
  index.budget.lines = 0;
  expect(find(["a", "b"])).toMatchObject({
    code: "ambiguous",
    candidates: [
      { startLine: 1, endLine: 2 },
      { startLine: 4, endLine: 5 },
    ],
  });
  expect(find(["b", "c"])).toMatchObject([{ level: "exact" }]);
});
