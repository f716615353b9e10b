import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyUnits } from "../../src/edit/edit-session.ts";
import { EditSession } from "../../src/edit/edit-session.ts";
import { parseAnswer } from "../../src/edit/read/parse-diff.ts";

const file = "a();\nb();\n  a();\nc();\nd();\na();\n";

test("a unit is placed as soon as it is added", () => {
  const session = new EditSession(file);
  expect(session.add({ search: "c();\n", replace: "" })).toEqual({
    ok: true,
    level: "exact",
    startLine: 4,
    endLine: 4,
  });
  expect(session.add({ search: "nothing();\n", replace: "" })).toMatchObject({
    ok: false,
    error: { code: "no-match", unit: 2 },
  });
  expect(session.end()).toMatchObject({ ok: false, error: { code: "no-match", unit: 2 } });
});

test("a unit that means the whole file has no place before the end", () => {
  const session = new EditSession(file);
  expect(session.add({ search: "", replace: "x();\n" })).toBeUndefined();
  expect(session.end()).toMatchObject({ ok: true, text: "x();\n" });
});

test("without a file there is no place", () => {
  const session = new EditSession(undefined);
  expect(session.add({ search: "a();\n", replace: "" })).toBeUndefined();
  expect(session.end()).toMatchObject({ ok: false, error: { code: "missing-file" } });
});

test("a session without units is malformed", () => {
  expect(new EditSession(file).end()).toMatchObject({ ok: false, error: { code: "malformed" } });
});

test("after ten units that stand nowhere no more are looked at", () => {
  const session = new EditSession(file);
  const places = Array.from({ length: 11 }, () => session.add({ search: "no\n", replace: "" }));
  expect(places.map((place) => place?.ok)).toEqual([...Array(10).fill(false), undefined]);
});

test("the units are told as they were understood", () => {
  const text = "one\n=======\ntwo\n";
  const diff = "------- SEARCH\none\n=======\ntwo\n=======\nthree\n+++++++ REPLACE\n";
  const session = new EditSession(text);
  for (const unit of parseAnswer(diff).files[0]?.units ?? []) session.add(unit);
  expect(session.units).toEqual([{ search: "one\n=======\ntwo\n", replace: "three\n" }]);
});

test("lines that are meant decide among places if just one lies inside, and it is told", () => {
  const within = { startLine: 4, endLine: 6 };
  const session = new EditSession(file, { within });
  expect(session.add({ search: "a();\n", replace: "x();\n" })).toMatchObject({ startLine: 6 });
  expect([...session.chosen]).toEqual([[1, { startLine: 6, nth: 2, of: 2 }]]);
});

test.each([
  ["several lie inside", { startLine: 1, endLine: 6 }],
  ["none lies inside", { startLine: 4, endLine: 5 }],
])("lines that are meant decide nothing if %s", (_, within) => {
  const session = new EditSession(file, { within });
  const place = session.add({ search: "a();\n", replace: "x();\n" });
  expect(place).toMatchObject({ ok: false, error: { code: "ambiguous" } });
  expect(session.chosen.size).toBe(0);
});

test("a place that was chosen stands against the lines that are meant", () => {
  const places = new Map([[1, 1]]);
  const session = new EditSession(file, { places, within: { startLine: 4, endLine: 6 } });
  expect(session.add({ search: "a();\n", replace: "x();\n" })).toMatchObject({ startLine: 1 });
});

test("units one by one come to the same as all at once", () => {
  const line = fc.constantFrom("a();\n", "b();\n", "  a();\n", "c();\n", "d();\n", "e();\n", "");
  const unit = fc.record({ search: line, replace: line });
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 4 }), (units) => {
      const session = new EditSession(file);
      for (const one of units) session.add(one);
      expect(session.end()).toEqual(applyUnits(file, units));
    }),
  );
});

test("a session tells where each unit was found, also when another one is refused", () => {
  const session = new EditSession("a\nb\nc\n");
  session.add({ search: "b\n", replace: "B\n" });
  session.add({ search: "x\n", replace: "y\n" });
  expect(session.end().ok).toBe(false);
  expect(session.foundAt).toEqual([{ startLine: 2, endLine: 2, level: "exact" }, undefined]);
});

test("a unit that quotes the result of an earlier one is told where the lines stand that the earlier one quotes", () => {
  const session = new EditSession("one() {\n  first();\n}\n");
  session.add({ search: "  first();\n", replace: "  first(1);\n  second();\n" });
  const place = { ok: true, level: "exact", startLine: 2, endLine: 2 };
  expect(session.add({ search: "  second();\n", replace: "  third();\n" })).toEqual(place);
  expect(session.end()).toMatchObject({ ok: true, units: [{ startLine: 2 }, { startLine: 2 }] });
});
