import { describe, expect, test } from "vitest";
import { applyCodeEdit } from "../../../../src/edit.ts";
import type { RunCodeEdit } from "../../../../src/edit/apply-code-edit.ts";
import { code as inline } from "../../../helpers/code-parser.ts";
import { fenced, play } from "./play.ts";

const cart = `import { round } from "./money.ts";

/** Goods. */
export class Cart {
  /** In cents. */
  @memo
  private async total(factor: number): Promise<number> {
    return factor;
  }

  size = () => 1;
}

/** Takes off. */
export async function discount(total: number): Promise<number> {
  return total;
}

export const twice = (value: number): number => {
  return value;
};
`;

async function expectChange(
  path: string,
  before: string,
  answer: string,
  after: string,
  more = {},
) {
  const played = await play(path, before, answer, more);
  expect(played.after).toBe(after);
  expect(played.calls).toBe(1);
  expect(played.text).not.toContain("No change was proposed");
  return played;
}

describe("one function in a code block takes the place of its namesake", () => {
  test("with its doc comment and modifiers where the answer has none", async () => {
    const answer = `Twice.\n\n${fenced("function discount(total: number): Promise<number> {\n  return 2 * total;\n}\n", "ts")}\nDone.\n`;
    const { text } = await expectChange(
      "a.ts",
      cart,
      answer,
      cart.replace("return total;", "return 2 * total;"),
    );
    expect(text).toMatch(
      /^Twice\.\n\n- Change 1: lines \d+ to \d+ \(found exactly\)\n\nDone\.\n\n\*\*New code/,
    );
    expect(text.match(/return 2 \* total;/g)).toHaveLength(2);
  });

  test("with its decorators, as a member without its class", async () => {
    const answer = fenced(
      "total(factor: number): Promise<number> {\n  return factor + 1;\n}\n",
      "typescript",
    );
    await expectChange("a.ts", cart, answer, cart.replace("return factor;", "return factor + 1;"));
  });

  test("with the answer's own doc comment, decorators and modifiers where it has some", async () => {
    const answer = fenced(
      "  /** In euros. */\n  @slow\n  public async total(factor: number): Promise<number> {\n    return factor;\n  }\n",
    );
    const after = cart
      .replace("In cents", "In euros")
      .replace("@memo", "@slow")
      .replace("private", "public");
    await expectChange("a.ts", cart, answer, after);
  });

  test("where it is an arrow function", async () => {
    const answer = fenced("const twice = (value: number): number => {\n  return value * 2;\n};\n");
    await expectChange("a.ts", cart, answer, cart.replace("return value;", "return value * 2;"));
  });

  test("under a comment that only names the file", async () => {
    const answer = fenced(
      "// a.ts\n\nexport async function discount(total: number): Promise<number> {\n  return 3;\n}\n",
      "ts",
    );
    await expectChange("a.ts", cart, answer, cart.replace("return total;", "return 3;"));
  });

  test("beside an example of its use and a command", async () => {
    const answer = `${fenced("async function discount(total: number): Promise<number> {\n  return 3;\n}\n", "ts")}\nExample usage:\n\n${fenced("await discount(3);\n", "ts")}\nRun it:\n\n${fenced("npm start\n", "bash")}`;
    const { text } = await expectChange(
      "a.ts",
      cart,
      answer,
      cart.replace("return total;", "return 3;"),
    );
    expect(text).toContain("await discount(3);");
  });

  test("beside the code as it was", async () => {
    const old =
      "export async function discount(total: number): Promise<number> {\n  return total;\n}\n";
    const answer = `The code:\n\n${fenced(old)}\nBetter:\n\n${fenced(old.replace("return total", "return 3"))}`;
    await expectChange("a.ts", cart, answer, cart.replace("return total;", "return 3;"));
  });

  test("in a file with CRLF and a byte-order mark, whose lines keep theirs", async () => {
    const before = `\uFEFF${cart.replaceAll("\n", "\r\n")}`;
    const answer = fenced(
      "async function discount(total: number): Promise<number> {\n  const twice = 2;\n  return twice * total;\n}\n",
    );
    const after = before.replace(
      "  return total;\r\n",
      "  const twice = 2;\r\n  return twice * total;\r\n",
    );
    await expectChange("a.ts", before, answer, after);
  });

  test("in a file without a last line end", async () => {
    const before = "function a() {\n  return 1;\n}";
    await expectChange(
      "a.js",
      before,
      fenced("function a() {\n  return 2;\n}\n"),
      before.replace("1", "2"),
    );
  });

  test("with its imports below those of the file, each once", async () => {
    const body =
      "async function discount(total: number): Promise<number> {\n  log(total);\n  return round(total);\n}\n";
    const answer = fenced(
      `import { log } from "./log.ts";\nimport { round } from "./money.ts";\n\n${body}`,
    );
    const after = cart
      .replace('money.ts";\n', 'money.ts";\nimport { log } from "./log.ts";\n')
      .replace("  return total;\n", "  log(total);\n  return round(total);\n");
    await expectChange("a.ts", cart, answer, after);
  });

  test("with an import that brings more names than the file's", async () => {
    const body =
      "async function discount(total: number): Promise<number> {\n  return floor(total);\n}\n";
    const answer = fenced(`import { floor, round } from "./money.ts";\n\n${body}`);
    const after = cart
      .replace("{ round }", "{ floor, round }")
      .replace("return total;", "return floor(total);");
    await expectChange("a.ts", cart, answer, after);
  });
});

