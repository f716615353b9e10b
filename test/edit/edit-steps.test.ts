// Long work of the edit engine pauses, and all units of an edit share one budget.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commonLines } from "../../src/edit/describe/compare-lines.ts";
import { EditSession } from "../../src/edit/edit-session.ts";
import type { EditUnit } from "../../src/edit/edit-unit.ts";
import { FileIndex } from "../../src/edit/find/file-index.ts";
import { findNearest } from "../../src/edit/find/similar/find-nearest.ts";
import { findSimilar } from "../../src/edit/find/similar/find-similar.ts";
import { parseInSteps } from "../../src/edit/read/parse-answer.ts";
import { quotedPlaces } from "../../src/edit/find/locate-quoted.ts";
import { toQuery } from "../../src/edit/find/place.ts";
import { finish, type Steps } from "../../src/edit/steps.ts";
import { diffHunks } from "../../src/edit/describe/unified-diff.ts";

const many = (count: number, line: (nth: number) => string): string[] =>
  Array.from({ length: count }, (_, nth) => line(nth));
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

function countPauses(steps: Steps<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) count += 1;
  return count;
}

describe("work that grows with its input pauses as often as the input is long", () => {
  const lines = many(50_000, (nth) => `line ${nth % 7}`);
  const other = many(50_000, (nth) => `other ${nth % 5}`);
  const distinct = many(50_000, (nth) => `distinct ${nth}`);
  const session = (units: readonly EditUnit[]): Steps<unknown> =>
    (function* () {
      const edit = new EditSession(text(distinct));
      for (const unit of units) yield* edit.addInSteps(unit);
      yield* edit.endInSteps();
    })();
  const works: [string, Steps<unknown>][] = [
    ["reading a file", FileIndex.inSteps(text(lines))],
    ["comparing two texts", commonLines(lines, other)],
    ["the diff of two texts", diffHunks(text(lines), text(other))],
    ["reading an answer", parseInSteps(text(many(100_000, () => "------- SEARCH")))],
    ["a unit as long as the file", session([{ search: text(distinct), replace: "x\n" }])],
    ["a unit that is not in the file", session([{ search: text(other), replace: "x\n" }])],
  ];
  test.each(works)("%s", (_, steps) => {
    expect(countPauses(steps)).toBeGreaterThan(50);
  });
});

describe("the steps of an edit", () => {
  const apply = (lines: readonly string[], units: readonly EditUnit[]): number =>
    countPauses(
      (function* () {
        const edit = new EditSession(text(lines));
        for (const unit of units) yield* edit.addInSteps(unit);
        yield* edit.endInSteps();
      })(),
    );

  test.each<[string, (line: string, nth: number) => string]>([
    ["a hit", (line) => line],
    ["a lenient hit", (line) => `  ${line}`],
    ["a hit with a typo", (line, nth) => (nth === 3 ? line.replace("compute", "cmopute") : line)],
    ["a miss", (line, nth) => `let item${nth} = of(${line.length}); // ~`],
  ])("grow with the file for %s", (_, distort) => {
    const count = (size: number): number => {
      const lines = many(
        size,
        (nth) => `const value${nth} = compute(other${nth % 7}, ${nth % 50});`,
      );
      const search = text(lines.slice(size / 2, size / 2 + 10).map(distort));
      return apply(lines, [{ search, replace: "x\n" }]);
    };
    expect(count(20_000)).toBeLessThan(2 * count(10_000) + 20);
  });

  test.each<[string, (nth: number) => string]>([
    ["#include", (nth) => `#include <sys/header_${nth % 97}_${(nth * 7919) % 5000}.h>`],
    ["list", (nth) => `* item number ${(nth * 7919) % 5000} of the list`],
    ["--", (nth) => `-- x ${(nth * 7919) % 5000}`],
  ])("stay few for ten units on 5,000 %s lines, which all may be comments", (_, toLine) => {
    const lines = many(5_000, toLine);
    const units = many(10, () => "").map((_unit, nth) => ({
      search: text(
        lines
          .slice(nth * 400 + 100, nth * 400 + 150)
          .map((line, at) => (at % 3 === 0 ? line : `${line.replace("e", "3")} z`)),
      ),
      replace: "x\n",
    }));
    const index = FileIndex.of(text(lines));
    for (const { search } of units)
      finish(findSimilar(finish(toQuery(search.split("\n"), index)), index));
    // A step more than the budget may be taken for each unit.
    expect(index.budget.characters).toBeGreaterThan(-10_000);
    expect(apply(lines, units)).toBeLessThan(20_000);
  });
});

test("the words of a line that was not found are looked for within the budget of the edit", () => {
  const lines = many(5_000, (nth) => `const value = compute(other, ${nth});`);
  const index = FileIndex.of(text(lines));
  const find = () => finish(findNearest(["let value = compute(any, other)"], index));
  expect(find()).toBeDefined();
  for (let nth = 0; nth < 100; nth += 1) find();
  expect(index.budget.words).toBe(0);
  expect(find()).toBeUndefined();
});

test("units that nearly fit in many places share what may be compared", () => {
  const lines = many(3_000, (nth) => `// comment number ${nth % 50} about nothing at all ${nth}`);
  const index = FileIndex.of(text(lines));
  const search = many(12, (nth) => `// coment numbr ${nth} abuot nothing at all ${nth * 3}`);
  search[5] = lines[700] ?? "";
  const before = index.budget.characters;
  finish(findSimilar(finish(toQuery(search, index)), index));
  const first = before - index.budget.characters;
  expect(first).toBeGreaterThan(1_000);
  finish(findSimilar(finish(toQuery(search, index)), index));
  expect(before - index.budget.characters).toBe(2 * first);
});

test("nothing is found similar once the budget of the edit is used up", () => {
  const lines = many(40, (nth) => `const value${nth} = compute(${nth});`);
  const search = lines.slice(10, 18).with(3, "const valeu13 = compute(13);");
  const find = (index: FileIndex) => finish(findSimilar(finish(toQuery(search, index)), index));
  const index = FileIndex.of(text(lines));
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
  const index = FileIndex.of("a\nb\nA\na\nb\nc\n");
  const find = (search: string[]) => finish(quotedPlaces(finish(toQuery(search, index)), index));
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

test("how an answer is cut for reading it in steps changes nothing", () => {
  const piece = fc.constantFrom(
    "text\n",
    "------- SEARCH\n",
    "=======\n",
    "+++++++ REPLACE\n",
    "```\n",
    "x".repeat(20_000),
    "\n",
    '<file-edit filePath="a">\n',
    "</file-edit>\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const answer = pieces.join("");
      const steps = finish(parseInSteps(answer));
      const padded = finish(parseInSteps(`${"p".repeat(5_000)}\n${answer}`));
      expect(padded.files).toEqual(
        steps.files.map((file) => ({
          ...file,
          units: file.units.map((unit) => ({ ...unit, line: unit.line + 1 })),
          ...(file.error === undefined
            ? {}
            : { error: expect.objectContaining({ code: file.error.code }) }),
        })),
      );
    }),
    { numRuns: 50 },
  );
});
