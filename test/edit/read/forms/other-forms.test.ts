// Edits that are no units: diffs, patches, JSON, tags, calls of tools.
import { describe, expect, test } from "vitest";
import { applyUnits } from "../../../../src/edit/edit-session.ts";
import { EditReader } from "../../../../src/edit/read/edit-reader.ts";
import type { FileEdit } from "../../../../src/edit/read/file-edit.ts";
import { parseAnswer } from "../../../../src/edit/read/parse-diff.ts";

const file = "def add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return a + b\n";
const fixed = file
  .replace("a - b", "a + b")
  .replace("sub(a, b):\n    return a + b", "sub(a, b):\n    return a - b");
const half = file.replace("a - b", "a + b");

/** The form, the path, and the text after it or why there is none. */
function apply(answer: string, before = file) {
  const { files } = parseAnswer(answer);
  return files.map((edit) => [edit.form, edit.filePath, resultOf(edit, before)]);
}

function resultOf({ error, units }: FileEdit, before: string) {
  if (error !== undefined) return error.code;
  const result = applyUnits(before, units);
  return result.ok ? result.text : result.error.code;
}

const fenced = (info: string, text: string) =>
  `Here it is:\n\n\`\`\`${info}\n${text}\`\`\`\n\nThat is all.\n`;
const hunk = " def add(a, b):\n-    return a - b\n+    return a + b\n \n";
const second = " def sub(a, b):\n-    return a + b\n+    return a - b\n";
const headers = "--- a/src/calc.py\n+++ b/src/calc.py\n";

