import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

test("the stream that the README shows is the recorded one", () => {
  const recorded = read("test/fixtures/copilot/explain-with-knowledge.en.sse");
  const readme = read("README.md");
  const frames = recorded.split("\n").filter((line) => line.startsWith("data: "));
  expect(frames.length).toBeGreaterThan(5);
  expect(frames.filter((frame) => !readme.includes(frame))).toEqual([]);
});

test.each(["own-command", "own-door"])("the README shows the example %s as it is run", (name) => {
  const example = read(`examples/${name}.ts`).replace('"../src/index.ts"', '"rightseat"');
  expect(read("README.md")).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
});
