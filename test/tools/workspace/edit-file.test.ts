import * as fc from "fast-check";
import { expect, test } from "vitest";
import { printUnits } from "../../../src/edit/read/print-units.ts";
import { runCall } from "../../../src/tools/run-call.ts";
import { createWorkspaceTools } from "../../../src/tools/workspace/workspace-tools.ts";
import type { ToolUse } from "../../../src/tools/tool.ts";
import { applyCodeEdit } from "../../../src/edit.ts";
import { createUse, hashOf, type TestUse } from "../../helpers/tool-workspace.ts";
import { code as parser } from "../../helpers/code-parser.ts";

const toolbox = createWorkspaceTools();

async function call(name: string, args: Readonly<Record<string, unknown>>, use: ToolUse) {
  const { outcome } = await runCall(
    { id: "1", name, arguments: JSON.stringify(args) },
    toolbox,
    use,
  );
  return outcome;
}

const edit = (target_file: string, code_edit: string, use: ToolUse) =>
  call("edit_file", { target_file, code_edit, instructions: "why" }, use);

const unit = (search: string, replace: string) => printUnits([{ search, replace }]);

const main = "function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";

test("a unit changes the file after the person has seen the diff and the reason", async () => {
  const use = createUse({ "src/a.ts": main });
  const outcome = await edit("src/a.ts", unit("  return 1;\n", "  return 10;\n"), use);
  expect(outcome).toMatchObject({
    success: true,
    path: "src/a.ts",
    status: "applied",
    added_lines: 1,
    removed_lines: 1,
  });
  expect(use.workspace.files.get("src/a.ts")).toBe(main.replace("return 1", "return 10"));
  expect(use.questions).toMatchObject([
    {
      kind: "change",
      why: "why",
      diff: expect.stringContaining("-  return 1;\n+  return 10;"),
      changes: [{ path: "src/a.ts", before: { hash: hashOf(main) } }],
    },
  ]);
});

test("a change is told as edits of lines, numbered as they were before", async () => {
  const use = createUse({ "a.ts": main });
  await edit("a.ts", unit("function two() {\n", "// two\nfunction two() {\n"), use);
  expect(use.changes.map(({ edits }) => edits)).toEqual([
    [{ start_line: 5, end_line: 4, replacement: "// two\n" }],
  ]);
});

test("of a change that is only proposed the model is told that it is not in the file yet", async () => {
  const use = createUse({ "a.ts": main });
  use.workspace.effect = "proposals";
  const outcome = await edit("a.ts", unit("  return 1;\n", "  return 10;\n"), use);
  expect(outcome).toMatchObject({
    status: "proposed",
    status_note: expect.stringContaining("not in the file yet"),
  });
});

test("an edit of a file that is not there names files of like names", async () => {
  const use = createUse({ "src/main.ts": main });
  expect(await edit("main.ts", unit("  return 1;\n", "x\n"), use)).toMatchObject({
    code: "missing-file",
    similar_files: ["src/main.ts"],
  });
});

test("code with marks is merged", async () => {
  const use = createUse({ "a.ts": main });
  const code =
    "// ... existing code ...\nfunction two() {\n  return 22;\n}\n// ... existing code ...\n";
  expect(await edit("a.ts", code, use)).toMatchObject({ success: true });
  expect(use.workspace.files.get("a.ts")).toBe(main.replace("return 2", "return 22"));
});

test("code in a tag of the file is merged, and makes a new file", async () => {
  const use = createUse({ "a.ts": main });
  const tag = (path: string, code: string) =>
    `<file-edit filePath="${path}">\n${code}</file-edit>\n`;
  const marked = "// ... existing code ...\nfunction two() {\n  return 20;\n}\n";
  expect(await edit("a.ts", tag("a.ts", marked), use)).toMatchObject({ success: true });
  expect(use.workspace.files.get("a.ts")).toBe(main.replace("return 2", "return 20"));
  expect(await edit("b.ts", tag("b.ts", "export {};\n"), use)).toMatchObject({ success: true });
  expect(use.workspace.files.get("b.ts")).toBe("export {};\n");
  expect(await edit("c.ts", tag("d.ts", "export {};\n"), use)).toMatchObject({ success: false });
});

test("a file that is not there gets the whole text, with a line end", async () => {
  const use = createUse();
  expect(await edit("src/new.ts", "export {};\nconst 名 = 1;", use)).toMatchObject({
    success: true,
  });
  expect(use.workspace.files.get("src/new.ts")).toBe("export {};\nconst 名 = 1;\n");
  expect(await edit("empty.txt", "", use)).toMatchObject({ success: true });
  expect(use.workspace.files.get("empty.txt")).toBe("");
});

