// What comes with a declaration: its documentation, and what it needs above it.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyCodeEdit } from "../../src/edit.ts";

const join = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const word = fc.constantFrom(..."adds takes counts reads writes keeps sorts finds".split(" "));
const sentence = fc.array(word, { minLength: 2, maxLength: 4 }).map((words) => words.join(" "));
const documentation = fc.array(sentence, { maxLength: 3 });

/** How a language documents a function, and writes it. */
interface Style {
  mark: string;
  print: (name: string, doc: readonly string[], body: readonly string[]) => string[];
}
const styles: Readonly<Record<string, Style>> = {
  "doc comments": {
    mark: "  // ... existing code ...",
    print: (name, doc, body) => [
      ...(doc.length === 0 ? [] : ["/**", ...doc.map((line) => ` * ${line}`), " */"]),
      `export function ${name}(value) {`,
      ...body,
      "}",
    ],
  },
  "line comments": {
    mark: "\t// ... existing code ...",
    print: (name, doc, body) => [
      ...doc.map((line) => `// ${line}`),
      `func ${name}(value int) int {`,
      ...body,
      "}",
    ],
  },
  docstrings: {
    mark: "    # ... existing code ...",
    print: (name, doc, body) => [
      `def ${name}(value):`,
      ...(doc.length === 0
        ? []
        : [`    """${doc[0]}`, ...doc.slice(1).map((line) => `    ${line}`), '    """']),
      ...body,
    ],
  },
};

describe.each(Object.entries(styles))("%s", (_, { mark, print }) => {
  const indent = /^\s*/.exec(mark)?.[0] ?? "";
  const bodyOf = (nth: number) => [`${indent}step_${nth}(value)`, `${indent}return value + ${nth}`];

  test("that are new take the place of the old ones, wherever the body is left out", () => {
    fc.assert(
      fc.property(
        fc.array(documentation, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        fc.array(sentence, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (docs, at, doc, hasMark) => {
          const nth = at % docs.length;
          const old = docs[nth] ?? [];
          // New throughout: of lines that stay it could not be said which of the old ones go.
          fc.pre(!old.some((line) => doc.includes(line)));
          const write = (all: readonly (readonly string[])[]) =>
            join(
              all.flatMap((own, one) => [
                ...(one === 0 ? [] : [""]),
                ...print(`work_${one}`, own, bodyOf(one)),
              ]),
            );
          const shown = print(`work_${nth}`, doc, [mark]);
          const code = hasMark ? [mark.trim(), "", ...shown, "", mark.trim()] : shown;
          const result = applyCodeEdit(write(docs), join(code));
          // A function that shows the documentation of another one may be taken for that: never wrongly.
          if (!result.ok && docs.flat().some((line) => doc.includes(line))) return;
          const text = result.ok ? result.text : result.error.message;
          expect(text).toBe(write(docs.with(nth, doc)));
        },
      ),
      { numRuns: 300 },
    );
  });
});

const headers: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  "a first line for the shell": ["#!/usr/bin/env python", ""],
  "a license": ["# Copyright of somebody.", "# All rights reserved.", ""],
  "its own docstring": ['"""What the module is for.', "", "In short.", '"""', ""],
};

test("imports and constants above a function come with it, above it and behind the header of the file", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(headers)),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(),
      fc.integer({ min: 0, max: 2 }),
      fc.integer({ min: 0, max: 2 }),
      (header, count, at, importCount, constantCount) => {
        fc.pre(importCount + constantCount > 0);
        const nth = at % count;
        const unit = (one: number, body: string) => [
          `def work_${one}(value):`,
          `    log(value)`,
          body,
          "",
          "",
        ];
        const imports = Array.from({ length: importCount }, (_, one) => `import tool_${one}`);
        const constants = Array.from(
          { length: constantCount },
          (_, one) => `_LIMIT_${one} = [${one}, 2]`,
        );
        const uses = [...imports.keys()].map((one) => `tool_${one}`);
        const used = [...uses, ...[...constants.keys()].map((one) => `_LIMIT_${one}`)];
        const own = unit(nth, `    return use(${used.join(", ")}, value)`);
        const gap = (lines: readonly string[], ...empty: string[]) =>
          lines.length > 0 ? [...lines, ...empty] : [];
        const rest = Array.from({ length: count }, (_, one) =>
          unit(one, `    return value + ${one}`),
        );
        const before = [...header, ...rest.flat()];
        const after = [
          ...header,
          ...gap(imports, "", ""),
          ...rest.with(nth, [...gap(constants, "", ""), ...own]).flat(),
        ];
        const code = [...gap(imports, "", ""), ...gap(constants, "", ""), ...own];
        const result = applyCodeEdit(join(before), join(code));
        expect(result.ok ? result.text : result.error.message).toBe(join(after));
      },
    ),
    { numRuns: 300 },
  );
});

