// Code blocks that are edits by what stands above them, options to choose from, and what thinks aloud.
import { describe, expect, test } from "vitest";
import { EditReader } from "../../../../src/edit/read/edit-reader.ts";
import type { EditReaderOptions } from "../../../../src/edit/read/file-edit.ts";
import { parseAnswer } from "../../../../src/edit/read/parse-diff.ts";
import { isSameFile } from "../../../../src/edit/read/is-same-file.ts";

function read(answer: string, options: EditReaderOptions = { blocks: "events" }) {
  const reader = new EditReader(options);
  const events = [...reader.push(answer), ...reader.end()];
  return { events, files: reader.files, alternatives: reader.alternatives };
}

/** Path, form and units of each file. */
const outline = (answer: string, options?: EditReaderOptions) =>
  read(answer, options).files.map(({ filePath, form, units, error }) => [
    filePath,
    form,
    ...units.map((unit) => `${unit.search}>${unit.replace}`),
    ...(error === undefined ? [] : [error.code]),
  ]);

const block = (code: string, info = "ts") => `\`\`\`${info}\n${code}\`\`\`\n`;
const pair = (before: string, after: string) =>
  `It was wrong.\n\n${before}\n\n${block("a\n")}\n${after}\n\n${block("b\n")}\nThat is all.\n`;

describe("two code blocks are an edit", () => {
  test.each([
    ["Before:", "After:"],
    ["**Before**", "**After**"],
    ["### Before", "### After"],
    ["### ❌ Before", "### ✅ After"],
    ["Before (line 3):", "After (fixed):"],
    ["Before the fix:", "After the fix:"],
    ["Original:", "Updated:"],
    ["Original code:", "Modified code:"],
    ["1. **Original code**", "2. **Fixed code**"],
    ["Here's the original code:", "Here's the improved version:"],
    ["Current implementation:", "New implementation:"],
    ["Old:", "New:"],
    ["Buggy code:", "Corrected code:"],
    ["Replace this:", "With this:"],
    ["Replace", "with"],
    ["Replace the following code in `src/a.ts`:", "with:"],
    ["Change this line:", "to:"],
    ["The sign is wrong. Change this:", "To:"],
    ["Existing code:", "should be:"],
    ["Was:", "Now:"],
    ["From:", "To:"],
    ["On line 4, change:", "to:"],
    ["符号错了，需要把", "改成"],
    ["修改前：", "修改后："],
    ["**修改前的代码：**", "**修改后的代码：**"],
    ["优化前:", "优化后:"],
    ["原代码：", "新代码："],
    ["原来的代码：", "修改后的代码如下："],
    ["将以下代码", "替换为："],
    ["把这行代码：", "改为："],
    ["修复前（有问题）：", "修复后："],
    ["**需要修改的代码：**", "应该改为："],
    ["変更前：", "変更後："],
    ["Vorher:", "Nachher:"],
  ])("under %j and %j", (before, after) => {
    const path = before.includes("src/a.ts") ? "src/a.ts" : undefined;
    expect(outline(pair(before, after))).toEqual([[path, "before-after", "a\n>b\n"]]);
    const { events } = read(pair(before, after));
    const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
    expect(text).not.toContain("```");
    expect(text).toContain("That is all.\n");
  });

  test("in one block under two comments", () => {
    expect(outline(block("// Before\na\n\n// After\nb\n"))).toEqual([
      [undefined, "before-after", "a\n>b\n"],
    ]);
    expect(outline(block("# 修改前\na\n# 修改后\nb\n", "python"))).toEqual([
      [undefined, "before-after", "a\n>b\n"],
    ]);
  });

  test("without a first line that names the file", () => {
    const answer = `Before:\n${block("// src/a.ts\na\n")}After:\n${block("// src/a.ts\n\nb\n")}`;
    expect(outline(answer)).toEqual([["src/a.ts", "before-after", "a\n>b\n"]]);
  });

  test("more than once", () => {
    const second = pair("Before:", "After:").replace("\na\n", "\nc\n").replace("\nb\n", "\nd\n");
    expect(outline(pair("Before:", "After:") + second)).toEqual([
      [undefined, "before-after", "a\n>b\n", "c\n>d\n"],
    ]);
  });

  test.each([
    ["in the other order", "After:", "Before:"],
    ["without labels", "It looks so:", "Use it so:"],
    ["if the first is the output", "Output:", "After:"],
  ])("but not %s", (_, before, after) => {
    expect(outline(pair(before, after))).toEqual([]);
  });

  test("but not beside an explicit edit, nor where only explicit forms count", () => {
    const unit = "<<<<<<< SEARCH\na\n=======\nc\n>>>>>>> REPLACE\n";
    expect(outline(pair("Before:", "After:") + unit)).toEqual([[undefined, "units", "a\n>c\n"]]);
    expect(outline(pair("Before:", "After:"), { forms: "explicit" })).toEqual([]);
    expect(outline(pair("SEARCH:", "REPLACE:"), { forms: "explicit" })).toEqual([
      [undefined, "units", "a\n>b\n"],
    ]);
  });

  test("but not if the answer ends in the second", () => {
    expect(outline(`Before:\n${block("a\n")}After:\n\`\`\`ts\nb\n`)).toEqual([]);
  });
});