test("a new file's text may come in a code fence, and Markdown keeps its own fences", async () => {
  const use = createUse();
  await edit("a.py", "```python\nprint(1)\n```\n", use);
  await edit("b.md", "```sh\nls\n```\n\n```sh\npwd\n```\n", use);
  expect(use.workspace.files.get("a.py")).toBe("print(1)\n");
  expect(use.workspace.files.get("b.md")).toBe("```sh\nls\n```\n\n```sh\npwd\n```\n");
});

test("JSON with keys like those of edits is the text of a new file", async () => {
  const use = createUse();
  const text = '{\n  "search": "a",\n  "replace": "b"\n}\n';
  await edit("rules.json", text, use);
  expect(use.workspace.files.get("rules.json")).toBe(text);
});

test("marks of text left out make no new file", async () => {
  const use = createUse();
  const outcome = await edit("a.ts", "// ... existing code ...\nconst a = 1;\n", use);
  expect(outcome).toMatchObject({ success: false, code: "missing-file" });
  expect(use.workspace.files.size).toBe(0);
});

test("an empty file can be filled", async () => {
  const use = createUse({ "a.py": "" });
  expect(await edit("a.py", "x = 1\n", use)).toMatchObject({ success: true });
  expect(use.workspace.files.get("a.py")).toBe("x = 1\n");
});

test("lines are appended to a file without a final line end", async () => {
  const use = createUse({ "a.py": "x = 1" });
  await edit("a.py", unit("x = 1\n", "x = 1\ny = 2\n"), use);
  expect(use.workspace.files.get("a.py")).toBe("x = 1\ny = 2");
});

test("SEARCH that is not there is answered with the nearest place, as it is in the file", async () => {
  const use = createUse({ "a.ts": main });
  const outcome = await edit("a.ts", unit("  return one;\n}\n", "  return 3;\n}\n"), use);
  expect(outcome).toMatchObject({
    success: false,
    code: "no-match",
    nearest_place: { content: expect.stringContaining("  return 1;\n}\n") },
  });
  expect(use.workspace.files.get("a.ts")).toBe(main);
  expect(use.questions).toEqual([]);
});

test("SEARCH that fits twice is answered with both places", async () => {
  const use = createUse({ "a.ts": `${main}${main}` });
  const outcome = await edit("a.ts", unit("  return 1;\n", "  return 3;\n"), use);
  expect(outcome).toMatchObject({
    success: false,
    code: "ambiguous",
    candidates: [{ start_line: 1 }, { start_line: 6 }],
  });
});

test("one unit of several that fails changes nothing", async () => {
  const use = createUse({ "a.ts": main });
  const diff = unit("  return 1;\n", "  return 3;\n") + unit("nowhere\n", "x\n");
  expect(await edit("a.ts", diff, use)).toMatchObject({ success: false });
  expect(use.workspace.files.get("a.ts")).toBe(main);
});

test("a refusal is in Chinese for a Chinese turn", async () => {
  const use = createUse({ "a.ts": main }, { locale: "zh" });
  const outcome = await edit("a.ts", unit("  return one;\n}\n", "  return 3;\n}\n"), use);
  expect(outcome["error"]).toContain("找不到要修改的内容");
});

test.each([
  ["no end", "------- SEARCH\n  return 1;\n=======\n  return 3;\n", "truncated"],
  ["no separator", "------- SEARCH\n  return 1;\n+++++++ REPLACE\n", "malformed"],
  ["another file", "*** Begin Patch\n*** Update File: b.ts\n-x\n+y\n*** End Patch", "malformed"],
])("a diff with %s changes nothing", async (_, diff, code) => {
  const use = createUse({ "a.ts": main });
  expect(await edit("a.ts", diff, use)).toMatchObject({ success: false, code });
  expect(use.workspace.files.get("a.ts")).toBe(main);
});

test("a file that changed since the model has read it is stale", async () => {
  const use = createUse({ "a.ts": main });
  await call("read_file", { target_file: "a.ts" }, use);
  use.workspace.files.set("a.ts", `// new\n${main}`);
  const diff = unit("  return 1;\n", "  return 3;\n");
  expect(await edit("a.ts", diff, use)).toMatchObject({ success: false, code: "stale" });
  await call("read_file", { target_file: "a.ts" }, use);
  expect(await edit("a.ts", diff, use)).toMatchObject({ success: true });
});

