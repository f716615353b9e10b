// What is around code: the class that frames its members, the imports of the file, the marks, and the end of the file.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyCodeEdit } from "../../src/edit.ts";
import { cases } from "../helpers/cases.ts";

const word = fc.stringMatching(/^[a-z]{5,8}$/);
const words = fc.uniqueArray(word, { minLength: 30, maxLength: 30 });

interface Language {
  head: string;
  member: (name: string, value: string) => string[];
  close: string[];
  load: (name: string) => string;
}
const languages: readonly Language[] = [
  {
    head: "public class Store {",
    member: (name, value) => [
      `    public int ${name}(int key) {`,
      `        return ${value}(key);`,
      "    }",
    ],
    close: ["}"],
    load: (name) => `import pkg.${name};`,
  },
  {
    head: "class Store:",
    member: (name, value) => [`    def ${name}(self, key):`, `        return ${value}(key)`],
    close: [],
    load: (name) => `import ${name}`,
  },
  {
    head: "export class Store {",
    member: (name, value) => [
      `  ${name}(key: string): number {`,
      `    return ${value}(key);`,
      "  }",
    ],
    close: ["}"],
    load: (name) => `import { ${name} } from "./${name}.js";`,
  },
  {
    head: "class Store {\npublic:",
    member: (name, value) => [`  int ${name}(int key) {`, `    return ${value}(key);`, "  }"],
    close: ["};"],
    load: (name) => `#include <${name}.h>`,
  },
  {
    head: "class Store(\n    val base: Base,\n) : Shop() {",
    member: (name, value) => [
      `    fun ${name}(key: Int): Int {`,
      `        return ${value}(key)`,
      "    }",
    ],
    close: ["}"],
    load: (name) => `import pkg.${name}`,
  },
];
const fileOf = (
  { head, member, close, load }: Language,
  imports: readonly string[],
  members: readonly (readonly [string, string])[],
): string => {
  const body = members.flatMap(([name, value], nth) => [
    ...(nth > 0 ? [""] : []),
    ...member(name, value),
  ]);
  return [...imports.map(load), "", head, ...body, ...close, "", "last = 1", ""].join("\n");
};
const signOf = ({ head }: Language): string => (head.endsWith("Store:") ? "#" : "//");
const given = fc.tuple(
  fc.constantFrom(...languages),
  words,
  fc.integer({ min: 5, max: 8 }),
  fc.nat(),
);

test("of a class that is shown with few of its members these alone become new, and no other goes", () => {
  fc.assert(
    fc.property(given, ([language, all, count, pick]) => {
      const members = all.slice(0, count).map((name, nth) => [name, all[10 + nth] ?? ""] as const);
      const imports = all.slice(20, 22);
      const [nth, now] = [pick % count, [all[pick % count] ?? "", all[29] ?? ""] as const];
      const { head, member, close } = language;
      const code = [head, ...member(...now), ...close].join("\n");
      const result = applyCodeEdit(fileOf(language, imports, members), code);
      expect(result.ok ? result.text : result.error.message).toBe(
        fileOf(language, imports, members.with(nth, now)),
      );
    }),
    { numRuns: cases(150) },
  );
});

test("of a class with marks the members that are shown become new or are added, in place, and no other goes", () => {
  fc.assert(
    fc.property(
      given,
      fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      ([language, all, count], which, isAdding) => {
        const members = all
          .slice(0, count)
          .map((name, nth) => [name, all[10 + nth] ?? ""] as const);
        const shown = which.toSorted((a, b) => a - b);
        const next = members.map(([name, value], nth) =>
          shown.includes(nth) ? ([name, all[22 + nth] ?? ""] as const) : ([name, value] as const),
        );
        const [at = 0] = shown.slice(-1);
        const added = isAdding ? [[all[28] ?? "", all[29] ?? ""] as const] : [];
        const { head, member, close } = language;
        const mark = `    ${signOf(language)} ... existing code ...`;
        const code = [
          head,
          ...shown.flatMap((nth) => [mark, "", ...member(...(next[nth] ?? ["", ""])), ""]),
          ...added.flatMap((one) => [...member(...one), ""]),
          mark,
          ...close,
        ];
        const result = applyCodeEdit(fileOf(language, ["one"], members), code.join("\n"));
        expect(result.ok ? result.text : result.error.message).toBe(
          fileOf(language, ["one"], next.toSpliced(at + 1, 0, ...added)),
        );
      },
    ),
    { numRuns: cases(200) },
  );
});

