// A model that answers with all of the selected method, or function, in one code block.
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { connect, type Frame, msgOf } from "../../helpers/plugin-client.ts";
import { firstBlock, requests } from "../../helpers/plugin-requests.ts";
import { code } from "../../helpers/code-parser.ts";

interface Case {
  /** The file, with the selection between two `¦`. */
  file: string;
  /** What the selected code has once, and what should stand there instead. */
  swap: readonly [string, string];
  /** A call of it. */
  use: string;
}

const cases: Readonly<Record<string, Case>> = {
  "a.js": {
    file: "class A {\n  x = 1;\n\n¦  f(a) {\n    for (const b of a) {\n      g(b);\n    }\n    return a;\n  }¦\n}\n",
    swap: ["return a;", "return -a;"],
    use: "new A().f(1);",
  },
  "a.ts": {
    file: "class A {\n¦  f(a: number): number {\n    for (const b of a) {\n      g(b);\n    }\n    return a;\n  }¦\n\n  g() {}\n}\n",
    swap: ["return a;", "return -a;"],
    use: "new A().f(1);",
  },
  "a.tsx": {
    file: "class A {\n¦  private async f(a: number) {\n    if (a) {\n      await g(a);\n    }\n    return <b>{a}</b>;\n  }¦\n}\n",
    swap: ["<b>{a}</b>", "<i>{a}</i>"],
    use: "new A().f(1);",
  },
  "a.py": {
    file: 'class A:\n    x = 1\n\n¦    def f(self, a):\n        """Give."""\n        for b in a:\n            g(b)\n        return a¦\n\n    def g(self):\n        pass\n',
    swap: ["return a", "return -a"],
    use: "A().f(1)",
  },
  "b.py": {
    file: "class A:\n¦    @staticmethod\n    def f(a):\n        for b in a:\n            g(b)\n        return a¦\n",
    swap: ["return a", "return -a"],
    use: "A.f(1)",
  },
  "a.go": {
    file: "package a\n\n¦func (s *A) f(a int) int {\n\tfor _, b := range a {\n\t\tg(b)\n\t}\n\treturn a\n}¦\n\nfunc g() {}\n",
    swap: ["return a", "return -a"],
    use: "s.f(1)",
  },
  "a.java": {
    file: "class A {\n    int x;\n\n¦    /** Gives. */\n    @Override\n    public int f(int a) {\n        for (int b : a) {\n            g(b);\n        }\n        return a;\n    }¦\n}\n",
    swap: ["return a;", "return -a;"],
    use: "new A().f(1);",
  },
  "b.java": {
    file: "class Aaa {\n¦\tpublic Aaa(int a) {\n\t\tif (a > 0) {\n\t\t\tg(a);\n\t\t}\n\t\tthis.a = a;\n\t}¦\n}\n",
    swap: ["this.a = a;", "this.a = -a;"],
    use: "new Aaa(1);",
  },
  "a.rs": {
    file: "impl A {\n¦    pub fn f(&self, a: i32) -> i32 {\n        for b in a {\n            g(b);\n        }\n        a\n    }¦\n}\n",
    swap: ["\n        a\n", "\n        -a\n"],
    use: "s.f(1);",
  },
  "a.c": {
    file: "#include <a.h>\n\n¦static int f(int a) {\n    for (;;) {\n        g(a);\n    }\n    return a;\n}¦\n",
    swap: ["return a;", "return -a;"],
    use: "f(1);",
  },
  "a.cpp": {
    file: "class A {\npublic:\n¦    int f(int a) const override {\n        for (;;) {\n            g(a);\n        }\n        return a;\n    }¦\n};\n",
    swap: ["return a;", "return -a;"],
    use: "s.f(1);",
  },
  "a.cs": {
    file: "namespace B {\n    class A {\n¦        public override int F(int a) {\n            if (a > 0) {\n                G(a);\n            }\n            return a;\n        }¦\n    }\n}\n",
    swap: ["return a;", "return -a;"],
    use: "new A().F(1);",
  },
  "a.rb": {
    file: "class A\n¦  def f(a)\n    a.each do |b|\n      g(b)\n    end\n    a\n  end¦\nend\n",
    swap: ["\n    a\n", "\n    -a\n"],
    use: "A.new.f(1)",
  },
  "a.php": {
    file: "<?php\nclass A {\n¦    public function f($a) {\n        foreach ($a as $b) {\n            g($b);\n        }\n        return $a;\n    }¦\n}\n",
    swap: ["return $a;", "return -$a;"],
    use: "(new A())->f(1);",
  },
};

