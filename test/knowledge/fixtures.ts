import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CodeSymbol } from "../../src/code/code-analysis.ts";
import { chunkFile } from "../../src/knowledge/chunk-file.ts";
import { type KnowledgeIndex, createKnowledgeIndex } from "../../src/knowledge/knowledge-index.ts";

const fixtures = fileURLToPath(new URL("../fixtures/knowledge/", import.meta.url));

export function readFixture(fileName: string): string {
  return readFileSync(`${fixtures}${fileName}`, "utf8");
}

export function indexFixtures(): KnowledgeIndex {
  const index = createKnowledgeIndex();
  for (const fileName of globSync("**/*.*", { cwd: fixtures }).toSorted())
    addFile(index, fileName, readFixture(fileName));
  return index;
}

export function addFile(
  index: KnowledgeIndex,
  fileName: string,
  text: string,
  symbols?: readonly CodeSymbol[],
): void {
  index.replaceFile(fileName, chunkFile(fileName, text, symbols));
}