test.each([
  [
    "Python",
    "a.py",
    'class A:\n    @property\n    def b(self):\n        """Of it."""\n        return 1\n',
    "def b(self):\n    x = 2\n    return x\n",
    'class A:\n    @property\n    def b(self):\n        """Of it."""\n        x = 2\n        return x\n',
  ],
  [
    "Python with tabs",
    "a.py",
    "class A:\n\tdef b(self):\n\t\treturn 1\n",
    "    def b(self):\n        if True:\n            return 2\n",
    "class A:\n\tdef b(self):\n\t\tif True:\n\t\t\treturn 2\n",
  ],
  [
    "Java",
    "A.java",
    "class A {\n    /** It. */\n    @Override\n    public int b() {\n        return 1;\n    }\n}\n",
    "int b() {\n  return 2;\n}\n",
    "class A {\n    /** It. */\n    @Override\n    public int b() {\n        return 2;\n    }\n}\n",
  ],
  [
    "C#",
    "A.cs",
    "namespace N\n{\n    class A\n    {\n        [Pure]\n        public int B(int c)\n        {\n            return c;\n        }\n    }\n}\n",
    "public int B(int c)\n{\n    return c + 1;\n}\n",
    "namespace N\n{\n    class A\n    {\n        [Pure]\n        public int B(int c)\n        {\n            return c + 1;\n        }\n    }\n}\n",
  ],
  [
    "Rust",
    "a.rs",
    "impl A {\n    /// It.\n    #[inline]\n    pub fn b(&self) -> i32 {\n        1\n    }\n}\n",
    "fn b(&self) -> i32 {\n    2\n}\n",
    "impl A {\n    /// It.\n    #[inline]\n    pub fn b(&self) -> i32 {\n        2\n    }\n}\n",
  ],
  [
    "Go",
    "a.go",
    "package a\n\n// B is it.\nfunc (a *A) B() int {\n\treturn 1\n}\n",
    "package a\n\nfunc (a *A) B() int {\n    return 2\n}\n",
    "package a\n\n// B is it.\nfunc (a *A) B() int {\n\treturn 2\n}\n",
  ],
  [
    "Ruby",
    "a.rb",
    "class A\n  def b(c)\n    c\n  end\nend\n",
    "def b(c)\n  c + 1\nend\n",
    "class A\n  def b(c)\n    c + 1\n  end\nend\n",
  ],
  [
    "PHP",
    "a.php",
    "<?php\nclass A {\n    public function b($c) {\n        return $c;\n    }\n}\n",
    "public function b($c) {\n    return $c + 1;\n}\n",
    "<?php\nclass A {\n    public function b($c) {\n        return $c + 1;\n    }\n}\n",
  ],
  [
    "C",
    "a.c",
    "static int a(int b) {\n\treturn b;\n}\n",
    "static int a(int b) {\n  return b + 1;\n}\n",
    "static int a(int b) {\n\treturn b + 1;\n}\n",
  ],
  [
    "C++",
    "a.cpp",
    "int A::b(int c) {\n  return c;\n}\n\nint B::b(int c) {\n  return c;\n}\n",
    "int B::b(int c) {\n  return c + 1;\n}\n",
    "int A::b(int c) {\n  return c;\n}\n\nint B::b(int c) {\n  return c + 1;\n}\n",
  ],
])(
  "a function of %s is put in place in the indentation of the file",
  async (_, path, before, answer, after) => {
    await expectChange(path, before, fenced(answer), after);
  },
);

