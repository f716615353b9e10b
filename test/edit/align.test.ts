// Code in the forms in which models write it, made of generated edits: what is applied is what was meant.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyCodeEdit, applyDiff, applyUnits } from "../../src/edit.ts";
import type { LineRange } from "../../src/edit/edit-unit.ts";
import { cases } from "../helpers/cases.ts";

const word = fc.stringMatching(/^[a-z]{4,8}$/);
const statement = fc.tuple(word, word, fc.nat(99)).map(([to, by, by2]) => `${to}.${by}(${by2})`);

interface Program {
  /** The lines of each function, without its head and end. */
  bodies: string[][];
  names: string[];
}

const program = fc.uniqueArray(word, { minLength: 3, maxLength: 6 }).chain((names) =>
  fc.record({
    names: fc.constant(names),
    bodies: fc.tuple(
      ...names.map(() =>
        fc.uniqueArray(statement, {
          minLength: 6,
          maxLength: 9,
          selector: (text) => text.slice(0, 4),
        }),
      ),
    ),
  }),
);

interface Style {
  head: (name: string) => string;
  end: string[];
  mark: string;
  indent: string;
}

const braces: Style = {
  head: (name) => `function ${name}() {`,
  end: ["}"],
  mark: "// ...",
  indent: "  ",
};
const styles: Readonly<Record<string, Style>> = {
  braces,
  python: { head: (name) => `def ${name}():`, end: [], mark: "# ...", indent: "    " },
  "no grammar": { head: (name) => `fun ${name}() {`, end: ["}"], mark: "// ...", indent: "\t" },
};

const mark = (style: Style): string => style.mark.replace("...", "... existing code ...");

function linesOf({ head, end, indent }: Style, name: string, body: readonly string[]): string[] {
  return [head(name), ...body.map((line) => indent + line), ...end];
}

function print(style: Style, { names, bodies }: Program): string[] {
  return names.flatMap((name, nth) => [...linesOf(style, name, bodies[nth] ?? []), "", ""]);
}

/** One function in which a line is new, gone, or another one. */
const change = fc.record({
  which: fc.nat(5),
  line: fc.nat(20),
  kind: fc.constantFrom("new", "gone", "other"),
  text: word,
});

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

for (const [language, style] of Object.entries(styles)) {
  test(`a change of one function is made as it is meant, or refused: ${language}`, () => {
    const applied = { function: 0, "whole file": 0, marks: 0 };
    let all = 0;
    fc.assert(
      fc.property(program, change, ({ names, bodies }, { which, line, kind, text }) => {
        const nth = which % names.length;
        const body = bodies[nth] ?? [];
        // Three lines around it show where it is.
        const at = 3 + (line % (body.length - 5));
        const next = body.toSpliced(
          at,
          kind === "new" ? 0 : 1,
          ...(kind === "gone" ? [] : [`${text}(${body.length})`]),
        );
        const wanted = bodies.with(nth, next);
        const before = joined(print(style, { names, bodies }));
        const after = joined(print(style, { names, bodies: wanted }));
        const around = next.slice(at - 3, at + 3 + (kind === "gone" ? 0 : 1));
        const forms = {
          function: joined(linesOf(style, names[nth] ?? "", next)),
          "whole file": after,
          marks: joined([mark(style), ...around.map((one) => style.indent + one), mark(style)]),
        };
        all += 1;
        for (const [form, code] of Object.entries(forms)) {
          const result = applyCodeEdit(before, code);
          if (!result.ok) continue;
          expect([form, result.text]).toEqual([form, after]);
          applied[form as keyof typeof forms] += 1;
        }
      }),
      { numRuns: cases(100) },
    );
    expect(applied.function / all).toBeGreaterThan(0.95);
    expect(applied["whole file"] / all).toBeGreaterThan(0.95);
    expect(applied.marks / all).toBeGreaterThan(0.8);
  });
}

test("code of a function means the same with its indentation and without, in a class or not", () => {
  fc.assert(
    fc.property(program, word, fc.boolean(), ({ names, bodies }, text, isWrapped) => {
      const inClass = (all: readonly (readonly string[])[]): string =>
        joined([
          "class Outer {",
          ...names.flatMap((name, nth) => [
            ...linesOf(braces, name, all[nth] ?? []).map((line) => `  ${line}`),
            "",
          ]),
          "}",
        ]);
      const own = bodies[0] ?? [];
      const next = isWrapped
        ? [`if (${text}) {`, ...own.map((line) => `  ${line}`), "}"]
        : [...own, `${text}()`];
      const code = linesOf(braces, names[0] ?? "", next);
      const wanted = inClass(bodies.with(0, next));
      for (const shift of ["", "  ", "      "]) {
        const result = applyCodeEdit(inClass(bodies), joined(code.map((line) => shift + line)));
        expect(result.ok && result.text).toBe(wanted);
      }
    }),
    { numRuns: cases(33) },
  );
});

test("a function goes from a file that is shown whole where its calls go, too, and never where they stay", () => {
  let [applied, all] = [0, 0];
  fc.assert(
    fc.property(program, fc.nat(5), ({ names, bodies }, which) => {
      const nth = 1 + (which % (names.length - 1));
      const call = `${names[nth] ?? ""}()`;
      const [first = [], ...others] = bodies;
      const calling = {
        names,
        bodies: [[...first.slice(0, 3), call, ...first.slice(3)], ...others],
      };
      const without = ({ names: own, bodies: texts }: Program): string =>
        `import it\n\n${joined(print(braces, { names: own.toSpliced(nth, 1), bodies: texts.toSpliced(nth, 1) }))}`;
      const before = `import it\n\n${joined(print(braces, calling))}`;
      const [own = [], ...rest] = calling.bodies;
      const more = { names, bodies: [[...own, "more.of(it)"], ...rest] };
      expect(applyCodeEdit(before, without(more)).ok).toBe(false);
      const result = applyCodeEdit(before, without({ names, bodies }));
      all += 1;
      if (!result.ok) return;
      applied += 1;
      expect(result.text).toBe(without({ names, bodies }));
    }),
    { numRuns: cases(66) },
  );
  // One of three functions is too much of a file to go for sure.
  expect(applied / all).toBeGreaterThan(0.4);
});

