// What an edit costs grows with the file, and has a limit.
import { describe, expect, test } from "vitest";
import { EditSession } from "../../src/edit/edit-session.ts";
import type { EditUnit } from "../../src/edit/edit-unit.ts";
import { FileIndex } from "../../src/edit/find/file-index.ts";
import { toQuery } from "../../src/edit/find/place.ts";
import { findSimilar } from "../../src/edit/find/find-similar.ts";
import { stepsOf } from "./steps.ts";

const many = (count: number, line: (nth: number) => string): string[] =>
  Array.from({ length: count }, (_, nth) => line(nth));
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

describe("the steps of an edit", () => {
  const apply = (lines: readonly string[], units: readonly EditUnit[]): Promise<number> =>
    stepsOf(1e9, () => {
      const edit = new EditSession(text(lines));
      for (const unit of units) edit.add(unit);
      edit.end();
    });

  test.each<[string, (line: string, nth: number) => string]>([
    ["a hit", (line) => line],
    ["a lenient hit", (line) => `  ${line}`],
    ["a hit with a typo", (line, nth) => (nth === 3 ? line.replace("compute", "cmopute") : line)],
    ["a miss", (line, nth) => `let item${nth} = of(${line.length}); // ~`],
  ])("grow with the file for %s", async (_, distort) => {
    const count = (size: number): Promise<number> => {
      const lines = many(
        size,
        (nth) => `const value${nth} = compute(other${nth % 7}, ${nth % 50});`,
      );
      const search = text(lines.slice(size / 2, size / 2 + 10).map(distort));
      return apply(lines, [{ search, replace: "x\n" }]);
    };
    expect(await count(20_000)).toBeLessThan(2.2 * (await count(10_000)));
  });

  test.each<[string, (nth: number) => string]>([
    ["#include", (nth) => `#include <sys/header_${nth % 97}_${(nth * 7919) % 5000}.h>`],
    ["list", (nth) => `* item number ${(nth * 7919) % 5000} of the list`],
    ["--", (nth) => `-- x ${(nth * 7919) % 5000}`],
  ])("stay few for ten units on 5,000 %s lines, which all may be comments", async (_, toLine) => {
    const lines = many(5_000, toLine);
    const units = many(10, () => "").map((_unit, nth) => ({
      search: text(
        lines
          .slice(nth * 400 + 100, nth * 400 + 150)
          .map((line, at) => (at % 3 === 0 ? line : `${line.replace("e", "3")} z`)),
      ),
      replace: "x\n",
    }));
    const index = new FileIndex(text(lines));
    for (const { search } of units) findSimilar(toQuery(search.split("\n"), index), index);
    // A step more than the budget may be taken for each unit.
    expect(index.budget.characters).toBeGreaterThan(-10_000);
    // Thirty for a line and unit; each line of SEARCH with each of the file would be 250,000 for one unit.
    expect(await apply(lines, units)).toBeLessThan(30 * lines.length * units.length);
  });
});
