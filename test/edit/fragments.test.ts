// Code that shows only what changes: it takes the place of the lines of which it is a new version, or of none.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyCodeEdit } from "../../src/edit.ts";
import { cases } from "../helpers/cases.ts";

const word = fc.stringMatching(/^[a-z]{4,8}$/);
const words = fc.uniqueArray(word, { minLength: 60, maxLength: 60 });

/** Statements of which no two share more than a word. */
const statements = words.map((all) =>
  Array.from({ length: 12 }, (_, nth) => {
    const [object = "", call = "", one = "", two = "", three = ""] = all.slice(5 * nth);
    return `  ${object}.${call}(${one}, ${two}, ${three});`;
  }),
);
const join = (lines: readonly string[]): string => `run(() => {\n${lines.join("\n")}\n});\n`;
const change = fc.record({
  lines: statements,
  start: fc.nat({ max: 8 }),
  count: fc.integer({ min: 1, max: 4 }),
  word,
  isDedented: fc.boolean(),
});

/** The last word of each line is another. */
const changed = (lines: readonly string[], now: string): string[] =>
  lines.map((line) => line.replace(/\w+\);$/, `${now});`));
const codeOf = (lines: readonly string[], isDedented: boolean): string =>
  lines.map((line) => `${isDedented ? line.trim() : line}\n`).join("");

test("lines that are new versions of others take their place, whatever their indentation", () => {
  fc.assert(
    fc.property(change, ({ lines, start, count, word: now, isDedented }) => {
      const own = changed(lines.slice(start, start + count), now);
      const after = join([...lines.slice(0, start), ...own, ...lines.slice(start + count)]);
      // A line of the file among them would tell the place.
      fc.pre(own.every((line) => !lines.includes(line)));
      const code = codeOf(own, isDedented);
      const result = applyCodeEdit(join(lines), code, { isChange: true });
      expect(result.ok ? result.text : result.error.code).toBe(after);
      // Nothing says that they are no new lines beside these.
      const alone = applyCodeEdit(join(lines), code);
      expect(alone.ok).toBe(false);
    }),
    { numRuns: cases(100) },
  );
});

test("lines in another order change places, and none of them comes twice", () => {
  fc.assert(
    fc.property(change, fc.nat({ max: 5 }), ({ lines, start, count, isDedented }, by) => {
      const part = lines.slice(start, start + count + 1);
      const turned = by % part.length;
      fc.pre(turned > 0);
      const own = [...part.slice(turned), ...part.slice(0, turned)];
      const code = codeOf(own, isDedented);
      const after = join(lines.toSpliced(start, part.length, ...own));
      const within = { startLine: start + 1, endLine: start + part.length };
      for (const options of [{ isChange: true }, {}, { within, isChange: true }])
        expect(applyCodeEdit(join(lines), code, options)).toMatchObject({ text: after });
    }),
    { numRuns: cases(100) },
  );
});

test("of two places that are alike the one that is named counts, and none where nothing is named", () => {
  fc.assert(
    fc.property(change, fc.boolean(), ({ lines, start, count, word: now }, isSecond) => {
      const own = changed(lines.slice(start, start + count), now);
      const before = join([...lines, "});", "run(() => {", ...lines]);
      const code = codeOf(own, false);
      fc.pre(!before.includes(code));
      expect(applyCodeEdit(before, code, { isChange: true }).ok).toBe(false);
      const first = isSecond ? lines.length + 4 : 2;
      const near = { startLine: first, endLine: first + lines.length - 1 };
      const result = applyCodeEdit(before, code, { isChange: true, near });
      const text = result.ok ? result.text.split("\n") : [];
      const at = first - 1 + start;
      expect(text.slice(at, at + count)).toEqual(own);
      expect(text.toSpliced(at, count)).toEqual(before.split("\n").toSpliced(at, count));
    }),
    { numRuns: cases(100) },
  );
});

test("lines of which the file has nothing take the place of none", () => {
  fc.assert(
    fc.property(statements, statements, fc.boolean(), (lines, others, isChange) => {
      const known = new Set(lines.join(" ").match(/\w+/g));
      const own = others.filter(
        (line) => !(line.match(/\w+/g) ?? []).some((one) => known.has(one)),
      );
      const result = applyCodeEdit(join(lines), codeOf(own.slice(0, 3), false), { isChange });
      expect(result.ok).toBe(false);
    }),
    { numRuns: cases(100) },
  );
});

test("lines that are meant are preferred, and where the code is of others alone it goes there", () => {
  fc.assert(
    fc.property(
      change,
      fc.nat({ max: 11 }),
      ({ lines, start, count, word: now, isDedented }, other) => {
        const own = changed(lines.slice(start, start + count), now);
        const after = join([...lines.slice(0, start), ...own, ...lines.slice(start + count)]);
        fc.pre(after !== join(lines));
        const near = { startLine: other + 2, endLine: other + 2 };
        const result = applyCodeEdit(join(lines), codeOf(own, isDedented), {
          isChange: true,
          near,
        });
        // What is meant may be nearly as good.
        if (result.ok || count > 2) expect(result.ok && result.text).toBe(after);
      },
    ),
    { numRuns: cases(100) },
  );
});

