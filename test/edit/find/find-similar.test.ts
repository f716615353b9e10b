import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyUnits } from "../../../src/edit.ts";
import { FileIndex } from "../../../src/edit/find/file-index.ts";
import { findSimilar } from "../../../src/edit/find/find-similar.ts";
import { toQuery } from "../../../src/edit/find/place.ts";
import { cases } from "../../helpers/cases.ts";

/** For each place its lines, 1-based, one for each line of SEARCH. */
function places(file: string[], search: string[]): number[][] {
  const index = new FileIndex(`${file.join("\n")}\n`);
  return findSimilar(toQuery(search, index), index).map(({ at }) => at.map((line) => line + 1));
}

const block = [
  "const first = load(path, options);",
  "const second = parse(first, schema);",
  "validate(second, rules);",
  "return render(second, theme);",
];

test("one wrong line of four is borne", () => {
  expect(places(["// -", ...block], block.with(1, "const second = parse(first, scheme);"))).toEqual(
    [[2, 3, 4, 5]],
  );
});

test("the wrong line may be the first or the last", () => {
  expect(places(["-", ...block], block.with(0, "const frist = load(path, options);"))).toEqual([
    [2, 3, 4, 5],
  ]);
  expect(places(["-", ...block], block.with(3, "return render(second, themes);"))).toEqual([
    [2, 3, 4, 5],
  ]);
});

test("a second wrong line of four is too much", () => {
  const search = block
    .with(1, "const second = parse(first, scheme);")
    .with(2, "validate(second, rule);");
  expect(places(block, search)).toEqual([]);
});

test("of sixteen lines two may be wrong, and not three", () => {
  const file = Array.from({ length: 16 }, (_, nth) => `step${nth}(input, "number ${nth}");`);
  const typo = (line: string) => line.replace("input", "inptu");
  const wrong = (...numbers: number[]) =>
    file.map((line, nth) => (numbers.includes(nth) ? typo(line) : line));
  expect(places(file, wrong(3, 9))).toEqual([file.map((_, nth) => nth + 1)]);
  expect(places(file, wrong(3, 9, 12))).toEqual([]);
});

test("a wrong line has to be alike in sixty of a hundred letters", () => {
  const file = ["aaaa();", "0123456789", "cccc();", "dddd();"];
  expect(places(file, file.with(1, "012345xxxx"))).toHaveLength(1);
  expect(places(file, file.with(1, "01234xxxxx"))).toEqual([]);
});

test("three lines are too few", () => {
  expect(
    places(block.slice(0, 3), block.slice(0, 3).with(1, "const second = parse(first, x);")),
  ).toEqual([]);
});

test("two or three lines are enough beside one that the file has once, if a line only leaves out or adds something", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{4,8}$/), {
    minLength: 44,
    maxLength: 44,
  });
  fc.assert(
    fc.property(
      names,
      fc.integer({ min: 2, max: 3 }),
      fc.nat({ max: 5 }),
      fc.nat({ max: 2 }),
      fc.nat({ max: 3 }),
      fc.boolean(),
      (all, size, start, wrong, at, isMore) => {
        const print = (nth: number, args: readonly string[]): string =>
          `  ${all[5 * nth]}(${args.join(", ")});`;
        const argsOf = (nth: number): string[] => all.slice(5 * nth + 1, 5 * nth + 5);
        const lines = Array.from({ length: 8 }, (_, nth) => print(nth, argsOf(nth)));
        const [nth, other] = [wrong % size, (wrong + 1) % size].map((one) => start + one);
        fc.pre(nth !== undefined && other !== undefined);
        const file = (own: readonly string[]): string => `${own.join("\n")}\n`;
        const fresh = all[40] ?? "";
        const unit = (args: readonly string[]) => {
          const search = lines.with(nth, print(nth, args)).slice(start, start + size);
          return { search: file(search), replace: file(search.with(other - start, "  now();")) };
        };
        const args = argsOf(nth);
        const misquoted = unit(isMore ? args.toSpliced(at, 0, fresh) : args.toSpliced(at, 1));
        const result = applyUnits(file(lines), [misquoted]);
        expect(result.ok && result.text).toBe(file(lines.with(other, "  now();")));
        expect(applyUnits(file(lines), [unit(args.with(at, fresh))]).ok).toBe(false);
        expect(applyUnits(file([...lines, ...lines]), [misquoted]).ok).toBe(false);
      },
    ),
    { numRuns: cases(200) },
  );
});

test("blank lines do not count as lines", () => {
  const search = ["", block[0] ?? "", "", "const second = parse(first, x);", "", block[2] ?? ""];
  expect(places(block, search)).toEqual([]);
});

