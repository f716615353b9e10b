import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../helpers/cases.ts";
import { applyDiff } from "../../src/edit/read/parse-diff.ts";
import { applyUnits } from "../../src/edit/edit-session.ts";
import type { EditResult, EditUnit } from "../../src/edit/edit-unit.ts";
import { printUnits } from "../../src/edit/read/print-units.ts";

const toText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

/** How a file is written: what an edit has to keep. */
interface Style {
  mark: string;
  end: string;
  isEnded: boolean;
}

const style: fc.Arbitrary<Style> = fc.record({
  mark: fc.constantFrom("", "\uFEFF"),
  end: fc.constantFrom("\n", "\r\n"),
  isEnded: fc.boolean(),
});

function write(lines: readonly string[], { mark, end, isEnded }: Style): string {
  return mark + lines.join(end) + (isEnded && lines.length > 0 ? end : "");
}

/** One line without a line end does not show which line ends the file has. */
function shownStyle(lines: readonly string[], how: Style): Style {
  return lines.length === 1 && !how.isEnded ? { ...how, end: "\n" } : how;
}

/** Lines that repeat, look alike, look like rules, or mean something to a regular expression. */
const tricky = fc.constantFrom(
  "a",
  "  a",
  "\ta",
  "    a",
  "a ",
  "b",
  "it's",
  "it’s",
  "}",
  "  }",
  "",
  "",
  "$&",
  "...",
  "中文",
  "=======",
  "------- SEARCH",
  "+++++++ REPLACE",
  "```",
  "1 | a",
  "a &lt; b",
  "a < b",
  "// a",
);
/** A last line that is blank would be read as the end of the line before it. */
const file = fc
  .array(tricky, { minLength: 1, maxLength: 14 })
  .map((lines) => (lines.at(-1) === "" ? [...lines.slice(0, -1), "end"] : lines));

interface ChangeOf {
  from: number;
  to: number;
  lines: string[];
}

/** Dots that take the place of lines stand for them, and a code fence alone is a model's. */
const written = tricky.filter((line) => line !== "..." && line !== "```");
const change = fc
  .tuple(fc.nat({ max: 14 }), fc.nat({ max: 4 }), fc.array(written, { maxLength: 4 }))
  .map(([from, length, lines]): ChangeOf => ({ from, to: from + length, lines }));

/** The change within the file, and the smallest context above and below that is unique and solid. */
function derive(lines: readonly string[], wanted: ChangeOf): { unit: EditUnit; after: string[] } {
  const from = Math.min(wanted.from, lines.length);
  const to = Math.min(wanted.to, lines.length);
  const whole = `\n${toText(lines)}`;
  let [top, bottom] = [from, to];
  const isClear = (search: string) =>
    search.trim() !== "" && whole.indexOf(`\n${search}`) === whole.lastIndexOf(`\n${search}`);
  while (!isClear(toText(lines.slice(top, bottom))) && bottom - top < lines.length) {
    if (top > 0 && ((top + bottom) % 2 === 0 || bottom === lines.length)) top -= 1;
    else bottom += 1;
  }
  const replace = [...lines.slice(top, from), ...wanted.lines, ...lines.slice(to, bottom)];
  return {
    unit: { search: toText(lines.slice(top, bottom)), replace: toText(replace) },
    after: [...lines.slice(0, from), ...wanted.lines, ...lines.slice(to)],
  };
}

