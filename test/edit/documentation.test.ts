// Documentation that an answer shows without the code that it is for.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyCodeEdit } from "../../src/edit.ts";
import { cases } from "../helpers/cases.ts";

interface Language {
  wrap: readonly [string, string];
  head: (name: string) => string;
  end: readonly string[];
  doc: (lines: readonly string[]) => string[];
  /** An annotation. */
  note?: string;
  /** A comment of another kind, which is no documentation. */
  remark?: string;
  isBelow?: true;
}

const stars = (lines: readonly string[]) => ["/**", ...lines.map((line) => ` * ${line}`), " */"];
const signs = (sign: string) => (lines: readonly string[]) =>
  lines.map((line) => `${sign} ${line}`);
const quotes = (lines: readonly string[]) =>
  lines.length === 1 ? [`"""${lines[0]}"""`] : [`"""${lines[0]}`, "", ...lines.slice(1), '"""'];
const braces = { end: ["}"], doc: stars, remark: "// TODO: later." };

const languages: Readonly<Record<string, Language>> = {
  TypeScript: {
    ...braces,
    wrap: ["export class Shop {", "}"],
    head: (name) => `async ${name}(value: number): Promise<number> {`,
    note: "@memo",
  },
  Java: {
    ...braces,
    wrap: ["public class Shop {", "}"],
    head: (name) => `public int ${name}(int value) throws IOException {`,
    note: "@Override",
  },
  Kotlin: {
    ...braces,
    wrap: ["class Shop {", "}"],
    head: (name) => `fun ${name}(value: Int): Int {`,
    note: '@JvmName("it")',
  },
  "C#": {
    wrap: ["public class Shop {", "}"],
    head: (name) => `public int ${name}(int value)`,
    end: ["}"],
    doc: (lines) => signs("///")(["<summary>", ...lines, "</summary>"]),
    note: "[Pure]",
    remark: "// TODO: later.",
  },
  Rust: {
    ...braces,
    wrap: ["impl Shop {", "}"],
    head: (name) => `pub fn ${name}(&self, value: i32) -> i32 {`,
    doc: signs("///"),
    note: "#[inline]",
  },
  Swift: {
    ...braces,
    wrap: ["class Shop {", "}"],
    head: (name) => `func ${name}(_ value: Int) -> Int {`,
    doc: signs("///"),
    note: "@objc",
  },
  PHP: {
    ...braces,
    wrap: ["class Shop {", "}"],
    head: (name) => `public function ${name}(int $value): int {`,
    note: "#[Pure]",
  },
  "C++": {
    ...braces,
    wrap: ["namespace shop {", "}"],
    head: (name) => `static int ${name}(int value) {`,
  },
  Go: {
    end: ["}"],
    doc: signs("//"),
    wrap: ["var (", ")"],
    head: (name) => `func ${name}(value int) (int, error) {`,
  },
  Ruby: {
    wrap: ["class Shop", "end"],
    head: (name) => `def ${name}(value)`,
    end: ["end"],
    doc: signs("#"),
  },
  Lua: {
    wrap: ["do", "end"],
    head: (name) => `local function ${name}(value)`,
    end: ["end"],
    doc: signs("---"),
    remark: "-- TODO: later.",
  },
  Shell: {
    wrap: ["if true; then", "fi"],
    head: (name) => `${name}() {`,
    end: ["}"],
    doc: signs("#"),
  },
  Python: {
    wrap: ["class Shop:", ""],
    head: (name) => `def ${name}(self, value: int) -> int:`,
    end: [],
    doc: quotes,
    note: "@cached",
    isBelow: true,
  },
};

const word = fc.constantFrom(..."adds takes counts reads writes keeps sorts finds".split(" "));
const sentence = fc.array(word, { minLength: 2, maxLength: 4 }).map((words) => words.join(" "));
const doc = fc.array(sentence, { minLength: 1, maxLength: 3 });