test("a file that is gone since the model has read it is stale once", async () => {
  const use = createUse({ "a.ts": main });
  await call("read_file", { target_file: "a.ts" }, use);
  use.workspace.files.delete("a.ts");
  expect(await edit("a.ts", "x\n", use)).toMatchObject({ success: false, code: "stale" });
  expect(await edit("a.ts", "x\n", use)).toMatchObject({ success: true });
});

test("the model's own edit makes its next one not stale", async () => {
  const use = createUse({ "a.ts": main });
  await call("read_file", { target_file: "a.ts" }, use);
  await edit("a.ts", unit("  return 1;\n", "  return 3;\n"), use);
  expect(await edit("a.ts", unit("  return 2;\n", "  return 4;\n"), use)).toMatchObject({
    success: true,
  });
});

test("a file that changes while the person decides is not written", async () => {
  const use = createUse({ "a.ts": main });
  use.workspace.beforeApply = () => void use.workspace.files.set("a.ts", "other\n");
  const outcome = await edit("a.ts", unit("  return 1;\n", "  return 3;\n"), use);
  expect(outcome).toMatchObject({ success: false, code: "stale" });
  expect(use.workspace.files.get("a.ts")).toBe("other\n");
  expect(use.changes).toEqual([]);
});

test("a refused approval tells the reason, and nothing is written", async () => {
  const use = createUse(
    { "a.ts": main },
    { answer: () => ({ ok: false, reason: "Keep the old name." }) },
  );
  const outcome = await edit("a.ts", unit("  return 1;\n", "  return 3;\n"), use);
  expect(outcome).toMatchObject({
    success: false,
    code: "not-approved",
    error: expect.stringContaining("Keep the old name."),
  });
  expect(use.workspace.applied).toEqual([]);
});

test("a protected file is refused before anybody is asked", async () => {
  const use = createUse();
  expect(await edit(".git/hooks/pre-commit", "x\n", use)).toMatchObject({ code: "protected" });
  expect(use.questions).toEqual([]);
});

test("the whole of a file is replaced only after the model has read it", async () => {
  const use = createUse({ "a.ts": main });
  const diff = unit("", "export {};\n");
  expect(await edit("a.ts", diff, use)).toMatchObject({ success: false, code: "unread" });
  await call("read_file", { target_file: "a.ts" }, use);
  expect(await edit("a.ts", diff, use)).toMatchObject({ success: true });
  expect(use.workspace.files.get("a.ts")).toBe("export {};\n");
});

test("new syntax errors are told, and those that were there are not", async () => {
  const use = createUse({ "a.ts": main, "b.ts": "function (\nconst a = 1;\n" }, { code: parser });
  const broken = await edit("a.ts", unit("  return 1;\n}\n", "  return 1;\n"), use);
  expect(broken).toMatchObject({ success: true, syntax_errors: [{ line: expect.any(Number) }] });
  const same = await edit("b.ts", unit("const a = 1;\n", "const a = 2;\n"), use);
  expect(same).toMatchObject({ success: true });
  expect(same).not.toHaveProperty("syntax_errors");
});

test("code that takes a definition away is refused, and one that puts another in its place is not", async () => {
  const use = createUse({ "a.ts": main }, { code: parser });
  await call("read_file", { target_file: "a.ts" }, use);
  const two = "function two() {\n  return 2;\n}\n";
  for (const place of ["", "// two as it was\n"]) {
    const outcome = await edit("a.ts", main.replace(two, place), use);
    expect(outcome).toMatchObject({ success: false });
  }
  expect(use.workspace.files.get("a.ts")).toBe(main);
  const renamed = main.replace("two", "double");
  expect(await edit("a.ts", renamed, use)).toMatchObject({ success: true });
  expect(use.workspace.files.get("a.ts")).toBe(renamed);
});

// The seed's own example: the segment fits both functions.
const seedExample =
  "// ... existing code ...\nfunction newEdit() {\n  // new code here\n}\n// ... existing code ...\n";

test("an edit without a clear place is planned by line numbers", async () => {
  const tasks: unknown[] = [];
  const use = createUse(
    { "a.ts": main },
    {
      planEdit: async (task) => {
        tasks.push(task);
        return [{ start_line: 5, end_line: 4, replacement: "function newEdit() {}\n" }];
      },
    },
  );
  expect(await edit("a.ts", seedExample, use)).toMatchObject({ success: true, planned_edits: 1 });
  expect(use.workspace.files.get("a.ts")).toBe(
    main.replace("function two", "function newEdit() {}\nfunction two"),
  );
  expect(tasks).toMatchObject([
    { path: "a.ts", totalLines: 7, numbered: expect.stringContaining("5| function two() {\n") },
  ]);
});

