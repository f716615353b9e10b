// What the evaluation says of agents that do less, more or something else than they were asked for.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { CodingTask } from "../../../eval/code/coding-task.ts";
import { runTask, type TaskResult } from "../../../eval/code/run-task.ts";
import { type Script, scriptedModel } from "../../../src/testing.ts";
import { parseConfig } from "../../../src/setup/config.ts";
import { loadAgents } from "../../../src/setup/load-agents.node.ts";
import { loadPromptFiles } from "../../../src/setup/load-prompt-files.node.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { toolCall, unit } from "../../helpers/loop-app.ts";
import { code } from "../scripted-eval.ts";

const task: CodingTask = {
  id: "sum",
  language: "javascript",
  kind: "fix",
  request: "`sum` in src/sum.js subtracts. It has to add.",
  check: ["node", "test/sum.test.js"],
  filesToChange: ["src/sum.js"],
  before: new Map([
    ["src/sum.js", "export const sum = (a, b) => a - b;\n"],
    ["src/other.js", "export const other = 1;\n"],
    [
      "test/sum.test.js",
      'import { sum } from "../src/sum.js";\nif (sum(1, 2) !== 3) throw new Error("not 3");\n',
    ],
    ["package.json", '{ "type": "module" }\n'],
  ]),
  calls: [],
};

const edit = (path: string, search: string, replace: string): Script[number] =>
  toolCall("edit_file", {
    target_file: path,
    instructions: "Change it.",
    code_edit: unit(search, replace),
  });
const add = edit("src/sum.js", "(a, b) => a - b", "(a, b) => a + b");
const mend = edit(
  "src/sum.js",
  "export const sum = (a, b) => a - b;",
  "export const sum = (a, b) => a + b;",
);
const done: Script = [toolCall("finish", { response: "Done." })];

async function run(scripts: readonly Script[], given: Partial<CodingTask> = {}) {
  const model = scriptedModel(scripts);
  const parts = {
    config: parseConfig({}),
    agents: loadAgents(undefined),
    promptFiles: loadPromptFiles(),
    code,
    model,
    modelId: undefined,
    locale: "en" as const,
    environment: { PATH: process.env["PATH"] ?? "" },
  };
  const folder = mkdtempSync(join(tmpdir(), "tasks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.stubEnv("TMPDIR", folder);
  const result = await runTask({ ...task, ...given }, parts, new AbortController().signal);
  return { result, model, left: readdirSync(folder) };
}

describe("a task", () => {
  test("is solved when its check passes in the end", async () => {
    const usage = { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 };
    const { result, left } = await run([[mend, { type: "usage", usage }], done]);
    expect(result).toEqual({
      id: "sum",
      language: "javascript",
      isSolved: true,
      check: { exit: "exit code 0" },
      steps: 1,
      tokens: 100,
      refusedEdits: 0,
      strayFiles: [],
      untouchedFiles: [],
      notInMap: [],
      seconds: expect.any(Number),
    } satisfies TaskResult);
    expect(left).toEqual([]);
  });

  test("is not solved by an agent that changes the test, which its own check does not notice", async () => {
    const cheat = edit("test/sum.test.js", "if (sum(1, 2) !== 3)", "if (false)");
    const { result, model } = await run([[cheat], [...done]]);
    expect(model.requests).toHaveLength(2);
    expect(result).toMatchObject({
      isSolved: false,
      check: { exit: "exit code 1", output: expect.stringContaining("not 3") },
      strayFiles: ["test/sum.test.js"],
      untouchedFiles: ["src/sum.js"],
    });
  });

  test("counts files that nobody asked to change, and edits that were refused", async () => {
    const stray = edit("src/other.js", "export const other = 1;", "export const other = 2;");
    const wrong = edit("src/sum.js", "nothing like it", "b");
    const { result } = await run([[wrong], [stray], [mend], done]);
    expect(result).toMatchObject({
      isSolved: true,
      steps: 3,
      refusedEdits: 1,
      strayFiles: ["src/other.js"],
    });
  });

  test("tells the agent of a check that fails, and lets it go on", async () => {
    const worse = edit("src/sum.js", "a - b", "a * b");
    const again = edit("src/sum.js", "a * b", "a + b");
    const { result, model } = await run([[worse], done, [again], done]);
    const told = model.requests[2]?.messages.at(-1);
    expect(told && textOfMessage(told)).toContain("not 3");
    expect(result).toMatchObject({ isSolved: true, steps: 2 });
  });

  test("fails where the model does, and where the check cannot be run", async () => {
    const broken = await run([[new Error("The cable is cut.")]]);
    expect(broken.result).toMatchObject({ isSolved: false, failure: expect.any(String) });
    expect(broken.left).toEqual([]);
    const unchecked = await run([[add], done], { check: ["no-such-program-here"] });
    expect(unchecked.result).toMatchObject({
      isSolved: false,
      failure: "The check no-such-program-here was not run: there is no such program.",
    });
  });
});