test("functions that are shown together each take the place of their own, at whatever depth they are", () => {
  const own = fc.record({
    attribute: fc.constantFrom("", "@Test ", "@Rule(a = 1) "),
    note: fc.boolean(),
    depth: fc.constantFrom("", "  ", "    "),
    isChanged: fc.boolean(),
  });
  let [applied, all] = [0, 0];
  fc.assert(
    fc.property(
      program,
      fc.array(own, { minLength: 6, maxLength: 6 }),
      fc.boolean(),
      word,
      ({ names, bodies }, owns, areTwins, text) => {
        // Twins in classes of their own: all of them are shown, in their order.
        const functions = names.map((name, nth) => {
          const { attribute = "", depth = "", isChanged = true } = owns[nth] ?? {};
          const style = { ...braces, head: (is: string) => `${attribute}void ${is}() {` };
          const at = (body: readonly string[]): string[] =>
            linesOf(style, areTwins ? "run" : name, body).map((line) => depth + line);
          const was = bodies[nth] ?? [];
          const now =
            isChanged || areTwins ? [...was.slice(0, 3), `${text}()`, ...was.slice(3)] : was;
          return { nth, was: at(was), now: at(now), isShown: now !== was };
        });
        const shown = functions.filter(({ isShown }) => isShown);
        fc.pre(shown.length > 1);
        const file = (side: "was" | "now"): string =>
          joined(
            functions.flatMap((one) => [
              ...(owns[one.nth]?.note === true ? [`// What ${one.nth} is for.`] : []),
              ...one[side],
              "",
            ]),
          );
        const code = joined(shown.flatMap(({ now }) => [...now, ""]));
        const result = applyCodeEdit(`import of.it;\n\n${file("was")}`, code);
        all += 1;
        if (!result.ok) return;
        applied += 1;
        expect(result.text).toBe(`import of.it;\n\n${file("now")}`);
      },
    ),
    { numRuns: cases(100) },
  );
  expect(applied / all).toBeGreaterThan(0.9);
});

test("a function of Python above a mark at column 0 takes the place of itself alone", () => {
  const python = styles["python"] ?? braces;
  fc.assert(
    fc.property(program, change, ({ names, bodies }, { which, text }) => {
      const nth = which % names.length;
      const next = [...(bodies[nth] ?? []).slice(1), `return ${text}`];
      const before = joined(print(python, { names, bodies }));
      const code = [...linesOf(python, names[nth] ?? "", next), "", mark(python)];
      const wanted = joined(print(python, { names, bodies: bodies.with(nth, next) }));
      for (const all of [code, [mark(python), "", ...code]]) {
        const result = applyCodeEdit(before, joined(all));
        expect(!result.ok || result.text === wanted).toBe(true);
      }
    }),
    { numRuns: cases(66) },
  );
});

test("code that names no file and has nothing of this one is not taken", () => {
  fc.assert(
    fc.property(program, program, ({ names, bodies }, other) => {
      fc.pre(!other.names.some((name) => names.includes(name)));
      const file = joined(print(braces, { names, bodies }));
      const body = (other.bodies[0] ?? []).map((line) => braces.indent + line);
      for (const code of [
        [mark(braces), ...body, mark(braces)],
        [mark(braces), "", ...body],
      ])
        expect(applyCodeEdit(file, joined(code), { isUnnamed: true }).ok).toBe(false);
    }),
    { numRuns: cases(33) },
  );
});

test("the number of a hunk settles which of several equal places is meant, and nothing else", () => {
  fc.assert(
    fc.property(
      word,
      fc.integer({ min: 2, max: 6 }),
      fc.nat(),
      fc.nat(2),
      (text, count, of, off) => {
        const before = Array.from({ length: count }, (_, nth) => [
          ...Array.from({ length: 10 }, (_each, line) => `own_${nth}_${line}`),
          "begin",
          text,
          "end",
        ]);
        const nth = of % count;
        const wanted = before.with(nth, (before[nth] ?? []).with(11, "other"));
        const hunk = (number: number, above: string): string =>
          `--- a/x\n+++ b/x\n@@ -${number},3 +1,3 @@\n${above} begin\n-${text}\n+other\n end\n`;
        const file = joined(before.flat());
        const settled = applyDiff(file, hunk(nth * 13 + 11 + off, ""));
        expect(settled.ok && settled.text).toBe(joined(wanted.flat()));
        expect(applyDiff(file, hunk(nth * 13 + 5, "")).ok).toBe(false);
        const clear = applyDiff(file, hunk(1, ` own_${nth}_9\n`));
        expect(clear.ok && clear.text).toBe(joined(wanted.flat()));
      },
    ),
    { numRuns: cases(33) },
  );
});

