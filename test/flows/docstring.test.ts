// Nothing but comments may change, as the person sees it.
import { expect, test } from "vitest";
import { printUnits } from "../../src/edit/read/print-units.ts";
import { docStyleOf } from "../../src/flows/docstring/docstring.ts";
import { send } from "../helpers/copilot-client.ts";
import { createTestApp } from "../helpers/create-test-app.ts";
import { code } from "../helpers/code-parser.ts";

/** What the command answers if the model replaces one text by another, and insists on it. */
async function change(language: string, search: string, replace: string): Promise<string> {
  const answer = printUnits([{ search, replace }]);
  const { app } = createTestApp({ models: [[answer], [answer]], code });
  const value = { filePath: "src/file", language, content: search, selectedRanges: [] };
  const contextVariables = [{ name: "activeEditor", value }];
  return (await send(app, { command: "docstring", contextVariables })).text;
}

test.each([
  ["javascript", "export const a = 1;\n", "/** One. */\nexport const a = 1;\n"],
  ["javascript", "foo(/* a */ 1);\n", "foo(/* the count */ 1);\n"],
  ["python", "import os\n", '"""Finds files."""\n\nimport os\n'],
  ["python", '"""Finds."""\nimport os\n', '"""Finds files."""\nimport os\n'],
  ["python", "def a():\n    return 1\n", 'def a():\n    """One."""\n    return 1\n'],
  ["kotlin", "fun a() = 1\n", "/** One. */\nfun a() = 1\n"],
  ["swift", "func a() {}\n", "/// Nothing.\nfunc a() {}\n"],
])("in %s, a comment may change", async (language, before, after) => {
  const text = await change(language, before, after);
  expect(text).toContain("**New code**");
  expect(text).not.toContain("Nothing was changed");
});

test.each([
  ["javascript", "a(`\n\n`);\n", "/** A. */\na(`\n`);\n"],
  ["python", "def a(self):\n    'doc'\n    b()\n", 'def a(self):\n    f"doc {self.x}"\n    b()\n'],
  ["kotlin", "/* retries */ val n = 3\n", "/* retries */ val n = 3000; deleteAll()\n"],
  ["kotlin", "a = b\n--count\n", "a = b\n"],
  ["objective-c", '#import "Foo.h"\n', '#import "Evil.h"\n'],
])("in %s, code may not", async (language, before, after) => {
  const text = await change(language, before, after);
  expect(text).toContain("**Nothing was changed**");
  expect(text).not.toContain("**New code**");
});

test("where comments cannot be told from code, nothing changes", async () => {
  const text = await change("ada", "F (1);\n", "-- One.\nF (1);\n");
  expect(text).toContain("**Nothing was changed**");
});

test("the style of doc comments is told by the language id of any editor", () => {
  expect(docStyleOf("kotlin")).toBe("KDoc");
  expect(docStyleOf("JAVA")).toBe("Javadoc");
  expect(docStyleOf("cobol")).toBe("the usual doc comment of the language");
});
