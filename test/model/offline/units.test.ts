import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyUnits } from "../../../src/edit.ts";
import { finish } from "../../../src/edit/steps.ts";
import { linesOfFile, toUnits as toUnitsInSteps } from "../../../src/model/offline/units.ts";

const toUnits = (...given: Parameters<typeof toUnitsInSteps>) => finish(toUnitsInSteps(...given));

const change = (startLine: number, ...lines: string[]) => ({
  startLine,
  endLine: startLine,
  lines,
});

test("lines that follow each other become one unit, with no more context than they need", () => {
  const text = "a\nb\nc\nd\ne\n";
  const { units, left } = toUnits(text, [change(2, "B"), change(3, "C"), change(5, "E")]);
  expect(units).toEqual([
    { search: "b\nc\n", replace: "B\nC\n" },
    { search: "e\n", replace: "E\n" },
  ]);
  expect(left).toEqual([]);
});

test("a line that recurs is quoted with the lines around it until they stand there only once", () => {
  const text = "first\nsame\nx\nsame\nlast\n";
  expect(toUnits(text, [change(4, "new")]).units).toEqual([
    { search: "x\nsame\nlast\n", replace: "x\nnew\nlast\n" },
  ]);
});

test("changes whose quotes share lines become one unit", () => {
  const text = "a\nsame\nb\nsame\nc\n";
  const { units } = toUnits(text, [change(2, "one"), change(4, "two")]);
  expect(units).toEqual([{ search: "a\nsame\nb\nsame\nc\n", replace: "a\none\nb\ntwo\nc\n" }]);
});

test("what ten lines of context do not tell apart is left, and named", () => {
  const lines = Array.from({ length: 60 }, () => "same");
  const wanted = change(30, "new");
  expect(toUnits(`${lines.join("\n")}\n`, [wanted])).toEqual({ units: [], left: [wanted] });
});

test("there are at most twenty units, and the others are left", () => {
  const lines = Array.from({ length: 80 }, (_, nth) => `line ${nth}`);
  const changes = lines.flatMap((line, nth) =>
    nth % 2 === 0 ? [change(nth + 1, `${line}!`)] : [],
  );
  const { units, left } = toUnits(lines.join("\n"), changes);
  expect(units).toHaveLength(20);
  expect(left).toEqual(changes.slice(20));
});

test("a long file of alike lines is answered with no more text than it has", () => {
  const text = "if (a == b) x();\n".repeat(20_000);
  const every = (step: number) =>
    linesOfFile(text).flatMap((_, nth) =>
      nth % step === 0 ? [change(nth + 1, "if (c) x();")] : [],
    );
  for (const changes of [every(1), every(2)]) {
    const { units } = toUnits(text, changes);
    const size = units.reduce(
      (sum, { search, replace }) => sum + search.length + replace.length,
      0,
    );
    expect(size).toBeLessThanOrEqual(2 * text.length);
  }
});

test("a file whose lines end as only some editors end them is left as it is", () => {
  expect(toUnits("a\rb\n", [change(1, "c")]).units).toEqual([]);
});

/** Few different lines, so that nearly every one recurs. */
const line = fc.constantFrom("a", "b", "  a", "a ", "}", "=======", "+++++++ REPLACE");
const file = fc.record({
  lines: fc.array(
    fc.oneof({ weight: 6, arbitrary: line }, { weight: 1, arbitrary: fc.constant("") }),
    {
      minLength: 1,
      maxLength: 60,
    },
  ),
  end: fc.constantFrom("\n", "\r\n"),
  mark: fc.constantFrom("", "\uFEFF"),
  isEnded: fc.boolean(),
});

test("units change the lines that they are for, and nothing else, however alike the lines are", () => {
  const dice = fc.array(fc.nat({ max: 3 }), { minLength: 61, maxLength: 61 });
  const check = fc.property(file, dice, ({ lines, end, mark, isEnded }, thrown) => {
    const whole = [...lines, "end"];
    const text = mark + whole.join(end) + (isEnded ? end : "");
    const changes = whole.flatMap((content, nth) => {
      if (content === "" || thrown[nth] !== 0) return [];
      return [change(nth + 1, ...(nth % 3 === 0 ? ["new", content] : ["new"]))];
    });
    const { units, left } = toUnits(text, changes);
    const made = changes.filter((one) => !left.includes(one));
    const wanted = whole.flatMap(
      (content, nth) => made.find(({ startLine }) => startLine === nth + 1)?.lines ?? [content],
    );
    const result = units.length === 0 ? { ok: true, text } : applyUnits(text, units);
    expect("text" in result ? linesOfFile(result.text) : result).toEqual(wanted);
  });
  fc.assert(check, { numRuns: 2000 });
});