test.each([
  ["lines that do not exist", [{ start_line: 90, end_line: 91, replacement: "x" }]],
  [
    "lines that overlap",
    [1, 2].map((start_line) => ({ start_line, end_line: 3, replacement: "" })),
  ],
  ["no edit", []],
])("a plan with %s is not applied, and the refusal comes back", async (_, plan) => {
  const use = createUse({ "a.ts": main }, { planEdit: () => Promise.resolve(plan) });
  expect(await edit("a.ts", seedExample, use)).toMatchObject({
    success: false,
    plan_error: expect.any(String),
  });
  expect(use.workspace.files.get("a.ts")).toBe(main);
});

test("a diff is never planned: the model has to quote the file", async () => {
  const use = createUse({ "a.ts": main }, { planEdit: () => Promise.reject(new Error("asked")) });
  expect(await edit("a.ts", unit("nowhere\n", "x\n"), use)).toMatchObject({ code: "no-match" });
});

test("a secret file is read only after the person has agreed", async () => {
  const deny = createUse({ ".env": "A=1\n" }, { answer: () => ({ ok: false, reason: "No." }) });
  deny.workspace.secrets.add(".env");
  expect(await edit(".env", unit("A=1\n", "A=2\n"), deny)).toMatchObject({ code: "not-approved" });
  const allow: TestUse = createUse({ ".env": "A=1\n" });
  allow.workspace.secrets.add(".env");
  expect(await edit(".env", unit("A=1\n", "A=2\n"), allow)).toMatchObject({ success: true });
  expect(allow.questions.map(({ kind }) => kind)).toEqual(["read", "change"]);
});

test("what a replacement holds is written as it is, whatever it means elsewhere", async () => {
  const line = fc
    .array(fc.constantFrom("$&", "$1", "`", "'", '"', "\\", "%s", "中", " ", "{", "```", "a"), {
      minLength: 1,
      maxLength: 8,
    })
    .map((parts) => `x${parts.join("")}x`);
  await fc.assert(
    fc.asyncProperty(line, async (text) => {
      const use = createUse({ "a.txt": "first\nsecond\n" });
      await edit("a.txt", unit("second\n", `${text}\n`), use);
      expect(use.workspace.files.get("a.txt")).toBe(`first\n${text}\n`);
    }),
    { numRuns: 50 },
  );
});

const mark = "// ... existing code ...\n";

test("code for a file that is too large goes to the threads; without any the model is told, and sends units", async () => {
  const all = Array.from({ length: 30_000 }, (_, nth) => `line(${nth});\n`);
  const [before, after] = [all.join(""), all.with(20_000, "changed();\n").join("")];
  const code = [
    mark,
    ...all.slice(19_990, 20_000),
    "changed();\n",
    ...all.slice(20_001, 20_010),
    mark,
  ];
  const poor = createUse({ "a.kt": before });
  expect(await edit("a.kt", code.join(""), poor)).toMatchObject({
    success: false,
    code: "too-large",
    error: expect.stringMatching(/there is no thread for it here.*SEARCH/s),
  });
  expect(await edit("a.kt", unit("line(20000);\n", "changed();\n"), poor)).toMatchObject({
    success: true,
  });
  const rich: TestUse = createUse({ "a.kt": before });
  rich.code = {
    ...parser,
    applyCode: async ({ before: text, code: given, options }) =>
      applyCodeEdit(text, given, options),
  };
  expect(await edit("a.kt", code.join(""), rich)).toMatchObject({ success: true });
  for (const { workspace } of [poor, rich]) expect(workspace.files.get("a.kt")).toBe(after);
});