test("lines that are meant settle which of several equal places it is, if they touch one, and forbid none", () => {
  const place = fc.record({ count: fc.integer({ min: 2, max: 6 }), of: fc.nat(), off: fc.nat(3) });
  const body = fc.uniqueArray(statement, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(word, body, place, fc.nat(4), (text, own, { count, of, off }, more) => {
      const linesOfTwin = linesOf(braces, "run", own);
      const changed = linesOf(braces, "run", own.with(2, `${text}()`));
      const other = linesOf(braces, "once", own.with(1, `${text}(1)`));
      const twins = Array.from({ length: count }, () => linesOfTwin);
      const inClasses = (all: readonly string[][]): string =>
        joined(all.flatMap((lines, nth) => [`class Own${nth} {`, ...lines, "}", ""]));
      const nth = of % count;
      const before = inClasses([...twins, other]);
      const wanted = inClasses([...twins.with(nth, changed), other]);
      const first = nth * 9 + 2;
      const [from, to] = [first + off, first + off + Math.min(more, 5 - off)];
      const forms = [
        (within: LineRange) => applyCodeEdit(before, joined(changed), { within }),
        (within: LineRange) =>
          applyCodeEdit(before, joined([mark(braces), ...changed, mark(braces)]), { within }),
        (within: LineRange) =>
          applyUnits(before, [{ search: joined(linesOfTwin), replace: joined(changed) }], {
            within,
          }),
      ];
      for (const apply of forms) {
        const touched = apply({ startLine: from, endLine: to });
        expect(touched.ok && touched.text).toBe(wanted);
        // One is all in them, another one begins in them.
        const [low, high] = nth + 1 < count ? [first, first + 9 + off] : [first - 8, first + 5];
        expect(apply({ startLine: low, endLine: high }).ok).toBe(false);
      }
      const next = linesOf(braces, "once", own.with(1, `${text}(2)`));
      const away = applyCodeEdit(before, joined(next), {
        within: { startLine: from, endLine: to },
      });
      expect(away.ok && away.text).toBe(inClasses([...twins, next]));
    }),
    { numRuns: cases(33) },
  );
});

test("fences in the text of a patch or a diff are lines of the file", () => {
  const line = fc.oneof(word, fc.constantFrom("```", "```sh", "~~~", ""));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), word, (around, text) => {
      const hunk = [
        ...around.map((one) => ` ${one}`),
        "-before",
        `+${text}`,
        ...around.map((one) => ` ${one}`),
      ];
      const before = joined([...around, "before", ...around]);
      const wanted = joined([...around, text, ...around]);
      const patch = `*** Begin Patch\n*** Update File: x.md\n@@\n${joined(hunk)}*** End Patch\n`;
      const diff = `--- a/x.md\n+++ b/x.md\n@@ -1,9 +1,9 @@\n${joined(hunk)}`;
      for (const edit of [patch, diff]) {
        const result = applyDiff(before, edit);
        expect(result.ok && result.text).toBe(wanted);
      }
    }),
    { numRuns: cases(66) },
  );
});

test("a new function between marks comes beside its twin, or is refused, and takes the place of none", () => {
  let applied = 0;
  fc.assert(
    fc.property(
      program,
      fc.nat(5),
      fc.nat(5),
      fc.boolean(),
      ({ names, bodies }, which, line, isLast) => {
        fc.pre(!names.includes("added"));
        const nth = isLast ? names.length - 1 : which % (names.length - 1);
        const own = bodies[nth] ?? [];
        const body = line > 2 ? ["other()", "more()"] : own.with(line, "other()");
        const twin = linesOf(braces, "added", body);
        const wanted = {
          names: names.toSpliced(nth + 1, 0, "added"),
          bodies: bodies.toSpliced(nth + 1, 0, body),
        };
        const before = joined(print(braces, { names, bodies })).trimEnd();
        const below = isLast ? [] : [linesOf(braces, names[nth + 1] ?? "", [])[0] ?? ""];
        for (const above of [["}"], [`  ${own.at(-1) ?? ""}`, "}"]]) {
          const code = [mark(braces), ...above, "", ...twin, "", ...below];
          const result = applyCodeEdit(before, joined(isLast ? code : [...code, mark(braces)]));
          if (!result.ok) continue;
          const bare = (text: string): string => text.replaceAll(/\n+/g, "\n").trimEnd();
          expect(bare(result.text)).toBe(bare(joined(print(braces, wanted))));
          applied += 1;
        }
      },
    ),
    { numRuns: cases(66) },
  );
  expect(applied).toBeGreaterThan(cases(10));
});

test("functions that the code between marks does not show stay", () => {
  fc.assert(
    fc.property(program, fc.nat(5), ({ names, bodies }, line) => {
      const [first = [], ...others] = bodies;
      const before = joined(print(braces, { names, bodies }));
      // It shows the beginning of one function and the end of another that is not next to it.
      const [head = ""] = linesOf(braces, names[0] ?? "", first);
      const tail = (others.at(-1) ?? []).slice(line % 5).map((one) => braces.indent + one);
      const result = applyCodeEdit(
        before,
        joined([mark(braces), head, ...tail, "}", mark(braces)]),
      );
      const hasAll = (text: string): boolean =>
        names.slice(1, -1).every((name) => text.includes(`function ${name}() {`));
      expect(!result.ok || hasAll(result.text)).toBe(true);
    }),
    { numRuns: cases(66) },
  );
});

test("a comment that is set apart from a function, and shown with it, does not come twice", () => {
  fc.assert(
    fc.property(program, word, fc.nat(5), fc.boolean(), ({ names, bodies }, text, which, inTwo) => {
      const nth = which % names.length;
      const lines = names.map((name, at) => linesOf(braces, name, bodies[at] ?? []));
      const own = lines[nth] ?? [];
      const file = (functions: readonly (readonly string[])[]): string =>
        joined(functions.flatMap((one, at) => [`// ${names[at]} is for ${at}`, "", ...one, ""]));
      const next = own.with(2, `  ${text}(1)`);
      const above = [mark(braces), `// ${names[nth]} is for ${nth}`, ""];
      const code = inTwo
        ? [...above.slice(1), ...next.slice(0, 4), `  ${mark(braces)}`, "}", "", mark(braces)]
        : [...above, ...next, "", mark(braces)];
      const result = applyCodeEdit(file(lines), joined(code));
      if (result.ok) expect(result.text).toBe(file(lines.with(nth, next)));
    }),
    { numRuns: cases(66) },
  );
});

