// Several functions, classes, rules or tags, each with marks for what stays inside of it.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyCodeEdit } from "../../src/edit.ts";
import { cases } from "../helpers/cases.ts";

interface Kind {
  open: (name: string) => string;
  line: (key: string, value: number) => string;
  close?: string;
  comment: (text: string) => string;
}
const slashes = (text: string) => `// ${text}`;
const hash = (text: string) => `# ${text}`;
const stars = (text: string) => `/* ${text} */`;
const tags = (text: string) => `<!-- ${text} -->`;

const kinds: Readonly<Record<string, Kind>> = {
  functions: {
    open: (name) => `export function ${name}(value) {`,
    line: (key, value) => `${key}(value, ${value});`,
    close: "}",
    comment: slashes,
  },
  classes: {
    open: (name) => `public class ${name} extends Base {`,
    line: (key, value) => `private int ${key} = ${value};`,
    close: "}",
    comment: slashes,
  },
  "functions of Python": {
    open: (name) => `def ${name}(value):`,
    line: (key, value) => `${key}(value, ${value})`,
    comment: hash,
  },
  "methods of Ruby": {
    open: (name) => `def ${name}(value)`,
    line: (key, value) => `${key}(value, ${value})`,
    close: "end",
    comment: hash,
  },
  "rules of CSS": {
    open: (name) => `.${name}:hover {`,
    line: (key, value) => `${key}: ${value}px;`,
    close: "}",
    comment: stars,
  },
  "resources of Terraform": {
    open: (name) => `resource "aws_instance" "${name}" {`,
    line: (key, value) => `${key} = ${value}`,
    close: "}",
    comment: hash,
  },
  "blocks of a test": {
    open: (name) => `describe("${name}", () => {`,
    line: (key, value) => `${key}(value, ${value});`,
    close: "});",
    comment: slashes,
  },
  "structs of Go": {
    open: (name) => `type ${name} struct {`,
    line: (key, value) => `${key} [${value}]int`,
    close: "}",
    comment: slashes,
  },
  "tables of SQL": {
    open: (name) => `CREATE TABLE ${name} (`,
    line: (key, value) => `${key} varchar(${value}),`,
    close: ");",
    comment: (text) => `-- ${text}`,
  },
  "methods of C#": {
    open: (name) => `public int ${name}(int value)\n{`,
    line: (key, value) => `${key}(value, ${value});`,
    close: "}",
    comment: slashes,
  },
};

/** Keys come in every unit, as the properties of rules do. */
const keys = "width height margin padding border color".split(" ");
const units = fc.array(
  fc.uniqueArray(fc.integer({ min: 1, max: 99 }), {
    minLength: keys.length,
    maxLength: keys.length,
  }),
  { minLength: 2, maxLength: 5 },
);
const part = fc.record({
  at: fc.integer({ min: 1, max: keys.length - 2 }),
  value: fc.integer({ min: 100, max: 999 }),
  form: fc.constantFrom("top", "middle", "end"),
});
/** Empty lines are between units alone. */
const join = (lines: readonly string[]) => `${lines.join("\n").trimEnd()}\n`;

