import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { LineEdit } from "../../src/edit/edit-unit.ts";
import { applyPlan, numberLines, readPlan } from "../../src/tools/edit-plan/apply-plan.ts";
import { toLineEdits } from "../../src/tools/workspace/change-file.ts";

const text = fc
  .array(fc.constantFrom("a", "b: c", "", "  x", "```", "- d", "中文", "'q'", '"', "\\n", "# e"), {
    maxLength: 6,
  })
  .map((lines) => lines.map((line) => `${line}\n`).join(""));

const edit: fc.Arbitrary<LineEdit> = fc
  .tuple(fc.nat(50), fc.nat(3), text)
  .map(([start, length, replacement]) => ({
    start_line: start + 1,
    end_line: start + length,
    replacement,
  }));

const plan = fc.array(edit, { minLength: 1, maxLength: 4 });

const forms: [string, (edits: readonly LineEdit[]) => string][] = [
  ["JSON", (edits) => JSON.stringify(edits)],
  [
    "fenced JSON in an object",
    (edits) => `\`\`\`json\n${JSON.stringify({ operations: edits }, undefined, 2)}\n\`\`\``,
  ],
  ["JSON over lines", (edits) => JSON.stringify(edits, undefined, 2)],
];

test.each(forms)("a plan in %s is read as it was written", (_, print) => {
  fc.assert(
    fc.property(plan, (edits) => {
      expect(readPlan(print(edits))).toEqual(edits);
    }),
  );
});

test.each(forms)("a plan in %s is found between sentences", (_, print) => {
  fc.assert(
    fc.property(plan, (edits) => {
      const answer = `I replace lines:\n\n${print(edits)}\n\nThat is all.\n`;
      expect(readPlan(answer)).toEqual(edits);
    }),
  );
});

test.each(forms)("a plan in %s that was cut off is none", (_, print) => {
  fc.assert(
    fc.property(plan, fc.double({ min: 0.1, max: 0.9, noNaN: true }), (edits, part) => {
      const printed = print(edits);
      const read = readPlan(printed.slice(0, Math.floor(printed.length * part)));
      expect(read === undefined || read.length === edits.length).toBe(true);
    }),
  );
});

test.each([
  "",
  "no plan",
  "[]x",
  '[{"start_line": 1}]',
  '[{"start_line": "one", "end_line": 2, "replacement": ""}]',
  '[{"start_line": 1.5, "end_line": 2, "replacement": ""}]',
])("%j is no plan", (answer) => {
  expect(readPlan(answer)).toBeUndefined();
});

test("numbers as texts, and lines as a list, are understood", () => {
  const answer = '[{"start_line": "2", "end_line": "3", "replacement": ["a", "b"]}]';
  expect(readPlan(answer)).toEqual([{ start_line: 2, end_line: 3, replacement: "a\nb" }]);
});

const file = "a\nb\nc\n";

function apply(before: string, ...edits: [number, number, string][]): string {
  const result = applyPlan(
    before,
    edits.map(([start_line, end_line, replacement]) => ({ start_line, end_line, replacement })),
  );
  return result.ok ? result.text : result.error.code;
}

test.each<[string, string, [number, number, string][]]>([
  ["a line is replaced", "a\nx\nc\n", [[2, 2, "x"]]],
  ["lines come in before a line", "a\nx\nb\nc\n", [[2, 1, "x\n"]]],
  ["lines come in before the first line", "x\na\nb\nc\n", [[1, 0, "x"]]],
  ["lines come in behind the last line", "a\nb\nc\nx\n", [[4, 3, "x"]]],
  ["an edit behind the last line appends", "a\nb\nc\nx\n", [[4, 4, "x"]]],
  [
    "what comes in before a line that goes stays",
    "a\nx\nc\n",
    [
      [2, 1, "x"],
      [2, 2, ""],
    ],
  ],
  [
    "several insertions keep their order",
    "a\nx\ny\nb\nc\n",
    [
      [2, 1, "x"],
      [2, 1, "y"],
    ],
  ],
  [
    "lines mean the text as it was, in any order",
    "x\nb\ny\n",
    [
      [3, 3, "y"],
      [1, 1, "x"],
    ],
  ],
])("%s", (_, after, edits) => {
  expect(apply(file, ...edits)).toBe(after);
});

test.each<[string, [number, number, string][]]>([
  [
    "overlap",
    [
      [1, 2, "x"],
      [2, 3, "y"],
    ],
  ],
  [
    "overlap",
    [
      [1, 3, "x"],
      [2, 1, "y"],
    ],
  ],
  ["line-range", [[9, 9, "x"]]],
  ["line-range", [[6, 5, "x"]]],
  ["line-range", [[0, 0, "x"]]],
  ["line-range", [[3, 1, "x"]]],
  ["malformed", []],
])("a plan that cannot be is refused: %s %j", (code, edits) => {
  expect(apply(file, ...edits)).toBe(code);
});

test("a file without a final line end can be appended to, and an empty one filled", () => {
  expect(apply("a\nb", [3, 3, "c\n"])).toBe("a\nb\nc");
  expect(apply("", [1, 1, "x\n"])).toBe("x\n");
  expect(apply("", [1, 0, "x"])).toBe("x\n");
});

test("a change as edits of lines makes of the old text the new one", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const edits = toLineEdits(before, after);
      const result = applyPlan(before, edits);
      expect(result.ok && result.text).toBe(after);
    }),
  );
});

test("lines are numbered as a plan names them", () => {
  expect(numberLines("a\r\n\nb")).toBe("1| a\n2| \n3| b\n");
});

test.each([
  '[{"startLine":1,"endLine":2,"newContent":"x"}]',
  '[{"start_line":1,"end_line":2,"new_code":"x"}]',
  '{"startLine":1,"endLine":2,"content":"x"}',
])("other names are understood: %s", (answer) => {
  expect(readPlan(answer)).toMatchObject([{ start_line: 1, end_line: 2, replacement: "x" }]);
});

test("an edit that does not say what comes in its place is no plan, and deletes nothing", () => {
  expect(readPlan('[{"start_line":1,"end_line":2}]')).toBeUndefined();
  expect(readPlan('[{"start_line":1,"end_line":2,"insert":"x"}]')).toBeUndefined();
  expect(readPlan('[{"start_line":1,"end_line":2,"replacement":null}]')).toMatchObject([
    { replacement: "" },
  ]);
});

test("numbers that were copied with the lines are no part of the text, unless the file has them", () => {
  const copied = [{ start_line: 2, end_line: 2, replacement: "2| b\n3|   c\n" }];
  expect(applyPlan("one\ntwo\n", copied)).toMatchObject({ ok: true, text: "one\nb\n  c\n" });
  expect(applyPlan("1| a\n2| two\n", copied)).toMatchObject({ text: "1| a\n2| b\n3|   c\n" });
});