test("the last line anew below a mark is not added to the one that it is", () => {
  fc.assert(
    fc.property(program, word, fc.nat(99), ({ names, bodies }, text, number) => {
      const before = `${joined(print(braces, { names, bodies }))}${text} = "${number}.0"\n`;
      const code = joined([mark(braces), "", `${text} = "${number}.1"`]);
      const result = applyCodeEdit(before, code);
      expect(!result.ok || !result.text.includes(`"${number}.0"`)).toBe(true);
    }),
    { numRuns: cases(16) },
  );
});

test("a new line below an empty one is not put below a line that the code does not show", () => {
  fc.assert(
    fc.property(program, word, fc.nat(5), ({ names, bodies }, text, which) => {
      const nth = which % names.length;
      const before = joined(print(braces, { names, bodies }));
      const [first = ""] = bodies[nth] ?? [];
      const code = [mark(braces), "", `when ${text} {`, braces.indent + first, mark(braces)];
      const result = applyCodeEdit(before, joined(code));
      const above = `function ${names[nth]}() {\nwhen`;
      expect(!result.ok || !result.text.includes(above)).toBe(true);
    }),
    { numRuns: cases(33) },
  );
});

test("several functions of another file are not taken where nothing names the file", () => {
  fc.assert(
    fc.property(program, program, ({ names, bodies }, other) => {
      const body = (own: readonly string[][], nth: number): string[] => own[nth] ?? [];
      const before = joined(print(braces, { names, bodies }));
      // Only the names are those of this file.
      const code = names.flatMap((name, nth) => linesOf(braces, name, body(other.bodies, nth % 3)));
      const isOwn = other.bodies.flat().some((line) => bodies.flat().includes(line));
      fc.pre(!isOwn);
      expect(applyCodeEdit(before, joined(code), { isUnnamed: true }).ok).toBe(false);
    }),
    { numRuns: cases(33) },
  );
});

test("the head of a function over several lines, without its body, takes nothing away", () => {
  fc.assert(
    fc.property(program, fc.nat(5), fc.boolean(), ({ names, bodies }, which, hasMarks) => {
      const nth = which % names.length;
      const headOf = (name: string, type: string): string[] => [
        `def ${name}(`,
        "    self,",
        `    value: ${type},`,
        ") -> None:",
      ];
      const lines = names.flatMap((name, at) => [
        ...headOf(name, "int"),
        ...(bodies[at] ?? []).map((one) => `    ${one}`),
        "",
      ]);
      const head = headOf(names[nth] ?? "", "str");
      const code = hasMarks ? ["# ... existing code ...", "", ...head, ""] : head;
      const result = applyCodeEdit(joined(lines), joined(code));
      const stays = (bodies[nth] ?? []).every((one) => result.ok && result.text.includes(one));
      expect(!result.ok || stays).toBe(true);
    }),
    { numRuns: cases(16) },
  );
});

test("quotes that a text editor has bent are straight where the file's are, and those of its text stay", () => {
  const bend = (text: string): string =>
    text.replaceAll(/"([\w’]+)"/g, "“$1”").replaceAll(/'(\w+)'/g, "‘$1’");
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(styles)),
      program,
      change,
      fc.boolean(),
      (style, { names, bodies }, { which, line, text }, isBent) => {
        const nth = which % names.length;
        const quoted = bodies.map((body) =>
          body.map((one, at) => (at % 2 === 0 ? `say("${one.slice(0, 4)}", '${at}')` : one)),
        );
        const kept = 'tell("it is “so”, isn’t it")';
        const own = [kept, ...(quoted[nth] ?? [])];
        const at = 2 + (line % (own.length - 2));
        const next = own.toSpliced(at, 0, `${text}("${text}", 'new', "isn’t")`);
        const file = (body: string[]): string =>
          joined(print(style, { names, bodies: quoted.with(nth, body) }));
        const code = joined(linesOf(style, names[nth] ?? "", next));
        for (const shown of [
          code,
          joined([mark(style), ...code.trimEnd().split("\n"), mark(style)]),
        ]) {
          const result = applyCodeEdit(file(own), isBent ? bend(shown) : shown);
          expect(result.ok ? result.text : result.error.message).toBe(file(next));
        }
        // Where the code is as straight as the file, what is new may well be bent.
        const bent = own.toSpliced(at, 0, `${text}("“${text}”")`);
        const result = applyCodeEdit(file(own), joined(linesOf(style, names[nth] ?? "", bent)));
        expect(result.ok ? result.text : result.error.message).toBe(file(bent));
      },
    ),
    { numRuns: cases(33) },
  );
});

