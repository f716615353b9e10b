// Code that shows a part of something, or something beside its like: what is meant becomes of the file, or nothing.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyCodeEdit } from "../../src/edit.ts";
import { cases } from "../helpers/cases.ts";

const word = fc.stringMatching(/^[a-z]{5,8}$/);
const words = fc.uniqueArray(word, { minLength: 40, maxLength: 40 });
const join = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
const callOf = ([one = "", two = "", three = ""]: readonly string[], at: number): string =>
  `${one}${at}.${two}(${three}${at})`;
/** A function in a language that closes a block by its indentation, or by a bracket. */
const write = (isPython: boolean, name: string, body: readonly string[]): string[] =>
  isPython
    ? [`def ${name}(value):`, ...body.map((line) => `    ${line}`)]
    : [`function ${name}(value) {`, ...body.map((line) => `  ${line};`), "}"];

/** Nothing, or what is meant. */
function expectOnly(before: string, code: string, meant: string): void {
  const result = applyCodeEdit(before, code);
  if (result.ok) expect(result.text).toBe(meant);
}

test("a part of a function with a line anew loses no other line of it, and repeats none", () => {
  fc.assert(
    fc.property(
      words,
      fc.boolean(),
      fc.integer({ min: 3, max: 8 }),
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      (all, isPython, count, cut, place, isHead) => {
        const body = Array.from({ length: count }, (_, at) => callOf(all.slice(3 * at), at));
        const split = 2 + (cut % (count - 2));
        const at = isHead ? 1 + (place % (split - 1)) : split + (place % (count - split));
        const now = body.toSpliced(at, 0, "entirely.new(thing)");
        const rest = write(isPython, "other", [callOf(all.slice(30), 9), callOf(all.slice(33), 9)]);
        const [before, meant] = [body, now].map((own) =>
          join([...write(isPython, "own", own), "", "", ...rest]),
        );
        const shown = write(isPython, "own", now);
        const code = isHead ? shown.slice(0, split + 2) : shown.slice(split);
        expectOnly(before ?? "", join(code), meant ?? "");
      },
    ),
    { numRuns: cases(200) },
  );
});

test("a new block beside one like it, which nothing else is shown with, takes the place of none", () => {
  const heads = [
    (name: string) => [`test("${name}", () => {`, "});"],
    (name: string) => [`context "${name}" do`, "end"],
    (name: string) => [`resource "kind" "${name}" {`, "}"],
    (name: string) => [`@mark("${name}")\nfunction ${name}(value) {`, "}"],
  ];
  fc.assert(
    fc.property(words, fc.constantFrom(...heads), fc.nat({ max: 3 }), (all, head, at) => {
      const [name = "", ...rest] = all;
      const body = Array.from({ length: 4 }, (_, nth) => `  ${callOf(rest.slice(3 * nth), nth)};`);
      const [top = "", end = ""] = head(name);
      const others = ["first", "second", "third"].flatMap((other) => {
        const [begin = "", close = ""] = head(other);
        return ["", begin, `  ${other}.runs(all);`, `  ${other}.ends(all);`, close];
      });
      const before = join([top, ...body, end, ...others]);
      const [newTop = "", newEnd = ""] = head(rest[31] ?? "");
      const code = join([newTop, ...body.with(at, `  ${callOf(rest.slice(32), 7)};`), newEnd]);
      expect(applyCodeEdit(before, code).ok).toBe(false);
    }),
    { numRuns: cases(100) },
  );
});

test("a comment that a whole file leaves out comes back only right above a function", () => {
  fc.assert(
    fc.property(words, fc.boolean(), (all, isApart) => {
      const bodyOf = (at: number) => [callOf(all.slice(at), at), callOf(all.slice(at + 3), at)];
      const write2 = (comment: readonly string[], value: string) =>
        join([
          ...write(false, "one", [...bodyOf(0), value]),
          "",
          ...comment,
          ...write(false, "two", bodyOf(12)),
        ]);
      const comment = [`// ${all.slice(30, 34).join(" ")}`, ...(isApart ? [""] : [])];
      const result = applyCodeEdit(write2(comment, "was(1)"), write2([], "now(2)"));
      const text = result.ok ? result.text : result.error.message;
      expect(text).toBe(write2(isApart ? [] : comment, "now(2)"));
    }),
    { numRuns: cases(50) },
  );
});