describe("a unified diff", () => {
  test.each([
    ["with headers", `${headers}@@ -1,3 +1,3 @@\n${hunk}`, "src/calc.py"],
    [
      "as of git",
      `diff --git a/src/calc.py b/src/calc.py\nindex 12ab34c..56de78f 100644\n${headers}@@ -1,3 +1,3 @@\n${hunk}`,
      "src/calc.py",
    ],
    [
      "without prefixes",
      `--- src/calc.py\n+++ src/calc.py\n@@ -1,3 +1,3 @@\n${hunk}`,
      "src/calc.py",
    ],
    [
      "with times",
      `--- a/src/calc.py\t2026-01-01 00:00\n+++ b/src/calc.py\t2026-01-02 00:00\n@@ -1,3 +1,3 @@\n${hunk}`,
      "src/calc.py",
    ],
    ["with wrong numbers", `${headers}@@ -40,9 +52,1 @@ def other():\n${hunk}`, "src/calc.py"],
    ["without numbers", `${headers}@@ ... @@\n${hunk}`, "src/calc.py"],
    ["without headers of hunks", `${headers}${hunk}`, "src/calc.py"],
    ["without headers of files", `@@ -1,3 +1,3 @@\n${hunk}`, undefined],
    ["without any header", hunk, undefined],
    ["of changed lines only", "-    return a - b\n+    return a + b\n", undefined],
    [
      "with blank lines that lost their prefix",
      `${headers}@@ -1,3 +1,3 @@\n${hunk.replace(" \n", "\n")}`,
      "src/calc.py",
    ],
    [
      "whose unchanged lines lost their prefix",
      hunk.replace(" def", "def").replace(" \n", "\n"),
      undefined,
    ],
    ["with CRLF", `${headers}@@ -1,3 +1,3 @@\n${hunk}`.replaceAll("\n", "\r\n"), "src/calc.py"],
    [
      "with a missing line end",
      `${headers}@@ -1,2 +1,2 @@\n${hunk}\\ No newline at end of file\n`,
      "src/calc.py",
    ],
  ])("%s is read in a fence", (_, diff, path) => {
    expect(apply(fenced("diff", diff))).toEqual([["unified-diff", path, half]]);
    expect(parseAnswer(fenced("diff", diff)).text).toBe("Here it is:\n\n\nThat is all.\n");
  });

  test.each([
    ["of one hunk", `${headers}@@ -1,3 +1,3 @@\n${hunk}`, half],
    ["of two hunks", `${headers}@@ -1,3 +1,3 @@\n${hunk}@@ -5,2 +5,2 @@\n${second}`, fixed],
    [
      "of two hunks and blank lines",
      `${headers}@@ -1,3 +1,3 @@\n${hunk}\n@@ -5,2 +5,2 @@\n${second}\n`,
      fixed,
    ],
  ])("%s is read without a fence", (_, diff, result) => {
    expect(apply(`So:\n\n${diff}`)).toEqual([["unified-diff", "src/calc.py", result]]);
    expect(apply(`${diff}\nThis fixes it.\n- It was wrong.\n`)).toEqual([
      ["unified-diff", "src/calc.py", result],
    ]);
  });

  test("leaves a list that follows it alone", () => {
    const answer = `${headers}@@ -1,3 +1,3 @@\n${hunk}\n- The sign was wrong.\n- Nothing else.\n`;
    expect(apply(answer)).toEqual([["unified-diff", "src/calc.py", half]]);
    expect(parseAnswer(answer).text).toContain("- The sign was wrong.\n- Nothing else.\n");
  });

  test("of several files gives each its own", () => {
    const other = "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-x\n+y\n";
    expect(apply(fenced("diff", `${headers}@@ -1 +1 @@\n${hunk}${other}`))).toEqual([
      ["unified-diff", "src/calc.py", half],
      ["unified-diff", "b.py", "no-match"],
    ]);
  });

  test("of a new file fills it", () => {
    const diff = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+x = 1\n+y = 2\n";
    const [edit] = parseAnswer(fenced("diff", diff)).files;
    expect(edit).toMatchObject({
      filePath: "new.py",
      units: [{ search: "", replace: "x = 1\ny = 2\n" }],
    });
  });

  test("that deletes a file is refused, and so is one that shows no line around what it adds", () => {
    const deleted =
      "--- a/calc.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-def add(a, b):\n-    return a - b\n";
    expect(apply(fenced("diff", deleted))).toEqual([["unified-diff", "calc.py", "malformed"]]);
    const added = `${headers}@@ -3,0 +4,1 @@\n+x = 1\n`;
    expect(apply(fenced("diff", added))).toEqual([["unified-diff", "src/calc.py", "malformed"]]);
  });

  test("is read below a line that names the file", () => {
    const answer = fenced("diff", `# src/calc.py\n${hunk}`);
    expect(apply(answer)).toEqual([["unified-diff", "src/calc.py", half]]);
  });

  test("splits where lines were left out", () => {
    const diff = `${hunk}...\n${second}`;
    expect(apply(fenced("diff", diff))).toEqual([["unified-diff", undefined, fixed]]);
  });

  test("stands in the tag of a file, in a quote, in a list", () => {
    const diff = `@@ -1,3 +1,3 @@\n${hunk}`;
    expect(apply(`<file-edit filePath="c.py">\n${diff}</file-edit>\n`)).toEqual([
      ["unified-diff", "c.py", half],
    ]);
    const quoted = `\`\`\`diff\n${headers}${hunk}\`\`\`\n`.replaceAll(/^/gm, "> ");
    expect(apply(quoted)).toEqual([["unified-diff", "src/calc.py", half]]);
    const listed = `1. Fix it:\n\n${`\`\`\`diff\n${headers}${hunk}\`\`\`\n`.replaceAll(/^(?=.)/gm, "   ")}`;
    expect(apply(listed)).toEqual([["unified-diff", "src/calc.py", half]]);
  });

  test("is read in a fence of another language if every line bears a sign or a blank", () => {
    const [edit] = apply(fenced("python", hunk));
    expect(edit).toEqual(["unified-diff", undefined, half]);
    expect(apply(fenced("yaml", "- a\n+ b\n"))).toEqual([]);
    expect(apply(fenced("python", "x = (\n- a\n+ b)\n"))).toEqual([]);
  });

  test("that only looks like one is text", () => {
    const answer = "Title\n=======\n--- a\n+++ b\n- one\n+ two\n";
    expect(parseAnswer(answer).files.flatMap(({ units }) => units)).toHaveLength(1);
    const lua = fenced("lua", "--- Adds.\nfunction add(a, b)\n-- plain\n  return a + b\nend\n");
    for (const text of [lua, "--- a\n\n+++ b\n", "@@ me\n", "--- a note\n"]) {
      expect(parseAnswer(text)).toEqual({ text, files: [] });
    }
  });
});

describe("a patch", () => {
  const patch = `*** Begin Patch\n*** Update File: src/calc.py\n@@ def add(a, b):\n${hunk}@@\n${second}*** End Patch\n`;

  test.each([
    ["bare", patch],
    ["in a fence", fenced("", patch)],
    ["in a fence of its own", fenced("patch", patch)],
    ["with an end of file", patch.replace("*** End Patch", "*** End of File\n*** End Patch")],
    ["in a command of the shell", fenced("bash", `apply_patch <<'EOF'\n${patch}EOF\n`)],
    ["without the frame", fenced("", patch.replace(/\*\*\* (?:Begin|End) Patch\n/g, ""))],
  ])("%s is read", (_, answer) => {
    expect(apply(answer)).toEqual([["patch", "src/calc.py", fixed]]);
  });

  test("of a new file fills it, and one that deletes or renames is refused", () => {
    const added =
      "*** Begin Patch\n*** Add File: n.py\n+x\n+y\n*** Delete File: o.py\n*** Update File: calc.py\n*** Move to: m.py\n@@\n-x\n+y\n*** End Patch\n";
    expect(apply(added, "")).toEqual([
      ["patch", "n.py", "x\ny\n"],
      ["patch", "o.py", "malformed"],
      ["patch", "calc.py", "malformed"],
    ]);
  });
});

describe("JSON", () => {
  const edit = { search: "    return a - b", replace: "    return a + b" };
  const pretty = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;
  const keys = (search: string, replace: string) => ({
    [search]: edit.search,
    [replace]: edit.replace,
  });

  test.each([
    ["search", "replace"],
    ["find", "replace"],
    ["oldText", "newText"],
    ["old_string", "new_string"],
    ["old_str", "new_str"],
    ["oldString", "newString"],
    ["old", "new"],
    ["before", "after"],
    ["original", "updated"],
    ["original_code", "new_code"],
  ])("with %s and %s is read: alone, in a list, in a fence, on one line", (search, replace) => {
    const value = keys(search, replace);
    for (const answer of [
      pretty(value),
      pretty([value]),
      pretty({ edits: [value] }),
      `${JSON.stringify(value)}\n`,
      JSON.stringify({ edits: [value] }),
      fenced("json", pretty(value)),
      fenced("", pretty([value])),
      `So:\n\n${pretty(value)}\nDone.\n`,
    ])
      expect(apply(answer)).toEqual([["json", undefined, half]]);
  });

  test.each([
    ["beside it", { path: "calc.py", ...edit }],
    ["around it", { file: "calc.py", edits: [edit] }],
    ["in a list of files", { files: [{ filePath: "calc.py", changes: [edit] }] }],
    ["as the key", { "calc.py": [edit] }],
    [
      "in the arguments of a call",
      { name: "edit", arguments: { file_path: "calc.py", ...keys("old_string", "new_string") } },
    ],
    [
      "in arguments that are a string",
      { name: "edit", arguments: JSON.stringify({ path: "calc.py", ...edit }) },
    ],
  ])("with its path %s is read", (_, value) => {
    expect(apply(fenced("json", pretty(value)))).toEqual([["json", "calc.py", half]]);
  });

  test.each([
    [
      "commas at the ends",
      '{"edits": [{"search": "    return a - b", "replace": "    return a + b",},],}',
    ],
    ["single quotes", "{'search': '    return a - b', 'replace': '    return a + b'}"],
    ["keys without quotes", '{search: "    return a - b", replace: "    return a + b"}'],
    ["a missing comma", '{"search": "    return a - b"\n "replace": "    return a + b"}'],
    [
      "comments",
      '{\n  // the sign\n  "search": "    return a - b",\n  "replace": "    return a + b"\n}',
    ],
    [
      "line ends in strings",
      '{"search": "def add(a, b):\n    return a - b", "replace": "def add(a, b):\n    return a + b"}',
    ],
    ["typographic quotes", "{“search”: “    return a - b”, “replace”: “    return a + b”}"],
  ])("is mended: %s", (_, json) => {
    expect(apply(fenced("json", `${json}\n`))).toEqual([["json", undefined, half]]);
  });

  test.each([
    ["a string", '{"search": "    return a - b", "replace": "    return a +'],
    ["a list", '[{"search": "    return a - b", "replace": "    return a + b"}'],
    ["an object", '{"edits": [{"search": "    return a - b", "replace": "    return a + b"}]'],
  ])("with %s left open is truncated", (_, json) => {
    expect(apply(fenced("json", `${json}\n`))).toEqual([["json", undefined, "truncated"]]);
    expect(apply(`\`\`\`json\n${json}\n`)).toEqual([]);
    expect(apply(`${json}\n`)).toEqual([["json", undefined, "truncated"]]);
  });

  test("keeps the backslashes of patterns that are not escaped", () => {
    const json = String.raw`{"search": "/\d+\s*\bx\\./", "replace": "/\w\n/"}`;
    const [found] = parseAnswer(fenced("json", `${json}\n`)).files;
    const search = String.raw`/\d+\s*\bx\./`;
    expect(found?.units).toMatchObject([
      { search: `${search}\n`, replace: `${String.raw`/\w`}\n/\n` },
    ]);
  });

  test("with strings in three quotes is refused", () => {
    const json = '{"search": """a""", "replace": """b"""}';
    expect(apply(fenced("json", `${json}\n`))).toEqual([["json", undefined, "truncated"]]);
  });

  test("whose quotes cannot be mended for sure is refused, never read otherwise", () => {
    const json = '{"search": "    return a - b", "replace": "    return "a", "b": "c" + b"}';
    const [[, , result] = []] = apply(fenced("json", `${json}\n`));
    expect(["truncated", "malformed", undefined]).toContain(result);
  });

  test("of a call of the edit tool gives the units of its diff", () => {
    const diffContent =
      "------- SEARCH\n    return a - b\n=======\n    return a + b\n+++++++ REPLACE\n";
    const call = { name: "editTool", arguments: { filePath: "calc.py", diffContent } };
    expect(apply(`<tool_call>\n${JSON.stringify(call)}\n</tool_call>\n`)).toEqual([
      ["json", "calc.py", half],
    ]);
  });

  test("with a patch in any of its texts is that patch", () => {
    const patch = `*** Begin Patch\n*** Update File: calc.py\n@@\n${hunk}*** End Patch`;
    for (const value of [
      { command: ["apply_patch", patch] },
      { name: "shell", arguments: { cmd: [patch] } },
      [{ input: patch }],
    ])
      for (const answer of [`${JSON.stringify(value)}\n`, fenced("json", pretty(value))])
        expect(apply(answer)).toEqual([["json", "calc.py", half]]);
  });

  test("that names lines and their new text is code for these lines", () => {
    const value = { path: "calc.py", startLine: 2, endLine: 2, newText: "    return a + b" };
    const [found, ...more] = parseAnswer(fenced("json", pretty([value]))).files;
    expect([found, more]).toMatchObject([
      { codeEdit: { code: "    return a + b\n", lines: { startLine: 2, endLine: 2 } } },
      [],
    ]);
    const several = parseAnswer(fenced("json", pretty([value, { ...value, newText: "x" }]))).files;
    expect(several).toMatchObject([{ error: { code: "malformed" } }]);
  });

  test("that holds no edit is text", () => {
    for (const text of [
      fenced("json", '{"name": "x", "version": "1"}\n'),
      '{\n  "a": 1\n}\n',
      "[1, 2]\n",
    ])
      expect(parseAnswer(text)).toEqual({ text, files: [] });
  });

  test("with marked code is a code edit", () => {
    const value = { target_file: "calc.py", code_edit: "# ... existing code ...\nx\n" };
    const [found] = parseAnswer(fenced("json", pretty(value))).files;
    expect(found).toMatchObject({
      form: "code-edit",
      filePath: "calc.py",
      codeEdit: { code: value.code_edit },
    });
  });
});