test("operators of C++ are told apart by their signs, in a class and outside", () => {
  const signs = [
    "==",
    "!=",
    "<",
    "<=",
    "<=>",
    "+",
    "+=",
    "++",
    "*",
    "->",
    "[]",
    "()",
    "<<",
    "=",
    "!",
  ];
  const heads: readonly ((sign: string) => string)[] = [
    (sign) => `bool operator${sign}(const Money& other) const {`,
    (sign) => `Money& operator${sign}(const Money& other) noexcept {`,
    (sign) => `inline std::ostream& operator ${sign}(std::ostream& out, const Money& one) {`,
    (sign) => `Money Money::operator${sign}(int by) {`,
  ];
  const printOf = (head: string, by: string, body: readonly string[]): string[] =>
    [head, ...body.map((one) => `  ${one};`), "}"].map((one) => by + one);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...signs), { minLength: 2, maxLength: 6 }),
      fc.constantFrom(...heads),
      fc.array(fc.uniqueArray(statement, { minLength: 2, maxLength: 4 }), {
        minLength: 6,
        maxLength: 6,
      }),
      fc.nat(),
      statement,
      fc.boolean(),
      (own, head, bodies, which, text, isInside) => {
        const nth = which % own.length;
        const put = (all: readonly (readonly string[])[]): string => {
          const by = isInside ? "  " : "";
          const inner = own.flatMap((sign, at) => [...printOf(head(sign), by, all[at] ?? []), ""]);
          return joined(isInside ? ["class Money {", ...inner, "};"] : inner);
        };
        const next = bodies.with(nth, [...(bodies[nth] ?? []), text]);
        const code = joined(printOf(head(own[nth] ?? ""), "", next[nth] ?? []));
        const result = applyCodeEdit(put(bodies), code);
        expect(result.ok ? result.text : result.error.message).toBe(put(next));
      },
    ),
    { numRuns: cases(66) },
  );
});

test("what Ruby writes behind a sign is a statement, and what others write there belongs to what follows", () => {
  const languages: readonly (readonly [
    note: string,
    head: string,
    end: string,
    isNote: boolean,
  ])[] = [
    ["@count = 0", "def total(value)", "end", false],
    ["@items ||= []", "def total(value)", "end", false],
    ["@memo", "total(value) {", "}", true],
    ['@Named("a")', "public int total(int value) {", "}", true],
    ["[Pure]", "public int Total(int value) {", "}", true],
    ["#[inline]", "fn total(value: i32) -> i32 {", "}", true],
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...languages),
      fc.uniqueArray(statement, { minLength: 3, maxLength: 5 }),
      ([note, head, end, isNote], body) => {
        const put = (notes: readonly string[], lines: readonly string[]): string =>
          joined([
            "class Shop {",
            ...[...notes, head, ...lines.map((line) => `  ${line};`), end].map(
              (line) => `  ${line}`,
            ),
            "}",
          ]);
        const other = note.replace(/[a-z]{4,}/i, "lazy");
        const next = [...body, "more.of(it)"];
        const [was, plain] = [put([note], body), put([], next)];
        const code = plain.split("\n").slice(1, -2).join("\n");
        // The one that is not shown stays; another one takes the place of an annotation alone.
        expect(applyCodeEdit(was, code)).toMatchObject({ text: put([note], next) });
        const result = applyCodeEdit(was, `  ${other}\n${code}`);
        if (isNote) expect(result).toMatchObject({ text: put([other], next) });
        else if (result.ok) expect(result.text).toContain(`  ${note}\n`);
      },
    ),
  );
});

test("imports above methods that are as deep as in the file go to the imports, the methods to the class", () => {
  fc.assert(
    fc.property(program, word, ({ names, bodies }, added) => {
      fc.pre(!names.includes(added) && !bodies.flat().join().includes(added));
      const methodOf = (nth: number, lines: readonly string[]): string[] => [
        `    def ${names[nth]}(self):`,
        ...lines.map((line) => `        ${line}`),
      ];
      const fileOf = (imports: readonly string[], last: readonly string[]): string => {
        const members = bodies.map((body, nth) =>
          methodOf(nth, nth === bodies.length - 1 ? last : body),
        );
        return [...imports, "", "", "class Box:", ...members.flatMap((one) => [...one, ""])].join(
          "\n",
        );
      };
      const [nth, body] = [bodies.length - 1, bodies.at(-1) ?? []];
      const now = [...body.slice(0, -1), `${added}.run()`, body.at(-1) ?? ""];
      const imports = ["import alpha", `import ${added}`];
      const code = [...imports, "", ...methodOf(nth, now), ""].join("\n");
      const result = applyCodeEdit(fileOf(["import alpha", "import omega"], body), code);
      expect(result.ok ? result.text : result.error.message).toBe(
        fileOf([...imports, "import omega"], now),
      );
      // The first lines of a longer import are none of these.
      const list = (from: string): string[] => [`from ${from} import (`, "    Alpha,", "    Beta,"];
      const before = ["import alpha", "", ...list("omega"), ")", ""].join("\n");
      const changed = applyCodeEdit(before, ["import alpha", "", ...list(added)].join("\n"));
      expect(changed.ok ? changed.text : "").not.toContain("import (\n\n");
    }),
  );
});

test("settings below a key that is shown on its own take the place of those of that key", () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 9, maxLength: 9 }), fc.nat(2), (all, nth) => {
      const [a = "", c = "", added = ""] = all.slice(3);
      const blockOf = (name: string, value: number, items: readonly string[]): string[] => [
        `  ${name}:`,
        `    image: ${c}:${value}`,
        `    mode: ${value === 1 ? "test" : "live"}`,
        `    address: ${c}@${value}`,
        "    needs:",
        ...items.map((item) => `      - ${item}`),
        "    restart: always",
      ];
      const fileOf = (changed: readonly string[]): string => {
        const blocks = all.slice(0, 3).map((name) => blockOf(name, 1, [a, added]));
        return ["services:", ...blocks.with(nth, [...changed]).flat(), `${c}:`, "  data:", ""].join(
          "\n",
        );
      };
      const name = all[nth] ?? "";
      const now = blockOf(name, 2, [a, added]);
      const result = applyCodeEdit(fileOf(blockOf(name, 1, [a])), now.join("\n"));
      expect(result.ok ? result.text : result.error.message).toBe(fileOf(now));
    }),
  );
});

