// Whatever comments do, code is the same; whatever code does, it is not.
import { readdirSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bareCode, isSameCode } from "../../src/code/same-code.ts";
import type { CodeAnalysis, CodeRange } from "../../src/code/code-analysis.ts";
import { flattenSymbols } from "../../src/code/symbols.ts";
import { createSourceText } from "../../src/code/source-text.ts";
import { parser, readText, rangesOf } from "./read-fixture.ts";

const folder = new URL("../../eval-cases/code/", import.meta.url);
const fixtures = readdirSync(folder).filter((name) => name.includes("."));
const runs = { numRuns: 150 };

interface Fixture {
  name: string;
  text: string;
  analysis: CodeAnalysis;
  /** For each character what it belongs to. */
  kinds: readonly ("code" | "blank" | "comment" | "string")[];
}

async function readFixture(name: string): Promise<Fixture> {
  const text = readText(name);
  const analysis = await parser.analyze(text, undefined, name);
  const kinds = text
    .split("")
    .map((character): Fixture["kinds"][number] => (character.trim() === "" ? "blank" : "code"));
  const docs = [analysis, ...flattenSymbols(analysis.symbols)].map(({ docComment }) => docComment);
  for (const range of rangesOf(analysis, "strings")) fill(text, kinds, range, "string");
  for (const range of [...rangesOf(analysis, "comments"), ...docs])
    fill(text, kinds, range, "comment");
  for (const range of rangesOf(analysis, "directives")) fill(text, kinds, range, "code");
  return { name, text, analysis, kinds };
}

function fill(
  text: string,
  kinds: Fixture["kinds"][number][],
  range: CodeRange | undefined,
  kind: Fixture["kinds"][number],
): void {
  if (range !== undefined) kinds.fill(kind, ...createSourceText(text).offsetsOf(range));
}

async function isAccepted({ name, analysis }: Fixture, after: string): Promise<boolean> {
  const changed = await parser.analyze(after, undefined, name);
  return isSameCode(bareCode(analysis), bareCode(changed));
}

/** Places outside of strings and comments where a fit of the pattern begins. */
function placesOf({ text, kinds }: Fixture, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)]
    .map(({ index }) => index)
    .filter((at) => !["comment", "string"].includes(kinds[at] ?? "") && kinds[at - 1] !== "string");
}

const prose = fc
  .string({ unit: fc.constantFrom(..."abc .,;:(){}'\"`$+-=<>说😀".split("")) })
  .map((text) => text.replaceAll("?>", ""));

test.each(fixtures)("in %s comments come without touching code", async (name) => {
  const fixture = await readFixture(name);
  const { text, analysis } = fixture;
  const isHash = /\.(?:py|rb)$/.test(name);
  const line = isHash ? "#" : "//";
  // Behind `#region` a comment is its name, and what a heredoc begins ends with it.
  const ends = placesOf(fixture, /(?<!\\)(?<!^[ \t]*#.*|^.*<<[-~]?['"]?\w+.*)(?:\r?\n)/gm);
  const gaps = isHash ? [] : placesOf(fixture, /(?<=[ ()[\]{},;])\S/g);
  const comment = fc.oneof(
    fc
      .tuple(fc.constantFrom(...ends), prose)
      .map(([at, word]) => [at, ` ${line} ${word}`] as const),
    fc
      .tuple(fc.constantFrom(...ends), prose)
      .map(([at, word]) => [at, `\n\t${line} ${word}`] as const),
    ...(isHash
      ? []
      : [
          fc
            .tuple(fc.constantFrom(...gaps), prose)
            .map(([at, word]) => [at, `/* ${word} */`] as const),
        ]),
  );
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(comment, async ([at, words]) => {
      const after = text.slice(0, at) + words + text.slice(at);
      const { offsets, problems } = await parser.analyze(after, undefined, name);
      // Elsewhere it is text, as it is between the tags of JSX.
      fc.pre(
        offsets.comments.count === analysis.offsets.comments.count + 1 && problems.length === 0,
      );
      seen++;
      expect(await isAccepted(fixture, after)).toBe(true);
    }),
    runs,
  );
  expect(seen).toBe(runs.numRuns);
});

test.each(fixtures)("in %s comments change and go without touching code", async (name) => {
  const fixture = await readFixture(name);
  const { text, analysis } = fixture;
  const source = createSourceText(text);
  const comments = rangesOf(analysis, "comments").filter(
    ({ startLine }) =>
      !rangesOf(analysis, "directives").some((directive) => directive.startLine === startLine),
  );
  expect(comments.length).toBeGreaterThan(0);
  for (const range of comments) {
    const [start, end] = source.offsetsOf(range);
    const other = text.slice(start, end).replaceAll(/(?<![=a-z])[a-z]+/g, "z");
    expect(await isAccepted(fixture, text.slice(0, start) + other + text.slice(end))).toBe(true);
    expect(await isAccepted(fixture, text.slice(0, start) + text.slice(end))).toBe(true);
  }
});

test.each(fixtures)("in %s no character of code changes unseen", async (name) => {
  const fixture = await readFixture(name);
  const { text, kinds } = fixture;
  const places = kinds.flatMap((kind, at) => (kind === "code" || kind === "string" ? [at] : []));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      fc.constantFrom("", "x", "7", "(", "/", "#", '"', "\n"),
      fc.boolean(),
      async (at, instead, isBefore) => {
        const rest = text.slice(isBefore ? at : at + 1);
        const after = text.slice(0, at) + instead + rest;
        const isBlankOnly = isBefore && instead.trim() === "" && kinds[at] === "code";
        fc.pre(after !== text && !isBlankOnly && !(isBefore && /[#/]/.test(instead)));
        expect(await isAccepted(fixture, after)).toBe(false);
      },
    ),
    runs,
  );
});
