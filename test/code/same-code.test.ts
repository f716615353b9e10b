import { expect, test } from "vitest";
import { bareCode, isSameCode } from "../../src/code/same-code.ts";
import { parser } from "./read-fixture.ts";

async function same(path: string, before: string, after: string): Promise<boolean> {
  const [was, is] = await Promise.all(
    [before, after].map(async (text) => bareCode(await parser.analyze(text, "", path))),
  );
  if (was === undefined || is === undefined) throw new Error("Two texts are two codes.");
  const isSame = isSameCode(was, is);
  expect(isSameCode(is, was)).toBe(isSame);
  return isSame;
}

test.each([
  ["a comment above a function", "a.ts", "f();\n", "/**\n * Calls.\n */\nf();\n"],
  ["a comment behind code", "a.ts", "f();\n", "f(); // calls\n"],
  ["a comment inside of code", "a.ts", "f(1, 2);\n", "f(1, /* two */ 2);\n"],
  ["a longer comment inside of code", "a.ts", "f(/* a */ 1);\n", "f(/* the count */ 1);\n"],
  ["a comment beside a bracket", "a.ts", "f(1);\n", "f( /* one */ 1 /* end */ );\n"],
  ["a comment between words", "a.ts", "return a;\n", "return/* a */a;\n"],
  ["another comment", "a.go", "package a // one\n", "package a // two\n"],
  ["a comment before the code of a line", "a.c", "  int a;\n", "  /* one */ int a;\n"],
  ["a comment above the code of a line", "a.c", "  int a;\n", "  /* one\n     two */ int a;\n"],
  ["a doc string", "a.py", "def f():\n    return 1\n", 'def f():\n    """One."""\n    return 1\n'],
  ["a raw doc string", "a.py", "def f():\n  '''a'''\n  g()\n", 'def f():\n  R"""b\\d"""\n  g()\n'],
  [
    "the doc string that is a body",
    "a.py",
    "class E(A):\n    '''a'''\n",
    "class E(A):\n    '''b'''\n",
  ],
  ["the doc string of a module", "a.py", "import a\n", '"""About.\n\nMore."""\n\nimport a\n'],
  ["another doc string of a module", "a.py", "#!/bin/py\n'a'\nf()\n", "#!/bin/py\n'b'\nf()\n"],
  ["the doc string of a module that is no more", "a.py", "'a'\n", ""],
  ["doc comments of Rust", "a.rs", "fn f() {}\n", "/// Calls.\n///\n/// # Panics\nfn f() {}\n"],
  ["the comment of a macro", "a.c", "#define A 1 // one\n", "#define A 1\n"],
  [
    "a comment below a shebang",
    "a.js",
    "#!/usr/bin/env node\nf();\n",
    "#!/usr/bin/env node\n// f\n\nf();\n",
  ],
  [
    "a comment of linters and type checkers",
    "a.ts",
    "f();\n",
    "// @ts-ignore\n// eslint-disable-next-line\nf();\n",
  ],
  ["an annotation in a doc comment", "a.php", "<?php\nf();\n", "<?php\n/** @Route('/') */\nf();\n"],
  ["other line ends and blank lines", "a.ts", "f();\ng();\n", "\n\nf();  \r\n\r\ng();"],
])("%s is no code", async (_, path, before, after) => {
  expect(await same(path, before, after)).toBe(true);
});