function outcome(result: EditResult): string {
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

test("a unit derived from any change of any file gives exactly that change", () => {
  fc.assert(
    fc.property(file, change, style, (lines, wanted, how) => {
      const before = write(lines, how);
      const { unit, after } = derive(lines, wanted);
      const text = write(after, shownStyle(lines, how));
      fc.pre(unit.search.trim() !== "");
      expect(outcome(applyUnits(before, [unit]))).toBe(
        text === before ? "refused: no-change" : text,
      );
    }),
    { numRuns: cases(750) },
  );
});

test("a unit that is printed and read again gives the same", () => {
  fc.assert(
    fc.property(file, change, (lines, wanted) => {
      const before = toText(lines);
      const { unit } = derive(lines, wanted);
      fc.pre(unit.search.trim() !== "");
      expect(applyDiff(before, printUnits([unit]))).toEqual(applyUnits(before, [unit]));
    }),
    { numRuns: cases(250) },
  );
});

/** Solid lines that stand once each, and blank lines between. */
const distinct = fc
  .array(
    fc.tuple(fc.constantFrom("", "  ", "\t", "    "), fc.constantFrom("call", "“x”", "$1", "}")),
    {
      minLength: 8,
      maxLength: 40,
    },
  )
  .chain((all) =>
    fc.array(fc.boolean(), { minLength: all.length, maxLength: all.length }).map((blanks) =>
      all.flatMap(([indent, word], nth) => {
        const line = `${indent}${word} ${nth}`;
        return blanks[nth] === true ? ["", line] : [line];
      }),
    ),
  );
const added = fc.array(fc.constantFrom("", "x", "  x", "\ty", "// z", "$&"), { maxLength: 3 });

test("several units of one file, in any order, give exactly their changes", () => {
  const parts = fc.array(
    fc.record({ gap: fc.integer({ min: 3, max: 8 }), size: fc.nat({ max: 3 }), added }),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(distinct, parts, style, fc.infiniteStream(fc.nat()), (lines, all, how, random) => {
      const units: EditUnit[] = [];
      let after: string[] = [];
      let at = 0;
      for (const part of all) {
        const from = at + part.gap;
        const to = from + part.size;
        if (to + 2 > lines.length) break;
        const [above, below] = [lines.slice(from - 2, from), lines.slice(to, to + 2)];
        units.push({
          search: toText([...above, ...lines.slice(from, to), ...below]),
          replace: toText([...above, ...part.added, ...below]),
        });
        after.push(...lines.slice(at, from), ...part.added);
        at = to;
      }
      after = [...after, ...lines.slice(at)];
      fc.pre(units.length > 0 && after.join("\n") !== lines.join("\n"));
      const keyed = units.map((unit) => ({ unit, key: random.next().value }));
      keyed.sort((a, b) => a.key - b.key);
      const result = applyUnits(
        write(lines, how),
        keyed.map(({ unit }) => unit),
      );
      expect(outcome(result)).toBe(write(after, shownStyle(lines, how)));
    }),
    { numRuns: cases(250) },
  );
});

const indented = fc
  .array(
    fc.tuple(
      fc.constantFrom("", "  ", "    ", "        ", "\t"),
      fc.constantFrom("a", "b", "c", "d", "}"),
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((all) => all.map(([indent, word]) => indent + word));
const rewritten = fc
  .tuple(fc.nat({ max: 12 }), fc.nat({ max: 3 }), indented)
  .map(([from, length, lines]): ChangeOf => ({
    from,
    to: from + length,
    lines: lines.slice(0, 3),
  }));

test("with more indentation in SEARCH and REPLACE the result is the same, or a refusal", () => {
  const noise = fc.constantFrom("   ", "     ", "\t\t\t");
  fc.assert(
    fc.property(indented, rewritten, style, noise, (lines, wanted, how, blanks) => {
      const { unit, after } = derive(lines, wanted);
      const shift = (text: string) => text.replaceAll(/^(?=.)/gm, blanks);
      const noisy = { search: shift(unit.search), replace: shift(unit.replace) };
      const result = applyUnits(write(lines, how), [noisy]);
      if (result.ok) expect(result.text).toBe(write(after, shownStyle(lines, how)));
    }),
    { numRuns: cases(750) },
  );
});

test("with more indentation most edits of clear places are applied", () => {
  fc.assert(
    fc.property(distinct, fc.nat({ max: 30 }), style, (lines, at, how) => {
      const from = at % lines.length;
      fc.pre(lines[from] !== "");
      const { unit, after } = derive(lines, { from, to: from + 1, lines: [] });
      const search = unit.search.replaceAll(/^(?=.)/gm, "   ");
      expect(outcome(applyUnits(write(lines, how), [{ search, replace: "" }]))).toBe(
        write(after, shownStyle(lines, how)),
      );
    }),
  );
});

test("with blanks at line ends in SEARCH the result is the same, or a refusal", () => {
  fc.assert(
    fc.property(
      indented,
      rewritten,
      style,
      fc.infiniteStream(fc.boolean()),
      (lines, wanted, how, coin) => {
        const { unit, after } = derive(lines, wanted);
        const search = unit.search.replaceAll("\n", () => (coin.next().value ? "  \n" : "\n"));
        const result = applyUnits(write(lines, how), [{ search, replace: unit.replace }]);
        if (result.ok) expect(result.text).toBe(write(after, shownStyle(lines, how)));
      },
    ),
    { numRuns: cases(500) },
  );
});
