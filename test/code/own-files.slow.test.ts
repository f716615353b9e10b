import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parser } from "./read-fixture.ts";

test("every file of this project is read, without a problem and with all that it exports", async () => {
  const root = fileURLToPath(new URL("../../src/", import.meta.url));
  const files = globSync("**/*.ts", { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) {
    const text = readFileSync(root + file, "utf8");
    const { language, problems, symbols } = await parser.analyze(text, undefined, file);
    expect([file, language, problems]).toEqual([file, "typescript", []]);
    const exported = new Set(symbols.map(({ name }) => name));
    const written = text.matchAll(
      /^export (?:async )?(?:abstract )?(?:function\*?|class|const|interface|type|enum) ([\w$]+)/gm,
    );
    for (const [, name = ""] of written)
      expect([file, exported.has(name) || name]).toEqual([file, true]);
  }
});