describe("search and replace tags", () => {
  const content = (open: string, close: string) =>
    `<${open}>\n    return a - b\n</${open}>\n<${close}>\n    return a + b\n</${close}>\n`;

  test.each([
    ["search", "replace"],
    ["SEARCH", "REPLACE"],
    ["old", "new"],
    ["old_code", "new_code"],
    ["original", "updated"],
    ["find", "replace"],
  ])("<%s> and <%s> are read", (open, close) => {
    for (const answer of [
      content(open, close),
      fenced("xml", content(open, close)),
      `<edit>\n${content(open, close)}</edit>\n`,
    ])
      expect(apply(answer)).toEqual([["search-tags", undefined, half]]);
  });

  test("are read in CDATA, on one line, beside a path, in the tag of a file, several times", () => {
    const cdata =
      "<search><![CDATA[\n    return a - b\n]]></search>\n<replace><![CDATA[\n    return a + b\n]]></replace>\n";
    expect(apply(cdata)).toEqual([["search-tags", undefined, half]]);
    const flat = "<search>return a - b</search>\n<replace>return a + b</replace>\n";
    expect(apply(flat)).toEqual([["search-tags", undefined, half]]);
    const named = `<edit>\n<path>calc.py</path>\n${content("search", "replace")}</edit>\n`;
    expect(apply(named)).toEqual([["search-tags", "calc.py", half]]);
    const tagged = `<file-edit filePath="calc.py">\n${content("search", "replace")}</file-edit>\n`;
    expect(apply(tagged)).toEqual([["search-tags", "calc.py", half]]);
    const twice = `${content("search", "replace")}<search>\ndef sub(a, b):\n    return a + b\n</search>\n<replace>\ndef sub(a, b):\n    return a - b\n</replace>\n`;
    expect(apply(twice)).toEqual([["search-tags", undefined, fixed]]);
  });

  test("that are not closed are truncated, and one alone is text", () => {
    expect(apply("<search>\na\n</search>\n<replace>\nb\n")).toEqual([
      ["search-tags", undefined, "truncated"],
    ]);
    const text = "<search>\n<input>\n</search>\n";
    expect(parseAnswer(text)).toEqual({ text, files: [] });
  });
});

