import { describe, expect, test } from "vitest";
import { fenced, play } from "./play.ts";

type Lines = readonly [number, number];
const py =
  "def total(items):\n    result = 0\n    for item in items:\n        result = result + item.price\n    return result\n";
const js =
  "function total(items) {\n  let result = 0;\n  for (const item of items) {\n    result = result + item.price;\n  }\n  return result;\n}\n";
const c =
  "int f(int a) {\n    int b = a;\n    if (b = 1) {\n        g(b);\n    }\n    return b;\n}\n";

const swaps: readonly (readonly [string, string, Lines, string, string, string])[] = [
  ["a.py", py, [4, 4], "result += item.price\n", "result = result + item", "result += item"],
  [
    "a.py",
    py,
    [4, 4],
    "        result += item.price\n",
    "result = result + item",
    "result += item",
  ],
  [
    "a.py",
    py,
    [3, 4],
    "for item in items:\n    result += item.price\n",
    "result = result + item",
    "result += item",
  ],
  [
    "a.py",
    py,
    [3, 4],
    "for item in items:\n        result += item.price\n",
    "result = result + item",
    "result += item",
  ],
  ["a.py", py, [5, 5], "return round(result)\n", "return result", "return round(result)"],
  [
    "a.js",
    js,
    [3, 5],
    "// Shorter.\nfor (const item of items) {\n  result += item.price;\n}\n",
    "  for (const item of items) {\n    result = result + item",
    "  // Shorter.\n  for (const item of items) {\n    result += item",
  ],
  ["a.js", js, [2, 2], "let result = 0.5;\n", "result = 0", "result = 0.5"],
  ["a.c", c, [3, 5], "if (b == 1) {\n    g(b);\n}\n", "b = 1", "b == 1"],
];

const calls = "def f(a):\n    g(a)\n    h(a)\n    return a\n";

describe("new statements in one code block take the place of the selected ones", () => {
  for (const [path, file, lines, answer, was, is] of swaps) {
    test(`${JSON.stringify(answer)} in ${path}`, async () => {
      const played = await play(path, file, `Better:\n\n${fenced(answer)}`, { lines });
      expect(played.after).toBe(file.replace(was, is));
      expect(played.calls).toBe(1);
    });

    test(`${JSON.stringify(answer)} where ${path} is nothing else`, async () => {
      const own = `${file
        .split("\n")
        .slice(lines[0] - 1, lines[1])
        .join("\n")}\n`;
      const played = await play(path, own, `Better:\n\n${fenced(answer)}`);
      expect(played.after).toBe(own.replace(was, is));
    });
  }
});

const braces = (indent: string, head: string): string =>
  `${indent}${head} {\n${indent}${indent}g(b);\n${indent}}\n`;

test("a block whose end was not selected is replaced as a whole", async () => {
  const answer = fenced("for (const item of items) {\n  result += item.price;\n}\n");
  const { after } = await play("a.js", js, answer, { lines: [3, 4] });
  expect(after).toBe(js.replace("result = result + item", "result += item"));
});

test("a statement below a call is replaced, too", async () => {
  const played = await play("a.py", calls, fenced("h(a, 1)\n"), { lines: [3, 3] });
  expect(played.after).toBe(calls.replace("h(a)", "h(a, 1)"));
});