const names = Object.keys(cases);
const ways = ["from its line's start", "from mid line", "as a bare text"] as const;
const dresses = {
  "at the first column": dedent,
  "in its own indentation": (text: string) => text,
  "with a first line that lacks its indentation": (text: string) => text.trimStart(),
};

interface Asked {
  before: string;
  selected: string;
  after: string;
  request: Frame;
}

function ask(path: string, way: (typeof ways)[number]): Asked {
  const [pre = "", text = "", post = ""] = cases[path]?.file.split("¦") ?? [];
  const selected = way === ways[0] ? text : text.trimStart();
  const before = pre + text.slice(0, text.length - selected.length);
  const range = { start: placeOf(before), end: placeOf(before + selected) };
  const context = { filepath: `src\\${path}`, range, text: selected };
  const plain = { filepath: `src\\${path}`, text: selected };
  const selected_text = way === ways[2] ? plain : context;
  return { before, selected, after: post, request: { ...requests.exec_fix, selected_text } };
}

function placeOf(text: string): { line: number; character: number } {
  const lines = text.split("\n");
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

function dedent(text: string): string {
  const indent = /^[ \t]*/.exec(text)?.[0] ?? "";
  return text.replaceAll(`\n${indent}`, "\n").slice(indent.length);
}

/** The selected method, whole, as it should be. */
function better(path: string, text = whole(path)): string {
  const [was, is] = cases[path]?.swap ?? ["", ""];
  expect(text.split(was)).toHaveLength(2);
  return text.replace(was, is);
}

function whole(path: string): string {
  return cases[path]?.file.split("¦")[1] ?? "";
}

const fenced = (text: string): string => `Here:\n\n\`\`\`\n${text}\n\`\`\`\n\n1. It was wrong.\n`;

async function tell(request: Frame, answer: string): Promise<string> {
  const { app } = createTestApp({ models: [[answer]], code });
  return msgOf(await (await connect(app)).ask(request));
}

describe("a block that is the whole selected method replaces the selection,", () => {
  for (const way of ways) {
    for (const [dress, wear] of Object.entries(dresses)) {
      test.each(names)(`selected ${way} and answered ${dress}, in %s`, async (path) => {
        const { selected, request } = ask(path, way);
        const msg = await tell(request, fenced(wear(better(path))));
        expect(firstBlock(msg)).toBe(better(path, selected));
      });
    }
  }

  test.each(names)("in a window that begins and ends in mid code, in %s", async (path) => {
    const { before, selected, after, request } = ask(path, ways[0]);
    const text = before.split("\n").slice(1).join("\n") + selected + after.slice(0, 8);
    const visible_text = {
      filepath: `src\\${path}`,
      text,
      range: {
        start: { line: 1, character: 0 },
        end: placeOf(before + selected + after.slice(0, 8)),
      },
    };
    const msg = await tell({ ...request, visible_text }, fenced(dedent(better(path))));
    expect(firstBlock(msg)).toBe(better(path, selected));
  });
});

describe("no block comes where the code block is", () => {
  const others: Readonly<Record<string, (path: string) => string>> = {
    "the method under another name": (path) =>
      better(path).replaceAll(/\b(?:f|F|Aaa)\(/g, "other("),
    "the method and one more": (path) =>
      `${better(path)}\n\n${better(path).replaceAll(/\b(?:f|F|Aaa)\(/g, "other(")}`,
    "a call of it": (path) => cases[path]?.use ?? "",
    "its first lines": (path) => better(path).split("\n").slice(0, 3).join("\n"),
    "it with one more parameter": (path) =>
      better(path).replace(
        /\b(?:f|F|Aaa)\((?:&?self, )?/,
        path === "a.rs" ? "$&z: i32, " : "$&z, ",
      ),
  };
  for (const [what, write] of Object.entries(others)) {
    test.each(names)(`${what}, in %s`, async (path) => {
      for (const way of ways.slice(0, 2)) {
        for (const wear of Object.values(dresses)) {
          const msg = await tell(ask(path, way).request, fenced(wear(write(path))));
          expect(firstBlock(msg)).toBeUndefined();
        }
      }
    });
  }
});

test.each(names)("its last lines alone make the whole of it, or no block, in %s", async (path) => {
  const last = better(path).split("\n").slice(-3).join("\n");
  for (const way of ways.slice(0, 2)) {
    for (const wear of Object.values(dresses)) {
      const { selected, request } = ask(path, way);
      const block = firstBlock(await tell(request, fenced(wear(last))));
      expect([undefined, better(path, selected)]).toContain(block);
    }
  }
});