test("what no line of the code uses, or the file has already, is not added above a function", () => {
  const rest = Array.from({ length: 9 }, (_, nth) => `\n\ndef work_${nth}():\n    return ${nth}\n`);
  const own = "\n\ndef work(value):\n    log(value)\n    return value\n";
  const before = `LIMIT = 1\n${own}${rest.join("")}`;
  for (const constant of ["OTHER = 2", "LIMIT = 2"]) {
    const code = `${constant}\n\n\ndef work(value):\n    log(value)\n    return value + LIMIT\n`;
    const result = applyCodeEdit(before, code);
    const text = result.ok ? result.text : before;
    // One of another value takes the place of the old one, if of any.
    expect([text.match(/^LIMIT/gm), text.includes("OTHER")]).toEqual([["LIMIT"], false]);
  }
});

/** A function in several lines, and in one. */
const shorter: Readonly<
  Record<
    string,
    readonly [
      long: (name: string, call: string) => string[],
      short: (name: string, call: string) => string,
    ]
  >
> = {
  Kotlin: [
    (name, call) => [
      `fun ${name}(at: Long): Int {`,
      "    for (i in all) {",
      `        if (${call}(i, at)) return i`,
      "    }",
      "    return -1",
      "}",
    ],
    (name, call) => `fun ${name}(at: Long): Int = all.indexOfFirst { ${call}(it, at) }`,
  ],
  Scala: [
    (name, call) => [
      `def ${name}(at: Long): Int = {`,
      `  val found = all.filter(${call}(_, at))`,
      "  found.size",
      "}",
    ],
    (name, call) => `def ${name}(at: Long): Int = all.count(${call}(_, at))`,
  ],
  TypeScript: [
    (name, call) => [
      `const ${name} = (at: number) => {`,
      `  const found = all.filter((one) => ${call}(one, at));`,
      "  return found.length;",
      "};",
    ],
    (name, call) => `const ${name} = (at: number) => all.filter((one) => ${call}(one, at)).length;`,
  ],
};

test.each(Object.entries(shorter))(
  "a function in one line takes the place of the one of its name, and its head alone of none: %s",
  (_, [long, short]) => {
    const name = fc.stringMatching(/^[a-z]{4,8}$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 6, maxLength: 6 }), fc.nat(2), (words, nth) => {
        const all = words.slice(0, 3).map((own, at) => long(own, words[3 + at] ?? ""));
        const code = short(words[nth] ?? "", words[3 + nth] ?? "");
        const write = (parts: readonly (readonly string[])[]): string =>
          join(parts.flatMap((part) => [...part, ""]));
        const result = applyCodeEdit(write(all), `${code}\n`, { isChange: true });
        expect(result.ok ? result.text : result.error.message).toBe(write(all.with(nth, [code])));
        const head = code.slice(0, code.indexOf("=", code.indexOf(")")) + 1).replace("at", "key");
        const { text = "" } = { ...applyCodeEdit(write(all), `${head}\n`, { isChange: true }) } as {
          text?: string;
        };
        expect(text === "" || text.includes(all[nth]?.[1] ?? "")).toBe(true);
      }),
    );
  },
);

test("a head with other words is as deep as the old one, whatever brackets are inside", () => {
  const depth = fc.integer({ min: 1, max: 3 });
  fc.assert(
    fc.property(
      depth,
      fc.constantFrom("static", "async", "override"),
      fc.boolean(),
      (levels, modifier, isDedented) => {
        const indent = "    ".repeat(levels);
        const shift = (lines: readonly string[], by: string): string =>
          join(lines.map((line) => by + line));
        const old = [
          "public int Sum(int[] all)",
          "{",
          "    var sum = 0;",
          "    foreach (var one in all)",
          "    {",
          "        sum += one;",
          "    }",
          "    return sum;",
          "}",
        ];
        const now = [
          `public ${modifier} int Sum(int[] all)`,
          "{",
          "    return all.Aggregate(0, (sum, one) => sum + one);",
          "}",
        ];
        const rest = `class A\n{\n${indent}int b;\n\n`;
        const result = applyCodeEdit(
          `${rest}${shift(old, indent)}}\n`,
          shift(now, isDedented ? "" : indent),
        );
        expect(result.ok ? result.text : result.error.message).toBe(
          `${rest}${shift(now, indent)}}\n`,
        );
      },
    ),
  );
});
