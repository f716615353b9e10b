import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../helpers/cases.ts";
import { EditReader } from "../../../src/edit/read/edit-reader.ts";
import type { EditReaderEvent, EditReaderOptions } from "../../../src/edit/read/file-edit.ts";
import type { EditUnit } from "../../../src/edit/edit-unit.ts";
import { parseAnswer, parseDiff } from "../../../src/edit/read/parse-diff.ts";
import { printUnits } from "../../../src/edit/read/print-units.ts";

/** A line that looks like a rule of up to the given length, or nearly so. */
const ruleLike = (maxLength: number) =>
  fc
    .record({
      before: fc.constantFrom("", "", "", " ", "\t", "// "),
      sign: fc.constantFrom("-", "=", "+", "<", ">"),
      length: fc.integer({ min: 1, max: maxLength }),
      word: fc.constantFrom("", " SEARCH", " REPLACE", "SEARCH", " SEAR", " REPLACE x"),
      after: fc.constantFrom("", "", "", ">", " >", " ", "\t"),
    })
    .map(({ before, sign, length, word, after }) => before + sign.repeat(length) + word + after);
const properRule = (maxLength: number) =>
  fc
    .tuple(
      fc.constantFrom("- SEARCH", "=", "+ REPLACE", "< SEARCH", "> REPLACE"),
      fc.nat(maxLength - 1),
    )
    .map(([rule, more]) => (rule[0] ?? "").repeat(more) + rule);
const otherLine = fc.oneof(
  fc.constantFrom(
    "",
    "",
    " ",
    "\t",
    "a",
    "  b",
    "\ra",
    "a\rb",
    "世界 😀",
    "$&",
    "\u2028",
    "\uFEFF",
  ),
  fc.constantFrom("```", "```ts", "~~~", "<chat>", "</chat>", "</file-edit>", " </file-edit>"),
  fc.constantFrom("</file-edit> a", "+++++++ REPLACE</file-edit>", "<file-edits>", "- SEARCH"),
  fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[\r\n]/g, "")),
);
const lineOf = (longest: number) => fc.oneof(ruleLike(longest), properRule(longest), otherLine);
const textOf = (line: fc.Arbitrary<string>) =>
  fc.array(line, { maxLength: 7 }).map((lines) => lines.map((each) => `${each}\n`).join(""));
const unitsOf = (line: fc.Arbitrary<string>) =>
  fc.array(fc.record({ search: textOf(line), replace: textOf(line) }), {
    minLength: 1,
    maxLength: 4,
  });
/** No line of it is a rule that counts beside full ones. */
const plainUnits = unitsOf(lineOf(6).filter((line) => !line.includes("</file-edit")));
const openingTag = fc.constant('<file-edit filePath="b">');
const anyUnits = unitsOf(fc.oneof({ weight: 12, arbitrary: lineOf(12) }, openingTag));

/** In a tag, a line that closes unit and tag at once is no text of the unit. */
const taggedUnits = unitsOf(lineOf(12).filter((line) => !line.includes("REPLACE</file-edit>")));

/** Pieces of answers: whole edits, parts of them, and what looks like parts of them. */
const piece = fc.oneof(
  properRule(9).map((line) => `${line}\n`),
  ruleLike(9),
  otherLine.map((line) => `${line}\n`),
  plainUnits.map(printUnits),
  fc
    .tuple(plainUnits, fc.constantFrom("a", "b", "src/a b.ts"), fc.constantFrom("", "\n"))
    .map(
      ([units, path, end]) =>
        `<file-edit filePath="${path}">\n${printUnits(units)}</file-edit>${end}`,
    ),
  plainUnits.map((units) => `\`\`\`\n${printUnits(units)}\`\`\`\n`),
  fc.constantFrom(
    '<file-edit filePath="a">',
    "<file-edit\n path='b'\n>\n",
    "<file-edit",
    "<file-edit ",
  ),
  fc.constantFrom("</file-edit>", "</file-edit>\n", "</file-", "<chat>", "</chat>", "</ch", "<cha"),
  fc.constantFrom("\n", "\r\n", "\r", "\n\n", " ", ">", '"', "'", "Hello.\n", "So, ", "```\r\n"),
  fc.constantFrom("------- SEARCH\r\na\r\n=======\r\n+++++++ REPLACE\r\n", "------- SEARCH\na\n"),
);
const answer = fc
  .tuple(fc.array(piece, { maxLength: 9 }), fc.option(fc.nat(), { nil: undefined, freq: 3 }))
  .map(([pieces, end]) => {
    const whole = pieces.join("");
    return end === undefined ? whole : whole.slice(0, end % (whole.length + 1));
  });

const pairsOf = (units: readonly EditUnit[]) =>
  units.map(({ search, replace }) => ({ search, replace }));

/** Milliseconds: many runs, on machines that do other things, too. */
const patience = 30_000;

/** All events of an answer that comes in pieces; neighbouring texts are one. */
function readAll(pieces: readonly string[], options?: EditReaderOptions) {
  const reader = new EditReader(options);
  const events: EditReaderEvent[] = [];
  for (const event of [...pieces.flatMap((each) => reader.push(each)), ...reader.end()]) {
    const last = events.at(-1);
    if (event.type === "text" && last?.type === "text") last.text += event.text;
    else events.push({ ...event });
  }
  return { events, files: reader.files };
}