describe("statements that are all that was sent are read in", () => {
  test.each([
    ["a.java", "    int b = a;\n", braces("    ", "if (b > 1)")],
    ["a.go", "\tb := a\n", braces("\t", "if b > 1")],
    ["a.rs", "    let b = a;\n", braces("    ", "if b > 1")],
    ["a.c", "    int b = a;\n", braces("    ", "while (b > 1)")],
    ["a.cpp", "    int b = a;\n", braces("    ", "for (; b > 1;)")],
    ["a.cs", "    var b = a;\n", "    if (b > 1)\n    {\n        G(b);\n    }\n"],
    ["a.php", "    $b = $a;\n", braces("    ", "if ($b > 1)")],
    ["a.rb", "    b = a\n", "    if b > 1\n      g(b)\n    end\n"],
    ["a.ts", "    const b: number = a;\n", braces("    ", "if (b > 1)")],
    ["a.tsx", "    const b = <b>{a}</b>;\n", braces("    ", "if (b > 1)")],
    ["a.js", "    b = a;\n", braces("    ", "if (b > 1)")],
    ["a.py", "    b = a\n", "    if b > 1:\n        g(b)\n"],
  ])("%s", async (path, first, second) => {
    const file = first + second;
    const better = file.replace("> 1", "> 2");
    const indent = /^\s*/.exec(file)?.[0] ?? "";
    const dedented = better.replaceAll(`\n${indent}`, "\n").slice(indent.length);
    for (const answer of [better, dedented, better.trimStart()]) {
      const played = await play(path, file, fenced(answer));
      expect(played.after).toBe(better);
    }
  });
});

const refused: readonly (readonly [string, string, string, Lines, string])[] = [
  [
    "more statements than were selected",
    "a.py",
    py,
    [4, 4],
    "result = 0\nfor item in items:\n    result += item.price\nreturn result\n",
  ],
  ["fewer", "a.py", py, [2, 5], "return sum(item.price for item in items)\n"],
  ["one that assigns something else", "a.py", py, [4, 4], "price += item.price\n"],
  ["an example of a call", "a.py", py, [5, 5], "print(total(items))\n"],
  [
    "the same kind of statement about other things",
    "a.py",
    py,
    [3, 4],
    "for cart in carts:\n    print(total(cart))\n",
  ],
  ["a part of them and a mark", "a.js", js, [3, 5], "for (const item of items) {\n  // ...\n}\n"],
  [
    "a statement whose body goes on below",
    "a.py",
    py,
    [3, 3],
    "for item in list(items):\n    pass\n",
  ],
  [
    "a function in place of another",
    "a.py",
    py,
    [1, 5],
    "def sums(items):\n    result = 0\n    return result\n",
  ],
];

describe("a code block is no change of the selected statements if it is", () => {
  for (const [what, path, file, lines, answer] of refused) {
    test(what, async () => {
      const played = await play(path, file, `Better:\n\n${fenced(answer)}`, { lines });
      expect(played.after).toBeUndefined();
    });
  }

  test("announced as an example, or one of two", async () => {
    const block = fenced("result += item.price\n");
    const lines = [4, 4] as const;
    const example = await play("a.py", py, `Example usage:\n\n${block}`, { lines });
    expect(example.after).toBeUndefined();
    const two = await play("a.py", py, `${block}\n${fenced("result = sum(items)\n")}`, { lines });
    expect(two.after).toBeUndefined();
  });
});

test.each([
  ["a.py", py, "        result = result + item.price  # ", "        result += item.price\n"],
  ["a.js", js, "    result = result + item.price; // ", "    result += item.price;\n"],
])(
  "lines with a remark behind them are quoted where a later block changes them: %s",
  async (path, file, quoted, changed) => {
    const line = quoted.slice(0, quoted.search(/ +(?:#|\/\/) $/));
    const [head = "", tail = ""] = file.split(`${line}\n`);
    const now = fenced(`${head}${changed}${tail}`);
    const answer = `This is slow:\n\n${fenced(`${quoted}too long\n`)}\n\nBetter:\n\n${now}`;
    expect((await play(path, file, answer)).after).toBe(head + changed + tail);
  },
);

test("lines with remarks are a change where later blocks show nothing of the file", async () => {
  const remarked = js.replace("let result = 0;", "let result = 0; // the sum so far");
  const usage = fenced("console.log(total([]));\n", "js");
  const played = await play("a.js", js, `Commented:\n\n${fenced(remarked)}\n\nUsage:\n\n${usage}`);
  expect(played.after).toBe(remarked);
});