test("new comments above a class and its members come with it, whatever of the class is left out, and only once", () => {
  fc.assert(
    fc.property(
      given,
      fc.boolean(),
      fc.boolean(),
      ([language, all, count, pick], isInPart, isOpen) => {
        const members = all
          .slice(0, count)
          .map((name, nth) => [name, all[10 + nth] ?? ""] as const);
        const { head, member, close } = language;
        const sign = signOf(language);
        const mark = `    ${sign} ... existing code ...`;
        const [ofClass, ofMember] = [20, 23].map(
          (at) => `${sign} ${all.slice(at, at + 3).join(" ")}.`,
        );
        const shown = member(...(members[pick % count] ?? ["", ""]));
        const [indent = ""] = /^ */.exec(shown[0] ?? "") ?? [];
        const documented = [`${indent}${ofMember}`, ...shown];
        const before = fileOf(language, ["one"], members);
        const after = before
          .replace(`\n${head}\n`, `\n${ofClass}\n${head}\n`)
          .replace(shown.join("\n"), documented.join("\n"));
        const own = isInPart ? documented.with(2, `    ${mark}`) : documented;
        const around = isOpen ? [] : [mark, ""];
        const code = [ofClass, head, ...around, ...own, ...around.toReversed(), ...close].join(
          "\n",
        );
        for (const text of isInPart && isOpen ? [before] : [before, after]) {
          const result = applyCodeEdit(text, code);
          expect(result.ok ? result.text : text).toBe(after);
        }
        // What is shown beside a mark in a body may be new.
        const line = `    ${indent}${all[26]}.${all[27]}(key);`;
        const body = [line, `    ${mark}`];
        const beside = [
          ofClass,
          head,
          ...around,
          ...documented.toSpliced(2, 1, ...body),
          ...around,
          ...close,
        ];
        const more = applyCodeEdit(before, beside.join("\n"));
        const kept = [line.trim(), ...members.map(([name]) => name)];
        expect(more.ok && !kept.every((text) => more.text.includes(text))).toBe(false);
      },
    ),
    { numRuns: cases(200) },
  );
});

test("settings whose last lines are keys without values get one more", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 4 }), fc.boolean(), (all, count, isLast) => {
      const [group = "", added = "", ...others] = all;
      const keys = others.slice(0, count);
      const block = (own: readonly string[]): string =>
        [`${group}:`, ...own.map((key) => `  ${key}:`), ""].join("\n");
      const values = others.slice(10, 24).map((key) => `  ${key}: ${key}`);
      const rest = ["services:", ...values, ""].join("\n");
      const file = (own: readonly string[]): string =>
        (isLast ? [rest, block(own)] : [block(own), rest]).join("\n");
      const result = applyCodeEdit(file(keys), block([...keys, added]));
      expect(result.ok ? result.text : result.error.message).toBe(file([...keys, added]));
    }),
    { numRuns: cases(150) },
  );
});

test("of settings that are shown in part the values become new, and what they lack never goes", () => {
  type Settings = readonly (readonly [string, readonly (readonly [string, string])[]])[];
  const printers: readonly ((all: Settings) => string)[] = [
    (all) =>
      all
        .map(([key, own]) => `${key}:\n${own.map(([k, v]) => `  ${k}: ${v}\n`).join("")}`)
        .join(""),
    (all) =>
      `${JSON.stringify(Object.fromEntries(all.map(([key, own]) => [key, Object.fromEntries(own)])), null, 2)}\n`,
  ];
  fc.assert(
    fc.property(
      words,
      fc.constantFrom(...printers),
      fc.integer({ min: 0, max: 2 }),
      fc.integer({ min: 0, max: 4 }),
      (all, print, group, nth) => {
        const settings: Settings = [0, 1, 2].map((at) => [
          all[at] ?? "",
          [0, 1, 2, 3, 4].map((own) => [all[3 + 5 * at + own] ?? "", all[18 + own] ?? ""] as const),
        ]);
        const [name, own] = settings[group] ?? ["", []];
        const changed = [own[nth]?.[0] ?? "", all[29] ?? ""] as const;
        const before = print(settings);
        const result = applyCodeEdit(before, print([[name, [changed]]]));
        expect(result.ok ? result.text : result.error.message).toBe(
          print(settings.with(group, [name, own.with(nth, changed)])),
        );
        const other = [all[28] ?? "", all[29] ?? ""] as const;
        const unclear = applyCodeEdit(before, print([[name, [changed, other]]]));
        // The new one may be another one under a new name.
        expect(unclear.ok && !own.every(([key]) => unclear.text.includes(key))).toBe(false);
      },
    ),
    { numRuns: cases(200) },
  );
});

