// Settings that an answer names by their paths of keys.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../helpers/cases.ts";
import { fenced, play } from "./play.ts";

type Values = Record<string, Record<string, string>>;

/** A file of two blocks that have the same keys. */
const printers: Record<string, (all: Values) => string> = {
  "a.json": (all) => {
    const blocks = Object.entries(all).map(([name, one]) => {
      const lines = Object.entries(one).map(([key, value]) => `    "${key}": ${value}`);
      return `  "${name}": {\n${lines.join(",\n")}\n  }`;
    });
    return `{\n${blocks.join(",\n")}\n}\n`;
  },
  "a.yaml": (all) =>
    printBlocks(
      all,
      (name) => `${name}:`,
      (key, value) => `  ${key}: ${value} # own`,
    ),
  "a.toml": (all) =>
    printBlocks(
      all,
      (name) => `[${name}]`,
      (key, value) => `${key} = ${value} # own`,
    ),
  "a.scss": (all) =>
    printBlocks(
      all,
      (name) => `.${name} {`,
      (key, value) => `  ${key}: ${value}px; // own`,
      "}\n",
    ),
};

function printBlocks(
  all: Values,
  head: (name: string) => string,
  line: (key: string, value: string) => string,
  end = "",
): string {
  return Object.entries(all)
    .map(([name, one]) => {
      const lines = Object.entries(one).map(([key, value]) => `${line(key, value)}\n`);
      return `${head(name)}\n${lines.join("")}${end}`;
    })
    .join("\n");
}

const given: Values = {
  first: { width: "11", depth: "12", delay: "13" },
  second: { width: "21", depth: "22", delay: "23" },
};

type Told = readonly [block: string, key: string, now: string];
const tellers: readonly ((told: readonly Told[], unit: string, sign: string) => string)[] = [
  (told, unit, sign) =>
    `Please change these:\n\n| Key | Current | New | Why |\n|---|---|---|---|\n${told
      .map(
        ([b, k, v]) =>
          `| \`${sign}${b} ${k}\` | ${given[b]?.[k]}${unit} | \`${v}${unit}\` | small |\n`,
      )
      .join("")}`,
  (told, unit, sign) =>
    `按表格修改：\n\n| 块 | 键 | 原值 | 新值 |\n|--|--|--|--|\n${told
      .map(
        ([b, k, v]) =>
          `| \`${sign}${b}\` | \`${k}\` | \`${given[b]?.[k]}${unit}\` | \`${v}${unit}\` |\n`,
      )
      .join("")}`,
  (told, unit, sign) =>
    told
      .map(([b, k, v]) => `- Set \`${sign}${b}.${k}\` to \`${v}${unit}\`, it is small.\n`)
      .join(""),
  (told, unit, sign) =>
    told.map(([b, k, v]) => `- \`${sign}${b}.${k}\` 改为 \`${v}${unit}\`\n`).join(""),
  (told, unit, sign) =>
    told
      .map(([b, k, v]) => `- \`${sign}${b}.${k}\`: \`${given[b]?.[k]}${unit}\` → \`${v}${unit}\`\n`)
      .join(""),
];

const inside = fc.tuple(
  fc.constantFrom("first", "second"),
  fc.constantFrom("width", "depth", "delay"),
  fc.integer({ min: 30, max: 99 }).map(String),
);

test("a setting that is named by its keys gets its value, and the rest of its line stays", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(inside, { minLength: 1, maxLength: 3, selector: ([b, k]) => b + k }),
      fc.constantFrom(...Object.keys(printers)),
      fc.constantFrom(...tellers),
      async (told, path, tell) => {
        const print = printers[path] ?? ((): string => "");
        const isStyle = path === "a.scss";
        const expected = structuredClone(given);
        for (const [b, k, v] of told) (expected[b] ?? {})[k] = v;
        const answer = tell(told, isStyle ? "px" : "", isStyle ? "." : "");
        expect((await play(path, print(given), answer)).after).toBe(print(expected));
      },
    ),
    { numRuns: cases(20) },
  );
});

test("nothing is made of settings of which one is not there, is there twice or has another value, or is only talked about", async () => {
  const row = (key: string, old: string, now: string): string =>
    `| \`${key}\` | \`${old}\` | \`${now}\` |\n`;
  const head = "| Key | Current | New |\n|---|---|---|\n";
  const ok = row("first.width", "11", "31");
  const answers = [
    head + ok + row("first.height", "12", "32"),
    head + ok + row("depth", "12", "32"),
    head + ok + row("first.depth", "99", "32"),
    head + ok + row("second.depth", "2", "32"),
    `For example, these could be changed:\n\n${head}${ok}`,
    "If `first.width` is set to `31`, it fails.\n",
    "`first.width` was changed to `31`.\n",
    "`first.width` defaults to `31`.\n",
    "Don't set `first.width` to `31`.\n",
    "Set `first.width` and `first.depth` to `31`.\n",
    "Set `first.width` to `31`. Remove `first.depth`.\n",
    "In `other.json`, set `first.width` to `31`.\n",
    `Use this:\n\n${fenced("second.height = 4\n")}`,
    `Use this:\n\n${fenced("first.width = 4\nsecond.height = 4\n")}`,
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...answers),
      fc.constantFrom("a.json", "a.yaml", "a.toml"),
      async (answer, path) => {
        const { after } = await play(path, printers[path]?.(given) ?? "", answer);
        expect(after).toBeUndefined();
      },
    ),
    { numRuns: cases(30) },
  );
});

test("a block of paths, or of sections with some of their settings, changes these", async () => {
  const expected = structuredClone(given);
  Object.assign(expected["first"] ?? {}, { width: "31" });
  Object.assign(expected["second"] ?? {}, { delay: "33" });
  const parts = [
    "first.width = 31\nsecond.delay = 33\n",
    "first:\n  width: 31\nsecond:\n  delay: 33\n",
    "[first]\nwidth = 31\n\n[second]\ndelay = 33\n",
  ];
  for (const path of ["a.json", "a.yaml", "a.toml"])
    for (const part of parts) {
      const print = printers[path];
      const { after } = await play(
        path,
        print?.(given) ?? "",
        `Use these values:\n\n${fenced(part)}`,
      );
      expect(after).toBe(print?.(expected));
    }
});
