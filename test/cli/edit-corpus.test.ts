import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  type EditCase,
  grade,
  printCorpus,
  readCorpus,
  runCorpus,
} from "../../scripts/bench/edit/corpus.ts";
import { applyStrictly } from "../../scripts/bench/edit/strict-floor.ts";
import { printUnits } from "../../src/edit.ts";
import { temporaryFolder } from "./call/temporary-folder.ts";

const path = fileURLToPath(new URL("../fixtures/edit/corpus.jsonl", import.meta.url));
const wanted: EditCase = {
  id: "1",
  cls: "made-up",
  before: "a\n",
  diff: "",
  want: "apply",
  after: "  b c\n",
};

test("every case of our own corpus is right, byte by byte", () => {
  const graded = runCorpus(readCorpus(path));
  expect(graded.length).toBeGreaterThanOrEqual(60);
  const faulty = graded.filter((one) => one.grade !== "C");
  expect(faulty.map((one) => `${one.grade} ${one.wanted.id} ${one.error}`)).toEqual([]);
});

test.each([
  ["the text that is wanted", "C", wanted, { ok: true, text: "  b c\n" }],
  ["other blanks and line ends", "N", wanted, { ok: true, text: "\uFEFF  b  c \r\n\r\n" }],
  ["another indentation", "W", wanted, { ok: true, text: "b c\n" }],
  ["a success that changed nothing", "Z", wanted, { ok: true, text: "a\n" }],
  ["a refusal", "R", wanted, { ok: false }],
  ["a refusal with a text", "P", wanted, { ok: false, text: "b" }],
  ["no answer", "X", wanted, undefined],
  ["a refusal that is due", "C", { ...wanted, want: "refuse" }, { ok: false }],
  ["a text where only no is right", "W", { ...wanted, want: "refuse" }, { ok: true, text: "b" }],
  [
    "a text that is allowed",
    "C",
    { ...wanted, want: "refuse", allow: ["b"] },
    { ok: true, text: "b" },
  ],
  ["a refusal that may be", "C", { ...wanted, want: "either" }, { ok: false }],
  ["text where there should be none", "W", { ...wanted, after: "" }, { ok: true, text: "b" }],
] as const)("%s is graded %s", (_, due, corpusCase, answer) => {
  const { allow } = { allow: undefined, ...corpusCase };
  expect(grade({ ...corpusCase, allow: allow && [...allow] }, answer)).toBe(due);
});

test("a corpus may be packed, and what is no case is named by its line", () => {
  const line = JSON.stringify(wanted);
  const folder = temporaryFolder({
    "one.jsonl.gz": gzipSync(`${line}\n\n${line}\n`),
    "bad.jsonl": `${line}\n{"id":"2"}\n`,
    "empty.jsonl": "\n",
  });
  expect(readCorpus(join(folder, "one.jsonl.gz"))).toEqual([wanted, wanted]);
  expect(() => readCorpus(join(folder, "bad.jsonl"))).toThrow(/bad\.jsonl, line 2 is no case/);
  expect(() => readCorpus(join(folder, "empty.jsonl"))).toThrow(/holds no case/);
});

test("the figures name the classes and the cases that are not right", () => {
  const diff = printUnits([{ search: "zz\n", replace: "b\n" }]);
  const printed = printCorpus(runCorpus([{ ...wanted, diff }]));
  expect(printed).toContain("right (C and N): 0 of 1 = 0.00 %");
  expect(printed).toMatch(/1 of 1 classes are not all right:\n {2}made-up {2}R 1\n/);
  expect(printed).toMatch(/R {2}1 {2}no-match: Unit 1: /);
});

test("the floor of the benchmark applies what is strict, and refuses all else", () => {
  const diff = (search: string) => printUnits([{ search, replace: "x\n" }]);
  expect(applyStrictly("a\nb\nc\n", diff("c\n") + diff("a\n"))).toBe("x\nb\nx\n");
  expect(() => applyStrictly("a\n", diff(" a\n"))).toThrow("not found");
  expect(() => applyStrictly("a\na\n", diff("a\n"))).toThrow("ambiguous");
  expect(() => applyStrictly("a\nb\n", diff("a\nb\n") + diff("b\n"))).toThrow("overlap");
  expect(() => applyStrictly("a\n", diff("a\n").slice(0, -10))).toThrow("cut off");
});
