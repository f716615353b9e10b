// The opening tag in all its spellings, and tags that do not end as they should.
import { describe, expect, test } from "vitest";
import { parseAnswer } from "../../../src/edit/read/parse-diff.ts";

const unitText = "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n";
const cutUnit = "------- SEARCH\na\n=======\nb\n";
const tag = (path: string, content: string) =>
  `<file-edit filePath="${path}">\n${content}</file-edit>\n`;

/** The paths of an answer whose tags are closed. */
function pathsOf(opening: string) {
  const { text, files } = parseAnswer(`${opening}\n${unitText}</file-edit>\n`);
  expect(text).toBe("");
  return files.map(({ filePath, units }) => [filePath, units.length]);
}

describe("the path of a tag", () => {
  test.each([
    ["in double quotes", '<file-edit filePath="src/my file.ts">', "src/my file.ts"],
    ["in single quotes", "<file-edit filePath='src/a.ts'>", "src/a.ts"],
    ["without quotes", "<file-edit filePath=src/a.ts>", "src/a.ts"],
    ["without quotes before another attribute", "<file-edit filePath=src/a.ts mode=x>", "src/a.ts"],
    ["after other attributes", '<file-edit id="1" mode=\'x\' filePath="a">', "a"],
    ["before other attributes", '<file-edit filePath="a" id="1" open>', "a"],
    ["after an attribute that ends like it", '<file-edit data-path="b" filePath="a">', "a"],
    ["with blanks around the equals sign", '<file-edit  filePath = "a" >', "a"],
    ["as file_path", '<file-edit file_path="a">', "a"],
    ["as path", '<file-edit path="a">', "a"],
    ["in capitals", '<file-edit FILEPATH="a">', "a"],
    ["with > in it", '<file-edit filePath="a>b">', "a>b"],
    ["with the other quote in it", '<file-edit filePath="it\'s.ts">', "it's.ts"],
    ["in a tag that is indented", ' \t<file-edit filePath="a">', "a"],
    ["with blanks after the tag", '<file-edit filePath="a"> \t', "a"],
    ["in a tag over several lines", '<file-edit\n  id="1"\n  filePath="a"\n>', "a"],
    ["in a tag over several lines with CRLF", '<file-edit\r\n  filePath="a"\r\n>', "a"],
    [
      "beside an attribute that speaks of a path",
      '<file-edit title="the path=b" filePath="a">',
      "a",
    ],
    ["beside an attribute that quotes one", '<file-edit title=\'x path="b"\' filePath="a">', "a"],
  ])("is read %s", (_, opening, path) => {
    expect(pathsOf(opening)).toEqual([[path, 1]]);
  });

  test.each([
    ["&amp;", "&"],
    ["&lt;b&gt;", "<b>"],
    ["&quot;&apos;&#39;", "\"''"],
    ["&amp;lt;", "&lt;"],
    ["&amp", "&amp"],
    ["&nbsp;&#38;", "&nbsp;&#38;"],
  ])("has its entities decoded once: %s", (written, path) => {
    expect(pathsOf(`<file-edit filePath="${written}">`)).toEqual([[path, 1]]);
  });

  test("is undefined if the tag names none", () => {
    expect(pathsOf("<file-edit>")).toEqual([[undefined, 1]]);
    expect(pathsOf('<file-edit id="1">')).toEqual([[undefined, 1]]);
  });

  test("is the empty string if the tag says so", () => {
    expect(pathsOf('<file-edit filePath="">')).toEqual([["", 1]]);
  });
});

test("units stand on the lines of the tags", () => {
  const answer =
    '<file-edit filePath="a">------- SEARCH\na\n=======\nb\n+++++++ REPLACE</file-edit>';
  expect(parseAnswer(answer)).toEqual({
    text: "",
    files: [
      {
        filePath: "a",
        form: "units",
        units: [{ search: "a\n", replace: "b\n", line: 1, strict: true }],
      },
    ],
  });
});

test("text after a tag that opens and closes on its line keeps its line end", () => {
  const { text } = parseAnswer('<file-edit filePath="a"></file-edit> Hi.\nBye.\n');
  expect(text).toBe(" Hi.\nBye.\n");
});

test("the lines of a tag over several lines are counted", () => {
  const { files } = parseAnswer(`Hi.\n<file-edit\n  filePath="a"\n>\n${unitText}</file-edit>\n`);
  expect(files).toMatchObject([{ units: [{ line: 5 }] }]);
});

