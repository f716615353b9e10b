import { expect, test } from "vitest";
import { grammarSource } from "../../src/setup/load-grammars.worker.ts";
import { createCodeParser } from "../../src/setup/create-code-parser.ts";
import { flattenSymbols } from "../../src/code/symbols.ts";

const fixtures = import.meta.glob("/eval-cases/code/*", {
  query: "?raw",
  import: "default",
  eager: true,
});

test("every bundled grammar reads its language in workerd", async () => {
  const parser = createCodeParser(grammarSource);
  const paths = Object.keys(fixtures);
  expect(paths).toHaveLength(12);
  for (const path of paths) {
    const analysis = await parser.analyze(fixtures[path] ?? "", undefined, path);
    expect({ path, ...analysis }).toMatchObject({
      language: expect.any(String),
      problems: [],
    });
    expect(flattenSymbols(analysis.symbols).length).toBeGreaterThan(4);
  }
});
