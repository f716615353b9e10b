// Texts that once took minutes or all memory: each has to end within the time of a test.
import { expect, test } from "vitest";
import { offlineModel } from "../helpers/offline-model.ts";
import { send } from "../helpers/copilot-client.ts";
import { createTestApp } from "../helpers/create-test-app.ts";
import { code } from "../helpers/code-parser.ts";

test.each([
  ["fix", "python", `x = [${"(\n".repeat(40_000)}${")(\n".repeat(40_000)}`],
  ["fix", "javascript", "if (a == b) x();\n".repeat(2_000)],
  ["fix", "go", `${" ".repeat(200_000)}y`],
  ["explain", "shellscript", `x=1\n${"$(".repeat(100_000)}`],
  ["unittest-write", "java", `${"\n".repeat(200_000)}x`],
  ["unittest-write", "php", `${"\n".repeat(200_000)}x`],
  ["unittest-write", "csharp", `${"\n".repeat(200_000)}x`],
])("%s answers a hostile text in %s", async (command, language, content) => {
  const { app } = createTestApp({ models: offlineModel(code), code });
  const value = { filePath: "src/a.txt", language, content };
  const contextVariables = [
    { name: "activeEditor", value },
    { name: "userInputPrompt", value: "1. edge case: a" },
  ];
  const reply = await send(app, { command, contextVariables });
  expect([200, 413]).toContain(reply.status);
});
