// SEARCH and REPLACE that have lost their indentation.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyDiff, parseAnswer } from "../../../src/edit/read/parse-diff.ts";
import { applyUnits } from "../../../src/edit/edit-session.ts";

const file = "function a(): number {\n  if (b) {\n    return 42;\n  }\n  return 1;\n}\n";

function apply(before: string, search: string, replace: string): string {
  const result = applyUnits(before, [{ search, replace }]);
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

function flat(text: string): string {
  return text.replaceAll(/^[ \t]+/gm, "");
}

test("the examples of the format, whose code is not indented, apply to an indented file", () => {
  const answer = `<file-edit filePath="src/main.ts">
------- SEARCH
function calculate(): number {
return 42;
}
=======
function calculate(): string {
return "42";
}
+++++++ REPLACE
</file-edit>`;
  const [edit] = parseAnswer(answer).files;
  const before = "function calculate(): number {\n  return 42;\n}\n";
  expect(applyUnits(before, edit?.units ?? [])).toMatchObject({
    ok: true,
    text: 'function calculate(): string {\n  return "42";\n}\n',
  });
  const diff = `------- SEARCH
export function add(a: number, b: number): number {
return a + b;
}
=======
export function sum(a: number, b: number): number {
return a + b;
}
+++++++ REPLACE
`;
  const add = "export function add(a: number, b: number): number {\n    return a + b;\n}\n";
  expect(applyDiff(add, diff)).toMatchObject({ ok: true, text: add.replace("add", "sum") });
});

describe("a line of such a unit", () => {
  test("that takes the place of another one is as deep as that", () => {
    const after = file.replace("42", "43").replace("return 1", "return 2");
    expect(apply(file, flat(file), flat(after))).toBe(after);
  });

  test("that is added where the lines around differ in depth is refused", () => {
    const after = file.replace("return 42;", "log();\n    return 43;");
    expect(apply(file, flat(file), flat(after))).toBe("refused: indentation");
  });

  test("changes as it would in the file, however many lines change", () => {
    const depths = fc.array(fc.nat({ max: 3 }), { minLength: 3, maxLength: 9 });
    fc.assert(
      fc.property(
        depths,
        fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
        (levels, changed) => {
          const lines = levels.map((depth, nth) => `${"  ".repeat(depth)}line${nth}();`);
          const wanted = lines.map((line, nth) =>
            changed[nth] === true ? line.replace("line", "new") : line,
          );
          fc.pre(wanted.join() !== lines.join());
          const [before, after] = [lines, wanted].map((all) => `${all.join("\n")}\n`);
          const result = apply(before ?? "", flat(before ?? ""), flat(after ?? ""));
          if (!result.startsWith("refused")) expect(result).toBe(after);
        },
      ),
    );
  });
});

test("lines that are wrapped, all of them as far out as they were quoted, are nested in their place", () => {
  const depths = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 5 });
  const frames = fc.record({
    depths,
    depth: fc.integer({ min: 1, max: 3 }),
    unit: fc.constantFrom("  ", "    "),
    tail: fc.boolean(),
  });
  fc.assert(
    fc.property(frames, ({ depths: given, depth, unit, tail }) => {
      const all = [0, ...given].map((level, nth) => ({ level, text: `line${nth}()` }));
      const print = (outer: number) =>
        all.map(({ level, text }) => `${unit.repeat(outer + level)}${text}\n`).join("");
      const end = (outer: number) => (tail ? `${unit.repeat(outer)}leave()\n` : "");
      const levels = Array.from({ length: depth }, (_, level) => unit.repeat(level));
      const head = levels.map((indent) => `${indent}with (a) {\n`).join("");
      const foot = levels
        .toReversed()
        .map((indent) => `${indent}}\n`)
        .join("");
      const before = head + print(depth) + foot;
      const after = apply(before, print(0), `enter(() => {\n${print(1)}${end(1)}})\n`);
      const wrapped = `${unit.repeat(depth)}enter(() => {\n${print(depth + 1)}${end(depth + 1)}${unit.repeat(depth)}})\n`;
      expect([head + wrapped + foot, "refused: indentation"]).toContain(after);
    }),
  );
  const loop = "  a\n    for x in open(p):\n        use(x)\n        end(x)\n";
  const wrapped = "with open(p) as f:\n    for x in f:\n        use(x)\n        end(x)\n";
  expect(apply(loop, "for x in open(p):\n    use(x)\n    end(x)\n", wrapped)).toBe(
    "  a\n    with open(p) as f:\n        for x in f:\n            use(x)\n            end(x)\n",
  );
});