test("of settings beside marks one that is shown anew may have another key", () => {
  fc.assert(
    fc.property(words, fc.nat({ max: 2 }), fc.nat({ max: 3 }), (all, group, nth) => {
      const settings = [0, 1, 2].map((at) => ({
        name: all[at] ?? "",
        own: [0, 1, 2, 3].map((own) => `${all[3 + 4 * at + own] ?? ""}: ${all[15 + own] ?? ""}`),
      }));
      const print = (name: string, own: readonly string[]): string =>
        `${name}:\n${own.map((line) => `  ${line}\n`).join("")}`;
      const file = (of: typeof settings): string =>
        of.map(({ name, own }) => print(name, own)).join("\n");
      const { name, own } = settings[group] ?? { name: "", own: [] };
      const next = own.with(nth, `${all[25] ?? ""}: ${all[26] ?? ""}`);
      const result = applyCodeEdit(
        file(settings),
        `# ... existing code ...\n\n${print(name, next)}\n# ... existing code ...\n`,
      );
      expect(result.ok ? result.text : result.error.message).toBe(
        file(settings.with(group, { name, own: next })),
      );
    }),
    { numRuns: cases(100) },
  );
});

test("a file that is shown anew as a whole is known by what its statements are about, whatever has changed in them", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 5, max: 9 }), (all, count) => {
      const print = (from: number): string =>
        all
          .slice(0, count)
          .map((name, nth) => `${name.toUpperCase()} ${all[from + nth] ?? ""}\n`)
          .join("");
      const result = applyCodeEdit(print(10), print(20));
      expect(result.ok ? result.text : result.error.message).toBe(print(20));
      // A longer file may be another one of its kind, unless something names it.
      const tail = all
        .slice(0, 9)
        .map((name) => `${name} same\n`.repeat(6))
        .join("");
      const [was, now] = [10, 20].map((from) => `START ${all[from] ?? ""}\n${tail}${print(from)}`);
      const named = applyCodeEdit(was, now ?? "");
      expect(named.ok ? named.text : named.error.message).toBe(now);
      // Without its last statement it may be cut off.
      const part = print(20).split("\n").slice(0, -2).join("\n");
      expect(applyCodeEdit(print(10), part).ok).toBe(false);
    }),
    { numRuns: cases(100) },
  );
});

test("imports alone come to those of the file, in their order, if they are said to be added; else nowhere", () => {
  fc.assert(
    fc.property(given, ([language, all, count]) => {
      const members = all.slice(0, count).map((name, nth) => [name, all[10 + nth] ?? ""] as const);
      const imports = all.slice(18, 22).toSorted();
      const before = fileOf(language, imports, members);
      const own = all[25] ?? "";
      const added = applyCodeEdit(before, language.load(own), { isAdded: true });
      expect(added.ok ? added.text : added.error.message).toBe(
        fileOf(language, [...imports, own].toSorted(), members),
      );
      expect(applyCodeEdit(before, language.load(own)).ok).toBe(false);
    }),
    { numRuns: cases(150) },
  );
});

test("imports that are shown with those of the file around them come where the code has them", () => {
  fc.assert(
    fc.property(given, fc.nat({ max: 3 }), ([language, all, count], place) => {
      const members = all.slice(0, count).map((name, nth) => [name, all[10 + nth] ?? ""] as const);
      const imports = all.slice(18, 22);
      const next = imports.toSpliced(place, 0, all[25] ?? "");
      const shown = next.slice(Math.max(0, place - 1), place + 2);
      const code = shown.map(language.load).join("\n");
      const result = applyCodeEdit(fileOf(language, imports, members), code);
      expect(result.ok ? result.text : result.error.message).toBe(fileOf(language, next, members));
    }),
    { numRuns: cases(150) },
  );
});

test("what a class with marks has more is put in, or nothing is changed, also where it looks like an import", () => {
  fc.assert(
    fc.property(
      given,
      fc.constantFrom("use", "include", "import"),
      ([language, all, count], start) => {
        const members = all
          .slice(0, count)
          .map((name, nth) => [name, all[10 + nth] ?? ""] as const);
        const { head, member, close } = language;
        const mark = `    ${signOf(language)} ... existing code ...`;
        const line = `  ${start} ${all[28] ?? ""};`;
        const changed = member(members[1]?.[0] ?? "", all[29] ?? "");
        const code = [head, line, mark, "", ...changed, "", mark, ...close].join("\n");
        const result = applyCodeEdit(fileOf(language, ["one"], members), code);
        expect(!result.ok || result.text.includes(line.trim())).toBe(true);
      },
    ),
    { numRuns: cases(150) },
  );
});