describe.each(Object.entries(kinds))("%s", (_, { open, line, close, comment }) => {
  const print = (name: string, lines: readonly string[]) => [
    open(name),
    ...lines.map((one) => `    ${one}`),
    ...(close === undefined ? [] : [close]),
    "",
  ];
  const linesOf = (values: readonly number[]) =>
    values.map((value, nth) => line(keys[nth] ?? "", value));
  const mark = comment("... existing code ...");

  test("that are shown in parts are changed where they are shown, or not at all", () => {
    const counts = { made: 0, all: 0 };
    fc.assert(
      fc.property(
        units,
        fc.array(fc.option(part), { minLength: 5, maxLength: 5 }),
        (all, parts) => {
          const shown = parts.slice(0, all.length);
          fc.pre(shown.filter((one) => one !== null).length > 1);
          const write = (which: readonly (readonly number[])[]) =>
            join(which.flatMap((values, nth) => print(`work_${nth}`, linesOf(values))));
          const next = all.map((values, nth) => {
            const one = shown[nth];
            return one ? values.with(one.at, one.value) : values;
          });
          const code = shown.flatMap((one, nth) => {
            if (!one) return [];
            const lines = linesOf(next[nth] ?? []);
            const [above, below] = [lines.slice(0, one.at - 1), lines.slice(one.at + 2)];
            const own = lines.slice(one.at - 1, one.at + 2);
            return print(`work_${nth}`, [
              ...(one.form === "top" ? above : [mark]),
              ...own,
              ...(one.form === "end" ? below : [mark]),
            ]);
          });
          const before = write(all);
          const result = applyCodeEdit(before, join(code));
          counts.all += 1;
          if (!result.ok) return;
          counts.made += 1;
          expect(result.text).toBe(write(next));
        },
      ),
      { numRuns: cases(100) },
    );
    expect(counts.made / counts.all).toBeGreaterThan(0.9);
  });

  test("whose head comes at two depths are meant at that of the code", () => {
    fc.assert(
      fc.property(
        units,
        part,
        fc.boolean(),
        fc.boolean(),
        ([one = [], two = []], { at, value }, isInner, isAfter) => {
          const inner = (values: readonly number[]) =>
            print(
              "outer",
              print("work", linesOf(values))
                .slice(0, -1)
                .flatMap((text) => text.split("\n")),
            );
          const write = (top: readonly number[], deep: readonly number[]) => {
            const both = [print("work", linesOf(top)), inner(deep)];
            return join((isAfter ? both.toReversed() : both).flat());
          };
          const next = (isInner ? two : one).with(at, value);
          const shown = linesOf(next).slice(at - 1, at + 2);
          const code = print("work", [mark, ...shown, mark]).join("\n");
          const result = applyCodeEdit(
            write(one, two),
            isInner ? code.replaceAll(/^(?=.)/gm, "    ") : code,
          );
          expect(result.ok ? result.text : result.error.message).toBe(
            isInner ? write(one, next) : write(next, two),
          );
        },
      ),
      { numRuns: cases(50) },
    );
  });

  test("of which one lacks lines that are neither shown nor marked are not changed", () => {
    fc.assert(
      fc.property(units, (all) => {
        const before = all.flatMap((values, nth) => print(`work_${nth}`, linesOf(values)));
        const [one = [], two = []] = all.map(linesOf);
        const code = [
          ...print("work_1", [mark, ...two.slice(-1), line("other", 100)]),
          ...print("work_0", [...one.slice(0, 1), ...one.slice(-1)]),
        ];
        expect(applyCodeEdit(join(before), join(code)).ok).toBe(false);
      }),
      { numRuns: cases(20) },
    );
  });
});

test("tags that are shown in parts, one or several, are changed where they are shown", () => {
  const names = ["template", "script", "style", "docs", "i18n"];
  const marks = [tags, slashes, stars].map((comment) => comment("... existing code ..."));
  const print = (nth: number, attributes: string, lines: readonly string[]) => [
    `<${names[nth]}${attributes}>`,
    ...lines.map((text) => `  ${text}`),
    `</${names[nth]}>`,
    "",
  ];
  const linesOf = (values: readonly number[]) =>
    values.map((value, nth) => `${keys[nth]}(${value});`);
  fc.assert(
    fc.property(
      units,
      fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }),
      fc.constantFrom("", ' setup lang="ts"', ' class="wide"'),
      fc.constantFrom(...marks),
      (all, which, attributes, mark) => {
        fc.pre(which.some((nth) => nth < all.length));
        const write = (values: readonly (readonly number[])[]) =>
          join(values.flatMap((own, nth) => print(nth, attributes, linesOf(own))));
        const next = all.map((values, nth) => (which.includes(nth) ? values.with(2, 100) : values));
        const code = next.flatMap((values, nth) =>
          which.includes(nth)
            ? print(nth, attributes, [mark, ...linesOf(values).slice(1, 4), mark])
            : [],
        );
        const result = applyCodeEdit(write(all), join(code));
        expect(result.ok ? result.text : result.error.message).toBe(write(next));
      },
    ),
    { numRuns: cases(100) },
  );
});

test.each([
  ["const pages = Math.floor(all / size);", "const pages = Math.ceil(all / size);", "//"],
  ["pages = all // size", "pages = -(-all // size)", "#"],
  ["$pages = floor($all / $size);", "$pages = ceil($all / $size);", "//"],
  ["pages := all / size", "pages := (all + size - 1) / size", "//"],
])("a line beside a mark that sets the same name anew has its place: %s", (old, now, comment) => {
  const before = ["start(all)", "log(1)", old, "log(2)", "finish(all)", ""].join("\n");
  const mark = `${comment} ... existing code ...`;
  const code = (line: string): string => [mark, "log(1)", line, mark, ""].join("\n");
  const result = applyCodeEdit(before, code(now));
  expect(result.ok && result.text).toBe(before.replace(old, now));
  // What sets nothing may as well be new.
  const returned = before.replace(old, "go(all, size)");
  expect(applyCodeEdit(returned, code("go(size, other)")).ok).toBe(false);
});

