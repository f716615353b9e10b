// Changes that an answer tells in words, with the code in backticks.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnswer } from "../../../../src/edit/read/parse-diff.ts";

const units = (answer: string) =>
  parseAnswer(answer).files.flatMap(({ filePath, form, units: all }) =>
    all.map(({ search, replace }) => [filePath, form, search, replace]),
  );
const change = (path?: string) => [[path, "before-after", "a < b", "a <= b"]];

test("whatever sentences come with it, a change is read as it is told, or not at all", () => {
  const told = "Replace `a < b` with `a <= b`.";
  const words = fc.constantFrom(
    "if",
    "the",
    "`x`",
    "or",
    "not",
    "change",
    "to",
    "loop",
    "`y > 0`",
    ".",
    ":",
    "改为",
    "不",
  );
  const sentence = fc.array(words, { maxLength: 8 }).map((all) => all.join(" "));
  fc.assert(
    fc.property(sentence, sentence, (before, after) => {
      for (const unit of units(`${before}\n${told}\n${after}\n`)) {
        expect([change()[0], [undefined, "before-after", "y > 0", "x"]]).toContainEqual(unit);
      }
    }),
  );
});

const leads = fc.constantFrom(
  "",
  "To fix it, ",
  "The bound is one too high, so ",
  "In `loop()`, ",
  "`n` is one too high: ",
  "**Fix:** ",
  "这里少了一次，",
);
const name = fc.stringMatching(/^[a-z]{1,6}$/);
const code = fc
  .tuple(name, fc.constantFrom("<", "+=", "=", "&&"), name)
  .map((all) => all.join(" "));
const orders = fc.constantFrom<(old: string, now: string) => string>(
  (old, now) => `replace ${old} with ${now}`,
  (old, now) => `change ${old} to ${now}`,
  (old, now) => `update the line ${old} to be ${now}`,
  (old, now) => `把 ${old} 改成 ${now}`,
);
const tails = fc.constantFrom(".", "", "。", " so that it ends.", " 即可。");

test("a change is the code that is quoted as old and new, whatever is said before and behind it", () => {
  fc.assert(
    fc.property(leads, orders, code, code, tails, (lead, order, old, now, tail) => {
      fc.pre(old !== now);
      const answer = `It is wrong.\n\n${lead}${order(`\`${old}\``, `\`${now}\``)}${tail}\n`;
      expect(units(answer)).toEqual([[undefined, "before-after", old, now]]);
    }),
  );
});

test("one of both may be in a block: then it is a part of a line, or whole lines as the block has them", () => {
  const block = fc.array(code, { minLength: 1, maxLength: 3 });
  // Several lines may show what is around the one that is quoted.
  const indent = fc.constantFrom("", "  ", "\t\t");
  fc.assert(
    fc.property(leads, block, code, indent, fc.boolean(), (lead, lines, quoted, blanks, isOld) => {
      fc.pre(lines.length > 1 ? isOld : lines[0] !== quoted);
      const text = lines.map((line) => `${blanks}${line}\n`).join("");
      const fenced = `\n\n\`\`\`\n${text}\`\`\`\n\n`;
      const answer = isOld
        ? `${lead}replace the lines${fenced}with \`${quoted}\`.\n`
        : `${lead}change \`${quoted}\` to:${fenced}`;
      const sides = lines.length === 1 ? [lines[0], quoted] : [text, `${blanks}${quoted}\n`];
      const [old, now] = isOld ? sides : sides.toReversed();
      expect(units(answer)).toEqual([[undefined, "before-after", old, now]]);
    }),
  );
});