test("a view of SQL goes on to its semicolon, whatever its lines are indented by", () => {
  const print = (name: string, columns: readonly string[]): string =>
    `CREATE VIEW ${name} AS\nSELECT ${columns.join(", ")}\nFROM ${name}_all\nWHERE ${columns[0] ?? ""} > 0;\n`;
  fc.assert(
    fc.property(words, fc.nat({ max: 3 }), fc.boolean(), (all, nth, isIndented) => {
      const views = all
        .slice(0, 4)
        .map((name, at) => [name, all.slice(4 + 3 * at, 7 + 3 * at)] as const);
      const indent = (text: string): string =>
        isIndented ? text.replaceAll("\nFROM", "\n  FROM") : text;
      const file = (own: typeof views): string =>
        own.map((one) => indent(print(...one))).join("\n");
      const [name = ""] = views[nth] ?? [];
      const now = [name, all.slice(20, 23)] as const;
      const result = applyCodeEdit(file(views), indent(print(...now)));
      expect(result.ok ? result.text : result.error.message).toBe(file(views.with(nth, now)));
    }),
    { numRuns: cases(100) },
  );
});

test("calls with a name and a body take the place of their namesakes, one or several", () => {
  const print = (name: string, value: string): string =>
    `router.get("/${name}", async (request, response) => {\n  response.json(await ${value}(request.params));\n});\n`;
  fc.assert(
    fc.property(words, fc.subarray([0, 1, 2, 3], { minLength: 1, maxLength: 3 }), (all, which) => {
      const routes = all.slice(0, 4).map((name, nth) => [name, all[10 + nth] ?? ""] as const);
      const file = (own: typeof routes): string =>
        [
          `const router = create();\n`,
          ...own.map((one) => print(...one)),
          "export default router;\n",
        ].join("\n");
      const next = routes.map(
        ([name, value], nth) =>
          [name, which.includes(nth) ? (all[20 + nth] ?? "") : value] as const,
      );
      const code = which.map((nth) => print(...(next[nth] ?? ["", ""]))).join("\n");
      const result = applyCodeEdit(file(routes), code);
      expect(result.ok ? result.text : result.error.message).toBe(file(next));
    }),
    { numRuns: cases(100) },
  );
});

test("what code sets anew beside a mark is never set twice", () => {
  fc.assert(
    fc.property(
      words,
      fc.constantFrom(": ", " = "),
      fc.integer({ min: 4, max: 9 }),
      fc.nat(),
      fc.boolean(),
      (all, sign, count, pick, isBelow) => {
        const keys = all.slice(0, count);
        const lines = keys.map((key, nth) => `  ${key}${sign}${all[10 + nth] ?? ""}`);
        const nth = 1 + (pick % (count - 2));
        const own = `  ${keys[nth] ?? ""}${sign}${all[25] ?? ""} ${all[26] ?? ""}`;
        const mark = "  # ... existing settings ...";
        const code = isBelow
          ? ["all:", mark, own, ...lines.slice(nth + 1)]
          : ["all:", ...lines.slice(0, nth), own, mark];
        const result = applyCodeEdit(["all:", ...lines, ""].join("\n"), code.join("\n"));
        const text = result.ok ? result.text : "";
        expect(
          text.split("\n").filter((line) => line.startsWith(`  ${keys[nth] ?? ""}${sign}`)).length,
        ).toBeLessThan(2);
      },
    ),
    { numRuns: cases(200) },
  );
});

test("a file that is shown anew ends where its last line is another one, though lines above that are gone", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 8, max: 14 }), (all, count) => {
      const lines = all.slice(0, count).map((name, nth) => `${name}(${all[14 + nth] ?? ""});`);
      const before = [...lines, "last.gone(1);", "server.listen(3000);", ""].join("\n");
      const after = [...lines, "server.listen(port);", ""].join("\n");
      const result = applyCodeEdit(before, after);
      expect(result.ok ? result.text : result.error.message).toBe(after);
      // One of the file's own lines as the last one may just be where the answer was cut off.
      expect(applyCodeEdit(before, [...lines, "last.gone(1);", ""].join("\n")).ok).toBe(false);
    }),
    { numRuns: cases(100) },
  );
});
