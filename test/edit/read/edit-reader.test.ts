import { describe, expect, test } from "vitest";
import { EditReader } from "../../../src/edit/read/edit-reader.ts";
import { parseAnswer } from "../../../src/edit/read/parse-diff.ts";

const unitText = "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n";
const unit = { search: "a\n", replace: "b\n", strict: true };
const tag = (path: string, content = unitText) =>
  `<file-edit filePath="${path}">\n${content}</file-edit>\n`;
const cutUnit = "------- SEARCH\na\n=======\nb\n";

/** Each file with the lines of its units and the code of its fault. */
function outline(answer: string) {
  const { text, files } = parseAnswer(answer);
  const edits = files.map(({ filePath, units, error }) => ({
    path: filePath,
    lines: units.map(({ line }) => line),
    fault: error?.code,
  }));
  return { text, edits };
}

describe("an answer without edits", () => {
  test.each([
    ["prose", "Hello\n\n  you,\tand 世界 😀\n"],
    ["no line end", "Hello"],
    ["CRLF and lone carriage returns", "a\r\nb\rc\r\n\r\n\r"],
    ["blank lines only", "\n\n \n"],
    ["an ordinary code block", "See:\n```ts\nconst a = 1;\n```\nDone.\n"],
    ["an empty code block", "```\n\n```\n"],
    ["a code block that is not closed", "```diff\n- a\n+ b"],
    [
      "lines of dashes, equals signs and pluses",
      "Title\n=======\n-------\n+++++++\n--- a\n+++ b\n",
    ],
    ["a REPLACE rule alone", "+++++++ REPLACE\n"],
    ["a tag in the middle of a line", 'Use `<file-edit filePath="a">` for it.\n'],
    ["a closing tag alone", "</file-edit>\n"],
    ["a name that begins like the tag", '<file-edits filePath="a">\n<file-editor>\n'],
    ["a name that begins like the chat tag", "<chatter>Hi.</chatter>\n"],
    ["a chat tag in the middle of a line", "Say <chat>Hi.</chat>\n"],
    ["the beginning of a tag at its end", 'Look:\n<file-edit filePath="a'],
    ["a word after the rule", "------- SEARCH me\n"],
  ])("passes through as it is: %s", (_, answer) => {
    expect(parseAnswer(answer)).toEqual({ text: answer, files: [] });
  });
});

describe("text around edits", () => {
  test("comes out byte for byte, without the tags and what they hold", () => {
    expect(parseAnswer(`Hi.\r\n\n${tag("a.ts")}\n  Bye.\r\n`)).toEqual({
      text: "Hi.\r\n\n\n  Bye.\r\n",
      files: [{ filePath: "a.ts", form: "units", units: [{ ...unit, line: 4 }] }],
    });
  });

  test("that follows a closing tag on its line comes out", () => {
    expect(outline(`${tag("a").trimEnd()} Done.\nBye.`)).toEqual({
      text: " Done.\nBye.",
      edits: [{ path: "a", lines: [2], fault: undefined }],
    });
  });

  test("that stands between bare units comes out", () => {
    expect(outline(`One:\n${unitText}Two:\n${unitText}End.`)).toEqual({
      text: "One:\nTwo:\nEnd.",
      edits: [{ path: undefined, lines: [2, 8], fault: undefined }],
    });
  });
});

describe("a code fence", () => {
  test.each(["```", "~~~", "```diff"])("%s that holds only units is no text", (fence) => {
    const closing = fence.slice(0, 3);
    expect(outline(`Hi.\n${fence}\n\n${unitText}\n${unitText}${closing}\nBye.\n`)).toEqual({
      text: "Hi.\nBye.\n",
      edits: [{ path: undefined, lines: [4, 10], fault: undefined }],
    });
  });

  test("that holds only a tag is no text", () => {
    expect(outline(`Hi.\n\`\`\`xml\n${tag("a")}\`\`\`\nBye.\n`)).toEqual({
      text: "Hi.\nBye.\n",
      edits: [{ path: "a", lines: [4], fault: undefined }],
    });
  });

  test("inside a tag is no text and no fault", () => {
    expect(outline(tag("a", `\`\`\`\n${unitText}\`\`\`\n`))).toEqual({
      text: "",
      edits: [{ path: "a", lines: [3], fault: undefined }],
    });
  });

  test("after one that held units is text again", () => {
    const block = "```ts\ncode\n```\n";
    const { text } = parseAnswer(`\`\`\`\n${unitText}\`\`\`\n${block}`);
    expect(text).toBe(block);
    expect(parseAnswer(`${unitText}${block}`).text).toBe(block);
  });

  test("that holds text before the units is text, and the units are read", () => {
    expect(outline(`\`\`\`\nHere it is:\n${unitText}\`\`\`\n`)).toEqual({
      text: "```\nHere it is:\n```\n",
      edits: [{ path: undefined, lines: [3], fault: undefined }],
    });
  });

  test("that holds a path before the units is no text, and the path is that of the file", () => {
    expect(outline(`\`\`\`\nsrc/a.ts\n${unitText}\`\`\`\n`)).toEqual({
      text: "",
      edits: [{ path: "src/a.ts", lines: [3], fault: undefined }],
    });
  });
});