describe("a call of the edit tool", () => {
  const unit = "------- SEARCH\n    return a - b\n=======\n    return a + b\n+++++++ REPLACE\n";

  test.each([
    ["in double quotes", `editTool(filePath="calc.py", diffContent=${JSON.stringify(unit)})`],
    [
      "in single quotes",
      `tool_code.editTool(filePath='calc.py', diffContent='${unit.replaceAll("\n", "\\n")}')`,
    ],
    ["over several lines", `editTool(filePath="calc.py", diffContent="${unit}")`],
    ["in three quotes", `tool_code.editTool(filePath="calc.py", diffContent="""\n${unit}""")`],
    [
      "in three single quotes",
      `tool_code.editTool(\n    filePath='calc.py',\n    diffContent='''\n${unit}''',\n)`,
    ],
    ["printed", `print(tool_code.editTool(filePath="calc.py", diffContent="""${unit}"""))`],
    ["in backticks", `editTool({ filePath: "calc.py", diffContent: \`${unit}\` })`],
    ["with the path behind", `editTool(diffContent="""\n${unit}""", filePath="calc.py")`],
  ])("%s is read, bare and in a fence", (_, call) => {
    expect(apply(`I edit it.\n\n${call}\n`)).toEqual([["tool-call", "calc.py", half]]);
    expect(apply(fenced("tool_code", `${call}\n`))).toEqual([["tool-call", "calc.py", half]]);
  });

  test("brings any edit that JSON may bring", () => {
    const sides = 'old_string="    return a - b", new_string="    return a + b"';
    expect(apply(`edit_file(target_file="calc.py", ${sides})\n`)).toEqual([
      ["tool-call", "calc.py", half],
    ]);
    const { files } = parseAnswer('edit_file(target_file="calc.py", code_edit="x\\ny\\n")\n');
    expect(files).toMatchObject([{ filePath: "calc.py", codeEdit: { code: "x\ny\n" } }]);
  });

  test("that is cut off is truncated", () => {
    expect(apply(`editTool(filePath="calc.py", diffContent="""\n${unit}`)).toEqual([
      ["tool-call", undefined, "truncated"],
    ]);
  });
});

