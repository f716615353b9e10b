// The 25 recordings as models write them that have no tool calling: the same calls, the same files.
import { beforeAll, describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../../../src/testing.ts";
import { dresses } from "../../helpers/call-dresses.ts";
import { readCodingTasks } from "../../helpers/coding-tasks.ts";
import { expectSolved, playTask } from "../../helpers/played-tasks.ts";
import { code } from "../../helpers/code-parser.ts";

const tasks = readCodingTasks();
beforeAll(async () => {
  // The same files are read in every dress.
});

/** In pieces of any size, as they come. */
function stream(answer: string, size: number): Script {
  const count = Math.ceil(answer.length / size);
  return Array.from({ length: count }, (_, nth) => answer.slice(nth * size, (nth + 1) * size));
}

describe.each(Object.entries(dresses))("in %s", (name, print) => {
  test.each(tasks)("$id is done", async (task) => {
    const answers = task.calls.map((call, nth) => stream(print(call), 3 + (nth % 17)));
    const model = scriptedModel(answers, { toolCalls: "text" });
    const isSaid = name === "tags around edits";
    const played = await playTask(task, model, code);
    expectSolved(task, played, ({ tool }) => isSaid && tool === "finish");
  });
});

test("calls that a model writes down though it was offered the tools are made all the same", async () => {
  const [task] = tasks.filter(({ id }) => id === "js-rename-over-files");
  expect(task).toBeDefined();
  if (task === undefined) return;
  const print = dresses["calls of functions"] ?? String;
  const model = scriptedModel(task.calls.map((call) => stream(print(call), 5)));
  expectSolved(task, await playTask(task, model, code));
  expect(model.requests[0]?.tools).toBeDefined();
});
