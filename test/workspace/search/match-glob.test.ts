import * as fc from "fast-check";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { cases } from "../../helpers/cases.ts";
import { createGlobTest, expandBraces } from "../../../src/workspace/search/match-glob.ts";

const matches = (glob: string, path: string): boolean => createGlobTest([glob])(path);

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "src/deep/a.ts", true],
  ["*.ts", "a.tsx", false],
  ["/*.ts", "a.ts", true],
  ["/*.ts", "src/a.ts", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "lib/src/a.ts", false],
  ["./src/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/b/c/a.ts", true],
  ["**/test/**", "a/test/b.ts", true],
  ["src", "src/b/a.ts", true],
  ["src/", "src/a.ts", true],
  ["node_modules", "a/node_modules/b/c.js", true],
  ["*.{ts,tsx}", "a.tsx", true],
  ["{src,lib}/**", "lib/a", true],
  ["a.{t{s,sx},js}", "a.tsx", true],
  ["*", ".hidden", true],
  ["[ab].ts", "b.ts", true],
  ["[!ab].ts", "b.ts", false],
  ["[a-c]?.ts", "bx.ts", true],
  ["[c-a].ts", "c.ts", true],
  ["[c-a].ts", "b.ts", false],
  ["?.ts", "😀.ts", true],
  [String.raw`\*.ts`, "*.ts", true],
  [String.raw`\*.ts`, "a.ts", false],
  ["[", "[", true],
  ["a+b(c).ts", "a+b(c).ts", true],
  ["", "a", false],
])("the pattern %j for %j: %j", (glob, path, expected) => {
  expect(matches(glob, path)).toBe(expected);
});

const part = fc.stringMatching(/^(?:[ab.]|\*|\?){1,4}$/).filter((text) => !/^\.+$|\*\*/.test(text));
const segment = fc.stringMatching(/^[ab.]{1,4}$/).filter((text) => !/^\.+$/.test(text));

test("patterns mean what they mean elsewhere", () => {
  const glob = fc
    .array(fc.oneof({ weight: 3, arbitrary: part }, fc.constant("**")), {
      minLength: 2,
      maxLength: 4,
    })
    // Whether `a/**` is also `a` itself is told differently; files are what we look for.
    .filter((parts) => parts.at(-1) !== "**");
  const path = fc.array(segment, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(glob, path, (parts, segments) => {
      const written = parts.join("/");
      const isMatch = picomatch(written, { dot: true, noextglob: true });
      // A folder that fits brings all that is inside of it.
      const expected = segments.some((_, nth) =>
        isMatch(segments.slice(0, segments.length - nth).join("/")),
      );
      expect(matches(written, segments.join("/"))).toBe(expected);
    }),
    { numRuns: cases(500) },
  );
});

test("a pattern of many stars takes no longer than its length", () => {
  const name = "a".repeat(250);
  const glob = `${"*a".repeat(200)}*b`;
  const deep = Array.from({ length: 400 }, () => "aaaaaaaa").join("/");
  expect(matches(glob, name)).toBe(false);
  expect(matches(`${"**/a*a/".repeat(60)}b`, deep)).toBe(false);
});

test("braces that stand for too much mean themselves", () => {
  const many = "{a,b}".repeat(10);
  expect(expandBraces(many)).toEqual([many]);
  expect(expandBraces("{a,b}{c,d}").sort()).toEqual(["ac", "ad", "bc", "bd"]);
});

test("many stars cost no more than the name is long", () => {
  const fits = createGlobTest([`${"*a".repeat(120)}b`]);
  const name = "a".repeat(250);
  // With each star tried anew at each character this takes minutes.
  for (let nth = 0; nth < 20_000; nth += 1) if (fits(name)) expect.fail("it fits");
});

test.each([
  ["brackets that stay open", "[".repeat(200_000), "a"],
  ["questions after a star", `*${"?".repeat(1_900)}b`, "a".repeat(4_000)],
  ["sets after stars", `${"*[a-y]".repeat(600)}z`, "a".repeat(4_000)],
  ["the name of something that every object has", "[[:constructor:]]", "constructor"],
])("%s are no match, found out at once", (_, glob, name) => {
  const fits = createGlobTest([glob]);
  for (let nth = 0; nth < 200; nth += 1) if (fits(name)) expect.fail("it fits");
});