describe("code with marks", () => {
  test("in a fence becomes a code edit", () => {
    const code = "// ... existing code ...\nfunction f() {}\n// ... existing code ...\n";
    const { files, events } = read(`Here:\n\n### src/a.ts\n\n${block(code)}`);
    expect(files).toEqual([
      { filePath: "src/a.ts", form: "code-edit", units: [], codeEdit: { code, line: 6 } },
    ]);
    expect(events.at(-1)).toEqual({
      type: "code-edit",
      filePath: "src/a.ts",
      codeEdit: { code, line: 6 },
    });
    expect(outline(block(code), { forms: "explicit" })).toEqual([]);
  });

  test("is a block where it has no marks", () => {
    const { files, events } = read(
      `Text above:\n\n${block("function f(...args) {}\n")}Text below.\n`,
    );
    expect(files).toEqual([]);
    expect(events).toMatchObject([
      { type: "text" },
      { type: "text" },
      {
        type: "block",
        block: {
          info: "ts",
          code: "function f(...args) {}\n",
          above: "Text above:",
          line: 3,
          isClosed: true,
        },
      },
      { type: "text", text: "Text below.\n" },
    ]);
  });

  test("passes through as text where nobody asks for blocks", () => {
    const answer = `Text above:\n\n${block("function f() {}\n")}Text below.\n`;
    expect(parseAnswer(answer)).toEqual({ text: answer, files: [] });
  });
});

describe("options", () => {
  const unit = (replace: string) => `<<<<<<< SEARCH\na\n=======\n${replace}\n>>>>>>> REPLACE\n`;
  const answer = (first: string, second: string, end = "") =>
    `Two ways.\n\n${first}\n\nGood.\n\n${unit("b")}\n${second}\n\nBetter.\n\n${unit("c")}${end}`;

  test.each([
    ["### Option A", "### Option B", "Option A"],
    ["**Option 1: a set**", "**Option 2: a map**", "Option 1: a set"],
    ["Option A (fast):", "Option B (small):", "Option A (fast)"],
    ["## Approach 1 – a set", "## Approach 2 – a map", "Approach 1 – a set"],
    ["Alternative 1:", "Alternative 2:", "Alternative 1"],
    ["1. **Solution 1**", "2. **Solution 2**", "Solution 1"],
    ["**方案一**", "**方案二**", "方案一"],
    ["### 方案 A：使用集合", "### 方案 B：使用映射", "方案 A：使用集合"],
    ["方法1：", "方法2：", "方法1"],
    ["**第一种方案：**", "**第二种方案：**", "第一种方案"],
  ])("under %j and %j are alternatives", (first, second, title) => {
    const { files, alternatives, events } = read(answer(first, second));
    expect(files).toEqual([]);
    expect(events.some(({ type }) => type === "unit")).toBe(false);
    expect(
      alternatives.map((each) =>
        each.files.flatMap(({ units }) => units.map(({ replace }) => replace)),
      ),
    ).toEqual([["b\n"], ["c\n"]]);
    expect(alternatives[0]).toMatchObject({ title, line: 3 });
  });

  test.each([
    ["Before", "After"],
    ["### Draft", "### Final"],
    ["### Step 1", "### Step 2"],
    ["### 1. Rename", "### 2. Sort"],
    ["**Change 1**", "**Change 2**"],
    ["步骤一：", "步骤二："],
    ["第一步", "第二步"],
  ])("are none under %j and %j", (first, second) => {
    const { files, alternatives } = read(answer(first, second));
    expect(alternatives).toEqual([]);
    expect(files).toMatchObject([{ units: [{ replace: "b\n" }, { replace: "c\n" }] }]);
  });

  test("of which only one holds an edit are no choice", () => {
    const { files, alternatives, events } = read(
      `### Option A\n\n${unit("b")}\n### Option B\n\nDo nothing.\n`,
    );
    expect(alternatives).toEqual([]);
    expect(files).toMatchObject([{ units: [{ replace: "b\n" }] }]);
    expect(events.filter(({ type }) => type === "unit")).toHaveLength(1);
  });

  test("end with the next heading", () => {
    const { files, alternatives } = read(
      answer("## Option A", "## Option B", `\n## Also needed\n\n${unit("d")}`),
    );
    expect(alternatives).toHaveLength(2);
    expect(files).toMatchObject([{ units: [{ replace: "d\n" }] }]);
  });

  test("may be before/after blocks and functions", () => {
    const blocks = (code: string) => `Before:\n${block("a\n")}After:\n${block(code)}`;
    const { alternatives } = read(
      `### Option A\n\n${blocks("b\n")}\n### Option B\n\n${blocks("c\n")}`,
    );
    expect(alternatives.map(({ title, files }) => [title, files[0]?.form])).toEqual([
      ["Option A", "before-after"],
      ["Option B", "before-after"],
    ]);
    const { events } = read(`### Option A\n\n${block("b\n")}\n### Option B\n\n${block("c\n")}`);
    const found = events.flatMap((event) =>
      event.type === "block" ? [event.block.option?.title] : [],
    );
    expect(found).toEqual(["Option A", "Option B"]);
  });
});