interface Unit {
  doc: string[] | undefined;
  hasNote: boolean;
  hasRemark: boolean;
}
const units = fc.array(
  fc.record({
    doc: fc.option(doc, { nil: undefined }),
    hasNote: fc.boolean(),
    hasRemark: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);
const unitAt = (all: readonly Unit[], nth: number): Unit =>
  all[nth] ?? { doc: undefined, hasNote: false, hasRemark: false };
const join = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const shift = (lines: readonly string[], by: string) =>
  lines.map((line) => (line === "" ? "" : by + line));

/** How an answer shows a head whose body it leaves out. */
const heads: Readonly<Record<string, (head: string) => string>> = {
  "as it is": (head) => head,
  "as a prototype": (head) => `${head.replace(/ ?[{:]$/, "")};`,
  "without what begins its body": (head) => head.replace(/ ?[{:]$/, ""),
  "with dots for its body": (head) => head.replace(/\{$/, "{ ... }"),
};

describe.each(Object.entries(languages))("documentation in %s", (_, language) => {
  const { wrap, head, end, doc: print, note, remark, isBelow } = language;
  const named = (nth: number) => `work_${nth}`;
  /** Comments that could be any remark tell what they are for. */
  const docOf = (nth: number, lines: readonly string[]) =>
    print([`${named(nth)} ${lines[0]}`, ...lines.slice(1)]);
  const printOf = (unit: Unit, nth: number, by: string): string[] => {
    const own = unit.doc === undefined ? [] : docOf(nth, unit.doc);
    return [
      ...(unit.hasRemark && remark !== undefined ? [remark] : []),
      ...(isBelow ? [] : own),
      ...(unit.hasNote && note !== undefined ? [note] : []),
      head(named(nth)),
      ...(head("").endsWith(")") && end[0] === "}" ? ["{"] : []),
      ...(isBelow ? shift(own, by) : []),
      `${by}step_${nth}(value)`,
      ...end,
      "",
    ];
  };
  const write = (all: readonly Unit[], by: string, isInside: boolean): string[] => {
    const inner = all.flatMap((unit, nth) => printOf(unit, nth, by));
    return isInside ? [wrap[0], ...shift(inner, by), wrap[1]] : inner;
  };
  const layout = fc.record({
    by: fc.constantFrom("  ", "    ", "\t"),
    isInside: fc.boolean(),
    shown: fc.constantFrom("", "  ", "        "),
  });

  test("takes the place of the old one above or below the heads that it is shown with", () => {
    fc.assert(
      fc.property(
        units,
        fc.array(fc.option(doc, { nil: undefined }), { minLength: 4, maxLength: 4 }),
        layout,
        fc.constantFrom(...Object.keys(heads)),
        (old, docs, { by, isInside, shown }, form) => {
          const given = docs.slice(0, old.length);
          fc.pre(given.some((one) => one !== undefined));
          const code = given.flatMap((one, nth) => {
            if (one === undefined) return [];
            const headOf = heads[form]?.(head(named(nth))) ?? "";
            const own = docOf(nth, one);
            return [...(isBelow ? [headOf, ...shift(own, "    ")] : [...own, headOf]), ""];
          });
          const wanted = old.map((unit, nth) => ({ ...unit, doc: given[nth] ?? unit.doc }));
          const before = join(write(old, by, isInside));
          const result = applyCodeEdit(before, join(shift(code, shown)));
          const after = join(write(wanted, by, isInside));
          if (before === after) return;
          expect(result.ok ? result.text : result.error.message).toBe(after);
        },
      ),
      { numRuns: cases(100) },
    );
  });

  test("alone takes the place of the old one of what is meant, and of nothing where nothing is", () => {
    fc.assert(
      fc.property(units, fc.nat(), doc, layout, (old, at, lines, { by, isInside, shown }) => {
        const nth = at % old.length;
        const before = write(old, by, isInside);
        const after = join(write(old.with(nth, { ...unitAt(old, nth), doc: lines }), by, isInside));
        fc.pre(after !== join(before));
        const code = join(shift(docOf(nth, lines), shown));
        const startLine = before.findIndex((line) => line.endsWith(head(named(nth)))) + 1;
        const endLine = before.findIndex((line) => line.includes(`step_${nth}(`)) + 1;
        for (const range of ["near", "within"]) {
          const meant = { [range]: { startLine, endLine } };
          const result = applyCodeEdit(join(before), code, meant);
          expect(result.ok ? result.text : result.error.message).toBe(after);
        }
        // Of what the file documents it may be a new version.
        if (old.some(({ doc: own }) => own !== undefined)) return;
        const body = { startLine: endLine, endLine };
        for (const meant of [{}, { within: body }, { near: body }])
          expect(applyCodeEdit(join(before), code, meant).ok).toBe(false);
      }),
      { numRuns: cases(50) },
    );
  });

  // Below a head it begins with a sign that shows all of it.
  if (isBelow !== true)
    test("that is shown from one of its lines on leaves those above", () => {
      fc.assert(
        fc.property(units, fc.nat(), layout, fc.boolean(), (old, at, { by, isInside }, isWhole) => {
          const nth = at % old.length;
          const own = ["Does the one thing", "with all of that", "and as usual."];
          const all = old.map((unit) => ({ ...unit, hasRemark: false }));
          const now = { ...unitAt(all, nth), doc: own };
          const [before = "", after = ""] = [own, [...own.slice(0, 2), "and never otherwise."]].map(
            (lines) => join(write(all.with(nth, { ...now, doc: lines }), by, isInside)),
          );
          const shown = printOf(
            { ...now, doc: [...own.slice(0, 2), "and never otherwise."] },
            nth,
            by,
          );
          const first = shown.findIndex((line) => line.includes("with all of that"));
          const last = shown.findIndex((line) => line.endsWith(head(named(nth))));
          fc.pre(first > 0);
          const code = isWhole ? shown.slice(first) : shown.slice(first, last + 1);
          const result = applyCodeEdit(before, join(isInside ? shift(code, by) : code));
          // A piece of a comment in stars may be refused.
          if (!result.ok && docOf(0, own)[0] === "/**") return;
          expect(result.ok ? result.text : result.error.message).toBe(after);
        }),
        { numRuns: cases(50) },
      );
    });

  test("comes as deep as the file has it with a function that is shown whole", () => {
    fc.assert(
      fc.property(units, fc.nat(), doc, layout, (old, at, lines, { by, isInside, shown }) => {
        const nth = at % old.length;
        const next = { ...unitAt(old, nth), hasRemark: false, doc: lines };
        const without = old.with(nth, { ...unitAt(old, nth), hasRemark: false });
        const [before = "", after = ""] = [without, old.with(nth, next)].map((all) =>
          join(write(all, by, isInside)),
        );
        fc.pre(after !== before);
        const code = join(shift(printOf(next, nth, by), shown));
        const result = applyCodeEdit(before, code);
        expect(result.ok ? result.text : result.error.message).toBe(after);
      }),
      { numRuns: cases(50) },
    );
  });
});

test("heads over several lines, and what has no body, are documented as well", () => {
  const several = ["async work(", "  one: number,", "  two: number,", "): Promise<void> {"];
  const table: readonly (readonly [
    before: readonly string[],
    head: readonly string[],
    docs: readonly string[],
  ])[] = [
    [["class A {", ...shift([...several, "  go(one);", "}"], "  "), "}"], several, stars(["It."])],
    [
      ["class A {", "  private int one = 1;", "  private int two = 2;", "}"],
      ["private int two = 2;"],
      stars(["It."]),
    ],
    [
      ["interface A {", "  one: number;", "  two(one: number): void;", "}"],
      ["one: number;"],
      ["/** It. */"],
    ],
    [
      ["int one(int a);", "int two(int a);", "int three(int a);"],
      ["int two(int a);"],
      ["/** It. */"],
    ],
    [["pub struct A {", "    one: u32,", "    two: u32,", "}"], ["two: u32,"], ["/// It."]],
    [["enum A {", "    ONE,", "    TWO,", "}"], ["ONE,"], stars(["It."])],
  ];
  for (const [before, head, docs] of table)
    for (const by of ["", "    "]) {
      const result = applyCodeEdit(join(before), join(shift([...docs, ...head], by)));
      const at = before.findIndex((line) => line.trim() === head[0]);
      const indent = /^\s*/.exec(before[at] ?? "")?.[0] ?? "";
      const after = join(before.toSpliced(at, 0, ...shift(docs, indent)));
      expect(result.ok ? result.text : result.error.message).toBe(after);
    }
});

const strings = [
  {
    wrap: ["module Shop", "", "", "end"],
    open: '"""',
    head: (name: string) => `function ${name}(value)`,
  },
  {
    wrap: ["defmodule Shop do", "  use Base", "", "end"],
    open: '@doc """',
    head: (name: string) => `def ${name}(value) do`,
  },
];

test("a string right above a function documents it: a new one comes, an old one is replaced, and others stay", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...strings),
      fc.array(fc.option(doc, { nil: undefined }), { minLength: 2, maxLength: 4 }),
      fc.nat(),
      fc.option(doc, { nil: undefined }),
      fc.boolean(),
      fc.boolean(),
      ({ wrap, open, head }, docs, at, shown, isChanged, isDedented) => {
        const nth = at % docs.length;
        const print = (own: readonly string[] | undefined, which: number, call: string) => [
          ...(own === undefined ? [] : [open, ...own, '"""']),
          head(`work_${which}`),
          `  ${call}_${which}(value)`,
          "end",
        ];
        const file = (all: readonly (readonly string[] | undefined)[], call: string): string => {
          const printed = all.flatMap((own, which) => [
            ...print(own, which, which === nth ? call : "step"),
            "",
          ]);
          return join([
            ...wrap.slice(0, -1),
            ...shift(printed.slice(0, -1), "  "),
            ...wrap.slice(-1),
          ]);
        };
        const call = isChanged ? "other" : "step";
        const after = file(docs.with(nth, shown ?? docs[nth]), call);
        fc.pre(after !== file(docs, "step"));
        const code = join(shift(print(shown, nth, call), isDedented && open === '"""' ? "" : "  "));
        const result = applyCodeEdit(file(docs, "step"), code);
        expect(result.ok ? result.text : result.error.message).toBe(after);
        fc.pre(shown !== undefined && shown.join() !== docs[nth]?.join());
        // Alone it is for what is meant.
        const before = file(docs, "step");
        const line = before.split("\n").findIndex((text) => text.includes(`work_${nth}(`)) + 1;
        const within = { startLine: line, endLine: line + 2 };
        const alone = applyCodeEdit(before, join([open, ...(shown ?? []), '"""']), { within });
        expect(alone.ok ? alone.text : alone.error.message).toBe(
          file(docs.with(nth, shown), "step"),
        );
      },
    ),
    { numRuns: cases(200) },
  );
});

