// What a sentence moves, a body that it replaces, and what comes beside the code of the block before.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../helpers/cases.ts";
import { fenced, play } from "./play.ts";

const path = "src/job.ts";
const steps = ["open(this.file)", "this.count += 1", "report(this.count)", "close(this.file)"];
const method = (name: string, lines: readonly string[]): string =>
  [`  ${name}(): void {`, ...lines.map((line) => `    ${line};`), "  }"].join("\n");
const fileOf = (lines: readonly string[], other: readonly string[] = ["start(this)"]): string =>
  `export class Job {\n${method("first", other)}\n\n${method("run", lines)}\n}\n`;
const before = fileOf(steps);

const [nth, other] = [fc.nat(steps.length - 1), fc.nat(steps.length - 1)];
const ways = fc.constantFrom<[string, number]>(
  ["Nothing is closed. Move `X;` up so that it comes before the `Y` line.", 0],
  ["So that nothing is lost, even when it fails, move the line `X` to right before `Y`.", 0],
  ["- In `run`, move `X;` below `Y;`.", 1],
  ["把 `X` 移到 `Y` 之前。", 0],
  ["在循环里太慢，请将 `X;` 挪到 `Y;` 之后，避免重复。", 1],
  ["Move\n\n```ts\n    X;\n```\n\ndown, directly below `Y`.", 1],
);

test("a sentence moves the line that it quotes, and nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(nth, other, ways, async (from, to, [way, isBelow]) => {
      const [one = "", place = ""] = [steps[from], steps[to]];
      fc.pre(from !== to);
      const rest = steps.toSpliced(from, 1);
      const expected = rest.toSpliced(rest.indexOf(place) + isBelow, 0, one);
      const answer = way.replace("X", one).replace("Y", place);
      const { after = before } = await play(path, before, answer);
      expect(after).toBe(fileOf(expected));
    }),
    { numRuns: cases(25) },
  );
});

test.each([
  ["from the end of `run` to its very beginning", "to the top of `run`", "从 `run` 的末尾移到开头"],
])("a line goes to an edge of what it is in: %s", async (...all) => {
  for (const way of all) {
    const last = `\`${steps.at(-1)}\``;
    const answer = way.startsWith("从") ? `把 ${last} ${way}。` : `Move ${last} ${way}.`;
    const expected = [steps.at(-1) ?? "", ...steps.slice(0, -1)];
    expect((await play(path, before, answer)).after).toBe(fileOf(expected));
  }
});

test("two lines that follow each other change places", async () => {
  await fc.assert(
    fc.asyncProperty(nth, other, async (first, second) => {
      const [one = "", two = ""] = [steps[first], steps[second]];
      fc.pre(first !== second);
      const answer = `Swap the two so that \`${two}\` comes first and \`${one}\` second.`;
      const expected = steps.with(first, two).with(second, one);
      const { after } = await play(path, before, answer);
      expect(after).toBe(second === first + 1 ? fileOf(expected) : undefined);
    }),
    { numRuns: cases(12) },
  );
});

test("where it is not clear what is moved, or whether and where, nothing is", async () => {
  const left = fc.constantFrom(
    "You could move `X` before `Y`.",
    "If you like, move `X` before `Y`.",
    "Don't move `X` before `Y`.",
    "I moved `X` before `Y`.",
    "Move `X` before `Y` and log it.",
    "Move `X` before `Y`. That would break the tests, though.",
    "Move `X` to `other.ts`.",
    "Move `X` before `missing(1)`.",
    "Move `missing(1)` before `Y`.",
    "Move `X` somewhere else.",
    "Replace `super()` in all classes. Move `X` before `Y`, then rename `Job`.",
    "### Optional:\n\nMove `X` before `Y`.",
    "In `first`, move `X` before `Y`.",
    "可以考虑把 `X` 移到 `Y` 之前。",
    "把 `X` 移到 `Y` 之前，并改名。",
  );
  await fc.assert(
    fc.asyncProperty(left, fc.boolean(), async (way, isDown) => {
      const [one = "", two = ""] = isDown ? steps.slice(0, 2) : steps.slice(2);
      const answer = way.replace("X", two).replace("Y", one);
      expect((await play(path, before, answer)).after).toBeUndefined();
    }),
    { numRuns: cases(30) },
  );
  const twice = fileOf(steps, steps.slice(1, 3));
  const answer = `Move \`${steps[2]}\` before \`${steps[1]}\`.`;
  expect((await play(path, twice, answer)).after).toBeUndefined();
  const inside = `In \`run\`, ${answer.toLowerCase()}`;
  const turned = [0, 2, 1, 3].map((at) => steps[at] ?? "");
  expect((await play(path, twice, inside)).after).toBe(fileOf(turned, steps.slice(1, 3)));
});

test("a sentence replaces a body by the line that it quotes, or leads to one", async () => {
  const line = "return this.list.map((one) => one.size);";
  const way = fc.constantFrom(
    `Replace the whole body of \`run\` by the single line \`${line}\`.`,
    `The body of \`run\` can be reduced to a single expression:\n\n${fenced(`${line}\n`, "ts")}`,
    `The body of \`run\` should be shortened to:\n\n${fenced(`    ${line}\n`, "ts")}`,
  );
  await fc.assert(
    fc.asyncProperty(way, fc.integer({ min: 1, max: 4 }), async (answer, count) => {
      const file = fileOf(steps.slice(0, count));
      const expected = fileOf([line.slice(0, -1)]);
      expect((await play(path, file, answer)).after).toBe(expected);
    }),
    { numRuns: cases(12) },
  );
  const doubt = `You could replace the body of \`run\` by the single line \`${line}\`.`;
  expect((await play(path, before, doubt)).after).toBeUndefined();
});

test("code comes beside what the block before it has brought", async () => {
  const where = fc.constantFrom<[string, number]>(
    ["Right below it, count the lines:", 1],
    ["Directly after that, count the lines:", 1],
    ["Just above it, count the lines:", 0],
    ["在其下方加上统计：", 1],
  );
  await fc.assert(
    fc.asyncProperty(nth, where, async (at, [way, isBelow]) => {
      const [now, more] = [`load(this.path, ${at})`, "tally(this.lines)"];
      const answer = `1. Replace \`${steps[at]};\` with\n\n${fenced(`${now};\n`, "ts")}\n2. ${way}\n\n${fenced(`${more};\n`, "ts")}`;
      const expected = steps.with(at, now).toSpliced(at + isBelow, 0, more);
      expect((await play(path, before, answer)).after).toBe(fileOf(expected));
    }),
    { numRuns: cases(12) },
  );
  const alone = `Right below it, count the lines:\n\n${fenced("tally(this.lines);\n", "ts")}`;
  expect((await play(path, before, alone)).after).toBeUndefined();
});
