// Code that a grammar reads is cut at its symbols.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chunkFile } from "../../src/knowledge/chunk-file.ts";
import type { KnowledgePassage } from "../../src/knowledge/retriever.ts";
import { loadKnowledge } from "../../src/setup/knowledge/load-knowledge.node.ts";
import { code as parser } from "../helpers/code-parser.ts";

const folder = new URL("../../eval-cases/code/", import.meta.url);
const fixtures = readdirSync(folder).filter((name) => name.includes("."));

async function chunk(fileName: string, text: string): Promise<KnowledgePassage[]> {
  const { symbols } = await parser.analyze(text, undefined, fileName);
  return chunkFile(fileName, text, symbols);
}

async function outline(fileName: string, text: string): Promise<string[]> {
  const passages = await chunk(fileName, text);
  return passages.map(
    ({ startLine, endLine, heading }) => `${startLine}-${endLine} ${heading ?? "-"}`,
  );
}

function repeat(line: string, count: number): string {
  return Array.from({ length: count }, () => `${line}\n`).join("");
}

test.each(fixtures)("every line of %s is in exactly one passage, in order", async (name) => {
  const text = readFileSync(new URL(name, folder), "utf8");
  const passages = await chunk(name, text);
  const lines = passages.flatMap((passage) => passage.text.split("\n"));
  const solid = (all: readonly string[]): string[] => all.filter((line) => line.trim() !== "");
  expect(solid(lines)).toEqual(solid(text.split("\n")));
  expect(passages.every(({ endLine, startLine }) => endLine - startLine < 60)).toBe(true);
});

test("declarations without a keyword, or with one in a text, are cut and named rightly", async () => {
  const text = [
    "const words = `",
    "class Wrong {",
    repeat("  text that is long enough to count", 30),
    "`;",
    "export const load = wrap(async () => {",
    repeat("  await step('long enough to count');", 30),
    "});",
    "// Sums up.",
    "@log",
    "class Cart {",
    repeat("  'long enough to count' = 1;", 20),
    "  total = () => {",
    repeat("    this.step('long enough to count');", 30),
    "  };",
    "}",
  ].join("\n");
  expect(await outline("a.ts", text)).toEqual([
    "1-34 words",
    "35-67 load",
    "68-90 Cart",
    "92-125 Cart > total",
  ]);
});

test("the head of a block goes with its first member, and members name their type", async () => {
  const text = [
    "struct Cart;",
    repeat("// A comment that is long enough to count.", 25),
    "impl Cart {",
    "    fn add(&self) {",
    repeat('        step("long enough to count");', 25),
    "    }",
    "    fn clear(&self) {",
    repeat('        step("long enough to count");', 25),
    "    }",
    "}",
  ].join("\n");
  expect(await outline("a.rs", text)).toEqual([
    "1-26 Cart",
    "28-56 Cart > add",
    "57-85 Cart > clear",
  ]);
});

test("a part of a long function says where it is, whatever its indentation", async () => {
  const text = ["void run() {", repeat("step();", 100), "}"].join("\n");
  const found = await outline("a.c", text);
  expect(found.length).toBeGreaterThan(1);
  expect(found.every((line) => line.endsWith(" run"))).toBe(true);
});

test("code that nests deeper than anybody writes is no danger", async () => {
  const text = "function a(){\n".repeat(2000) + "}\n".repeat(2000);
  const passages = await chunk("a.js", text);
  expect(passages.at(-1)?.endLine).toBe(4000);
});

test("a folder's code is cut at its symbols, and other files as before", async () => {
  const path = mkdtempSync(join(tmpdir(), "knowledge-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  writeFileSync(join(path, "cart.c"), "static const char *\nprice_of(int id)\n{\n  return 0;\n}\n");
  writeFileSync(join(path, "cart.sql"), "create table carts (\n  id int\n);\n");
  const { retriever } = await loadKnowledge(path, { watch: false });
  const { passages } = retriever.toJSON();
  expect(passages.map(({ fileName, heading }) => [fileName, heading])).toEqual([
    ["cart.c", "price_of"],
    ["cart.sql", "carts"],
  ]);
});