const twins =
  "/** A license. */\n\nclass A {\n  get() {\n    a();\n  }\n}\n\nclass B {\n  get() {\n    b();\n  }\n}\n";
test.each([
  ["which of two it is for", "/** Gets. */\nget() {\n"],
  ["what it is for", "/** Gets. */\nput() {\n"],
  ["what all of it is for", "/** Gets. */\nclass A {\n  /** Puts. */\n  put() {\n"],
  ["whether it is for the file", "/** A license. */\n\nclass A {\n"],
  ["whether it is for the file that is shown as it is", twins],
  ["where it ends", "/** Gets.\nclass A {\n"],
  ["whether a comment is one", "// Gets.\na();\n"],
  ["that it is for the lines of a body", "/** Gets. */\n}\n"],
])("documentation is refused where it is not clear %s", (_, code) => {
  const { ok } = applyCodeEdit(twins, code);
  expect(ok).toBe(false);
});

test("of two functions with one head the documentation is for the one that is meant", () => {
  for (const [nth, startLine] of [4, 10].entries()) {
    const near = { startLine, endLine: startLine + 2 };
    const result = applyCodeEdit(twins, "/** Gets. */\nget() {\n", { near });
    const parts = twins.split("  get");
    expect(result).toMatchObject({
      text: `${parts.slice(0, nth + 1).join("  get")}  /** Gets. */\n  get${parts.slice(nth + 1).join("  get")}`,
    });
  }
});

test("a comment with tags of documentation is that of what is selected; another one may be anything", () => {
  const tag = fc.constantFrom("@param", "@return", "\\param", ":param");
  fc.assert(
    fc.property(tag, fc.boolean(), (sign, isTagged) => {
      const before = "def one(a)\n  a\nend\n\ndef two(b)\n  b + 1\nend\n";
      const docs = `# Adds one more.\n#\n# ${isTagged ? sign : "for"} b [Integer]\n`;
      const result = applyCodeEdit(before, docs, { within: { startLine: 5, endLine: 7 } });
      if (isTagged)
        expect(result).toMatchObject({ text: before.replace("def two", `${docs}def two`) });
      else expect(result.ok).toBe(false);
    }),
    { numRuns: cases(16) },
  );
});