test("what a word before `var` or `let` makes of a variable is part of its declaration", () => {
  fc.assert(
    fc.property(
      word,
      word,
      fc.constantFrom("weak", "lazy", "lateinit", "unowned"),
      (name, type, how) => {
        const fileOf = (line: string, now: string): string =>
          [
            "class Counter {",
            "    var goal = 10",
            `    ${line}`,
            "",
            ...["rest", "most", "least", "first"].flatMap((one) => [
              `    func ${one}Of() -> Int {`,
              "        return goal",
              "    }",
              "",
            ]),
            "    func total() -> Int {",
            `        return ${now}`,
            "    }",
            "}",
            "",
          ].join("\n");
        fc.pre(name !== "goal" && name !== type);
        const line = `var ${name}: ${type}?`;
        const code = [
          "class Counter {",
          `    ${how} ${line}`,
          "",
          "    func total() -> Int {",
          "        return goal + 1",
          "    }",
          "}",
        ].join("\n");
        const result = applyCodeEdit(fileOf(line, "goal"), code);
        expect(result.ok ? result.text : result.error.message).toBe(
          fileOf(`${how} ${line}`, "goal + 1"),
        );
      },
    ),
  );
});

test("a line that is for lines which the answer names takes the place of one of these, though another is more like it", () => {
  const before = [
    "void clear(Ring *rb)",
    "{",
    "    rb->tail = 0;",
    "    rb->head = 0;",
    "}",
    "",
    "int take(Ring *rb)",
    "{",
    "    int byte = rb->data[rb->tail];",
    "    rb->tail++;",
    "    return byte;",
    "}",
    "",
  ].join("\n");
  const code = "rb->tail = (rb->tail + 1) % rb->size;";
  const options = { isChange: true, near: { startLine: 7, endLine: 12 } };
  const result = applyCodeEdit(before, code, options);
  expect(result.ok ? result.text : result.error.message).toBe(before.replace("rb->tail++;", code));
});

test("a whole JSON document goes into no inner object of another one that is like it", () => {
  const icon = (size: number): string =>
    `\t\t{\n\t\t\t"src": "icon-${size}.png",\n\t\t\t"sizes": "${size}x${size}",\n\t\t\t"type": "image/png",\n\t\t\t"density": ${size / 48}\n\t\t}`;
  const before = `{\n\t"name": "App",\n\t"icons": [\n${[36, 48, 72, 96, 144, 192].map(icon).join(",\n")}\n\t]\n}\n`;
  const code =
    '{\n\t"name": "app.io",\n\t"icons": [\n\t\t{\n\t\t\t"src": "icon-192.png?v=2",\n\t\t\t"sizes": "192x192",\n\t\t\t"type": "image/png"\n\t\t}\n\t],\n\t"theme_color": "#11e4c4",\n\t"display": "standalone"\n}';
  const result = applyCodeEdit(before, code);
  expect(result.ok ? result.text : "").not.toContain('\t\t\t"name"');
});

const fourNames = fc.uniqueArray(word, { minLength: 4, maxLength: 4 });

test("a statement between marks comes anew in place of the one that sets the same, whatever it is now", () => {
  fc.assert(
    fc.property(fourNames, fc.boolean(), ([name = "", one = "", two = ""], isLong) => {
      const before = `function run() {\n  const a1 = 1;\n  let ${name} = ${one}(x)\n    .then(y);\n\n  stop();\n}\n`;
      const now = isLong
        ? `  let ${name} = await ${two}(\n    z,\n  );`
        : `  let ${name} = ${two};`;
      const code = `function run() {\n  // ... existing code ...\n${now}\n  // ... existing code ...\n}\n`;
      const old = `  let ${name} = ${one}(x)\n    .then(y);`;
      const result = applyCodeEdit(before, code);
      expect(result.ok && result.text).toBe(before.replace(old, () => now));
    }),
    { numRuns: cases(30) },
  );
});

test("a module with a body is one declaration, and a line of it that is new is a change", () => {
  fc.assert(
    fc.property(fourNames, fc.nat({ max: 3 }), (all, nth) => {
      const members = all.slice(0, 4).map((name) => `    def ${name}\n      @${name}\n    end\n`);
      const before = `# Shop.\nmodule Shop\n  class Basket\n${members.join("\n")}  end\nend\n`;
      const after = before.replace(`      @${all[nth]}\n`, `      @${all[nth]}.dup\n`);
      const result = applyCodeEdit(before, after);
      expect(result.ok && result.text).toBe(after);
    }),
    { numRuns: cases(20) },
  );
});

test("a function of Python gets back what it has lost, whatever its documentation is indented by", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fourNames, (depth, [name = "", other = ""]) => {
      const doc = `"""Note:\n${" ".repeat(depth + 4)}what ${other} does.\n    """`;
      const own = `def ${name}(self):\n    ${doc}\n    if self.${other}:\n        return 1\n    return 2\n`;
      const deep = own.replaceAll(/^(?=.)/gm, "    ");
      const before = `class Box:\n    def first(self):\n        return 0\n\n${deep.replace("return 2", "return 3")}`;
      const result = applyCodeEdit(before, own);
      expect(result.ok && result.text).toBe(before.replace("return 3", "return 2"));
    }),
    { numRuns: cases(30) },
  );
});

test("where lines are indented as in the file, byte for byte, one that is not is as it is shown", () => {
  const before = "\tone(1);\n\ttwo(2);\n\tthree(3);\n\tfour(4);\n";
  const code = "\tone(1);\n    two(2);\n\tthree(3);\n\tfour(5);\n";
  const result = applyCodeEdit(`run(() => {\n${before}});\n`, `run(() => {\n${code}});\n`);
  expect(result.ok && result.text).toBe(`run(() => {\n${code}});\n`);
});

