// The recorded calls of a task over the real loop, on files in memory; in whatever dress a model writes them.
import { expect } from "vitest";
import { terminalDoor } from "../../src/cli/code/run-agent.ts";
import type { CodeParser } from "../../src/code/code-analysis.ts";
import type { ChatModel } from "../../src/turn/chat-model.ts";
import type { AppError } from "../../src/base/errors/app-error.ts";
import { type CodingTask, solvedFiles, type ToolCall } from "./coding-tasks.ts";
import { prompted } from "./copilot-client.ts";
import { createTestApp } from "./create-test-app.ts";
import { createTestCoding } from "./loop-app.ts";

export interface PlayedTask {
  /** The project as the agent left it. */
  files: Record<string, string>;
  /** Each call as it was understood, and whether it came to something. */
  steps: [tool: string, success: boolean][];
  failure: AppError | undefined;
}

export async function playTask(
  task: CodingTask,
  model: ChatModel,
  code?: CodeParser,
): Promise<PlayedTask> {
  const door = terminalDoor();
  const coding = await createTestCoding(Object.fromEntries(task.before));
  const parser = code === undefined ? {} : { code };
  createTestApp({ models: model, coding, doors: [door], ...parser });
  const request = {
    agent: "rightseat",
    command: "code",
    variables: [prompted(task.request)],
    model: undefined,
    language: "en",
    key: undefined,
  };
  const { events } = await door.start(request, new AbortController().signal);
  const steps: PlayedTask["steps"] = [];
  let failure: AppError | undefined;
  for await (const event of events) {
    if (event.type === "turn-error") failure = event.error;
    if (event.type !== "tool-result" || event.entry === undefined) continue;
    const { tool, result } = event.entry;
    steps.push([tool, result["success"] === true]);
  }
  const changed = coding.asked.flatMap((asked) =>
    asked.kind === "change" ? asked.changes.map(({ path }) => path) : [],
  );
  const files: Record<string, string> = {};
  for (const path of [...task.before.keys(), ...changed]) {
    const text = await coding.text(path);
    if (text !== undefined) files[path] = text;
  }
  return { files, steps, failure };
}

/** All calls came to what was recorded, and the project is as the solution has it. */
export function expectSolved(
  task: CodingTask,
  { files, steps, failure }: PlayedTask,
  /** Calls that a dress has no form for. */
  isLeftOut: (call: ToolCall) => boolean = () => false,
): void {
  expect(failure).toBeUndefined();
  const made = task.calls.filter((call) => !isLeftOut(call));
  expect(steps).toEqual(made.map(({ tool, success }) => [tool, success]));
  expect(files).toEqual(Object.fromEntries(solvedFiles(task)));
}