test("a line beside a mark that has all words of a line, or nearly all, has its place, unless the line beside that is as like it", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.stringMatching(/^[a-z]{5,8}$/), { minLength: 24, maxLength: 24 }),
      fc.boolean(),
      fc.boolean(),
      (all, isMore, isBelow) => {
        const lines = [0, 1, 2].map(
          (nth) =>
            `${all[6 * nth]}.${all[6 * nth + 1]}(${all.slice(6 * nth + 2, 6 * nth + 6).join(", ")});`,
        );
        const [first = "", old = "", last = ""] = lines;
        const args = all.slice(8, 12);
        const next = isMore ? [...args, all[20]] : args.with(3, all[20] ?? "");
        const now = `${all[6]}.${all[7]}(${next.join(", ")});`;
        const mark = "// ... existing code ...";
        const code = (isBelow ? [mark, now, last, mark] : [mark, first, now, mark]).join("\n");
        const file = (own: readonly string[]): string =>
          ["start();", ...own, "end();", ""].join("\n");
        const result = applyCodeEdit(file(lines), code);
        expect(result.ok ? result.text : result.error.message).toBe(file(lines.with(1, now)));
        const twin = `${all[6]}.${all[7]}(${args.slice(0, 2).join(", ")});`;
        const near = isBelow ? [first, twin, old, last] : [first, old, twin, last];
        expect(applyCodeEdit(file(near), code).ok).toBe(false);
      },
    ),
    { numRuns: cases(200) },
  );
});

/** How languages check what went wrong. */
const checks: readonly {
  open: (name: string) => string;
  step: (call: string) => string;
  check: string;
  leave: string;
  mark: string;
}[] = [
  {
    open: (name) => `func ${name}(key string) error {`,
    step: (call) => `err = ${call}(key)`,
    check: "if err != nil {",
    leave: "return err",
    mark: slashes("... existing code ..."),
  },
  {
    open: (name) => `export function ${name}(key: string): boolean {`,
    step: (call) => `const ${call}At = ${call}(key);`,
    check: "if (this.failed) {",
    leave: "return false;",
    mark: slashes("... existing code ..."),
  },
  {
    open: (name) => `public int ${name}(int key) {`,
    step: (call) => `this.at = ${call}(key);`,
    check: "if (this.at < 0) {",
    leave: "return -1;",
    mark: slashes("... existing code ..."),
  },
  {
    open: (name) => `function ${name}($key) {`,
    step: (call) => `$at = ${call}($key);`,
    check: "if ($at === false) {",
    leave: "return null;",
    mark: hash("... existing code ..."),
  },
];

test("a new line at the end of a block comes into that block, though later ones end as it does", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...checks),
      fc.uniqueArray(fc.stringMatching(/^[a-z]{5,8}$/), { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 2, max: 5 }),
      fc.nat(),
      fc.boolean(),
      ({ open, step, check, leave, mark }, [name = "", tell, ...calls], count, pick, isClosed) => {
        const nth = pick % (count - 1);
        const block = (call: string, isLeft: boolean): string[] => [
          step(call),
          check,
          `    ${tell}("${call}");`,
          ...(isLeft ? [`    ${leave}`] : []),
          "}",
        ];
        const body = (left: number, end: number): string[] =>
          calls.slice(0, end).flatMap((call, at) => block(call, at >= left));
        const print = (lines: readonly string[]): string[] => [
          open(name),
          ...lines.map((line) => `    ${line}`),
        ];
        const file = (left: number): string =>
          [...print(body(left, count)), "}", "", "last();", ""].join("\n");
        const code = [...print(body(nth, nth + 1)), `    ${mark}`, ...(isClosed ? ["}"] : [])];
        const result = applyCodeEdit(file(nth + 1), code.join("\n"));
        expect(result.ok ? result.text : result.error.message).toBe(file(nth));
        // Without what tells the blocks apart it may be any of these.
        const alone = [mark, check, `    ${leave}`, "}", mark].join("\n");
        expect(applyCodeEdit(file(count), alone).ok).toBe(false);
      },
    ),
    { numRuns: cases(200) },
  );
});

