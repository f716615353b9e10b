import { expect, onTestFinished, test } from "vitest";
import type { CodeTrouble } from "../../../src/code/threads/create-code-pool.ts";
import { createCodeThreads } from "../../../src/setup/threads/create-code-threads.node.ts";

test("a text that needs more memory than a thread has is read plainly by another", async () => {
  const troubles: CodeTrouble[] = [];
  const parser = createCodeThreads({
    maxWait: 60_000,
    maxTime: 60_000,
    maxCharacters: 20_000_000,
    onTrouble: (one) => troubles.push(one),
  });
  onTestFinished(() => parser.close());
  const { language } = await parser.analyze("(".repeat(9_000_000), "typescript");
  expect(language).toBeUndefined();
  expect(troubles.map(({ instead }) => instead)).not.toContain("beginning");
  expect((await parser.analyze("let a;", "typescript")).language).toBe("typescript");
}, 120_000);