describe("a tag that is not closed", () => {
  test("refuses its file, though its units are whole", () => {
    const { files, text } = parseAnswer(`Hi.\n<file-edit filePath="a">\n${unitText}`);
    expect(text).toBe("Hi.\n");
    expect(files).toMatchObject([
      { filePath: "a", units: [{ line: 3 }], error: { code: "truncated" } },
    ]);
    expect(files[0]?.error?.message).toContain("not closed");
  });

  test("refuses its file if nothing follows it", () => {
    const { files } = parseAnswer('<file-edit filePath="a">');
    expect(files).toMatchObject([{ filePath: "a", units: [], error: {} }]);
  });

  test("refuses its file if it ends inside a unit", () => {
    const { files } = parseAnswer(`<file-edit filePath="a">\n${unitText}${cutUnit}`);
    expect(files).toMatchObject([{ units: [{ line: 2 }], error: { code: "truncated", unit: 2 } }]);
  });

  test("ends before the next opening tag after a whole unit", () => {
    const answer = `<file-edit filePath="a">\n${unitText}${tag("b", unitText)}Bye.\n`;
    const { files, text } = parseAnswer(answer);
    expect(text).toBe("Bye.\n");
    expect(files).toMatchObject([
      { filePath: "a", error: { code: "truncated" } },
      { filePath: "b", units: [{ search: "a\n" }] },
    ]);
    expect(files[1]?.error).toBeUndefined();
  });
});

describe("a truncated unit in a closed tag", () => {
  test("refuses its file, and the text after the tag comes out", () => {
    const { files, text } = parseAnswer(`Hi.\n${tag("a", cutUnit)}\nI have done it.\nBye.`);
    expect(text).toBe("Hi.\n\nI have done it.\nBye.");
    expect(files).toMatchObject([{ filePath: "a", units: [], error: { code: "truncated" } }]);
  });

  test("refuses its file, and the text on the line of the tag comes out", () => {
    const { files, text } = parseAnswer(`${tag("a", cutUnit).trimEnd()} Done.\nBye.\n`);
    expect(text).toBe(" Done.\nBye.\n");
    expect(files).toMatchObject([{ filePath: "a", units: [], error: { code: "truncated" } }]);
  });

  test("that ends after the tag is a unit, and no line of it comes out as text too", () => {
    const { files, text } = parseAnswer(`${tag("a", cutUnit)}c\n+++++++ REPLACE\n`);
    expect(text).toBe("");
    expect(files).toMatchObject([
      { units: [{ replace: "b\n</file-edit>\nc\n" }], error: { code: "truncated" } },
    ]);
  });

  test("leaves the units before it, and its number is theirs plus one", () => {
    const { files } = parseAnswer(tag("a", unitText + cutUnit));
    expect(files).toMatchObject([{ units: [{ line: 2 }], error: { code: "truncated", unit: 2 } }]);
  });

  test("ends before the next file, and the text between them comes out", () => {
    const { files, text } = parseAnswer(`${tag("a", cutUnit)}And\n${tag("b", unitText)}Bye.\n`);
    expect(text).toBe("And\nBye.\n");
    expect(files).toMatchObject([
      { filePath: "a", units: [], error: { code: "truncated" } },
      { filePath: "b", units: [{ line: 9 }] },
    ]);
    expect(files[1]?.error).toBeUndefined();
  });

  test("ends before a bare unit that follows the tag", () => {
    const { files, text } = parseAnswer(`${tag("a", cutUnit)}And\n${unitText}Bye.\n`);
    expect(text).toBe("And\nBye.\n");
    expect(files).toMatchObject([
      { filePath: "a", units: [], error: {} },
      { filePath: undefined, units: [{ line: 8 }] },
    ]);
  });

  test("is none if its REPLACE rule comes after a closing tag in its text", () => {
    const content = `${cutUnit}</file-edit>\nc\n+++++++ REPLACE\n`;
    expect(parseAnswer(`${tag("a", content)}Bye.\n`)).toEqual({
      text: "Bye.\n",
      files: [
        {
          filePath: "a",
          form: "units",
          units: [{ search: "a\n", replace: "b\n</file-edit>\nc\n", line: 2, strict: true }],
        },
      ],
    });
  });
});

describe("text inside a tag", () => {
  test.each([
    ["before the units", `Here:\n${unitText}`],
    ["after the units", `${unitText}There.\n`],
    ["between the units", `${unitText}And:\n${unitText}`],
    ["instead of units", "I changed nothing.\n"],
  ])("%s refuses the file, and the text after the tag comes out", (_, content) => {
    const { files, text } = parseAnswer(`${tag("a", content)}Bye.\n`);
    expect(files).toMatchObject([{ filePath: "a", error: { code: "malformed" } }]);
    expect(text).toBe("Bye.\n");
  });

  test.each([
    ["on the line of the closing tag", '<file-edit filePath="a">\nHi.</file-edit>\nBye.\n'],
    ["on the line of both tags", '<file-edit filePath="a">Hi.</file-edit>\nBye.\n'],
  ])("%s refuses the file, and the text after the tag comes out", (_, answer) => {
    const { files, text } = parseAnswer(answer);
    expect(files).toMatchObject([{ filePath: "a", units: [], error: { code: "malformed" } }]);
    expect(text).toBe("Bye.\n");
  });

  test("that is blank is no fault", () => {
    const { files } = parseAnswer(tag("a", `\n \n${unitText}\n\n${unitText}\r\n`));
    expect(files).toEqual([
      { filePath: "a", form: "units", units: [expect.anything(), expect.anything()] },
    ]);
  });

  test("that is all blank is a fault: there is no unit", () => {
    expect(parseAnswer(tag("a", "\n")).files).toMatchObject([
      { filePath: "a", units: [], error: { code: "malformed" } },
    ]);
  });
});
