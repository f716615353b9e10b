// Nothing but comments may change, as the person sees it.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
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

describe("in a language whose comments nobody knows", () => {
  const signs = fc.constantFrom("//", "--", "#", "'", "'''", ";", "%");
  const word = fc.constantFrom("One.", "@param a", "x = 1", "F (1);");

  test("lines that are comments in any language may come", async () => {
    const comments = fc.array(word, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(signs, comments, async (sign, lines) => {
        const added = lines.map((line) => `${sign} ${line}\n`).join("");
        const text = await change("ada", "F (1);\nG (2);\n", `F (1);\n${added}G (2);\n`);
        expect(text).toContain("**New code**");
      }),
      { numRuns: 8 },
    );
  });

  test.each([
    ["F (1);\n", "-- One.\nF (2);\n"],
    ["F (1);\n", "--One\nF (1);\n"],
    ['a("""\nF (1);\n""");\n', 'a("""\n-- One.\nF (1);\n""");\n'],
    ["cat <<END\nF (1);\nEND\n", "cat <<END\n# One.\nF (1);\nEND\n"],
    ["  F (1);\n", "-- One.\nF (1);\n"],
  ])("code, and lines in a text, may not: %j", async (before, after) => {
    expect(await change("ada", before, after)).toContain("**Nothing was changed**");
  });
});

test("in settings a key beside others on its line is no documentation", async () => {
  const before = '{\n  "a": 1\n}\n';
  const after = '{\n  "description": "A.", "enabled": true,\n  "a": 1\n}\n';
  expect(await change("json", before, after)).toContain("**Nothing was changed**");
});

test("in settings a key may document what is beside it", async () => {
  const before = 'variable "a" {\n  type = string\n}\n';
  const after = before.replace("  type =", '  description = "A."\n  type        =');
  expect(await change("terraform", before, after)).toContain("**New code**");
  const other = before.replace("  type =", '  default = "A."\n  type =');
  expect(await change("terraform", before, other)).toContain("**Nothing was changed**");
});

test("the style of doc comments is told by the language id of any editor", () => {
  expect(docStyleOf("kotlin")).toBe("KDoc");
  expect(docStyleOf("JAVA")).toBe("Javadoc");
  expect(docStyleOf("cobol")).toBe("the usual doc comment of the language");
});
