// Markers never reach a file: what looks like a rule of the unit is dropped where that is sure, or refused.
import { describe, expect, test } from "vitest";
import { applyDiff, parseAnswer } from "../../../../src/edit/read/parse-diff.ts";
import { applyUnits } from "../../../../src/edit/edit-session.ts";

const file = "x\na\ny\n";
const after = "x\nb\ny\n";

function apply(before: string, diff: string) {
  const result = applyDiff(before, diff);
  return result.ok ? result.text : result.error.code;
}

/** The same units as an answer, in each place where they may stand. */
function applyAnswer(before: string, units: string) {
  const answers = [
    units,
    `So:\n\n\`\`\`\n${units}\`\`\`\n`,
    `<file-edit filePath="a">\n${units}</file-edit>\n`,
  ];
  return answers.map((answer) => {
    const { files } = parseAnswer(answer);
    const error = files.find((edit) => edit.error !== undefined)?.error;
    if (error !== undefined) return error.code;
    const result = applyUnits(
      before,
      files.flatMap((edit) => edit.units),
    );
    return result.ok ? result.text : result.error.code;
  });
}

const all = (result: string) => [result, result, result];

describe("a second closing rule is dropped", () => {
  test.each([
    ["of the other style", "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n>>>>>>> REPLACE\n"],
    ["of the same style", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n>>>>>>> REPLACE\n"],
    ["after a blank line", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\n+++++++ REPLACE\n"],
    [
      "that comes three times",
      "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n+++++++ REPLACE\n>>>>>>> REPLACE\n",
    ],
  ])("%s", (_, diff) => {
    expect(apply(file, diff)).toBe(after);
    expect(applyAnswer(file, diff)).toEqual(all(after));
  });

  test("before the next unit", () => {
    const first = "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n>>>>>>> REPLACE\n";
    const second = "------- SEARCH\ny\n=======\nz\n+++++++ REPLACE\n";
    expect(apply(file, first + second)).toBe("x\nb\nz\n");
  });

  test("but is text where the file holds such lines", () => {
    const before = `${file}+++++++ REPLACE\n`;
    const diff = "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n+++++++ REPLACE\n";
    expect(apply(before, diff)).toBe("x\nb\n+++++++ REPLACE\ny\n+++++++ REPLACE\n");
  });
});

describe("a separator", () => {
  test.each([
    ["that is doubled is dropped", "------- SEARCH\na\n=======\n=======\nb\n+++++++ REPLACE\n"],
    [
      "that is doubled in angle brackets is dropped",
      "<<<<<<< SEARCH\na\n=======\n=======\nb\n>>>>>>> REPLACE\n",
    ],
    ["that comes late is dropped", "<<<<<<< SEARCH\na\n=======\nb\n=======\n>>>>>>> REPLACE\n"],
    [
      "that comes late, before a blank line, is dropped",
      "<<<<<<< SEARCH\na\n=======\nb\n=======\n\n>>>>>>> REPLACE\n",
    ],
  ])("%s", (_, diff) => {
    expect(apply(file, diff)).toBe(after);
    expect(applyAnswer(file, diff)).toEqual(all(after));
  });

  test.each([
    ["in the middle of REPLACE", "<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE\n"],
    ["late among rules as specified", "------- SEARCH\na\n=======\nb\n=======\n+++++++ REPLACE\n"],
    ["three times", "<<<<<<< SEARCH\na\n=======\n=======\nb\n=======\n>>>>>>> REPLACE\n"],
  ])("%s is refused", (_, diff) => {
    expect(apply(file, diff)).toBe("malformed");
    expect(applyAnswer(file, diff)).toEqual(all("malformed"));
  });

  test("is text where the file holds such lines", () => {
    const before = "Title\n=======\na\n";
    const late = "<<<<<<< SEARCH\na\n=======\na\n\nOther\n=======\n>>>>>>> REPLACE\n";
    expect(apply(before, late)).toBe("Title\n=======\na\n\nOther\n=======\n");
    const quoted = "------- SEARCH\nTitle\n=======\n=======\nHeading\n=======\n+++++++ REPLACE\n";
    expect(apply(before, quoted)).toBe("Heading\n=======\na\n");
  });

  test("is text below a line of its length: a heading", () => {
    const diff = "------- SEARCH\na\n=======\na\n\nHeading\n=======\nText.\n+++++++ REPLACE\n";
    expect(apply("a\n", diff)).toBe("a\n\nHeading\n=======\nText.\n");
  });

  test("is text where it is longer or shorter than the unit's own", () => {
    const diff = "------- SEARCH\na\n=======\nb\n=========\nc\n+++++++ REPLACE\n";
    expect(apply(file, diff)).toBe("x\nb\n=========\nc\ny\n");
  });
});

describe("a code fence before the closing rule", () => {
  const open = "```ts\n------- SEARCH\na\n=======\nb\n```\n+++++++ REPLACE\n";

  test("is dropped", () => {
    expect(apply(file, open)).toBe(after);
    expect(apply(file, open.replace("```ts\n", ""))).toBe(after);
    const inSearch = "------- SEARCH\n```ts\na\n=======\nb\n```\n+++++++ REPLACE\n";
    expect(apply(file, inSearch)).toBe(after);
  });

  test("is text where the file holds code fences", () => {
    expect(apply(`${file}\`\`\`\n`, open)).toBe("x\nb\n```\ny\n```\n");
  });

  test("is text where REPLACE opens it", () => {
    const diff = "------- SEARCH\na\n=======\nb\n```\nc\n```\n+++++++ REPLACE\n";
    expect(apply(file, diff)).toBe("x\nb\n```\nc\n```\ny\n");
  });
});

test("rules of twenty characters make all shorter rules text", () => {
  const [dashes, equals, pluses] = ["-", "=", "+"].map((sign) => sign.repeat(20));
  const text = "b\n=======\n+++++++ REPLACE\n```\n";
  const diff = `${dashes} SEARCH\na\n${equals}\n${text}${pluses} REPLACE\n`;
  expect(apply(file, diff)).toBe(`x\n${text}y\n`);
});