test("of two methods of one name the one in the selected lines is meant", async () => {
  const before =
    "class A {\n  b() {\n    return 1;\n  }\n}\n\nclass B {\n  b() {\n    return 1;\n  }\n}\n";
  const answer = fenced("b() {\n  return 2;\n}\n");
  const after = before.replace(/1;\n {2}\}\n\}\n$/, "2;\n  }\n}\n");
  await expectChange("a.js", before, answer, after, { lines: [8, 10] });
  expect((await play("a.js", before, answer)).after).toBeUndefined();
});

test.each([
  ["a.lua", "function a()\n  return 1\nend\n", "function a()\n  return 2\nend\n"],
  [
    "a.js",
    "function a(b) {\n  return b;\n}\n",
    "function a(b) {\n  return f(b);\n}\n\nfunction f(b) {\n  return b;\n}\n",
  ],
])(
  "a function may be of any language, and bring another one that it uses: %s",
  async (path, before, after) => {
    const rest = "\none()\ntwo()\nthree()\nfour()\n";
    await expectChange(path, before + rest, fenced(after), after + rest);
  },
);

test("overloads are told apart by their parameters", async () => {
  const before =
    "class A {\n    int b() {\n        return 1;\n    }\n    int b(int c) {\n        return 1;\n    }\n}\n";
  await expectChange(
    "A.java",
    before,
    fenced("int b(int c) {\n    return c;\n}\n"),
    before.replace(/1(?=;\n {4}\}\n\})/, "c"),
  );
});

test("two functions in two code blocks are one change", async () => {
  const before = "function a() {\n  return 1;\n}\n\nfunction b() {\n  return 1;\n}\n";
  const answer = `First:\n\n${fenced("function b() {\n  return 3;\n}\n")}\nThen:\n\n${fenced("function a() {\n  return 2;\n}\n")}`;
  const { text } = await expectChange(
    "a.js",
    before,
    answer,
    before.replace("1", "2").replace("1", "3"),
  );
  expect(text).toContain("First:\n");
  expect(text).toContain("Then:\n");
});

describe("a code block is asked for again, and nothing is changed, if", () => {
  const before =
    "function a(b) {\n  return b;\n}\n\nclass C {\n  d() {\n    return 1;\n  }\n  e() {\n    return 1;\n  }\n}\n";
  test.each([
    ["it has a syntax error", "function a(b) {\n  return b +;\n}\n"],
    ["it is a part of a function", "  return b + 1;\n}\n"],
    ["it is a statement", "return b + 1;\n"],
    ["nothing in the file has its name", "function f(b) {\n  return b + 1;\n}\n"],
    ["its parameters are others", "function a(b, c) {\n  return b + c;\n}\n"],
    ["its kind is another", "class a {\n  b() {}\n}\n"],
    ["it is a function where the file has a method", "function d() {\n  return 2;\n}\n"],
    ["a class lacks a member", "class C {\n  d() {\n    return 2;\n  }\n}\n"],
    ["it holds other code, too", "function a(b) {\n  return b + 1;\n}\n\nconsole.log(a(1));\n"],
    [
      "its import binds a name that the file has",
      'import { a } from "./a";\nfunction a(b) {\n  return b + 1;\n}\n',
    ],
  ])("%s", async (_, code) => {
    const played = await play("a.js", before, `So:\n\n${fenced(code)}`);
    expect(played.after).toBeUndefined();
    expect(played.calls).toBe(2);
    const report = JSON.stringify(played.model.requests[1]?.messages.at(-1));
    expect(report).toContain("could not be read as a change of the file");
    expect(played.text).toContain(code.trim());
  });

  test("it is not closed, and not complete", async () => {
    const played = await play("a.js", before, "```js\nfunction a(b) {\n  return 1;\n");
    expect(played.after).toBeUndefined();
  });
});

test("the second answer may be a function, too", async () => {
  const before = "function a(b) {\n  return b;\n}\n";
  const played = await play("a.js", before, [
    fenced("const c = b + 1;\nreturn c;\n"),
    fenced("function a(b) {\n  return b + 1;\n}\n"),
  ]);
  expect(played.after).toBe(before.replace("return b", "return b + 1"));
  expect(played.calls).toBe(2);
});

