// Code whose place the sentence above it tells by what is there: a kind of statement, names, a number, a block that goes.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../helpers/cases.ts";
import { fenced, play } from "./play.ts";

const path = "src/shop.js";
const before = `import { one } from './one.js';

function first(list) {
  const size = list.length;
  for (const item of list) {
    check(item, size);
  }
  return list.sort();
}

function second(list) {
  const total = sum(list);
  const mean = total / list.length;
  if (mean > 10) {
    warn(mean);
  }
  return mean;
}
`;
const afterOf = async (answer: string): Promise<string | undefined> =>
  (await play(path, before, answer)).after;

const loop = "  for (const item of list) {\n    check(item, size);\n  }\n";
const statements = [
  ["first", "loop", "for (let at = 0; at < size; at += 1) check(list[at], size);\n", loop],
  ["first", "loop", "for (let at = 0; at < size; at += 1) {\n  verify(list[at]);\n}\n", loop],
  ["first", "`return` line", "return list.toSorted();\n", "  return list.sort();\n"],
  [
    "second",
    "check",
    "if (mean > limit) {\n  stop();\n}\n",
    "  if (mean > 10) {\n    warn(mean);\n  }\n",
  ],
  [
    "second",
    "`mean` line",
    "const mean = list.length === 0 ? 0 : total / list.length;\n",
    "  const mean = total / list.length;\n",
  ],
] as const;

test.each(statements)(
  "in `%s` the %s is replaced, whatever it becomes: %s",
  async (name, what, code, old) => {
    const own = code.replace(/^(?=.)/gm, "  ");
    for (const lead of [
      `In \`${name}\`, replace the ${what} with:`,
      `The ${what} can be wrong. Replace the ${what} in \`${name}\` by this:`,
      `把 \`${name}\` 中的代码改为：`,
    ])
      for (const shown of [code, own])
        expect(await afterOf(`${lead}\n\n${fenced(shown, "js")}`)).toBe(before.replace(old, own));
  },
);

test("code that shows what a quoted line is in is that, and not a new version of the line", async () => {
  const whole = before.slice(before.indexOf("function second"));
  const now = whole.replace("sum(list)", "add(list)");
  for (const lead of [
    "In `second`, replace `sum(list)` with `add(list)`:",
    "Replace the `sum(list)` call with a better one:",
  ])
    expect(await afterOf(`${lead}\n\n${fenced(now, "js")}`)).toBe(before.replace(whole, now));
});

test("of several names in an order all are replaced, and none alone", async () => {
  const code = fenced("  const mean = average(list);\n", "js");
  const after = before.replace(/ {2}const total.*\n.*\n/, "  const mean = average(list);\n");
  for (const lead of [
    "Replace the `total` and `mean` lines with:",
    "把 `total` 和 `mean` 的计算改为：",
  ])
    expect(await afterOf(`${lead}\n\n${code}`)).toBe(after);
  // They are not beside each other.
  expect(
    await afterOf(`Replace the \`total\` and \`size\` lines with:\n\n${code}`),
  ).toBeUndefined();
  expect(await afterOf(`In \`second\`, replace these two lines with:\n\n${code}`)).toBeUndefined();
});

test("a block that a sentence points to goes, whatever the sentence says besides", async () => {
  const block = "  if (mean > 10) {\n    warn(mean);\n  }\n";
  for (const lead of [
    "Remove this block from `second` and use `log` at the call instead:",
    "Delete the following lines entirely:",
    "删除 `second` 里的这一段即可：",
    "去掉下面的判断：",
  ])
    expect(await afterOf(`${lead}\n\n${fenced(block, "js")}`)).toBe(before.replace(block, ""));
  for (const lead of ["Do not remove this block:", "If you like, remove this block:"])
    expect(await afterOf(`${lead}\n\n${fenced(block, "js")}`)).toBeUndefined();
});

test("an order that nothing in the answer meets refuses the rest", async () => {
  const change = fenced("  return list.toSorted();\n", "js");
  const changed = before.replace("list.sort()", "list.toSorted()");
  const lead = `In \`first\`, use:\n\n${change}`;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        ["'./one.js'", "'./two.js'"],
        ["mean > 10", "mean > 20"],
        ["warn(mean)", "log(mean)"],
      ),
      fc.constantFrom("Also, @ should be #.", "Also use # instead of @.", "另外，把 @ 改成 #。"),
      async ([old = "", now = ""], sentence) => {
        const told = sentence.replace("@", `\`${old}\``).replace("#", `\`${now}\``);
        const after = await afterOf(`${lead}\n${told}\n`);
        expect([undefined, changed.replace(old, now)]).toContain(after);
      },
    ),
    { numRuns: cases(9) },
  );
});

test("code that is set apart without a fence has the place that the line above tells", async () => {
  const line = "  return list.toSorted();";
  for (const code of [`    ${line}`, `\`${line.trim()}\``])
    for (const lead of ["Line 8 changes the list of the caller. Change it to:", "把第 8 行改为："])
      expect(await afterOf(`${lead}\n\n${code}\n`)).toBe(
        before.replace("list.sort()", "list.toSorted()"),
      );
});

test("the same block for another function is meant for that", async () => {
  const twins = before.replace("  return mean;", "  return list.sort();");
  const block = fenced("  return list.toSorted();\n", "js");
  const answer = `1. In \`first\`, replace the return with:\n\n${block}\n2. Do the same change in \`second\`:\n\n${block}`;
  expect((await play(path, twins, answer)).after).toBe(
    twins.replaceAll("list.sort()", "list.toSorted()"),
  );
});

test("a script gets a line that an order leads to, whatever the sentence before it tells of running", async () => {
  const script = "#!/bin/bash\n\nTARGET=$1\necho $TARGET\n";
  for (const lead of [
    "The script goes on when a command fails. Add this before `TARGET=$1`:",
    "**任何一步失败后仍会继续执行。** 在 `TARGET=$1` 之前加上：",
  ])
    expect(
      (await play("deploy.sh", script, `${lead}\n\n${fenced("set -e\n", "bash")}`)).after,
    ).toBe(script.replace("TARGET", "set -e\nTARGET"));
  const typed = `Run the script:\n\n${fenced("bash deploy.sh staging\n", "bash")}`;
  expect((await play("deploy.sh", script, typed)).after).toBeUndefined();
});