describe("SEARCH and REPLACE as words", () => {
  test.each([
    ["in a fence", fenced("", "SEARCH:\n    return a - b\nREPLACE:\n    return a + b\n")],
    [
      "in bold, in a fence",
      fenced("", "**SEARCH:**\n    return a - b\n\n**REPLACE:**\n    return a + b\n"),
    ],
    [
      "in the tag of a file",
      '<file-edit filePath="calc.py">\nSEARCH:\n    return a - b\nREPLACE:\n    return a + b\n</file-edit>\n',
    ],
    [
      "with a fence each",
      "SEARCH:\n```py\n    return a - b\n```\nREPLACE:\n```py\n    return a + b\n```\n",
    ],
    [
      "as headings with a fence each",
      "### Search\n\n```\n    return a - b\n```\n\n### Replace\n\n```\n    return a + b\n```\n",
    ],
    ["in Chinese", "查找：\n```\n    return a - b\n```\n替换为：\n```\n    return a + b\n```\n"],
  ])("%s are read", (_, answer) => {
    expect(apply(answer)).toMatchObject([
      [expect.any(String), answer.includes("calc.py") ? "calc.py" : undefined, half],
    ]);
  });
});

test("an answer in any form reads the same however it is cut", () => {
  const answers = [
    fenced("diff", `${headers}@@ -1 +1 @@\n${hunk}`),
    `${headers}@@ -1 +1 @@\n${hunk}\nBye.\n`,
    fenced("json", '{"search": "a", "replace": "b"}\n'),
    '{"search": "a",\n "replace": "b"}\nBye.\n',
    "<search>\na\n</search>\n<replace>\nb\n</replace>\nBye.\n",
    'editTool(filePath="a", diffContent="""\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n""")\nBye.\n',
    "*** Begin Patch\n*** Update File: a\n@@\n-a\n+b\n*** End Patch\nBye.\n",
    fenced("ts", "const a = 1;\n"),
    "src/a.ts\n```\nsrc/b.ts\nconst a\n```\n",
    "<diff>\n<path>a.ts</path>\nText.\n",
  ];
  for (const answer of answers) expect(readAll(answer.split(""))).toEqual(readAll([answer]));
});

function readAll(pieces: readonly string[]) {
  const reader = new EditReader();
  const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
  const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  return { text, others: events.filter(({ type }) => type !== "text"), files: reader.files };
}