/** How languages write a block with a condition. */
const blocks: Readonly<
  Record<string, readonly [open: (condition: string) => string, close?: string]>
> = {
  JavaScript: [(condition) => `if (${condition}) {`, "}"],
  Go: [(condition) => `for ${condition} {`, "}"],
  Rust: [(condition) => `while ${condition} {`, "}"],
  Python: [(condition) => `if ${condition}:`],
  Ruby: [(condition) => `unless ${condition}`, "end"],
  Lua: [(condition) => `while ${condition} do`, "end"],
  Shell: [(condition) => `if [ ${condition} ]; then`, "fi"],
};

test.each(Object.entries(blocks))(
  "a block with the same body and another condition takes its place: %s",
  (_, [open, close]) => {
    fc.assert(
      fc.property(
        change,
        fc.uniqueArray(word, { minLength: 3, maxLength: 3 }),
        ({ lines, start, isDedented }, names) => {
          const [one = "", two = "", three = ""] = names;
          const print = (condition: string): string[] => [
            `  ${open(condition)}`,
            ...lines.slice(start, start + 3).map((line) => `  ${line}`),
            ...(close === undefined ? [] : [`  ${close}`]),
          ];
          const put = (block: readonly string[]) =>
            join([...lines.slice(0, start), ...block, ...lines.slice(start + 3)]);
          const [old, now] = [print(`${one} < ${two}`), print(`${one} >= ${three}`)];
          const shift = isDedented ? 2 : 0;
          const code = now.map((line) => `${line.slice(shift)}\n`).join("");
          for (const isChange of [true, false]) {
            const result = applyCodeEdit(put(old), code, { isChange });
            expect(result.ok ? result.text : result.error.message).toBe(put(now));
          }
          // With another body it is another block.
          const other = [...now.slice(0, 1), ...lines.slice(9), ...now.slice(4)];
          fc.pre(start < 6);
          const result = applyCodeEdit(put(old), other.map((line) => `${line}\n`).join(""), {
            isChange: true,
          });
          expect(
            result.ok &&
              result.text.includes(`${one} >= ${three}`) &&
              !result.text.includes(`${one} < ${two}`),
          ).toBe(false);
        },
      ),
      { numRuns: cases(30) },
    );
  },
);

/** Lines about a thing, with a part that may be another. */
const kinds: readonly ((thing: string, rest: string) => string)[] = [
  (thing, rest) => `import { ${thing} } from "./${rest}";`,
  (thing, rest) => `from pkg.${rest} import ${thing}`,
  (thing, rest) => `#include <${rest}/${thing}.h>`,
  (thing, rest) => `use crate::${rest}::${thing};`,
  (thing, rest) => `Task<Entry> ${thing}(Guid ${rest});`,
  (thing, rest) => `Set<Entry> ${thing} { get; set; } = ${rest}();`,
  (thing, rest) => `case Kind.${thing}: keep(entries, ${rest});`,
];

test("a line alone takes the place of the one about the same thing, and of none about another", () => {
  fc.assert(
    fc.property(
      words,
      fc.constantFrom(...kinds),
      fc.integer({ min: 4, max: 8 }),
      fc.nat(),
      (all, print, count, pick) => {
        const things = all.slice(0, count);
        const nth = pick % count;
        const lines = things.map((thing, at) => print(thing, all[10 + at] ?? ""));
        const before = `${lines.join("\n")}\n`;
        const own = print(things[nth] ?? "", all[30] ?? "");
        const result = applyCodeEdit(before, own, { isChange: true });
        expect(result.ok ? result.text : result.error.message).toBe(
          `${lines.with(nth, own).join("\n")}\n`,
        );
        const other = print(all[31] ?? "", all[10 + nth] ?? "");
        const none = applyCodeEdit(before, other, { isChange: true });
        // An import may be added beside them.
        const kept = none.ok ? lines.filter((line) => !none.text.includes(line)) : [];
        expect(kept).toEqual([]);
      },
    ),
    { numRuns: cases(200) },
  );
});

