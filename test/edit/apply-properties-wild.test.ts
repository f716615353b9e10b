// Whatever goes in: nothing is thrown, a refusal carries no text, and no text comes from nowhere.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../helpers/cases.ts";
import { applyCodeEdit } from "../../src/edit/apply-code-edit.ts";
import { applyDiff } from "../../src/edit/read/parse-diff.ts";
import { applyLineEdits } from "../../src/edit/apply-line-edits.ts";
import { applyUnits } from "../../src/edit/edit-session.ts";
import type { EditLevel, EditResult } from "../../src/edit/edit-unit.ts";
import { looseText } from "../../src/edit/find/loose-text.ts";
import { printUnits } from "../../src/edit/read/print-units.ts";

const toText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

const usual = fc.constantFrom(
  "a",
  "  a",
  "\ta",
  "    b",
  "b ",
  "c",
  "it's",
  "it’s",
  "}",
  "  }",
  "",
  "",
  "$&",
  "d e f",
  "one(1);",
  "two(2);",
  "three(3);",
  "four(4);",
  "// a",
  "# b",
  "e(“f”)",
);
const odd = fc.constantFrom(
  "// ... existing code ...",
  "...",
  "…",
  "\u2028",
  "\u200b",
  "\uFEFF",
  "\r",
  "\0",
  "\ud800",
  "<<<<<<< SEARCH",
  ">>>>>>> REPLACE",
  "===",
  "=======",
  "------- SEARCH",
  "+++++++ REPLACE",
  "<file-edit>",
  "</file-edit>",
  "```",
  "2 | b",
  "a &lt; b",
  "a < b",
  "c\r",
);
const line = fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: odd });
const lineList = fc.array(line, { maxLength: 12 });
const wild = fc
  .tuple(lineList, fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ""));
const before = fc.option(wild, { nil: undefined });

/** What models do to the lines that they quote. */
const habit = fc.constantFrom<(lines: string[], at: number) => string[]>(
  (lines) => lines,
  (lines) => lines.map((text) => (text === "" ? "" : `  ${text}`)),
  (lines) => lines.map((text) => text.trimStart()),
  (lines) => lines.map((text) => text.replaceAll("\t", "    ")),
  (lines) => lines.map((text) => `${text} `),
  (lines) => lines.map((text) => text.replaceAll(/[“”]/g, '"').replaceAll("’", "'")),
  (lines) => lines.filter((text) => text.trim() !== ""),
  (lines) => lines.filter((text) => !/^[ \t]*(?:\/\/|#)/.test(text)),
  (lines) => lines.flatMap((text, nth) => (nth % 2 === 0 ? [text, ""] : [text])),
  (lines) => lines.map((text, nth) => `${nth + 1} | ${text}`),
  (lines) => ["```", ...lines, "```"],
  (lines, at) => lines.map((text, nth) => (nth === at ? `${text}x` : text)),
  (lines, at) => lines.map((text, nth) => (nth === at ? text.slice(0, -1) : text)),
  (lines, at) => lines.map((text, nth) => (nth === at ? "// ... existing code ..." : text)),
  (lines) => lines.map((text, nth) => (nth === 0 ? text.slice(1) : text)),
);

/** A file, and an edit of lines that it has, as a model might quote them. */
const quoted = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 12 }),
    from: fc.nat({ max: 11 }),
    size: fc.integer({ min: 1, max: 8 }),
    at: fc.nat({ max: 8 }),
    cut: fc.nat({ max: 3 }),
    added: fc.array(line, { maxLength: 3 }),
    isBoth: fc.boolean(),
    end: fc.constantFrom("\n", "\r\n"),
    habit,
  })
  .map(({ lines, from, size, at, cut, added, isBoth, end, habit: distort }) => {
    const start = from % lines.length;
    const search = lines.slice(start, start + size);
    const replace = search.toSpliced(at % search.length, cut, ...added);
    return {
      before: lines.join(end),
      search: toText(distort(search, at)),
      replace: toText(isBoth ? distort(replace, at) : replace),
    };
  });

function expectSane(text: string | undefined, result: EditResult): void {
  expect(Object.keys(result)).toEqual(result.ok ? ["ok", "text", "units"] : ["ok", "error"]);
  if (!result.ok) {
    expect(result.error.message).not.toBe("");
    expect(result.error.forModel.startsWith(result.error.message)).toBe(true);
    return;
  }
  expect(result.text).not.toBe(text);
  const count = (text ?? "").split("\n").length;
  for (const { startLine, endLine } of result.units) {
    expect(startLine).toBeGreaterThan(0);
    expect(endLine).toBeGreaterThanOrEqual(startLine - 1);
    expect(endLine).toBeLessThanOrEqual(count + 1);
  }
}