function cut(text: string, places: readonly number[]): string[] {
  const sorted = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b)];
  return sorted.map((start, index) => text.slice(start, sorted[index + 1] ?? text.length));
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (let next = 0; next < whole.length && at < part.length; next += 1) {
    if (whole[next] === part[at]) at += 1;
  }
  return at === part.length;
}

describe("printed units", () => {
  test("without full rules in their text are read back as they are", () => {
    fc.assert(
      fc.property(plainUnits, (units) => {
        const parsed = parseDiff(printUnits(units));
        expect(parsed).toMatchObject({ ok: true, units: units.map(() => ({ strict: true })) });
        expect(parsed.ok && pairsOf(parsed.units)).toEqual(units);
      }),
      { numRuns: cases(125) },
    );
  });

  test("of any text are read back as they are", () => {
    fc.assert(
      fc.property(anyUnits, (units) => {
        const parsed = parseDiff(printUnits(units));
        expect(parsed).toMatchObject({ ok: true, units: units.map(() => ({ strict: true })) });
        expect(parsed.ok && pairsOf(parsed.units)).toEqual(units);
      }),
      { numRuns: cases(250) },
    );
  });

  test("in the tag of a file are read back as they are, and so is the text around", () => {
    fc.assert(
      fc.property(taggedUnits, (units) => {
        const tagged = `<file-edit filePath="a.ts">\n${printUnits(units)}</file-edit>\n`;
        const { text, files } = parseAnswer(`Hi.\n\n${tagged}\nBye.`);
        expect(text).toBe("Hi.\n\n\nBye.");
        expect(files).toMatchObject([{ filePath: "a.ts" }]);
        expect(pairsOf(files[0]?.units ?? [])).toEqual(units);
        expect(files[0]?.error).toBeUndefined();
      }),
      { numRuns: cases(250) },
    );
  });

  test("that are cut anywhere give the units before the cut, or none", () => {
    fc.assert(
      fc.property(plainUnits, fc.nat(), (units, end) => {
        const printed = printUnits(units);
        const parsed = parseDiff(printed.slice(0, end % (printed.length + 1)));
        if (!parsed.ok) return;
        expect(pairsOf(parsed.units)).toEqual(units.slice(0, parsed.units.length));
      }),
      { numRuns: cases(250) },
    );
  });
});

test("a diff with CRLF is read as it is with LF", () => {
  fc.assert(
    fc.property(answer, (diff) => {
      const lines = diff.replaceAll("\r", "");
      expect(parseDiff(lines.replaceAll("\n", "\r\n"))).toEqual(parseDiff(lines));
    }),
    { numRuns: cases(250) },
  );
});

test(
  "a diff of any pieces is read or refused, and never throws",
  () => {
    const anything = fc.oneof({ weight: 5, arbitrary: answer }, fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(anything, (diff) => {
        const parsed = parseDiff(diff);
        if (parsed.ok) expect(parsed.units.length).toBeGreaterThan(0);
        else expect(["malformed", "truncated"]).toContain(parsed.error.code);
      }),
      { numRuns: cases(250) },
    );
  },
  patience,
);

describe("an answer of any pieces", () => {
  test(
    "gives the same text, units and faults in the same order however it is cut",
    () => {
      fc.assert(
        fc.property(answer, fc.array(fc.nat(), { maxLength: 30 }), (text, places) => {
          const whole = readAll([text]);
          expect(readAll(cut(text, places))).toEqual(whole);
          expect(readAll(text.split(""))).toEqual(whole);
        }),
        { numRuns: cases(250) },
      );
    },
    patience,
  );

  test("is read by parseAnswer as by the reader", () => {
    fc.assert(
      fc.property(answer, (text) => {
        const { events, files } = readAll([text], { blocks: "events" });
        const texts = events.map((event) => {
          if (event.type === "block") return event.block.raw;
          return event.type === "text" ? event.text : "";
        });
        expect(parseAnswer(text)).toEqual({ text: texts.join(""), files });
      }),
      { numRuns: cases(125) },
    );
  });

  test("comes out in its order, and nothing is invented or comes twice", () => {
    fc.assert(
      fc.property(answer, (text) => {
        const { events } = readAll([text]);
        const out = events.map((event) => {
          if (event.type === "text") return event.text;
          if (event.type !== "unit" || event.form !== "units") return "";
          return event.unit.search + event.unit.replace;
        });
        // A last line without its end is a whole line of a unit.
        expect(isSubsequence(out.join(""), `${text}\n`)).toBe(true);
      }),
      { numRuns: cases(250) },
    );
  });

  test("gives units whose texts stand in it, line by line", () => {
    fc.assert(
      fc.property(answer, (text) => {
        // Quote marks are taken off where they stand before a SEARCH rule, and brackets behind a rule.
        fc.pre(!/^[ \t]*>|>[ \t]*$/m.test(text));
        const lines = `\n${text.replaceAll("\r\n", "\n")}`;
        for (const unit of parseAnswer(text)
          .files.filter(({ form }) => form === "units")
          .flatMap(({ units }) => units)) {
          for (const { search, replace } of [unit, ...(unit.readings ?? [])]) {
            expect(lines).toContain(`\n${search}`);
            expect(lines).toContain(`\n${replace}`);
          }
        }
      }),
      { numRuns: cases(250) },
    );
  });
});