test("a variable takes the place of its namesake, though it has more arguments and lines, and of no other", () => {
  const spellings = [
    (name: string) => `val ${name} =`,
    (name: string) => `const ${name} =`,
    (name: string) => `let ${name}: Store =`,
    (name: string) => `var ${name} =`,
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...spellings),
      fc.uniqueArray(fc.stringMatching(/^[a-z]{5,8}$/), { minLength: 20, maxLength: 20 }),
      fc.integer({ min: 3, max: 6 }),
      fc.nat(),
      fc.integer({ min: 2, max: 4 }),
      fc.boolean(),
      (print, all, count, pick, size, isBlock) => {
        const [other = "", ...names] = all.slice(0, count + 1);
        const nth = pick % count;
        const args = all.slice(14, 14 + size);
        const block = (call: string, body: string): string =>
          isBlock ? `${call} {\n    ${body}(it)\n}` : call;
        const lines = names.map((name, at) =>
          block(`${print(name)} ${all[7 + at]}(${args[0]})`, all[7 + at] ?? ""),
        );
        const shown = (name: string): string => {
          const call = `${print(name)} ${all[7 + nth]}(`;
          return isBlock
            ? block(`${call}${args.join(", ")})`, all[19] ?? "")
            : [call, ...args.map((one) => `    ${one},`), ")"].join("\n");
        };
        const file = (own: readonly string[]): string => `${own.join("\n\n")}\n`;
        const result = applyCodeEdit(file(lines), shown(names[nth] ?? ""));
        expect(result.ok ? result.text : result.error.message).toBe(
          file(lines.with(nth, shown(names[nth] ?? ""))),
        );
        expect(applyCodeEdit(file(lines), shown(other)).ok).toBe(false);
      },
    ),
    { numRuns: cases(200) },
  );
});

/** Ways to write a function, a table or the like: its name, and what is inside. */
const dialects: readonly { isInside: boolean; print: (name: string, body: string) => string[] }[] =
  [
    {
      isInside: false,
      print: (name, body) => [
        `CREATE TABLE IF NOT EXISTS ${name} (`,
        `    id INTEGER,`,
        `    ${body} TEXT`,
        ");",
      ],
    },
    {
      isInside: false,
      print: (name, body) => [
        `create or replace view ${name} as`,
        `    select ${body}`,
        `    from ${body}_${name};`,
      ],
    },
    {
      isInside: true,
      print: (name, body) => [
        `  ${name}: (key) => {`,
        `    const found = ${body}.find((one) => one === key);`,
        "    return found;",
        "  },",
      ],
    },
    {
      isInside: false,
      print: (name, body) => [`.${name} {`, "  color: red;", `  background: ${body};`, "}"],
    },
    {
      isInside: true,
      print: (name, body) => [
        `  ${name}: async function (key) {`,
        `    return ${body}(key);`,
        "  },",
      ],
    },
    {
      isInside: false,
      print: (name, body) => [`${name} <- function(key, n = 1) {`, `  ${body}(key, n)`, "}"],
    },
  ];

test("tables of SQL, rules of CSS, and functions that are properties or variables, take the place of their namesakes, one or several", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...dialects),
      fc.uniqueArray(fc.stringMatching(/^[a-z]{5,8}$/), { minLength: 14, maxLength: 14 }),
      fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 3 }),
      ({ isInside, print }, names, changed) => {
        const [open, close] = isInside ? ["export const all = {", "};"] : ["-- All.", "-- End."];
        const own = [...changed].sort((a, b) => a - b);
        const textOf = (now: boolean): string => {
          const all = Array.from({ length: 6 }, (_, nth) =>
            print(names[nth] ?? "", names[(now && own.includes(nth) ? 7 : 6) + nth] ?? ""),
          );
          return `${[open, ...all.flatMap((lines) => ["", ...lines]), "", close].join("\n")}\n`;
        };
        const code = own.flatMap((nth) => [...print(names[nth] ?? "", names[7 + nth] ?? ""), ""]);
        const result = applyCodeEdit(textOf(false), code.join("\n"), { isUnnamed: true });
        expect(result.ok ? result.text : result.error.message).toBe(textOf(true));
      },
    ),
    { numRuns: cases(200) },
  );
});