describe("an answer that finds nothing to change costs no second question", () => {
  test.each([
    ["without code", "Nothing has to be repaired.\n"],
    ["with code in a sentence", "`a(1)` is 1, as it should be.\n"],
    ["with the code as it is", `It is right:\n\n${fenced("function a(b) {\n  return b;\n}\n")}`],
    ["with a command", `Restart it:\n\n${fenced("npm start\n", "sh")}`],
    ["with an example of use", `It is fine. **Usage:**\n\n${fenced("a(1);\n", "js")}`],
    ["with code of another language", `Set this:\n\n${fenced('{ "a": 1 }\n', "json")}`],
  ])("%s", async (_, answer) => {
    const played = await play("a.js", "function a(b) {\n  return b;\n}\n", answer);
    expect([played.after, played.calls]).toEqual([undefined, 1]);
    expect(played.text).toContain("No change was proposed.");
  });
});

test("docstring takes a function with a new doc comment, and refuses one with other code", async () => {
  const before = "def a(b):\n    return b\n";
  const right = fenced('def a(b):\n    """Return it."""\n    return b\n', "python");
  await expectChange("a.py", before, right, 'def a(b):\n    """Return it."""\n    return b\n', {
    command: "docstring",
  });
  const wrong = right.replace("return b\n", "return b + 1\n");
  expect((await play("a.py", before, wrong, { command: "docstring" })).after).toBeUndefined();
});

test.each([
  ["a.ts", "/** Adds. */\n", "export function total(a: number) {\n  return a;\n}\n"],
  ["A.java", "/**\n * Adds.\n */\n", "int total(int a) {\n  return a;\n}\n"],
  ["a.go", "// total adds.\n", "func total(a int) int {\n\treturn a\n}\n"],
  ["a.rs", "/// Adds.\n", "pub fn total(a: i32) -> i32 {\n    a\n}\n"],
  ["a.rb", "# total adds.\n", "def total(a)\n  a\nend\n"],
  ["a.kt", "/** Adds. */\n", "fun total(a: Int): Int {\n    return a\n}\n"],
  ["a.py", '"""Adds."""\n', "def total(a):\n    return a\n"],
])(
  "documentation alone is for what is selected, or named above it: %s",
  async (path, docs, unit) => {
    const other = unit.replace("total", "rest");
    const [head = ""] = unit.match(/^.*\n/) ?? [];
    const documented = docs.startsWith('"')
      ? `${head}    ${docs}${unit.slice(head.length)}`
      : docs + unit;
    const [before, after] = [`${other}\n${unit}`, `${other}\n${documented}`];
    const lines = [other.split("\n").length + 1, before.split("\n").length - 1] as const;
    const block = fenced(docs);
    for (const command of ["docstring", "fix"]) {
      await expectChange(path, before, `Here it is:\n\n${block}`, after, { command, lines });
      await expectChange(path, before, `Above \`total\`:\n\n${block}`, after, { command });
      const unnamed = await play(path, before, `Here it is:\n\n${block}`, { command });
      expect(unnamed.after).toBeUndefined();
    }
  },
);

test("text in strings keeps its blanks", async () => {
  const before = "class A {\n  b() {\n    return `\n  one\n`;\n  }\n}\n";
  await expectChange(
    "a.js",
    before,
    fenced("b() {\n  log();\n  return `\n  one\n`;\n}\n"),
    before.replace("    return", "    log();\n    return"),
  );
  const other = await play("a.js", before, fenced("b() {\n  return `\n  two\n`;\n}\n"));
  expect(other.after).toBeUndefined();
});

test("code for a file that is too large goes to the threads; without any the person is told so", async () => {
  const before = Array.from({ length: 2_100 }, (_, nth) =>
    Array.from({ length: 10 }, (__, line) =>
      line === 0 ? `fun f${nth}() {\n` : line === 9 ? "}\n" : `    call(${nth}, ${line})\n`,
    ).join(""),
  ).join("");
  const answer = fenced(
    "fun f1000() {\n    changed()\n    call(1000, 1)\n    call(1000, 2)\n}\n",
    "kotlin",
  );
  const poor = await play("a.kt", before, answer, { lines: [10_001, 10_010] });
  expect(poor.after).toBeUndefined();
  expect(poor.text).toContain("too large to be compared");
  const applyCode: RunCodeEdit = async ({ before: text, code: given, options }) =>
    applyCodeEdit(text, given, options);
  const rich = await play("a.kt", before, answer, {
    lines: [10_001, 10_010],
    parser: { ...inline, applyCode },
  });
  expect(rich.after).toContain("fun f1000() {\n    changed()\n    call(1000, 1)\n");
  expect(rich.calls).toBe(1);
});
