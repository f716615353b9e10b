import { type Attack, editorOf, repeatLines, toBody } from "../attack.ts";

const attack = (
  name: string,
  path: string,
  language: string,
  content: () => string,
  { command = "explain", parallel = 1 }: { command?: string; parallel?: number } = {},
): Attack => ({
  group: "file",
  name: `file: ${name}`,
  parallel,
  body: (nth) => {
    const text = content() + "\n".repeat(nth);
    return toBody(`file: ${name}`, {
      command,
      contextVariables: [editorOf(text, path, language)],
    });
  },
});

/** Files that are hard to parse. */
export const fileAttacks: readonly Attack[] = [
  attack("a< in TypeScript", "a.ts", "typescript", () => "a<".repeat(3e5)),
  attack("a< in TypeScript, eight at once", "b.ts", "typescript", () => "b<".repeat(3e5), {
    parallel: 8,
  }),
  attack("a< in TSX", "a.tsx", "typescriptreact", () => "<a b={".repeat(5e4)),
  attack("brackets in JavaScript", "a.js", "javascript", () => "[(".repeat(2e5)),
  attack("templates in JavaScript", "a.js", "javascript", () => "`${".repeat(1e5)),
  attack("open strings in Python", "a.py", "python", () => `${'"""'.repeat(1e5)}\n'`),
  attack("indentation in Python", "a.py", "python", () =>
    repeatLines(900, (nth) => `${" ".repeat(nth)}if x:`),
  ),
  attack("a< in C++", "a.cpp", "cpp", () => "a<".repeat(2e5)),
  attack("macros in C", "a.c", "c", () => repeatLines(4e4, (nth) => `#if A${nth}(`)),
  attack("generics in Java", "A.java", "java", () => "A<".repeat(2e5)),
  attack("generics in C#", "A.cs", "csharp", () => "A<B,".repeat(1e5)),
  attack("blocks in Rust", "a.rs", "rust", () => "r#".repeat(1e5) + "{|".repeat(1e5)),
  attack("calls in Go", "a.go", "go", () => `package a\nfunc f() { ${"f(".repeat(1e5)}`),
  attack("heredocs in Ruby", "a.rb", "ruby", () => repeatLines(2e4, (nth) => `<<~A${nth} + %w(`)),
  attack("tags in PHP", "a.php", "php", () => "<?php $a[ ?>".repeat(4e4)),
  attack("fifty thousand functions", "a.ts", "typescript", () =>
    repeatLines(5e4, (nth) => `function f${nth}() {}`),
  ),
  attack("a megabyte without a grammar", "a.kt", "kotlin", () =>
    repeatLines(5e4, (nth) => `fun f${nth}() { "`),
  ),
  attack("ten megabytes in one line", "a.js", "javascript", () => "x ".repeat(4.5e6)),
  attack("nine megabytes of lines", "a.js", "javascript", () => repeatLines(9e5, () => "x = 1;//")),
  attack(
    "unit tests of a huge file",
    "c.ts",
    "typescript",
    () =>
      repeatLines(2e4, (nth) => `export function f${nth}(a: number) { if (a) { return ${nth}; } }`),
    { command: "unittest" },
  ),
];