test("new imports above a mark for the others come to those of the file", () => {
  const spellings = [
    (name: string) => `import pkg.${name};`,
    (name: string) => `import { ${name} } from "./${name}.js";`,
    (name: string) => `use crate::${name};`,
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...spellings),
      fc.uniqueArray(fc.stringMatching(/^[a-z]{5,8}$/), { minLength: 12, maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom("// ... other imports ...", "// 其他 import 保持不变"),
      (print, names, count, mark) => {
        const [added = "", one = "", two = "", ...others] = names;
        const imports = others.slice(0, count).map(print);
        const body = (now: string): string[] => [
          `export function ${one}(key: string) {`,
          `  const ${two} = read(key);`,
          `  return ${now}(${two});`,
          "}",
        ];
        const rest = ["", "export const last = 1;", ""];
        const before = [...imports, "", ...body("plain"), ...rest].join("\n");
        const code = [
          print(added),
          mark,
          "",
          ...body("other"),
          "",
          "// ... existing code ...",
        ].join("\n");
        const result = applyCodeEdit(before, code);
        const lines = (result.ok ? result.text : result.error.message).split("\n");
        expect(lines.indexOf(print(added))).toBeLessThan(lines.indexOf(""));
        expect(lines.filter((line) => line !== print(added)).join("\n")).toBe(
          [...imports, "", ...body("other"), ...rest].join("\n"),
        );
      },
    ),
    { numRuns: cases(200) },
  );
});

const wordList = fc.uniqueArray(fc.stringMatching(/^[a-z]{5,8}$/), {
  minLength: 30,
  maxLength: 30,
});
const mark = "// ... existing code ...";
/** Statements of which no two are alike. */
const statementsOf = (all: readonly string[]): string[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map(
    (nth) => `${all[3 * nth]}.${all[3 * nth + 1]}("${all[3 * nth + 2]}");`,
  );

test("what the file has beyond a segment without a mark there is not kept silently, nor does it go", () => {
  fc.assert(
    fc.property(wordList, fc.boolean(), fc.boolean(), (all, isBelow, hasImports) => {
      const own = statementsOf(all);
      const added = `${all[24]}.${all[25]}();`;
      const head = hasImports ? [`import ${all[26]} from "${all[27]}";`, ""] : [];
      const file = [...head, ...own.slice(0, 2), "", ...own.slice(2, 6), "", ...own.slice(6)];
      const segment = [own[2] ?? "", own[3] ?? "", added, own[4] ?? "", own[5] ?? ""];
      const marked = (above: readonly string[], below: readonly string[]): string =>
        [...above, ...segment, ...below].join("\n");
      const text = `${file.join("\n")}\n`;
      const result = applyCodeEdit(text, marked([mark], [mark]));
      const at = file.indexOf(own[4] ?? "");
      expect(result.ok && result.text).toBe(`${file.toSpliced(at, 0, added).join("\n")}\n`);
      // One mark at least says that this is no whole file.
      const other = isBelow ? marked([mark], []) : marked([], [mark]);
      const refused = applyCodeEdit(text, other);
      const first = isBelow ? at + 4 : 1;
      expect(refused.ok ? refused.text : refused.error.message).toContain(
        `line ${first} of the file, ${JSON.stringify(file[first - 1])}`,
      );
    }),
    { numRuns: cases(200) },
  );
});

test("annotations above a method that is shown with marks stay as they are, whatever the code shows besides", () => {
  fc.assert(
    fc.property(wordList, fc.boolean(), (all, isShown) => {
      const own = statementsOf(all).map((line) => `    ${line}`);
      const [note, name, other] = [`@${all[24]}`, all[25] ?? "", all[26] ?? ""];
      const methodOf = (of: string, lines: readonly string[]): string[] => [
        `  ${note}`,
        `  Widget ${of}(Context context) {`,
        ...lines,
        "  }",
      ];
      const classOf = (lines: readonly string[]): string =>
        [
          "class Page {",
          ...methodOf(other, own.slice(6)),
          "",
          ...methodOf(name, lines),
          "}",
          "",
        ].join("\n");
      const now = `    ${all[27]}.${all[28]}();`;
      const code = [
        ...methodOf(name, [now, own[0] ?? "", `    ${mark}`, own[4] ?? "", own[5] ?? ""]),
      ].slice(isShown ? 0 : 1);
      const result = applyCodeEdit(classOf(own.slice(0, 6)), code.join("\n"));
      expect(result.ok ? result.text : result.error.message).toBe(
        classOf([now, ...own.slice(0, 6)]),
      );
    }),
    { numRuns: cases(200) },
  );
});
