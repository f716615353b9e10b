// Functions that an answer shows in part: what it leaves out is in the file.
import { describe, expect, test } from "vitest";
import { fenced, play } from "./play.ts";

const sources: readonly (readonly [path: string, text: string, mark: string])[] = [
  [
    "a.ts",
    "export class A {\n  one(): number {\n    const a = first();\n    const b = second(a);\n    third(b);\n    return b;\n  }\n\n  two(): void {\n    first();\n  }\n}\n",
    "// ... existing code ...",
  ],
  [
    "A.java",
    "class A {\n    int one() {\n        int a = first();\n        int b = second(a);\n        third(b);\n        return b;\n    }\n\n    void two() {\n        first();\n    }\n}\n",
    "// ... rest unchanged ...",
  ],
  [
    "a.php",
    "<?php\n\nclass A\n{\n    public function one(): int\n    {\n        $a = first();\n        $b = second($a);\n        third($b);\n        return $b;\n    }\n\n    public function two(): void\n    {\n        first();\n    }\n}\n",
    "// ... existing code ...",
  ],
  [
    "a.go",
    "package a\n\nfunc one() int {\n\ta := first()\n\tb := second(a)\n\tthird(b)\n\treturn b\n}\n\nfunc two() {\n\tfirst()\n}\n",
    "// ...",
  ],
  [
    "a.py",
    "class A:\n    def one(self):\n        a = first()\n        b = second(a)\n        third(b)\n        return b\n\n    def two(self):\n        first()\n",
    "# ... existing code ...",
  ],
  [
    "a.rs",
    "impl A {\n    fn one(&self) -> u8 {\n        let a = first();\n        let b = second(a);\n        third(b);\n        b\n    }\n\n    fn two(&self) {\n        first();\n    }\n}\n",
    "// ... existing code ...",
  ],
  [
    "a.rb",
    "class A\n  def one\n    a = first\n    b = second(a)\n    third(b)\n    b\n  end\n\n  def two\n    first\n  end\nend\n",
    "# ... existing code ...",
  ],
];

/** The lines of function `one`, with everything from `third` up to its end left out. */
function shorten(text: string, mark: string): string[] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => /\bone\b/.test(line));
  const end = lines.findIndex((line, nth) => nth > start && line.trim() === "");
  const own = lines.slice(start, end);
  const third = own.findIndex((line) => line.includes("third"));
  const indent = /^\s*/.exec(own[third] ?? "")?.[0] ?? "";
  // The last line of Python's body is a statement.
  const closing = /^\s*(?:\}|end)$/.test(own.at(-1) ?? "") ? [own.at(-1) ?? ""] : [];
  return [...own.slice(0, third), indent + mark, ...closing];
}

describe("a body keeps what the answer leaves out of it", () => {
  test.each(sources)("in a function on its own: %s", async (path, text, mark) => {
    const code = `${shorten(text, mark).join("\n")}\n`.replace("= first", "= other");
    const { after, calls } = await play(path, text, fenced(code, path.split(".")[1]));
    expect(after).toBe(text.replace("= first", "= other"));
    expect(calls).toBe(1);
  });

  test.each(sources.filter(([path]) => path !== "a.go"))(
    "in its class: %s",
    async (path, text, mark) => {
      const lines = text.split("\n");
      const from = lines.findIndex((line) => /\b(?:class|impl) A\b/.test(line));
      const start = lines.findIndex((line) => /\bone\b/.test(line));
      const indent = /^\s*/.exec(lines[start] ?? "")?.[0] ?? "";
      const tail = /^(?:\}|end)$/.test(lines.at(-2) ?? "") ? [lines.at(-2) ?? ""] : [];
      const shown = [
        ...lines.slice(from, start),
        ...shorten(text, mark),
        "",
        indent + mark,
        ...tail,
      ];
      const code = `${shown.join("\n")}\n`.replace("= first", "= other");
      const { after } = await play(path, text, fenced(code, path.split(".")[1]));
      expect(after).toBe(text.replace("= first", "= other"));
    },
  );
});

describe("dots in the body of a Python function", () => {
  const text = "def one(a):\n    b = first(a)\n    return b\n\n\ndef stub():\n    ...\n";

  test("below a docstring stand for its code", async () => {
    const code = 'def one(a):\n    """The first."""\n    ...\n';
    const { after } = await play("a.py", text, fenced(code, "py"));
    expect(after).toBe(text.replace("(a):\n", '(a):\n    """The first."""\n'));
  });

  test("alone are not written in place of its code", async () => {
    const { after } = await play("a.py", text, fenced("def one(a):\n    ...\n", "py"));
    expect(after).toBeUndefined();
  });

  test("are code where the file has no more", async () => {
    const code = "@overload\ndef stub():\n    ...\n";
    const { after } = await play("a.py", text, fenced(code, "py"));
    expect(after).toBe(text.replace("def stub", "@overload\ndef stub"));
  });
});
