// What `msg` of fix, optimize and docstring holds; on Node and in workerd.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { connect, type Frame, msgOf } from "../../helpers/plugin-client.ts";
import {
  editOf,
  file,
  firstBlock,
  requests,
  selected,
  visibleText,
} from "../../helpers/plugin-requests.ts";
import { cases } from "../../helpers/cases.ts";
import { code } from "../../helpers/code-parser.ts";

const fix = requests.exec_fix;
const slow = "        result = result + item.price";
const better = "        result += item.price";

async function msgFor(request: Frame, ...answers: string[]): Promise<string> {
  const { app } = createTestApp({ models: answers.map((answer) => [answer]), code });
  return msgOf(await (await connect(app)).ask(request));
}

describe("a change of the selection", () => {
  test("comes whole in a stream, after the words, and no other fence comes", async () => {
    const answer = `Look:\n\n\`\`\`py\nfoo()\n\`\`\`\n\n${editOf(slow, better)}`;
    const { app } = createTestApp({ models: [answer.split(/(?=[^])/)] });
    const frames = await (await connect(app)).ask({ ...fix, stream: true });
    expect(frames.map(({ stream_seq_id: id }) => id)).toEqual([...frames.keys()]);
    const [last = {}] = frames.slice(-2);
    expect(firstBlock(msgOf([last]))).toBe(selected.replace(slow, better));
    expect(msgOf(frames)).toMatch(/^Look:\n\n {4}foo\(\)\n\n```python\n[^]*\n```\n$/);
  });

  test("of a text that holds fences gets a longer fence", async () => {
    const text = 'x = """\n```\na\n```\n"""';
    const request = { ...fix, selected_text: { filepath: "a.py", text } };
    const msg = await msgFor(request, editOf("a", "b", "a.py"));
    expect(msg.startsWith("````python\n")).toBe(true);
    expect(firstBlock(msg)).toBe(text.replace("\na\n", "\nb\n"));
  });

  test("keeps the line ends of Windows", async () => {
    const text = selected.replaceAll("\n", "\r\n");
    const request = { ...fix, selected_text: { filepath: "cart.py", text } };
    const msg = await msgFor(request, editOf(slow, better, "cart.py"));
    expect(firstBlock(msg)).toBe(text.replace(slow, better));
  });

  test.each([
    ["of spaces", "x = 1", "    "],
    ["of tabs", "if a:\n\t\tx = 1\n\treturn a", "\t"],
    ["of a statement in several lines", "def f(a):\n        x = 1\n        return a", "    "],
  ])("that adds a line keeps the indentation %s before the selection", async (_, text, indent) => {
    const [head = ""] = text.split("\n");
    const range = {
      start: { line: 5, character: indent.length },
      end: { line: 9, character: 9 },
    };
    const request = { ...fix, selected_text: { filepath: "a.py", range, text } };
    const msg = await msgFor(request, editOf(head, `@new\n${head}`, "a.py"));
    expect(firstBlock(msg)).toBe(text.replace(head, `@new\n${indent}${head}`));
  });

  test("that begins in mid code, or far out, is not taken for an indented one", async () => {
    const text = "item(a,\n  b)";
    for (const character of [7, 1_000_000_000]) {
      const range = { start: { line: 5, character }, end: { line: 6, character: 4 } };
      const request = { ...fix, selected_text: { filepath: "a.js", range, text } };
      const msg = await msgFor(request, editOf("  b)", "  c)", "a.js"));
      expect(firstBlock(msg)).toBe(text.replace("b)", "c)"));
    }
  });

  test("that also needs one outside says that one in words", async () => {
    const text = "    return result";
    const range = { start: { line: 7, character: 0 }, end: { line: 7, character: text.length } };
    const units = editOf(text, "    return os.fspath(result)").replace(
      "</file-edit>",
      "------- SEARCH\nimport os\n=======\nimport os.path\n+++++++ REPLACE\n</file-edit>",
    );
    const request = {
      ...fix,
      selected_text: { filepath: "shop/cart.py", range, text },
      visible_text: visibleText,
    };
    const msg = await msgFor(request, `Why.\n\n${units}`);
    expect(firstBlock(msg)).toBe("    return os.fspath(result)");
    expect(msg).toContain("outside the selection. Line 1 should read:\n\n    import os.path");
  });
});

