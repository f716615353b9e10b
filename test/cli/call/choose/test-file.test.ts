// Writing the tests of an answer to a file of their own.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { findTestFile } from "../../../../src/cli/call/choose/find-test-file.ts";
import { createTerminal } from "../../../../src/cli/call/terminal.ts";
import { callTexts } from "../../../../src/cli/call/texts.ts";
import { writeTestFile } from "../../../../src/cli/call/choose/write-test-file.ts";
import { textsFor } from "../../../../src/flows/texts/texts.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const answer = (path: string) => `\`${path}\`\n\n\`\`\`ts\ntest("a", () => {});\n\`\`\`\n\nDone.\n`;

test("the path and the one block of an answer are the file and its text", () => {
  const directory = temporaryFolder();
  expect(findTestFile(answer("src/a.test.ts"), directory)).toEqual({
    name: "src/a.test.ts",
    path: join(directory, "src/a.test.ts"),
    text: 'test("a", () => {});\n',
  });
});

test("a block with longer rules may hold shorter ones, and CRLF is a line end", () => {
  const text = "`a.md`\r\n\r\n````md\r\n```\r\nx\r\n```\r\n````\r\n";
  expect(findTestFile(text, temporaryFolder())?.text).toBe("```\nx\n```\n");
});

test.each([
  ["no path", '```ts\ntest("a");\n```\n'],
  ["two paths", `\`b.test.ts\`\n${answer("a.test.ts")}`],
  ["two blocks", `${answer("a.test.ts")}\n\`\`\`sh\nnpm test\n\`\`\`\n`],
  ["a block that does not end", '`a.test.ts`\n\n```ts\ntest("a");\n'],
  ["an empty block", "`a.test.ts`\n\n```ts\n\n```\n"],
  ["a path behind the block", '```ts\ntest("a");\n```\n\n`a.test.ts`\n'],
  ["a sentence for a path", 'See `a.test.ts` for it.\n\n```ts\ntest("a");\n```\n'],
])("an answer with %s offers nothing", (_, text) => {
  expect(findTestFile(text, temporaryFolder())).toBeUndefined();
});

test.each(["en", "zh"] as const)("tests that belong into a source offer nothing (%s)", (locale) => {
  const text = `${answer("src/cart.rs")}\n${textsFor(locale).addToSource("src/cart.rs")}\n`;
  expect(findTestFile(text, temporaryFolder())).toBeUndefined();
});

test("nothing is offered outside of the folder, nor where something is", () => {
  const directory = temporaryFolder({ "taken.test.ts": "mine" });
  symlinkSync(tmpdir(), join(directory, "out"));
  symlinkSync("nowhere", join(directory, "dangling.test.ts"));
  const refused = [
    "../a.test.ts",
    "/tmp/a.test.ts",
    "out/a.test.ts",
    "taken.test.ts",
    ".",
    "dangling.test.ts",
    "taken.test.ts/a.test.ts",
    `${"a".repeat(300)}.test.ts`,
    "a\0.test.ts",
    "npm test",
    " ",
    "x/",
  ];
  for (const name of refused) expect(findTestFile(answer(name), directory)).toBeUndefined();
  expect(findTestFile(answer("..a/b.test.ts"), directory)?.name).toBe("..a/b.test.ts");
});

test.each([
  ["en", "src/a.test.ts was created.\n"],
  ["zh", "src/a.test.ts 已创建。\n"],
] as const)("the file is written with its folders, and that is said (%s)", (locale, said) => {
  const { written, err, path } = write("src/a.test.ts", locale);
  expect({ written, err }).toEqual({ written: true, err: said });
  expect(readFileSync(path, "utf8")).toBe('test("a", () => {});\n');
});

test("a file that has come up in the meantime is left alone", () => {
  const { written, err, path } = write("a.test.ts", "en", (at) => writeFileSync(at, "mine"));
  expect(written).toBe(false);
  expect(err).toContain("was changed by somebody else in the meantime");
  expect(readFileSync(path, "utf8")).toBe("mine");
});

test("a folder that cannot be made is told, and nothing is thrown", () => {
  const { written, err, path } = write("a/b.test.ts", "en", (at) => {
    writeFileSync(join(at, "../../a"), "a file");
  });
  expect(written).toBe(false);
  expect(err).toContain("EEXIST");
  expect(existsSync(path)).toBe(false);
});

function write(name: string, locale: "en" | "zh", meanwhile: (path: string) => void = () => {}) {
  const directory = temporaryFolder();
  const file = findTestFile(answer(name), directory);
  if (file === undefined) throw new Error("no file was found");
  meanwhile(file.path);
  const stderr = new PassThrough();
  const terminal = createTerminal(new PassThrough(), stderr);
  const written = writeTestFile(file, terminal, callTexts(locale));
  return { written, err: String(stderr.read() ?? ""), path: file.path };
}