test("quotes that a whole file has otherwise are changed, also beside signs that are not plain", () => {
  fc.assert(
    fc.property(words, fc.constantFrom("•", "─", "…", "é"), (all, sign) => {
      const lines = Array.from({ length: 6 }, (_, at) => `${callOf(all.slice(3 * at), at)};`);
      const [before, after] = ["'", '"'].map((quote) =>
        join([...lines, `const sign = ${quote}${sign}${quote};`, ...lines.toReversed()]),
      );
      const result = applyCodeEdit(before, after ?? "");
      expect(result.ok ? result.text : result.error.message).toBe(after);
    }),
    { numRuns: cases(50) },
  );
});

test("code of one function takes nothing else away below a license, however long that is", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 20 }), (all, count) => {
      const license = Array.from({ length: count }, (_, at) => `// Copyright ${all[at]} ${at}`);
      const body = Array.from({ length: 8 }, (_, at) => callOf(all.slice(3 * at), at));
      const write2 = (own: readonly string[]) =>
        join([
          ...license,
          "",
          ...write(false, "one", body.slice(0, 2)),
          "",
          ...write(false, "two", own),
        ]);
      const now = body.slice(2).with(1, "entirely.new(thing)");
      expectOnly(write2(body.slice(2)), join(write(false, "two", now)), write2(now));
    }),
    { numRuns: cases(50) },
  );
});

test("a new first line takes the place of the one that it is like, or is refused", () => {
  const styles = [
    (name: string) => `@import "../${name}";`,
    (name: string) => `import { ${name} } from "../${name}";`,
    (name: string) => `#include "${name}.h"`,
  ];
  fc.assert(
    fc.property(words, fc.constantFrom(...styles), (all, style) => {
      const [was = "", ...rest] = all;
      const body = write(false, "own", [callOf(rest, 0), callOf(rest.slice(3), 1)]);
      const [before, meant] = [was, `${was}.now`].map((name) => join([style(name), "", ...body]));
      const code = join([style(`${was}.now`), "", ...body.slice(0, 2), "// ... existing code ..."]);
      expectOnly(before ?? "", code, meant ?? "");
    }),
    { numRuns: cases(50) },
  );
});

test.each([
  [
    "an import in brackets that has other names adds nothing inside of them",
    "use std::fmt;\nuse shop::{\n    one::{A, B},\n    two::*,\n};\n\nfn main() {}\n",
    "use shop::{\n    one::A, three::C,\n};\n",
  ],
  [
    "a script keeps the line that runs it",
    "#!/bin/bash\nset -e\necho one\ncd one\nnpm test\n",
    "npm ci\nnpm test\n\necho two\ncd two\nnpm test\n",
  ],
])("%s", (_, before, code) => {
  expect(applyCodeEdit(before, code).ok).toBe(false);
});

test.each([
  [
    "a line that goes deeper does not halve the others",
    "}\n\nint first(int a) {\n    return more(a);\n}\n\nint second(int b) {\n    return b;\n}\n",
    "// ... existing code ...\nint first(int a) {\n    if (a) {\n        return more(a);\n    }\n    return 0;\n}\n\nint second(int b) {\n// ... existing code ...\n",
    "    return more(a);\n",
    "    if (a) {\n        return more(a);\n    }\n    return 0;\n",
  ],
  [
    "text at column 0 does not shift the lines around it",
    "return {\n  docs = {\n    text = [[\n      one\n    ]],\n    root = 1,\n  },\n  more = 2,\n  most = 3,\n  less = 4,\n  least = 5,\n  other = 6,\n}\n",
    "  docs = {\n    text = [[\none\n    ]],\n    root = 1,\n",
    "      one\n",
    "one\n",
  ],
  [
    "an annotation before modifiers does not double them",
    "struct A {\n    public init(a: Int) {\n        self.a = a\n    }\n\n    func b() {\n        run()\n    }\n}\n",
    "    @inlinable public init(a: Int) {\n        self.a = a\n    }\n",
    "    public init",
    "    @inlinable public init",
  ],
  [
    "a line like one in other signs is new where the code has both",
    "one –\ntwo –\nthree\nfour\nfive\n",
    "one –\ntwo –\ntwo -\nthree\nfour\nfive\n",
    "two –\n",
    "two –\ntwo -\n",
  ],
])("%s", (_, before, code, old, now) => {
  const result = applyCodeEdit(before, code);
  expect(result.ok ? result.text : result.error.message).toBe(before.replace(old, now));
});
