import { expect, test } from "vitest";
import {
  parseLineRange,
  readEditor,
  splitLines,
} from "../../../../src/cli/call/collect/read-editor.ts";
import { focusOf } from "../../../../src/turn/context/active-editor.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("lines with CRLF are selected without the last line end, and before, selection and after make up the file", () => {
  const content = "one\r\ntwo\r\nthree\r\nfour";
  const directory = temporaryFolder({ "a.py": content });
  const editor = readEditor(directory, "a.py", "2-3");
  const [range] = editor.selectedRanges ?? [];
  expect(range).toEqual({
    content: "two\r\nthree",
    startLine: 2,
    startColumn: 1,
    endLine: 3,
    endColumn: 6,
    contentBeforeSelection: "one\r\n",
    contentAfterSelection: "\r\nfour",
  });
  expect(`${range?.contentBeforeSelection}${range?.content}${range?.contentAfterSelection}`).toBe(
    content,
  );
  expect(editor.cursorOffset).toBe("one\r\ntwo\r\nthree".length);
  expect(editor).toMatchObject({
    language: "python",
    startLine: 1,
    startColumn: 1,
    endLine: 4,
    endColumn: 5,
  });
});

test("columns and the cursor count UTF-16 code units", () => {
  const directory = temporaryFolder({ "a.txt": "😀\n中文\n" });
  const editor = readEditor(directory, "a.txt", "1-2");
  expect(editor.cursorOffset).toBe(5);
  expect(readEditor(directory, "a.txt", "1").selectedRanges).toMatchObject([{ endColumn: 3 }]);
});

test("without lines nothing is selected, no cursor stands anywhere and the whole file is visible", () => {
  const directory = temporaryFolder({ "a.ts": "let a;\nlet b;\n" });
  const editor = readEditor(directory, "a.ts", undefined);
  expect(editor.selectedRanges).toEqual([]);
  expect(editor).not.toHaveProperty("cursorOffset");
  expect(focusOf(editor)).toEqual({
    kind: "visible",
    text: "let a;\nlet b;",
    startLine: 1,
    endLine: 2,
  });
});

test("an empty file has one empty line", () => {
  const directory = temporaryFolder({ "a.ts": "" });
  expect(readEditor(directory, "a.ts", "1-1").selectedRanges).toMatchObject([
    { content: "", startLine: 1, endColumn: 1 },
  ]);
  expect(splitLines("")).toEqual([""]);
});

test("lines outside of the file are refused with the file's length", () => {
  const directory = temporaryFolder({ "a.ts": "let a;\nlet b;\n" });
  expect(() => readEditor(directory, "a.ts", "2-3")).toThrow(
    "--lines 2-3 is not in a.ts, which has 2 lines.",
  );
});

test("a range that is no range is refused with an example", () => {
  for (const text of ["", "x", "0", "0-2", "1-", "-1", "1-2-3", "1.5"]) {
    expect(() => parseLineRange(text)).toThrow(/is not a range of lines\. Write --lines 10-20/);
  }
  expect(() => parseLineRange("9-3")).toThrow(
    "--lines 9-3 ends before it begins. Write --lines 3-9.",
  );
  expect(parseLineRange("7")).toEqual({ first: 7, last: 7 });
});

test("missing files, folders and binary files are refused by the name that was typed", () => {
  const directory = temporaryFolder({
    "picture.png": new Uint8Array([137, 80, 0, 1]),
    "latin.txt": new Uint8Array([0xe4]),
    "src/a.ts": "",
  });
  const read = (file: string) => () => readEditor(directory, file, undefined);
  expect(read("nope.ts")).toThrow(/^nope\.ts does not exist\./);
  expect(read("src")).toThrow(/^src is a folder\./);
  expect(read("picture.png")).toThrow(/^picture\.png is a binary file or not in UTF-8\./);
  expect(read("latin.txt")).toThrow(/^latin\.txt is a binary file or not in UTF-8\./);
});