test("code that begins and ends as the selected statements do takes their place, with what it has more; else none does", () => {
  fc.assert(
    fc.property(change, fc.boolean(), ({ lines, start, word: now }, isElsewhere) => {
      const meant = lines.slice(start, start + 3);
      const next = lines[(start + 6) % lines.length] ?? "";
      const fresh = `  ${now}.fresh(${now});`;
      const own = [
        ...changed(meant.slice(0, 2), now),
        isElsewhere ? next : fresh,
        ...meant.slice(2),
      ];
      const within = { startLine: start + 2, endLine: start + 4 };
      const result = applyCodeEdit(join(lines), codeOf(own, false), { within, isChange: true });
      const after = join([...lines.slice(0, start), ...own, ...lines.slice(start + 3)]);
      // A line that the file has elsewhere may be one around what is meant.
      if (isElsewhere) expect(!result.ok || result.text === after).toBe(true);
      else expect(result.ok ? result.text : result.error.code).toBe(after);
    }),
    { numRuns: cases(100) },
  );
});

test("items of a list are the same whatever their numbers", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 3, max: 6 }), fc.nat(), (all, count, pick) => {
      const texts = Array.from({ length: count }, (_, nth) =>
        all.slice(4 * nth, 4 * nth + 4).join(" "),
      );
      const list = (skip: number): string[] =>
        texts.map((text, nth) => `${nth + 1 + (nth >= skip ? 1 : 0)}. ${text}.`);
      const file = (own: readonly string[]): string =>
        [
          `# ${all.slice(40, 43).join(" ")}\n`,
          ...own,
          "",
          ...all.slice(44, 56).map((one, nth) => `${one} ${all[nth] ?? ""}`),
          "",
        ].join("\n");
      const skip = 1 + (pick % (count - 1));
      const code = `${list(count).join("\n")}\n`;
      const result = applyCodeEdit(file(list(skip)), code, { isChange: true });
      expect(result.ok ? result.text : result.error.code).toBe(file(list(count)));
    }),
    { numRuns: cases(100) },
  );
});

test("items of a list that code sets apart change in the order of the file, and not in another one", () => {
  fc.assert(
    fc.property(
      words,
      fc.integer({ min: 6, max: 9 }),
      fc.nat(),
      fc.nat(),
      (all, count, one, two) => {
        const item = (nth: number, run: string): string => `  - id: ${all[nth]}\n    run: ${run}\n`;
        const olds = Array.from({ length: count }, (_, nth) => item(nth, all[20 + nth] ?? ""));
        const file = (items: readonly string[]): string =>
          `env:\n  ${all[50]}: ${all[51]}\non:\n${items.join("")}`;
        const first = one % (count - 2);
        const second = first + 2 + (two % (count - 2 - first));
        const [now, later] = [item(first, all[40] ?? ""), item(second, all[41] ?? "")];
        const result = applyCodeEdit(file(olds), `${now}\n${later}`, { isChange: true });
        expect(result.ok ? result.text : result.error.message).toBe(
          file(olds.with(first, now).with(second, later)),
        );
        const turned = `${later}\n${now}`;
        expect(applyCodeEdit(file(olds), turned, { isChange: true }).ok).toBe(false);
      },
    ),
    { numRuns: cases(100) },
  );
});

test("code that begins or ends in mid block takes the place of as many lines, and of none where it has more or fewer", () => {
  fc.assert(
    fc.property(change, fc.boolean(), ({ lines, start, word: now }, isBegun) => {
      const [condition = "", ...body] = lines.slice(start, start + 4);
      const inner = body.map((line) => `  ${line}`);
      const block = [`  if (${condition.trim().slice(0, -1)}) {`, ...inner, "  }"];
      const file = (own: readonly string[]): string =>
        join([...lines.slice(0, start), ...own, ...lines.slice(start + 4)]);
      const next = [block[0] ?? "", ...changed(inner, now), "  }"];
      const shown = isBegun ? next.slice(0, -1) : next.slice(1);
      fc.pre(changed(inner, now).every((line, nth) => line !== inner[nth]));
      const result = applyCodeEdit(file(block), codeOf(shown, false), { isChange: true });
      expect(result.ok ? result.text : result.error.message).toBe(file(next));
      const more = shown.toSpliced(2, 0, `    ${now}.fresh(${now});`);
      for (const own of [more, shown.toSpliced(1, 1)]) {
        const none = applyCodeEdit(file(block), codeOf(own, false), { isChange: true });
        expect(none.ok).toBe(false);
      }
    }),
    { numRuns: cases(100) },
  );
});

test("a line that is a new version of several equal ones is refused with the place of each", () => {
  fc.assert(
    fc.property(
      change,
      fc.integer({ min: 2, max: 3 }),
      ({ lines, start, word: now, isDedented }, count) => {
        const [own = ""] = changed(lines.slice(start, start + 1), now);
        fc.pre(!lines.includes(own));
        const before = Array.from({ length: count }, () => join(lines)).join("");
        const result = applyCodeEdit(before, codeOf([own], isDedented), { isChange: true });
        const candidates = Array.from({ length: count }, (_, nth) => {
          const line = nth * (lines.length + 2) + 2 + start;
          return { startLine: line, endLine: line };
        });
        expect(result).toMatchObject({ error: { code: "ambiguous", candidates } });
        for (const near of candidates) {
          const chosen = applyCodeEdit(before, codeOf([own], isDedented), { isChange: true, near });
          const after = before
            .split("\n")
            .with(near.startLine - 1, own)
            .join("\n");
          expect(chosen.ok && chosen.text).toBe(after);
        }
      },
    ),
    { numRuns: cases(100) },
  );
});