test("an import that a whole file shows anew binds no more than that, and what is declared is not lost", () => {
  const rest = "def run(list):\n    return list.json(2)\n\n\ndef stop(list):\n    return 3\n";
  const before = `from web import app, json, run_all\n\n\n${rest}`;
  const after = before.replace(", json", "").replace("return 3", "return 4");
  const result = applyCodeEdit(before, after);
  expect(result.ok && result.text).toBe(after);
  // Without any version of it an import that is used was left out.
  const lost = before.split("\n").slice(3).join("\n").replace("list.json", "json");
  const cut = applyCodeEdit(before.replace("list.json", "json"), lost);
  expect(cut.ok && !cut.text.includes("from web import")).toBe(false);
  const members = (own: string): string =>
    `class Box\n{\n    int size;\n\n${own}\n\n    public int Two()\n    {\n        return size;\n    }\n}\n\nclass Other\n{\n    int left;\n}\n`;
  const long = members("    public int One()\n    {\n        return size + 1;\n    }");
  const short = members("    public int One() => size + 1;");
  const arrow = applyCodeEdit(long, short);
  expect(arrow.ok && arrow.text).toBe(short);
});

test("a function of Python whose last line goes into a block ends there, and what was behind that line is gone", () => {
  fc.assert(
    fc.property(fourNames, fc.boolean(), ([name = "", one = "", two = ""], isDeep) => {
      const body = (lines: readonly string[]): string =>
        `def ${name}(path):\n${lines.map((line) => `    ${line}\n`).join("")}`;
      const rest = "\n\ndef after_all(path):\n    return path\n";
      const old = body([`${one} = open(path)`, `${two}(${one})`, `${one}.close()`]);
      const now = body([
        `with open(path) as ${one}:`,
        ...(isDeep ? ["    if path:"] : []),
        `${isDeep ? "        " : "    "}${two}(${one})`,
      ]);
      const result = applyCodeEdit(old + rest, now);
      expect(result.ok && result.text).toBe(now + rest);
      // As deep as it was, it may be where the code was cut off.
      const cut = applyCodeEdit(old + rest, body([`${one} = open(path, 1)`, `${two}(${one})`]));
      expect(cut.ok && !cut.text.includes(`${one}.close()`)).toBe(false);
    }),
    { numRuns: cases(20) },
  );
});

test("a file of one line is whole in code that has that line and more", () => {
  const lines = fc.array(statement, { maxLength: 3 });
  const around = fc.record({ above: lines, only: statement, below: lines });
  fc.assert(
    fc.property(around, ({ above, only, below }) => {
      fc.pre(above.length + below.length > 0 && ![...above, ...below].includes(only));
      const after = `${[...above, only, ...below].join("\n")}\n`;
      expect(applyCodeEdit(`${only}\n`, after)).toMatchObject({ ok: true, text: after });
    }),
  );
});

test("code that has lost all of its indentation gets it back, whatever closes its blocks", () => {
  const name = fc.stringMatching(/^[a-z]{4,8}$/);
  const block = fc.constantFrom(
    ["if (@) {", "}", "function f() {", "}"],
    ["for (const one of @) {", "}", "func f() {", "}"],
    ["if @ then", "end", "function f()", "end"],
    ["while @ do", "end", "def f", "end"],
  );
  const unit = fc.constantFrom("  ", "    ", "\t");
  fc.assert(
    fc.property(
      name,
      name,
      name,
      block,
      unit,
      (one, other, added, [open = "", close, head, end], step) => {
        fc.pre(new Set([one, other, added]).size === 3);
        const body = (...inner: string[]): string =>
          [
            head,
            `${step}${one}(1)`,
            `${step}${open.replace("@", one)}`,
            ...inner,
            `${step}${close}`,
            `${step}${other}(2)`,
            end,
          ].join("\n");
        const inside = `${step}${step}${other}(1)`;
        const after = `${body(inside, `${step}${step}${added}(3)`)}\n`;
        const flat = after.replaceAll(/^[ \t]+/gm, "");
        expect(applyCodeEdit(`${body(inside)}\n`, flat)).toMatchObject({ ok: true, text: after });
      },
    ),
  );
});

test("comments with dots and a remark, or with names that the file has, stand for what stays", () => {
  const keys = ["alpha", "beta", "gamma", "delta"];
  const before = `${keys.map((key) => `${key}:\n  size: 1\n  kind: ${key}`).join("\n\n")}\n`;
  for (const remark of [
    "# ... (beta, gamma and delta as before)",
    "# beta, gamma and delta stay the same",
    "# beta, gamma: no changes",
  ])
    expect(applyCodeEdit(before, `alpha:\n  size: 2\n  kind: alpha\n\n${remark}\n`)).toMatchObject({
      ok: true,
      text: before.replace("size: 1", "size: 2"),
    });
  const other = applyCodeEdit(
    before,
    "alpha:\n  size: 2\n  kind: alpha\n\n# mu, nu and xi stay the same\n",
  );
  expect(other.ok && other.text.includes("beta:") && !other.text.includes("# mu")).toBe(false);
});

test("a guard above a mark comes in, whatever block of another kind is below", () => {
  const heads = fc.constantFrom("for (const one of list) {", "while (next()) {", "switch (kind) {");
  fc.assert(
    fc.property(heads, fc.nat(9), (head, value) => {
      const rest = `  let sum = 0.0;\n  ${head}\n    sum += price(one);\n  }\n  return sum / list.length;\n}\n`;
      const guard = `  if (list.length === 0) {\n    return ${value};\n  }\n`;
      const top = "function mean(list) {\n";
      expect(applyCodeEdit(top + rest, `${top}${guard}  // ... rest unchanged\n}\n`)).toMatchObject(
        { ok: true, text: top + guard + rest },
      );
    }),
  );
});