test("no diff makes applyDiff throw", () => {
  fc.assert(
    fc.property(before, wild, (text, diff) => expectSane(text, applyDiff(text, diff))),
    { numRuns: cases(250) },
  );
  fc.assert(
    fc.property(quoted, fc.nat(), ({ before: text, ...unit }, at) => {
      const diff = printUnits([unit]);
      expectSane(text, applyDiff(text, diff));
      expectSane(text, applyDiff(text, diff.slice(0, at % diff.length)));
    }),
    { numRuns: cases(250) },
  );
});

test("no units make applyUnits throw", () => {
  const units = fc.array(fc.record({ search: wild, replace: wild }), { maxLength: 3 });
  fc.assert(
    fc.property(before, units, (text, all) => expectSane(text, applyUnits(text, all))),
    { numRuns: cases(250) },
  );
  fc.assert(
    fc.property(quoted, ({ before: text, ...unit }) => expectSane(text, applyUnits(text, [unit]))),
    { numRuns: cases(1_000) },
  );
});

test("no line edits make applyLineEdits throw", () => {
  const number = fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 8 }) },
    { weight: 1, arbitrary: fc.oneof(fc.double(), fc.integer({ max: 0 })) },
  );
  const edit = fc.record({ start_line: number, end_line: number, replacement: wild });
  fc.assert(
    fc.property(before, fc.array(edit, { maxLength: 3 }), (text, edits) =>
      expectSane(text, applyLineEdits(text, edits)),
    ),
    { numRuns: cases(500) },
  );
});

test("no code edit makes applyCodeEdit throw", () => {
  fc.assert(
    fc.property(before, wild, (text, edit) => expectSane(text, applyCodeEdit(text, edit))),
    { numRuns: cases(250) },
  );
  fc.assert(
    fc.property(quoted, fc.constantFrom("", "...\n"), ({ before: text, replace }, mark) =>
      expectSane(text, applyCodeEdit(text, mark + replace + mark)),
    ),
    { numRuns: cases(500) },
  );
});

const compared: EditLevel[] = [
  "exact",
  "line-ends",
  "indentation",
  "typography",
  "blank-lines",
  "elision",
];

/** The lines of a text that another text lacks, as often as it lacks them. */
function lacking(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter((text) => {
    const at = left.indexOf(text);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

const solidLines = (text: string) =>
  text
    .split("\n")
    .map(looseText)
    .filter((each) => each.trim() !== "");

test("what is written stands in the file or in REPLACE, and what is gone in SEARCH", () => {
  fc.assert(
    fc.property(quoted, ({ before: text, search, replace }) => {
      const result = applyUnits(text, [{ search, replace }]);
      if (!result.ok || !result.units.every(({ level }) => compared.includes(level))) return;
      const [old, now] = [solidLines(text), solidLines(result.text)];
      const missing = lacking(lacking(now, old), solidLines(replace));
      // A mark of text left out stands for lines of SEARCH.
      expect(lacking(missing, solidLines(search))).toEqual([]);
      expect(lacking(lacking(old, now), solidLines(search))).toEqual([]);
    }),
    { numRuns: cases(1_000) },
  );
});

test("lines outside of the applied range keep their bytes", () => {
  fc.assert(
    fc.property(quoted, ({ before: text, search, replace }) => {
      const result = applyUnits(text, [{ search, replace }]);
      const [applied] = result.ok ? result.units : [];
      if (!result.ok || applied === undefined || applied.level === "new-file") return;
      // A byte-order mark alone is no line.
      const lines = (text === "\uFEFF" ? "" : text).match(/[^\n]*\n|[^\n]+$/g) ?? [];
      const above = lines.slice(0, applied.startLine - 1).join("");
      const below = lines.slice(applied.endLine).join("");
      // Where the last line goes, the line above it takes over the lack of a line end.
      const kept = below === "" ? above.replace(/\r?\n$/, "") : above;
      expect(result.text.slice(0, kept.length)).toBe(kept);
      expect(result.text.slice(result.text.length - below.length)).toBe(below);
      expect(result.text.length).toBeGreaterThanOrEqual(kept.length + below.length);
    }),
    { numRuns: cases(1_000) },
  );
});
