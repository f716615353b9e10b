import { expect, test } from "vitest";
import { readTestFile } from "../../../src/flows/test/file/test-blocks.ts";

const answer = (path: string) => `\`${path}\`\n\n\`\`\`ts\ntest("a", () => {});\n\`\`\`\n\nDone.\n`;

test("the path and the one block of an answer are the file and its text", () => {
  expect(readTestFile(answer("src/a.test.ts"))).toEqual({
    name: "src/a.test.ts",
    text: 'test("a", () => {});\n',
  });
});

test("a block with longer rules may hold shorter ones, and CRLF is a line end", () => {
  const text = "`a.md`\r\n\r\n````md\r\n```\r\nx\r\n```\r\n````\r\n";
  expect(readTestFile(text)?.text).toBe("```\nx\n```\n");
});

test.each([
  ["no path", '```ts\ntest("a");\n```\n'],
  ["two paths", `\`b.test.ts\`\n${answer("a.test.ts")}`],
  ["a block that does not end", '`a.test.ts`\n\n```ts\ntest("a");\n'],
  ["an empty block", "`a.test.ts`\n\n```ts\n\n```\n"],
  ["a path behind the block", '```ts\ntest("a");\n```\n\n`a.test.ts`\n'],
  ["a sentence for a path", 'See `a.test.ts` for it.\n\n```ts\ntest("a");\n```\n'],
  ["a command for a path", answer("npm test")],
])("an answer with %s holds no file", (_, text) => {
  expect(readTestFile(text)).toBeUndefined();
});
