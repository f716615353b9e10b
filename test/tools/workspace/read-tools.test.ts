import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runCall } from "../../../src/tools/run-call.ts";
import type { ToolUse } from "../../../src/tools/tool.ts";
import { drawTree } from "../../../src/tools/workspace/list-dir.ts";
import { createWorkspaceTools } from "../../../src/tools/workspace/workspace-tools.ts";
import { createUse } from "../../helpers/tool-workspace.ts";

const toolbox = createWorkspaceTools();

async function call(name: string, args: Readonly<Record<string, unknown>>, use: ToolUse) {
  const { outcome } = await runCall(
    { id: "1", name, arguments: JSON.stringify(args) },
    toolbox,
    use,
  );
  return outcome;
}

const manyLines = (count: number, width = 1) =>
  Array.from({ length: count }, (_, nth) => `${nth + 1}${"x".repeat(width)}\n`).join("");

test("a file comes as it is, without line numbers", async () => {
  const use = createUse({ "src/a.ts": "const 甲 = 1;\n\tb();\n" });
  expect(await call("read_file", { target_file: "src/a.ts" }, use)).toEqual({
    success: true,
    path: "src/a.ts",
    content: "const 甲 = 1;\n\tb();\n",
    start_line: 1,
    end_line: 2,
    total_lines: 2,
  });
});

test("lines of a file come with the numbers of the first and the last", async () => {
  const use = createUse({ "a.txt": manyLines(9) });
  const args = { target_file: "./a.txt", start_line: 3, end_line: 4 };
  expect(await call("read_file", args, use)).toMatchObject({
    content: "3x\n4x\n",
    start_line: 3,
    end_line: 4,
    total_lines: 9,
  });
});

test("an end behind the last line means the last line", async () => {
  const use = createUse({ "a.txt": manyLines(9) });
  const args = { target_file: "a.txt", start_line: 8, end_line: 99 };
  expect(await call("read_file", args, use)).toMatchObject({ content: "8x\n9x\n", end_line: 9 });
});

test.each([
  [{ start_line: 5, end_line: 4 }, "end_line 4 comes before start_line 5"],
  [{ start_line: 10 }, "has 9 lines, so there is no line 10"],
])("lines that no file has are refused: %j", async (lines, text) => {
  const use = createUse({ "a.txt": manyLines(9) });
  const outcome = await call("read_file", { target_file: "a.txt", ...lines }, use);
  expect(outcome).toMatchObject({ success: false, error: expect.stringContaining(text) });
});

test("a long file is cut between lines, and the note says how to read on", async () => {
  const use = createUse({ "a.txt": manyLines(2_000, 96) });
  const first = await call("read_file", { target_file: "a.txt" }, use);
  expect(String(first["content"]).length).toBeLessThanOrEqual(40_000);
  const next = Number(first["end_line"]) + 1;
  expect(first["note"]).toContain(`start_line ${next}`);
  const second = await call("read_file", { target_file: "a.txt", start_line: next }, use);
  expect(String(second["content"]).startsWith(`${next}x`)).toBe(true);
});

test("all parts of a long file, read one after the other, are the file", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 39_000 }), { minLength: 1, maxLength: 12 }),
      async (widths) => {
        const text = widths.map((width) => `${"a".repeat(width)}\n`).join("");
        const use = createUse({ "a.txt": text });
        let [read, from] = ["", 1];
        while (from <= widths.length) {
          const part = await call("read_file", { target_file: "a.txt", start_line: from }, use);
          expect(part.success).toBe(true);
          read += String(part["content"]);
          from = Number(part["end_line"]) + 1;
        }
        expect(read).toBe(text);
      },
    ),
    { numRuns: 30 },
  );
});

test("a very long line is cut, and the note says so", async () => {
  const use = createUse({ "a.txt": `${"x".repeat(50_000)}\nend\n` });
  const outcome = await call("read_file", { target_file: "a.txt" }, use);
  expect(outcome).toMatchObject({ end_line: 1, note: expect.stringContaining("very long") });
  expect(await call("read_file", { target_file: "a.txt", start_line: 2 }, use)).toMatchObject({
    content: "end\n",
  });
});

test("of a file that is too large to be read as a whole the first lines come", async () => {
  const use = createUse({ "big.log": manyLines(5_000) });
  use.workspace.tooLarge.add("big.log");
  expect(await call("read_file", { target_file: "big.log" }, use)).toMatchObject({
    success: true,
    end_line: 1_000,
    total_lines: 5_000,
    note: expect.stringContaining("start_line 1001"),
  });
});

test("an empty file is read, and the note says that it is empty", async () => {
  const use = createUse({ "a.py": "" });
  expect(await call("read_file", { target_file: "a.py" }, use)).toMatchObject({
    success: true,
    content: "",
    note: "The file is empty.",
  });
});

