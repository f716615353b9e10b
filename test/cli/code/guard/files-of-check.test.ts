import { expect, test } from "vitest";
import { filesOfCheck } from "../../../../src/cli/code/guard/files-of-check.ts";
import type { Workspace } from "../../../../src/workspace/workspace.ts";

const locate: Workspace["locate"] = (path) => {
  if (path.startsWith("/") || path.startsWith(".."))
    return Promise.resolve({
      ok: false,
      problem: { code: "outside", message: { en: "outside", zh: "outside" } },
    });
  const links: Record<string, string> = { "run.sh": "scripts/real.sh" };
  const plain = path.replace(/^\.\//, "");
  return Promise.resolve({ ok: true, value: links[plain] ?? plain });
};

const isCheckFile = async (...command: string[]) =>
  (await filesOfCheck(command, locate)).isCheckFile;

test.each([
  { command: ["./run-tests.sh"], path: "run-tests.sh" },
  { command: ["node", "test/check.js"], path: "test/check.js" },
  { command: ["node", "test/check.js"], path: "Test/CHECK.js" },
  { command: ["node", "test/check"], path: "test/check.mjs" },
  { command: ["node", "test"], path: "test/index.js" },
  { command: ["python", "tool"], path: "tool/__main__.py" },
  { command: ["python", "-m", "tests.run"], path: "tests/run.py" },
  { command: ["tool", "--config=conf/x.ini"], path: "conf/x.ini" },
  { command: ["sh", "-c", "cd a && ./b.sh; cat <c.txt"], path: "b.sh" },
  { command: ["sh", "-c", "cd a && ./b.sh; cat <c.txt"], path: "c.txt" },
  { command: ["./run.sh"], path: "scripts/real.sh" },
])("$command guards $path", async ({ command, path }) => {
  expect((await isCheckFile(...command))(path)).toBe(true);
});

test.each([
  { command: ["npm", "test"], path: "src/cart.js" },
  { command: ["node", "--test"], path: "test/cart.test.js" },
  { command: ["node", "--test", "test"], path: "test/cart.test.js" },
  { command: ["cat", "/etc/passwd", "../x"], path: "etc/passwd" },
])("$command leaves $path alone", async ({ command, path }) => {
  expect((await isCheckFile(...command))(path)).toBe(false);
});

test("a command of very many words is looked at in bounds", async () => {
  const words = Array.from({ length: 5_000 }, (_, nth) => `f${nth}`);
  expect((await filesOfCheck(words, locate)).paths).toHaveLength(2_000);
});
