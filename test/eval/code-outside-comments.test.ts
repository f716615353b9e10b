import { expect, test } from "vitest";
import { codeOutsideComments } from "../../scripts/eval/code-outside-comments.ts";
import { code } from "./scripted-eval.ts";

const same = (path: string, before: string, after: string) =>
  Promise.all([before, after].map((text) => codeOutsideComments(text, path, code))).then(
    ([was, is]) => was === is,
  );

test.each([
  ["a comment above a function", "a.ts", "f();\n", "/**\n * Calls.\n */\nf();\n"],
  ["a comment behind code", "a.ts", "f();\n", "f(); // calls\n"],
  ["a comment inside of code", "a.ts", "f(1, 2);\n", "f(1, /* two */ 2);\n"],
  ["another comment", "a.go", "package a // one\n", "package a // two\n"],
  ["a doc string", "a.py", "def f():\n    return 1\n", 'def f():\n    """One."""\n    return 1\n'],
  ["doc comments of Rust", "a.rs", "fn f() {}\n", "/// Calls.\n///\n/// # Panics\nfn f() {}\n"],
  ["other line ends and blank lines", "a.ts", "f();\ng();\n", "f();  \r\n\r\ng();\r\n"],
])("%s is no code", async (_, path, before, after) => {
  expect(await same(path, before, after)).toBe(true);
});

test.each([
  ["a statement", "a.ts", "f();\n", "/** Calls. */\ng();\n"],
  ["a statement that became a comment", "a.ts", "f();\ng();\n", "f();\n// g();\n"],
  ["the inside of a text", "a.ts", 'f("// a");\n', 'f("// b");\n'],
  ["the indentation", "a.py", "if a:\n    f()\n    g()\n", "if a:\n    f()\ng()\n"],
  ["a text that documents nothing", "a.py", 'x = """a"""\n', 'x = """b"""\n'],
])("%s is code", async (_, path, before, after) => {
  expect(await same(path, before, after)).toBe(false);
});