test("a file that is not there is answered with files of like names", async () => {
  const use = createUse({ "src/utils.ts": "", "lib/deep/util.js": "", "README.md": "" });
  expect(await call("read_file", { target_file: "src/util.ts" }, use)).toMatchObject({
    success: false,
    code: "not-found",
    similar_files: ["lib/deep/util.js", "src/utils.ts"],
  });
});

test("a secret file is read only after the person has agreed", async () => {
  const use = createUse({ ".env": "A=1\n" }, { answer: () => ({ ok: false, reason: "No." }) });
  use.workspace.secrets.add(".env");
  const args = { target_file: ".env", explanation: "settings" };
  expect(await call("read_file", args, use)).toMatchObject({ code: "not-approved" });
  expect(use.questions).toEqual([{ kind: "read", path: ".env", why: "settings" }]);
});

test("a search gives file, line number and content, and says when there are more", async () => {
  const use = createUse({ "a.ts": "one\nTwo one\n", "b.py": "one\n", "c.ts": manyLines(80) });
  expect(
    await call(
      "grep_search",
      { query: "one", include_pattern: ["*.ts"], case_sensitive: "true" },
      use,
    ),
  ).toEqual({
    success: true,
    results: [
      { file: "a.ts", line_number: 1, content: "one" },
      { file: "a.ts", line_number: 2, content: "Two one" },
    ],
    has_more: false,
  });
  const many = await call("grep_search", { query: "x", exclude_pattern: "*.py, a.*" }, use);
  expect(many).toMatchObject({ has_more: true, note: expect.stringContaining("first 50") });
  expect(many["results"]).toHaveLength(50);
});

test("a search without a hit succeeds and says what else to try", async () => {
  const use = createUse({ "a.ts": "one\n" });
  expect(await call("grep_search", { query: "zzz" }, use)).toMatchObject({
    success: true,
    results: [],
    note: expect.stringContaining("Nothing was found"),
  });
});

test("a folder is drawn as a tree with ten entries of each folder", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, nth) => [`src/f${String(nth).padStart(2, "0")}.ts`, "x"]),
  );
  const use = createUse({ ...files, "README.md": "hello" });
  const outcome = await call("list_dir", {}, use);
  expect(outcome).toMatchObject({ success: true, entries_left_out: 2 });
  const tree = String(outcome["tree_visualization"]);
  expect(tree).toContain("./\n├── README.md (5 B)\n└── src/\n    ├── f00.ts (1 B)\n");
  expect(tree).toContain("    └── … 2 more entries\n");
  const all = await call("list_dir", { relative_workspace_path: "src", max_entries: "20" }, use);
  expect(all).toMatchObject({ entries_left_out: 0 });
});

test("a name cannot end the line of a tree, hide, or turn its direction", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (name) => {
      const entries = [{ name, kind: "file" as const }];
      const { text } = drawTree({ path: ".", entries, more: 0 }, "en");
      expect(text.split("\n")).toHaveLength(3);
      const controls = text.match(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu);
      expect(controls).toEqual(["\n", "\n"]);
    }),
  );
});

test("names with a line end, an escape sign and a zero-width space are shown as escapes", () => {
  const entries = [{ name: "a\nb\u001b[31m\u200bc\\d", kind: "file" as const }];
  expect(drawTree({ path: ".", entries, more: 0 }, "en").text).toContain(
    "a\\nb\\u001b[31m\\u200bc\\\\d",
  );
});

test("a file is deleted after the person has seen what goes", async () => {
  const use = createUse({ "old.ts": "one\ntwo\n" });
  const outcome = await call("delete_file", { target_file: "old.ts", explanation: "unused" }, use);
  expect(outcome).toMatchObject({ success: true, path: "old.ts", removed_lines: 2 });
  expect(use.workspace.files.has("old.ts")).toBe(false);
  expect(use.questions).toMatchObject([
    {
      why: "unused",
      diff: expect.stringContaining("+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n"),
    },
  ]);
});

test("a refused deletion leaves the file, and so does one of a file that is not there", async () => {
  const use = createUse({ "old.ts": "one\n" }, { answer: () => ({ ok: false, reason: "No." }) });
  expect(await call("delete_file", { target_file: "old.ts" }, use)).toMatchObject({
    success: false,
    code: "not-approved",
  });
  expect(use.workspace.files.has("old.ts")).toBe(true);
  expect(await call("delete_file", { target_file: "odl.ts" }, use)).toMatchObject({
    success: false,
    code: "not-found",
    similar_files: ["old.ts"],
  });
});

test("the last answer comes back", async () => {
  const outcome = await call("finish", { response: "Done.\n完成。" }, createUse());
  expect(outcome).toEqual({ success: true, response: "Done.\n完成。" });
});