test("of lines with as many words in common the one with fewer other characters is meant, and none where they have as many", () => {
  fc.assert(
    fc.property(
      change,
      fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 2 }),
      fc.boolean(),
      ({ lines, start, word: now }, [one = 0, two = 0], isTurned) => {
        const thing = lines[0]?.trim().slice(0, 4) ?? "";
        const other = thing.toUpperCase();
        const [own, near, far] = [
          `  ${now}(${thing}, ${one});`,
          `  ${now}(${thing}, ${two});`,
          `  ${now}(${other}, ${one});`,
        ];
        const file = (line: string): string => {
          const pair = isTurned ? [far, line] : [line, far];
          return join([...lines.slice(0, start), ...pair, ...lines.slice(start)]);
        };
        const result = applyCodeEdit(file(near), own, { isChange: true });
        expect(result.ok ? result.text : result.error.message).toBe(file(own));
        const equal = file(`  ${now}(${thing}, ${one});`);
        const none = applyCodeEdit(equal, own.replace(thing, "0000"), { isChange: true });
        expect(none.ok).toBe(false);
      },
    ),
    { numRuns: cases(100) },
  );
});

test("statements of two functions that become the same go where the answer names each", () => {
  fc.assert(
    fc.property(change, fc.boolean(), ({ lines, start, word: now }, isSecond) => {
      const twin = (name: string, first: string): string[] => [
        `function ${name}(${name}s) {`,
        first,
        ...lines.slice(start, start + 3),
        "}",
      ];
      const fresh = `  ${now} = all[0].${now};`;
      const old = `  ${now} = 0;`;
      const names = ["lowest", "highest"];
      const write = (firsts: readonly string[]): string =>
        `${names.map((name, nth) => twin(name, firsts[nth] ?? "").join("\n")).join("\n\n")}\n`;
      // One of them is as it should be already.
      const firsts = isSecond ? [fresh, old] : [old, fresh];
      const code = codeOf([fresh, ...lines.slice(start, start + 3)], false);
      const startLine = isSecond ? 8 : 1;
      const result = applyCodeEdit(write(firsts), code, {
        isChange: true,
        near: { startLine, endLine: startLine + 5 },
      });
      expect(result.ok ? result.text : result.error.message).toBe(write([fresh, fresh]));
    }),
    { numRuns: cases(100) },
  );
});

test("items of a list that a part of it does not show do not go, and no key comes twice", () => {
  const step = fc.stringMatching(/^[a-z]{3,8}$/);
  fc.assert(
    fc.property(fc.uniqueArray(step, { minLength: 2, maxLength: 5 }), fc.nat(), (steps, at) => {
      const [shown = ""] = steps.slice(at % steps.length);
      const item = (name: string, key: string): string =>
        `      - name: ${name}\n        env:\n          KEY: ${key}\n`;
      const job = (needs: string, items: string): string =>
        `  last:\n    runs-on: linux\n    needs: [${needs}]\n    steps:\n${items}`;
      const items = (key: string): string =>
        steps.map((name) => item(name, name === shown ? key : "old")).join("");
      const head = "jobs:\n  first:\n    runs-on: linux\n    steps:\n      - run: build\n\n";
      const code = job("first, second", item(shown, "new"));
      const result = applyCodeEdit(head + job("first", items("old")), code, { isChange: true });
      const wanted = head + job("first, second", items("new"));
      expect([wanted, undefined]).toContain(result.ok ? result.text : undefined);
    }),
    { numRuns: cases(100) },
  );
});

test("a closing tag takes no place of others: tags stay as even as they were", () => {
  const tags = fc.uniqueArray(fc.stringMatching(/^x[a-z]{2,5}$/), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(tags, fc.integer({ min: 12, max: 30 }), ([own = "", one = "", two = ""], count) => {
      const line = `  <${own} src="/a.js"></${own}>`;
      const rest = Array.from({ length: count }, (_, nth) => `  <p>${nth}</p>`);
      const before = [`<${one}>`, line, `</${one}>`, `<${two}>`, ...rest, `</${two}>`, ""].join(
        "\n",
      );
      const result = applyCodeEdit(before, `${line}\n</${two}>\n`);
      const countIn = (part: string): number =>
        (result.ok ? result.text : before).split(part).length - 1;
      for (const tag of [one, two]) expect(countIn(`<${tag}>`)).toBe(countIn(`</${tag}>`));
    }),
  );
});