describe("reasoning in an answer", () => {
  const unit = (replace: string) => `------- SEARCH\na\n=======\n${replace}+++++++ REPLACE\n`;

  test("is never parsed for edits", () => {
    const answer = `<think>\nPerhaps:\n${unit("x\n")}\n</think>\n\nSo:\n${unit("b\n")}`;
    expect(outline(answer)).toEqual([[undefined, "units", "a\n>b\n"]]);
    expect(read(answer).events[0]).toMatchObject({ type: "reasoning" });
    expect(outline(`<thinking>\n${unit("x\n")}`)).toEqual([]);
    expect(
      outline(`<reasoning>${pair("Before:", "After:")}</reasoning>\nNothing to do.\n`),
    ).toEqual([]);
  });

  test("that was never opened ends before the first unit", () => {
    const { events, files } = read(`Perhaps so.\n</think>\n${unit("b\n")}`);
    expect(events.map(({ type }) => type)).toEqual(["text", "text-was-reasoning", "unit"]);
    expect(files).toMatchObject([{ units: [{ replace: "b\n" }] }]);
  });

  test("is code inside REPLACE", () => {
    const code = "<think>\nx\n</think>\n";
    expect(outline(`<file-edit filePath="a">\n${unit(code)}</file-edit>\n`)).toEqual([
      ["a", "units", `a\n>${code}`],
    ]);
    expect(outline(unit("</think>\n"))).toEqual([[undefined, "units", "a\n></think>\n"]]);
  });
});

describe("a path means the editor's file", () => {
  test.each([
    "src/app/cart.ts",
    "app/cart.ts",
    "cart.ts",
    "./src/app/cart.ts",
    "a/src/app/cart.ts",
    "b/app/cart.ts",
    "src\\app\\cart.ts",
    "/home/me/src/app/cart.ts",
    "C:\\code\\src\\app\\cart.ts",
    "",
    undefined,
  ])("%j", (named) => {
    expect(isSameFile(named, "src/app/cart.ts")).toBe(true);
  });

  test.each(["src/app/list.ts", "lib/cart.ts", "cart.test.ts", "a/cart.tsx", "src/app"])(
    "not %j",
    (named) => {
      expect(isSameFile(named, "src/app/cart.ts")).toBe(false);
    },
  );

  test("by a bare name only if the other is absolute", () => {
    expect(isSameFile("other/cart.ts", "cart.ts")).toBe(false);
    expect(isSameFile("/other/cart.ts", "cart.ts")).toBe(true);
    expect(isSameFile("a/cart.ts", "cart.ts")).toBe(true);
  });
});