describe("an answer without a change of the selection holds no fence:", () => {
  const noFence = (msg: string): void => expect(msg).not.toMatch(/`{3}|~{3}/);

  test("no edit, with code in the prose", async () => {
    const msg = await msgFor(fix, "All is well:\n\n```py\nold()\n```\n");
    noFence(msg);
    expect(msg).toContain("All is well:\n\n    old()");
  });

  test("an edit that was refused", async () => {
    const answer = `Why.\n\n${editOf("no such line", "b")}`;
    const msg = await msgFor(fix, answer, answer);
    noFence(msg);
    expect(msg).toContain("Why.");
    expect(msg).toMatch(/Nothing was changed/);
  });

  test("an edit that fits several places, which are listed", async () => {
    const text = "a = 1\nb = 2\na = 1\nc = 3";
    const request = { ...fix, selected_text: { filepath: "a.py", text } };
    const msg = await msgFor(request, `Why.\n\n${editOf("a = 1", "a = 2", "a.py")}`);
    noFence(msg);
    expect(msg).toMatch(/1\. line 1.*\n2\. line 3/);
  });

  test.each([
    ["en", "The change reaches beyond the selection. Lines 7 to 8 should read:\n\n    "],
    ["zh", "修改超出了选中内容的范围。第 7 到 8 行应改为：\n\n    "],
  ])("an edit that reaches beyond it, in %s", async (language, words) => {
    const text = "    return result";
    const range = { start: { line: 7, character: 0 }, end: { line: 7, character: text.length } };
    const request = { ...fix, language, selected_text: { filepath: "shop/cart.py", range, text } };
    const edit = editOf(`${slow}\n${text}`, "    return sum(items)");
    const msg = await msgFor({ ...request, visible_text: visibleText }, edit);
    expect(msg).toBe(`${words}    return sum(items)\n`);
  });

  test("an edit of another file", async () => {
    const msg = await msgFor(fix, `Why.\n\n${editOf("a", "b", "shop/other.py")}`);
    noFence(msg);
    expect(msg).toContain("`shop/other.py`");
  });

  test("an edit of docstring that touches code", async () => {
    const answer = editOf("    result = 0", "    result = 1");
    const msg = await msgFor(requests.exec_docstring, answer, answer);
    noFence(msg);
    expect(msg).toMatch(/only comments may change/);
  });

  test("an empty selection", async () => {
    const msg = await msgFor({ ...fix, selected_text: "" }, "Select code:\n```\nx\n```");
    noFence(msg);
    expect(msg).toContain("Select code");
  });
});

test("the first block, put in place of the selection, makes the file that was meant", async () => {
  const anyLine = fc.constantFrom("a", "b", "if x:", "    c", "        d", "", "e()", "f = 1");
  const draw = fc.record({
    lines: fc.array(anyLine, { minLength: 1, maxLength: 12 }),
    first: fc.nat(11),
    count: fc.nat(11),
    column: fc.nat(8),
    changed: fc.nat(11),
    end: fc.constantFrom("\n", "\r\n"),
    isEnded: fc.boolean(),
    showsWindow: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(draw, async (drawn) => {
      // Each line once, so that the change fits one place.
      const lines = drawn.lines.map((line, nth) => `${line}${nth}`);
      const first = drawn.first % lines.length;
      const last = Math.min(lines.length - 1, first + drawn.count);
      const text = lines.join(drawn.end) + drawn.end;
      const offset = (line: number): number =>
        lines.slice(0, line).reduce((sum, one) => sum + one.length + drawn.end.length, 0);
      const column = drawn.column % ((/^ */.exec(lines[first] ?? "")?.[0].length ?? 0) + 1);
      const start = offset(first) + column;
      const end = drawn.isEnded ? offset(last + 1) : offset(last) + (lines[last] ?? "").length;
      const changed = first + (drawn.changed % (last - first + 1));
      const old = lines[changed] ?? "";
      const becomes =
        text.slice(0, offset(changed)) + `${old}z` + text.slice(offset(changed) + old.length);
      const range = {
        start: { line: first, character: column },
        end: drawn.isEnded
          ? { line: last + 1, character: 0 }
          : { line: last, character: (lines[last] ?? "").length },
      };
      const window = {
        text,
        filepath: "a.txt",
        range: { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } },
      };
      const msg = await msgFor(
        {
          ...fix,
          selected_text: { filepath: "a.txt", range, text: text.slice(start, end) },
          ...(drawn.showsWindow ? { visible_text: window } : {}),
        },
        `Why.\n\n${editOf(old, `${old}z`, "a.txt")}`,
        "No.",
      );
      const block = firstBlock(msg);
      expect(block).toBeDefined();
      expect(text.slice(0, start) + block + text.slice(end)).toBe(becomes);
    }),
    { numRuns: cases(40) },
  );
  expect(file).toContain(selected);
});