test.each([
  ["a statement", "a.ts", "f();\n", "/** Calls. */\ng();\n"],
  ["a statement behind a comment", "a.ts", "/* f */ f();\n", "/* f */ f(); g();\n"],
  ["a statement that became a comment", "a.ts", "f();\ng();\n", "f();\n// g();\n"],
  ["the inside of a text", "a.ts", 'f("// a");\n', 'f("// b");\n'],
  ["a blank line in a text", "a.js", "f(`a\n\nb`);\n", "f(`a\nb`);\n"],
  ["a blank at the end of a line in a text", "a.js", "f(`a \nb`);\n", "f(`a\nb`);\n"],
  ["a blank line in a pattern", "a.rb", "a = /b\n\nc/\n", "a = /b\nc/\n"],
  ["a blank line in HTML", "a.php", "<?php f(); ?>\n\n<p>\n", "<?php f(); ?>\n<p>\n"],
  ["a blank line above the first tag", "a.php", "<?php f();\n", "\n<?php f();\n"],
  ["the indentation", "a.py", "if a:\n    f()\n    g()\n", "if a:\n    f()\ng()\n"],
  ["the indentation of the first line", "a.py", "f()\n", "  f()\n"],
  ["a blank between words", "a.js", "a + b;\n", "a+b;\n"],
  ["a text that documents nothing", "a.py", 'x = """a"""\n', 'x = """b"""\n'],
  ["a second text", "a.py", "'a'\n'b'\n", "'a'\n'c'\n"],
  [
    "a text with values in it",
    "a.py",
    "def f():\n  'a'\n  g()\n",
    'def f():\n  f"a {b()}"\n  g()\n',
  ],
  ["the value in a text", "a.py", "def f():\n  f'{a()}'\n  g()\n", "def f():\n  f'{b()}'\n  g()\n"],
  ["bytes", "a.py", "def f():\n  'a'\n  g()\n", "def f():\n  b'a'\n  g()\n"],
  [
    "the last doc string of a body",
    "a.py",
    "def f():\n    '''a'''\n    # b\n\ng()\n",
    "def f():\n    # b\n\ng()\n",
  ],
  ["what keeps words apart", "a.js", "a/**/b;\n", "ab;\n"],
  ["what keeps signs apart", "a.js", "a +/**/+ b;\n", "a ++ b;\n"],
  ["what keeps a macro from having parameters", "a.c", "#define A /* a */ (b)\n", "#define A(b)\n"],
  ["a line that a comment breaks", "a.js", "return /* a */ 1;\n", "return /* a\n */ 1;\n"],
  ["a line break beside a comment", "a.js", "return /* a */ 1;\n", "return /* a */\n1;\n"],
  ["a comment behind a backslash", "a.py", "a = 1 + \\\n    b\n", "a = 1 + \\ # c\n    b\n"],
  ["a blank behind a backslash", "a.c", "#define A \\\n  1\n", "#define A \\ \n  1\n"],
  ["a shebang", "a.py", "#!/bin/a\nf()\n", "#!/bin/b\nf()\n"],
  ["a comment above a shebang", "a.py", "#!/bin/a\nf()\n", "# a\n#!/bin/a\nf()\n"],
  ["an encoding", "a.py", "# -*- coding: utf-8 -*-\nf()\n", "# -*- coding: latin-1 -*-\nf()\n"],
  [
    "an encoding that moves down",
    "a.py",
    "#\n# coding: utf-8\nf()\n",
    "#\n#\n# coding: utf-8\nf()\n",
  ],
  ["a magic comment", "a.rb", "# frozen_string_literal: true\nf\n", "f\n"],
  ["a build constraint", "a.go", "package a\n", "//go:build linux\n\npackage a\n"],
  [
    "an embedded file",
    "a.go",
    "package a\n\n//go:embed b\nvar c string\n",
    "package a\n\n//go:embed d\nvar c string\n",
  ],
  [
    "C above an import",
    "a.go",
    'package a\n\n// int a;\nimport "C"\n',
    'package a\n\n// int b;\nimport "C"\n',
  ],
  ["a hint for bundlers", "a.js", "f();\n", "/* @__PURE__ */ f();\n"],
  ["a name of a chunk", "a.js", "import(/* webpackChunkName: 'a' */ 'b');\n", "import('b');\n"],
  ["the factory of JSX", "a.tsx", "/** @jsx h */\nf();\n", "/** @jsx g */\nf();\n"],
  [
    "a line end that only Java sees",
    "a.java",
    "// a\nclass A {}\n",
    "// a \\u000a class B {}\nclass A {}\n",
  ],
  ["a line end that only compilers see", "a.py", "# a\nf()\n", "# a\rg()\nf()\n"],
  ["a comment that swallows the next line", "a.c", "// a\nint a;\n", "// a \\\nint a;\n"],
])("%s is code", async (_, path, before, after) => {
  expect(await same(path, before, after)).toBe(false);
});

test("long texts are compared", async () => {
  const read = (comment: string) =>
    parser.analyze(`a(); /* ${comment} */ b();\n`.repeat(5_000), "typescript");
  const [was, is] = [await read("one"), await read("two")];
  expect(isSameCode(bareCode(was), bareCode(is))).toBe(true);
});
