import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applyChange, findChange } from "../../../src/cli/call/apply-change.ts";
import type { Choice } from "../../../src/cli/call/list-choices.ts";
import { printUnits } from "../../../src/edit.ts";

const unit = { search: "a\n", replace: "b\n" };
const step = { number: 1, title: "Show the whole file", message: "", command: "fix" };
const withUnits: Choice = { ...step, prompt: `Show it. [whole file]\n\n${printUnits([unit])}` };

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
  expect(findChange([plain, withUnits])).toMatchObject([unit]);
  expect(findChange([plain])).toBeUndefined();
});

test("a place that has yet to be chosen is no change", () => {
  const node = { id: "place-1", pId: "root", type: "place", name: "line 1" };
  expect(findChange([{ ...withUnits, node }])).toBeUndefined();
});

test("the change is written to the file", () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "a\r\nc\r\n");
  applyChange(file, [unit], terminal);
  expect(readFileSync(file, "utf8")).toBe("b\r\nc\r\n");
  expect(said).toContain("was written");
});

test("a file that has changed so that the change does not fit stays as it is", () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "x\n");
  applyChange(file, [unit], terminal);
  expect(readFileSync(file, "utf8")).toBe("x\n");
  expect(said).toContain("no-match");
});
