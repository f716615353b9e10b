import { describe, expect, test } from "vitest";
import { commentMarksOf } from "../../src/code/comment-marks.ts";
import { lexicalRules } from "../../src/code/plain/lexical-rules.ts";

test.each([
  ["python", "#", undefined],
  ["SQL", "--", "/*"],
  ["css", undefined, "/*"],
  ["vue", undefined, "<!--"],
  ["clojure", ";", undefined],
])("%s writes its comments after %s or between %s and its end", (language, line, open) => {
  const marks = commentMarksOf(language);
  expect([marks?.line, marks?.block?.[0]]).toEqual([line, open]);
});

test.each(["", "constructor", "__proto__", "brainfuck"])("%j is not known", (language) => {
  expect(commentMarksOf(language)).toBeUndefined();
});

describe("what reads code without a grammar takes the marks for comments, too:", () => {
  const known = lexicalRules.flatMap((rules) =>
    rules.ids.flatMap((id) => {
      const marks = commentMarksOf(id);
      return marks === undefined ? [] : [{ id, rules, marks }];
    }),
  );

  test("there are languages in both tables", () => {
    expect(known.length).toBeGreaterThan(12);
  });

  test.each(known)("$id", ({ rules, marks }) => {
    const begins = (pattern: RegExp, text: string): boolean =>
      new RegExp(pattern.source, pattern.flags).test(text);
    const { lineComment, blockComments = [] } = rules;
    if (marks.line !== undefined)
      expect(lineComment !== undefined && begins(lineComment, `${marks.line} x`)).toBe(true);
    const { block } = marks;
    if (block !== undefined)
      expect(blockComments.some(({ open }) => begins(open, `${block[0]} x`))).toBe(true);
  });
});
