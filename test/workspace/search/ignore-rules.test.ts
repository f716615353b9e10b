import * as fc from "fast-check";
import ignore from "ignore";
import { expect, test } from "vitest";
import { cases } from "../../helpers/cases.ts";
import {
  type IgnoreRules,
  createIgnoreRules,
} from "../../../src/workspace/directory/folder-rules.node.ts";

function ignores(rules: IgnoreRules, path: string, isFolder: boolean): boolean {
  return rules.ignores(path, isFolder);
}

/** As a walker asks: from the top, and not into what is ignored. */
function isIgnored(rules: IgnoreRules, path: string): boolean {
  const segments = path.split("/");
  return segments.some((_, nth) =>
    ignores(rules, segments.slice(0, nth + 1).join("/"), nth + 1 < segments.length),
  );
}

test.each([
  ["*.log", "a/b.log", true],
  ["*.log\n!keep.log", "a/keep.log", false],
  ["/dist", "dist/a.js", true],
  ["/dist", "src/dist/a.js", false],
  ["dist/", "src/dist/a.js", true],
  ["dist/", "dist", false],
  ["a/b", "x/a/b", false],
  ["a/**/b", "a/x/y/b", true],
  ["**/b", "x/b", true],
  ["a/**", "a/b", true],
  ["a/**\n!a/b", "a/b", false],
  ["a/\n!a/b", "a/b", true],
  ["# a", "# a", false],
  [String.raw`\#a`, "#a", true],
  [String.raw`\!a`, "!a", true],
  ["a  ", "a", true],
  [String.raw`a\ `, "a ", true],
  ["*.log\r\n", "a.log", true],
  ["", "a", false],
])("with the rules %j, %j is ignored: %j", (text, path, expected) => {
  expect(isIgnored(createIgnoreRules().below("", text), path)).toBe(expected);
});

test("rules of a folder count below it, and before those above it", () => {
  const rules = createIgnoreRules().below("", "*.log\n").below("sub", "!a.log\n/b\n");
  expect(ignores(rules, "a.log", false)).toBe(true);
  expect(ignores(rules, "sub/a.log", false)).toBe(false);
  expect(ignores(rules, "sub/b", false)).toBe(true);
});

test("rules mean what they mean to another reader of the same format", () => {
  const part = fc.stringMatching(/^(?:[ab]|\*|\?){1,3}$/).filter((text) => !text.includes("**"));
  const line = fc
    .record({
      negated: fc.boolean(),
      first: fc.constantFrom("", "/", "**/"),
      parts: fc.array(fc.oneof({ weight: 4, arbitrary: part }, fc.constant("**")), {
        minLength: 1,
        maxLength: 3,
      }),
      last: fc.constantFrom("", "/"),
    })
    .map(
      ({ negated, first, parts, last }) => `${negated ? "!" : ""}${first}${parts.join("/")}${last}`,
    )
    // The other reader takes several double stars beside each other for something else.
    .filter((text) => !/\*\*\/\*\*|\*\*\/$|^!?\/?\*\*$/.test(text));
  const segment = fc.stringMatching(/^[ab]{1,3}$/);
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 4 }),
      fc.array(segment, { minLength: 1, maxLength: 4 }),
      (lines, segments) => {
        const text = lines.join("\n");
        const path = segments.join("/");
        const expected = ignore({ ignorecase: false }).add(text).ignores(path);
        expect(isIgnored(createIgnoreRules().below("", text), path)).toBe(expected);
      },
    ),
    { numRuns: cases(750) },
  );
});

test("a rule behind tens of thousands of others counts, and of a file with too many all is ignored", () => {
  const many = "a\n".repeat(30_000);
  expect(isIgnored(createIgnoreRules().below("", `${many}last.txt\n`), "last.txt")).toBe(true);
  expect(isIgnored(createIgnoreRules().below("", `${many}last.txt\n`), "b.txt")).toBe(false);
  expect(isIgnored(createIgnoreRules().below("sub", many.repeat(2)), "sub/b.txt")).toBe(true);
});
