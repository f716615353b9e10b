// A unit that says that it means every place: as calls of other agents write it, and through the printed form.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyDiff, applyUnits, parseDiff, printUnits } from "../../src/edit.ts";

const word = fc.constantFrom("a", "b", "ab", "aa", "item", "items", "(", ")", " ", "  ", "é", "$&");
const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(""));
const text = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded ? "\n" : ""));
/** A part of a text, which may begin and end anywhere, and what it is to become. */
const change = fc
  .tuple(text, fc.nat(), fc.nat(), fc.array(line, { minLength: 1, maxLength: 3 }))
  .filter(([before]) => before.length > 1)
  .map(([before, from, size, now]) => {
    const start = from % before.length;
    const old = before.slice(start, start + 1 + (size % Math.min(12, before.length - start)));
    return { before, old, now: now.join("\n") };
  });
/** The last line of a file keeps its line end, or has none as before. */
const ended = (before: string, after: string) =>
  after.replace(/\n$/, "") + (before.endsWith("\n") ? "\n" : "");
const write = (old: string, now: string, more: object = { replace_all: true }) =>
  JSON.stringify({ old_string: old, new_string: now, ...more });

test("every place of its text becomes the new one, and nothing else changes, whatever the line ends", () => {
  fc.assert(
    fc.property(change, fc.constantFrom("\n", "\r\n"), ({ before, old, now }, end) => {
      const wanted = before.replaceAll(old, () => now);
      fc.pre(!before.replace(/\n$/, "").endsWith("\n") && wanted.replace(/\n$/, "") !== "");
      const result = applyDiff(before.replaceAll("\n", end), write(old, now));
      if (ended(before, wanted) === before) expect(result).toMatchObject({ ok: false });
      else {
        expect(result).toMatchObject({ ok: true });
        const after = result.ok ? result.text : "";
        expect(ended(before, after.replaceAll(end, "\n"))).toBe(ended(before, wanted));
        expect(after.replaceAll(end, "").includes("\r")).toBe(false);
      }
    }),
  );
});

test("a unit, its printed form and the arguments of a call come to the same", () => {
  fc.assert(
    fc.property(change, fc.constantFrom(0, 2, 3), ({ before, old, now }, everywhere) => {
      fc.pre(!old.endsWith("\n") && !now.endsWith("\n"));
      const unit = { search: `${old}\n`, replace: `${now}\n`, everywhere };
      const count =
        everywhere === 0 ? { replace_all: true } : { expected_replacements: everywhere };
      const applied = applyUnits(before, [unit]);
      expect(applyDiff(before, printUnits([unit]))).toEqual(applied);
      expect(applyDiff(before, write(old, now, count))).toEqual(applied);
    }),
  );
});

test("it is read as it was, once it was printed", () => {
  const rules = fc.constantFrom("=======", "------- SEARCH", "+++++++ REPLACE", "```", "");
  const lines = fc.array(fc.oneof(line, rules), { maxLength: 4 });
  fc.assert(
    fc.property(lines, lines, fc.nat(9), (search, replace, everywhere) => {
      const unit = {
        search: `${search.join("\n")}\n`,
        replace: `${replace.join("\n")}\n`,
        everywhere,
      };
      const read = parseDiff(printUnits([unit]));
      expect(read).toMatchObject({ ok: true, units: [unit] });
    }),
  );
});

test.each([
  { replace_all: true },
  { replaceAll: "true" },
  { all_occurrences: true },
  { expected_replacements: 3 },
  { allow_multiple: true },
  { ReplaceAll: "yes" },
])("%j says so, in the edit or around several", (said) => {
  const before = "let foo = 1;\nuse(foo, foo);\n";
  const after = before.replaceAll("foo", "bar");
  expect(applyDiff(before, write("foo", "bar", said))).toMatchObject({ ok: true, text: after });
  const edits = [{ oldText: "foo", newText: "bar" }];
  const around = JSON.stringify({ ...said, edits });
  expect(applyDiff(before, around)).toMatchObject({ ok: true, text: after });
});

test.each([{}, { replace_all: false }, { expected_replacements: 1 }, { replace_all: null }])(
  "%j does not, and several places are ambiguous",
  (said) => {
    expect(applyDiff("foo\nbar\nfoo\n", write("foo", "x", said))).toMatchObject({
      ok: false,
      error: { code: "ambiguous" },
    });
  },
);

test("another number of places than it says is refused with the places", () => {
  const result = applyDiff("foo\nfoo foo\n", write("foo", "x", { expected_replacements: 2 }));
  expect(result).toMatchObject({
    error: { code: "ambiguous", candidates: [{ startLine: 1 }, { startLine: 2 }] },
  });
});

test("a text that is nowhere is refused with the place that comes nearest", () => {
  const before = "function one() {\n  return first + 1;\n}\n";
  const result = applyDiff(before, write("  return first +  2;", "  return 3;"));
  expect(result).toMatchObject({ error: { code: "no-match", nearest: { startLine: 2 } } });
});

test("edits of a list that come before count as made, and those that come after see the result", () => {
  const before = "const foo = 1;\nuse(foo);\nold();\n";
  const all = { old_string: "foo", new_string: "bar", replace_all: true };
  const adds = { old_string: "old();", new_string: "old(foo);" };
  const edits = (...list: object[]) => JSON.stringify({ edits: list });
  const bar = "const bar = 1;\nuse(bar);\n";
  expect(applyDiff(before, edits(adds, all))).toMatchObject({ text: `${bar}old(bar);\n` });
  expect(applyDiff(before, edits(all, adds))).toMatchObject({ text: `${bar}old(foo);\n` });
  const quotes = { old_string: "use(bar);", new_string: "use(bar, 2);" };
  expect(applyDiff(before, edits(all, quotes))).toMatchObject({
    text: "const bar = 1;\nuse(bar, 2);\nold();\n",
  });
  const makes = { old_string: "old();", new_string: "made();" };
  const remakes = { old_string: "made", new_string: "done", replace_all: true };
  expect(applyDiff(before, edits(makes, remakes))).toMatchObject({
    text: before.replace("old", "done"),
  });
});

test("a hundred thousand places in one file are changed", () => {
  const before = "foo(foo);\n".repeat(50_000);
  const unit = { search: "foo\n", replace: "bar\n", everywhere: 0 };
  expect(applyUnits(before, [unit])).toMatchObject({
    ok: true,
    text: "bar(bar);\n".repeat(50_000),
  });
  const long = "a".repeat(300_000);
  const half = { search: `b${"a".repeat(100_000)}\n`, replace: "c\n", everywhere: 0 };
  expect(applyUnits(long, [half])).toMatchObject({ ok: false });
});