describe("chat tags", () => {
  test.each([
    ["on one line", "<chat>Hi.</chat>\n", "Hi.\n"],
    ["over several lines", "<chat>\nHi.\nYou.\n</chat>\nBye.\n", "\nHi.\nYou.\n\nBye.\n"],
    ["twice", "<chat>A</chat>\n<chat>B</chat>\n", "A\nB\n"],
    ["without an end", "<chat>Hi.\n</cha", "Hi.\n</cha"],
  ])("%s are taken off", (_, answer, text) => {
    expect(parseAnswer(answer)).toEqual({ text, files: [] });
  });

  test("are taken off around a file", () => {
    expect(outline(`<chat>Hi.\n${tag("a")}Bye.</chat>\n`)).toEqual({
      text: "Hi.\nBye.\n",
      edits: [{ path: "a", lines: [3], fault: undefined }],
    });
  });

  test("are taken off in the text after a truncated unit", () => {
    expect(outline(`${tag("a", cutUnit)}<chat>Bye.</chat>\n`).text).toBe("Bye.\n");
  });

  test("inside a unit belong to its lines", () => {
    const replace = "<chat>Hi.</chat>\n";
    const answer = tag("a", unitText.replace("b\n", replace));
    expect(parseAnswer(`<chat>\n${answer}</chat>`)).toMatchObject({
      text: "\n",
      files: [{ units: [{ search: "a\n", replace }] }],
    });
  });
});

describe("several files", () => {
  test("come in the order of the answer", () => {
    expect(outline(`1\n${tag("b")}2\n${tag("a")}${unitText}3\n`)).toEqual({
      text: "1\n2\n3\n",
      edits: [
        { path: "b", lines: [3], fault: undefined },
        { path: "a", lines: [11], fault: undefined },
        { path: undefined, lines: [17], fault: undefined },
      ],
    });
  });

  test("follow each other on one line", () => {
    const { edits } = outline(`${tag("a").trimEnd()}${tag("b")}`);
    expect(edits.map(({ path, lines }) => [path, ...lines])).toEqual([
      ["a", 2],
      ["b", 8],
    ]);
  });

  test("are one if their paths are the same", () => {
    expect(outline(`${tag("a")}and\n${tag("b")}${tag("a")}`)).toEqual({
      text: "and\n",
      edits: [
        { path: "a", lines: [2, 17], fault: undefined },
        { path: "b", lines: [10], fault: undefined },
      ],
    });
  });

  test("have a fault each, and the others keep their units", () => {
    expect(outline(`${tag("a", cutUnit)}${tag("b")}${tag("c", "Hi.\n")}`)).toEqual({
      text: "",
      edits: [
        { path: "a", lines: [], fault: "truncated" },
        { path: "b", lines: [8], fault: undefined },
        { path: "c", lines: [], fault: "malformed" },
      ],
    });
  });

  test("of one path have the fault of one of their tags", () => {
    const { files } = parseAnswer(`${tag("a")}${tag("a", cutUnit)}`);
    expect(files).toMatchObject([{ units: [{ line: 2 }], error: { code: "truncated" } }]);
  });
});

test("a fault comes at most once for a file", () => {
  const reader = new EditReader();
  const answer = `${tag("a", "Hi.\n")}${tag("a", "Ho.\n")}${tag("b", "Hi.\n")}`;
  const events = [...reader.push(answer), ...reader.end()];
  expect(events.map(({ type }) => type)).toEqual(["fault", "fault"]);
  expect(events).toMatchObject([{ filePath: "a" }, { filePath: "b" }]);
});

test("a bare unit that is followed by a second REPLACE rule is refused", () => {
  expect(outline(`${unitText}Hi.\n+++++++ REPLACE\n`)).toEqual({
    text: "Hi.\n+++++++ REPLACE\n",
    edits: [{ path: undefined, lines: [1], fault: "malformed" }],
  });
});