test("blank lines of SEARCH are paired with those of the file", () => {
  const file = [block[0] ?? "", "", ...block.slice(1)];
  const search = [block[0] ?? "", "", ...block.slice(1).with(1, "validate(second, rule);")];
  expect(places(file, search)).toEqual([[1, 2, 3, 4, 5]]);
  expect(places(block, search)).toEqual([[1, 0, 2, 3, 4]]);
});

describe("several places", () => {
  const typo = "const second = parse(first, scheme);";

  test("that come equally near come back, all of them", () => {
    const file = [...block, "-", ...block];
    expect(places(file, block.with(1, typo))).toEqual([
      [1, 2, 3, 4],
      [6, 7, 8, 9],
    ]);
  });

  test("of which one is wrong in two lines more are told apart", () => {
    const far = block
      .with(0, "const frist = load(path, options);")
      .with(2, "validate(second, rule);");
    expect(places([...far, "-", ...block], block.with(1, typo))).toEqual([[6, 7, 8, 9]]);
  });

  test("of which one is wrong in one line more are not told apart", () => {
    const near = block.with(0, "const frist = load(path, options);");
    expect(places([...near, "-", ...block], block.with(1, typo))).toHaveLength(2);
  });
});

describe("comments that SEARCH leaves out", () => {
  test("are passed over", () => {
    const file = [...block.slice(0, 2), "// why", "// and how", ...block.slice(2)];
    expect(places(file, block)).toEqual([[1, 2, 5, 6]]);
  });

  test("are passed over above the line that tells the place, too", () => {
    const file = ["other();", ...block.slice(0, 1), "# why", ...block.slice(1), "other();"];
    expect(places(file, block.with(0, "const frist = load(path, options);"))).toEqual([
      [2, 4, 5, 6],
    ]);
  });

  test("that come nearest to a line of SEARCH are that line", () => {
    const file = [...block.slice(0, 2), "// the reason for it", ...block.slice(2)];
    const search = [...block.slice(0, 2), "// the reason of it", ...block.slice(2)];
    expect(places(file, search)).toEqual([[1, 2, 3, 4, 5]]);
  });
});

test("without a line that is in the file as it is, no place is found", () => {
  const file = block.map((line) => `${line} `);
  expect(
    places(
      file,
      block.map((line) => line.replace("e", "3")),
    ),
  ).toEqual([]);
});

test("blanks between signs tell no lines apart, and what REPLACE has again keeps the bytes of the file", () => {
  const name = fc.stringMatching(/^[a-z]{3,7}$/);
  const sign = fc.constantFrom(" / ", " + 1, ", " * ", " == ", " < ");
  fc.assert(
    fc.property(name, name, name, sign, fc.boolean(), (key, one, other, between, isMore) => {
      fc.pre(new Set([key, one, other]).size === 3);
      const line = `  ${key}(${one}${between}${other});`;
      const tight = line.replace(between, between.replaceAll(" ", ""));
      const before = `first();\n${line}\nlast();\n`;
      const replace = isMore ? `${tight}\n  more(${one});\n` : `  more(${one});\n`;
      const after = before.replace(line, isMore ? `${line}\n  more(${one});` : `  more(${one});`);
      const result = applyUnits(before, [{ search: `${tight}\n`, replace }]);
      expect(result).toMatchObject({ ok: true, text: after });
      // Of two that are the same but for these blanks none is meant.
      const twins = before.replace(
        line,
        `${line}\n${line.replace(between, between.trim() + "  ")}`,
      );
      const isTold = applyUnits(twins, [{ search: `${tight}\n`, replace }]);
      if (isTold.ok) expect(isTold.units[0]?.level).not.toBe("similar");
    }),
  );
});

test("signs that a language leaves to who writes tell no lines apart", () => {
  const name = fc.stringMatching(/^[a-z]{3,7}$/);
  fc.assert(
    fc.property(name, name, fc.integer({ min: 1_000, max: 9_999_999 }), (key, one, count) => {
      fc.pre(key !== one);
      const long = String(count).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, "_");
      const pairs = [
        [`${key}.find((${one}) => ${one}.id)`, `${key}.find(${one} => ${one}.id)`],
        [`<${key} id="${one}">`, `<${key} id="${one}" />`],
        [`${key} = ${one} / ${long}`, `${key} = ${one} / ${count}`],
      ];
      for (const [line = "", quoted = ""] of pairs) {
        const unit = { search: `  ${quoted}\n`, replace: "  now()\n" };
        expect(applyUnits(`first()\n  ${line}\nlast()\n`, [unit])).toMatchObject({
          ok: true,
          text: "first()\n  now()\nlast()\n",
        });
        expect(applyUnits(`first()\n  ${line.replace(one, "other")}\nlast()\n`, [unit]).ok).toBe(
          false,
        );
      }
    }),
  );
});