test("an import that is used does not go between two lines that are shown next to each other", () => {
  const before =
    "<script>\nimport axios from 'axios'\n\nexport default {\n  name: 'A',\n  save() {\n    axios.put(1)\n  },\n}\n</script>\n";
  const code =
    "<script>\nexport default {\n  // ...\n  save() {\n    axios.put(2)\n  },\n}\n</script>\n";
  const made = applyCodeEdit(before, code);
  expect(made.ok && !made.text.includes("import axios")).toBe(false);
});

test("lines that begin as deep as those whose place they take are not shifted by lines that change places", () => {
  const before =
    "int f() {\n    int n = 0;\n    for (int x = 0; x < w; x++) {\n        for (int y = 0; y < h; y++) {\n            if (at(x, y)) {\n                n++;\n            }\n        }\n    }\n    return n;\n}\n";
  const code =
    "    for (int y = 0; y < h; y++) {\n        for (int x = 0; x < w; x++) {\n            if (at(x, y)) {\n";
  const after = before
    .replace("int x = 0; x < w; x++", "#")
    .replace("int y = 0; y < h; y++", "int x = 0; x < w; x++")
    .replace("#", "int y = 0; y < h; y++");
  expect(applyCodeEdit(before, code, { within: { startLine: 1, endLine: 11 } })).toMatchObject({
    ok: true,
    text: after,
  });
});

test("a function of Python is all of what is shown where its last lines have gone up", () => {
  const body = fc.uniqueArray(statement, {
    minLength: 3,
    maxLength: 5,
    selector: (text) => text.slice(0, 4),
  });
  fc.assert(
    fc.property(body, fc.constantFrom("    ", "\t"), (lines, step) => {
      const tail = [`${step}if done == 0:`, `${step}${step}stop()`];
      const own = lines.map((line) => step + line);
      const fileOf = (inner: string[]): string =>
        `def f(a):\n${inner.join("\n")}\n\ndef g(a):\n${step}go(a)\n`;
      const now = [own[0] ?? "", ...tail, ...own.slice(1)];
      const code = `def f(a):\n${now.join("\n")}\n`;
      expect(applyCodeEdit(fileOf([...own, ...tail]), code)).toMatchObject({
        ok: true,
        text: fileOf(now),
      });
    }),
  );
});

test("Python that has lost all of its indentation is refused, also where some of its lines are the file's", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 3, maxLength: 5 }),
      ([one = "", other = "", ...more]) => {
        const body = [
          `${one} = []`,
          `for ${other} in items:`,
          `    ${one}.append(${other})`,
          ...more.map((name) => `${name}()`),
          `return ${one}`,
        ];
        const before = `class A:\n    def f(self):\n${body.map((line) => `        ${line}\n`).join("")}`;
        const flat = [
          "def f(self):",
          "if not items:",
          "return 0",
          ...body.map((line) => line.trim()),
        ].join("\n");
        expect(applyCodeEdit(before, `${flat}\n`).ok).toBe(false);
        expect(
          applyCodeEdit(before, `${flat}\n`, { within: { startLine: 2, endLine: 2 + body.length } })
            .ok,
        ).toBe(false);
      },
    ),
  );
});

describe("between marks", () => {
  const name = fc.stringMatching(/^[a-z]{4,8}$/);
  const names = fc.uniqueArray(name, { minLength: 5, maxLength: 8 });

  test("a key that is shown with the keys around it is that key anew, also where brackets end otherwise", () => {
    fc.assert(
      fc.property(names, fc.nat(4), ([outer = "", ...keys], pick) => {
        const at = pick % keys.length;
        const printFile = (changed: string) =>
          `{\n  "name": "a",\n  "${outer}": {\n${keys
            .map((key, nth) => `    "${key}": "${nth === at ? changed : key}"`)
            .join(",\n")}\n  },\n  "end": {\n    "is": 1\n  }\n}\n`;
        const comma = at < keys.length - 1 ? "," : "";
        const code = `{\n  "${outer}": {\n    // ...\n    "${keys[at]}": "new"${comma}\n    // ...\n  }\n}\n`;
        expect(applyCodeEdit(printFile("old"), code)).toMatchObject({
          ok: true,
          text: printFile("new"),
        });
      }),
    );
  });

  test("a field takes the place of the field of its name, whatever its type and modifiers are", () => {
    const types = fc.constantFrom(
      ["", "PDO "],
      ["int ", "long "],
      ["Map<A, B> ", "HashMap<A, B> "],
    );
    const ends = fc.constantFrom(["", ""], [" = 1", " = 2"], [" = f()", " = g(1)"]);
    fc.assert(
      fc.property(names, types, ends, ([one, two, three], [was, now], [old, own]) => {
        const top = "class A {\n  private int first;\n";
        const rest = `\n  void ${three}() {\n    a();\n  }\n}\n`;
        const fields = (type = "", value = "", modifiers = "private") =>
          `  ${modifiers} ${type}$${one}${value};\n  ${modifiers} ${type}$${two}${value};\n`;
        const code = `${top}${fields(now, own, "private final")}\n  // ... rest of the class\n}\n`;
        const made = applyCodeEdit(top + fields(was, old) + rest, code);
        // It is refused, or right: no field comes twice.
        if (made.ok) expect(made.text).toBe(top + fields(now, own, "private final") + rest);
      }),
    );
  });
});
