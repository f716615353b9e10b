import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  applyChange,
  findChange,
  type FoundChange,
} from "../../../../src/cli/call/choose/apply-change.ts";
import type { Choice } from "../../../../src/cli/call/choose/list-choices.ts";
import { callTexts } from "../../../../src/cli/call/texts.ts";
import { printUnits } from "../../../../src/edit.ts";

const unit = { search: "a\n", replace: "b\n" };
const step = { number: 1, title: "Show the whole file", message: "", command: "fix" };
const withUnits: Choice = { ...step, prompt: `Show it. [whole file]\n\n${printUnits([unit])}` };
const change = findChange([withUnits]) as FoundChange;

let folder: string;
let said: string;
const terminal = {
  out: () => {},
  err: (text: string) => {
    said += text;
  },
  outStyle: (_: unknown, text: string) => text,
  errStyle: (_: unknown, text: string) => text,
} as unknown as Parameters<typeof applyChange>[2];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rightseat-apply-"));
  said = "";
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the change of an answer is found in the prompt of a button", () => {
  const plain: Choice = { ...step, prompt: "Write unit tests." };
  expect(findChange([plain, withUnits])).toMatchObject({ file: { units: [unit] } });
  expect(findChange([plain])).toBeUndefined();
});

test("a place that has yet to be chosen is no change", () => {
  const node = { id: "place-1", pId: "root", type: "place", name: "line 1" };
  expect(findChange([{ ...withUnits, node }])).toBeUndefined();
});

test("the change is written to the file", () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "a\r\nc\r\n");
  const written = applyChange(file, change, terminal, callTexts("zh"));
  expect(written).toEqual({ before: "a\r\nc\r\n", after: "b\r\nc\r\n" });
  expect(readFileSync(file, "utf8")).toBe("b\r\nc\r\n");
  expect(said).toBe(`${file} 已写入。\n`);
});

test("a change that fits several places is written to the one that was chosen", () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "a\nc\na\n");
  const chosen = findChange([
    { ...withUnits, prompt: `[unit 1 at line 3, place 2 of 2] ${withUnits.prompt}` },
  ]);
  if (chosen !== undefined) applyChange(file, chosen, terminal, callTexts("en"));
  expect(readFileSync(file, "utf8")).toBe("a\nc\nb\n");
});

test("a unit that does not stand in the file as it is quoted is told with its level", () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "  a \nc\n");
  applyChange(file, change, terminal, callTexts("en"));
  expect(said).toBe(`Unit 1: indentation, line 1\n${file} was written.\n`);
});

test("a file that cannot be written is told, and nothing is thrown", () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "a\n", { mode: 0o444 });
  expect(applyChange(file, change, terminal, callTexts("en"))).toBeUndefined();
  expect(readFileSync(file, "utf8")).toBe("a\n");
  expect(said).toContain("is read-only. Make it writable first");
});

test("a file that has changed so that the change does not fit stays as it is", () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "x\n");
  applyChange(file, change, terminal, callTexts("en"));
  expect(readFileSync(file, "utf8")).toBe("x\n");
  expect(said).toContain("no-match");
});

test("who reads Chinese is told in Chinese why a change does not fit, and how it was found", () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "x\n");
  applyChange(file, change, terminal, callTexts("zh"));
  expect(said).toMatch(/^no-match：第 1 处修改：文件中没有要替换的代码。/);
  expect(said).toContain(`${file} 未被修改。`);
  said = "";
  writeFileSync(file, "  a \nc\n");
  applyChange(file, change, terminal, callTexts("zh"));
  expect(said).toMatch(/^第 1 处修改：第 1 行（.+）\n.* 已写入。\n$/);
});