test("an edit that says so changes every place of its text, in whatever call it is", async () => {
  const before = "const foo = 1;\r\nuse(foo, foo);\r\n";
  const pair = { old_string: "foo", new_string: "bar" };
  const calls: readonly [string, Readonly<Record<string, unknown>>][] = [
    ["edit_file", { target_file: "a.ts", ...pair, replace_all: true }],
    ["Edit", { file_path: "a.ts", ...pair, replace_all: true }],
    ["edit", { filePath: "a.ts", oldString: "foo", newString: "bar", replaceAll: true }],
    ["replace", { file_path: "a.ts", ...pair, expected_replacements: 3 }],
    ["multi_edit", { file_path: "a.ts", edits: [{ ...pair, replace_all: "true" }] }],
    ["str_replace", { path: "a.ts", old_str: "foo", new_str: "bar", all_occurrences: true }],
    [
      "replace_file_content",
      {
        TargetFile: "a.ts",
        TargetContent: "foo",
        ReplacementContent: "bar",
        AllowMultiple: true,
        StartLine: 1,
        EndLine: 2,
        Instruction: "Rename it.",
      },
    ],
    [
      "multi_replace_file_content",
      {
        TargetFile: "a.ts",
        ReplacementChunks: [
          { TargetContent: "foo", ReplacementContent: "bar", AllowMultiple: true },
        ],
      },
    ],
  ];
  for (const [name, args] of calls) {
    const use = createUse({ "a.ts": before });
    expect([name, await call(name, args, use)]).toMatchObject([name, { success: true }]);
    expect(use.workspace.files.get("a.ts")).toBe(before.replaceAll("foo", "bar"));
    const { replace_all: _, ...once } = args;
    if (name !== "Edit") continue;
    expect(await call(name, once, use)).toMatchObject({ success: false });
  }
});

test("every place of any text changes, or nothing if there is none", async () => {
  const part = fc.constantFrom(
    "foo",
    "fo",
    "o(",
    ")",
    "\n",
    " ",
    "...",
    "=======",
    "+++++++ REPLACE",
  );
  const text = fc
    .array(part, { minLength: 1, maxLength: 12 })
    .map((parts) => `${parts.join("")}x\n`);
  const old = fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(text, old, async (before, old_string) => {
      const use = createUse({ "a.ts": before });
      const args = { file_path: "a.ts", old_string, new_string: "new", replace_all: true };
      const outcome = await call("Edit", args, use);
      expect(outcome).toMatchObject({ success: before.includes(old_string) });
      // The file ends as before, with a line end.
      const after = before.replaceAll(old_string, "new").replace(/\n?$/, "\n");
      expect(use.workspace.files.get("a.ts")).toBe(after);
    }),
  );
});

const names = ["load", "save", "parse", "print", "check", "reset", "merge", "split"];
const files: Readonly<Record<string, (name: string, value: string) => string>> = {
  "a.ts": (name, value) => `export function ${name}(n: number) {\n  return n + ${value};\n}\n`,
  "a.kt": (name, value) => `fun ${name}(n: Int): Int {\n    return n + ${value}\n}\n`,
  "a.go": (name, value) => `func ${name}(n int) int {\n\treturn n + ${value}\n}\n`,
  "a.py": (name, value) => `def ${name}(n):\n    return n + ${value}\n`,
};
const heads: Readonly<Record<string, string>> = {
  "a.ts": 'import { one } from "./one.ts";\n',
  "a.kt": "package a\n\nimport one.One\n",
  "a.go": 'package a\n\nimport "fmt"\n',
  "a.py": "import one\n",
};

test.each(Object.entries(files))(
  "%s as a whole may lack a function that nothing calls any more, and is refused where it is cut off",
  async (path, print) => {
    const values = fc.array(fc.nat(99), { minLength: names.length, maxLength: names.length });
    await fc.assert(
      fc.asyncProperty(values, fc.nat(6), fc.nat(), async (numbers, gone, cut) => {
        const called = `${names[gone] ?? ""}(n)`;
        const all = names.map((name, nth) => print(name, String(numbers[nth] ?? 0)));
        const file = (last: string, functions = all) =>
          [heads[path], ...functions, print("last", last)].join("\n");
        const before = file(called);
        const after = file("1000", all.toSpliced(gone, 1));
        for (const code of [parser, undefined]) {
          const use = createUse({ [path]: before }, code === undefined ? {} : { code });
          expect(await edit(path, after, use)).toMatchObject({ success: true });
          expect(use.workspace.files.get(path)).toBe(after);
        }
        const lines = before
          .replace(/ \+ \d+/, " + 1000")
          .trimEnd()
          .split("\n");
        const least = Math.ceil(lines.length * 0.6);
        const text = lines.slice(0, least + (cut % (lines.length - least))).join("\n");
        const use = createUse({ [path]: before }, { code: parser });
        const outcome = await edit(path, text, use);
        expect([text, outcome]).toMatchObject([
          text,
          { code: "whole-file", error: expect.stringMatching("cut off") },
        ]);
      }),
    );
  },
);

test("a file that begins with `---` is no diff", async () => {
  const before = "--- %YAML:1.0\nname: one\nitems:\n  - 1\n  - 2\n---\nname: two\n";
  const use = createUse({ "a.yml": before });
  expect(await edit("a.yml", before.replace("two", "three"), use)).toMatchObject({ success: true });
});
