// What a click on proposed changes sends comes back as it was, whatever the files hold.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/edit-session.ts";
import {
  printChangesClick,
  readChangesClick,
  toPlainUnits,
} from "../../../src/flows/loop/show-changes.ts";
import type { FileChange } from "../../../src/workspace/workspace.ts";

// A fence as the first or last line of a change is refused by the engine, here as everywhere.
const line = fc.constantFrom(
  "====",
  "=======",
  "------- SEARCH",
  "+++++++ REPLACE",
  "</file-edit>",
  "file -",
  'new "x"',
  "a = 1",
  "  b = 2",
  "",
  "汉字",
);
const text = fc
  .array(line, { minLength: 1, maxLength: 12 })
  .map((lines) => lines.map((one) => `${one}\n`).join(""));
const hash = "0123456789abcdef".repeat(4);
const path = fc.constantFrom("a.js", "src/b c.ts", '名字/"x".py');

const change: fc.Arbitrary<FileChange> = fc.oneof(
  fc.record({ path, before: fc.constant(undefined), after: text }),
  fc.record({
    path,
    before: text.map((was) => ({ text: was, hash })),
    after: fc.constant(undefined),
  }),
  fc
    .record({ path, before: text.map((was) => ({ text: was, hash })), after: text })
    .filter(({ before, after }) => before.text !== after),
);

test.each(["en", "zh"] as const)("a click in %s brings its changes along", (locale) => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const prompt = printChangesClick(changes, locale);
      const read = readChangesClick(prompt) ?? [];
      expect(read.map((one) => one.path)).toEqual(changes.map((one) => one.path));
      for (const [nth, { before, after }] of changes.entries()) {
        const { kind, fileHash, units = [], places } = read[nth] ?? {};
        if (before === undefined) {
          expect(kind).toBe("new");
          expect(units[0]?.replace).toBe(after);
        } else if (after === undefined) expect(kind).toBe("delete");
        else {
          expect(hash.startsWith(fileHash ?? "?")).toBe(true);
          const lines = new Map(
            [...(places ?? [])].map(([unit, { startLine }]) => [unit, startLine]),
          );
          expect(applyUnits(before.text, units, { places: lines })).toMatchObject({ text: after });
        }
      }
    }),
  );
});

// Few different lines, so that most of them are in the file several times, and line ends of both kinds.
const mixed = fc
  .array(fc.tuple(fc.constantFrom("a", "  b", "", "c", "汉字"), fc.constantFrom("\n", "\r\n")), {
    maxLength: 30,
  })
  .chain((lines) => {
    const whole = lines.map(([words, end]) => words + end).join("");
    return fc.constantFrom(whole, whole.replace(/\r?\n$/, ""));
  });
const rewrite = fc.tuple(mixed, mixed).filter(([before, after]) => before !== after);

/** Line ends that differ from line to line are those of their neighbours by then, as after every edit. */
const plain = (crlf: string): string => crlf.replaceAll("\r\n", "\n");
/** An edit keeps whether a file ends with a line break, and one that was empty gets one. */
const isSameEnd = ([before, after]: readonly [string, string]): boolean =>
  plain(before) !== plain(after) &&
  (before.endsWith("\n") || before === "") === (after.endsWith("\n") || after === "");

test("units for clients fit one place each and come to the text that was shown", () => {
  fc.assert(
    fc.property(rewrite.filter(isSameEnd), ([before, after]) => {
      const applied = applyUnits(before, toPlainUnits(before, after));
      expect(applied.ok ? plain(applied.text) : applied).toBe(plain(after));
    }),
  );
});

test("a click comes to the text that was shown, whatever the line ends are", () => {
  fc.assert(
    fc.property(rewrite.filter(isSameEnd), ([before, after]) => {
      const prompt = printChangesClick(
        [{ path: "a.js", before: { text: before, hash }, after }],
        "en",
      );
      const [read] = readChangesClick(prompt) ?? [];
      const places = new Map(
        [...(read?.places ?? [])].map(([unit, { startLine }]) => [unit, startLine]),
      );
      const applied = applyUnits(before, read?.units ?? [], { places });
      expect(applied.ok ? plain(applied.text) : applied).toBe(plain(after));
    }),
  );
});

// Each line differs a little from the others, as the code of a file does.
const codeLine = fc
  .tuple(fc.constantFrom("const ", "  let ", "\treturn "), fc.integer({ min: 0, max: 30 }))
  .map(([words, n]) => `${words}value${n} = ${n}; // "${n}"`);
const code = fc.uniqueArray(codeLine, { minLength: 2, maxLength: 20 });
/** What a person does to a line, or to a copy of it. */
const hand = fc.constantFrom<(one: string) => string>(
  (one) => one.replace(" = ", " = 1"),
  (one) => one.replaceAll('"', "“"),
  (one) => `  ${one}`,
  (one) => `${one}\n\n`,
  (one) => `// mine\n${one}`,
  () => "",
);

test("a click keeps each line that the person has edited since, or changes nothing", () => {
  const index = fc.nat(19);
  fc.assert(
    fc.property(code, index, index, hand, (lines, changed, edited, work) => {
      const put = (at: number, write: (one: string) => string) =>
        lines.map((one, nth) => (nth === at % lines.length ? write(one) : one)).join("\n") + "\n";
      const before = put(0, (one) => one);
      const after = put(changed, (one) => one.replace("value", "other"));
      const made = { path: "a.js", before: { text: before, hash }, after };
      const [read] = readChangesClick(printChangesClick([made], "en")) ?? [];
      const now = put(edited, work);
      const result = applyUnits(now, read?.units ?? [], { isQuoted: true });
      const away = Math.abs((changed % lines.length) - (edited % lines.length));
      // A change quotes three lines on each side.
      if (away > 4) expect(result.ok).toBe(true);
      if (!result.ok) return;
      const both = now.replace(lines[changed % lines.length] ?? "", (one) =>
        one.replace("value", "other"),
      );
      expect(result.text).toBe(both);
    }),
    { numRuns: 500 },
  );
});

test("a click brings along a new file without a line break at its end", () => {
  const made = { path: "a.js", before: undefined, after: "x();" };
  const prompt = printChangesClick([made], "en");
  expect(readChangesClick(prompt)?.[0]?.units).toMatchObject([{ replace: "x();\n" }]);
});

test("a border is no longer than it has to be", () => {
  const after = `${"=".repeat(200)}\n=====\n====\n`;
  const prompt = printChangesClick([{ path: "a.js", before: undefined, after }], "en");
  expect(prompt).toContain("\n======\nfile -\n");
  expect(readChangesClick(prompt)?.[0]?.units).toMatchObject([{ replace: after }]);
});

test.each(["[]", "``", "{#}", "<*>/|"])("a click on a file of the name %j is read", (odd) => {
  for (const locale of ["en", "zh"] as const) {
    const prompt = printChangesClick([{ path: odd, before: undefined, after: "x\n" }], locale);
    expect(readChangesClick(prompt)).toMatchObject([{ path: odd, kind: "new" }]);
  }
});

test("a prompt with more changes than are ever offered is no click", () => {
  const click = (count: number): string =>
    `Apply the changes of x\n\n\`\`\`diff\n${'====\nfile -\ndelete "x"\n'.repeat(count)}\`\`\``;
  expect(readChangesClick(click(1_000))).toHaveLength(1_000);
  expect(readChangesClick(click(1_001))).toBeUndefined();
});

test("other prompts are no click", () => {
  for (const prompt of ["Apply the changes of a.js", "Let it be 42.", undefined])
    expect(readChangesClick(prompt)).toBeUndefined();
});
