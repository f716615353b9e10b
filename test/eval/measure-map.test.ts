import { beforeAll, expect, test } from "vitest";
import { measureMap } from "../../eval/code/measure-map.ts";
import { type CodingTask, readCodingTasks } from "../helpers/coding-tasks.ts";
import { createTextWorkspace } from "../helpers/text-workspace.ts";
import { code } from "../helpers/code-parser.ts";

const tasks = readCodingTasks();
beforeAll(async () => {
  // The same files are read for each request.
});

/** Of the files to change those that are there before. */
function knownFiles({ filesToChange, before }: CodingTask): string[] {
  return filesToChange.filter((path) => before.has(path));
}

function measure(
  maxTokens: number,
  toTask: (task: CodingTask) => Parameters<typeof measureMap>[0][number],
) {
  const { signal } = new AbortController();
  return measureMap(tasks.map(toTask), { code, signal, maxTokens });
}

test.each([2_000, 250])(
  "a map of %i tokens shows all files to change of every task",
  async (max) => {
    const { complete } = await measure(max, (task) => ({
      id: task.id,
      request: task.request,
      workspace: createTextWorkspace(task.before),
      filesToChange: knownFiles(task),
    }));
    expect(complete).toBe(25);
  },
);

// Each request then has 24 projects around it that it does not mean. Measured: 25 and 24.
test.each([
  [2_000, 25],
  [500, 24],
])("a map of %i tokens of all projects together does for %i tasks", async (max, least) => {
  const all = tasks.flatMap((task, nth) =>
    [...task.before].map(([path, text]) => [`project-${nth}/${path}`, text] as const),
  );
  const workspace = createTextWorkspace(new Map(all));
  const { complete, tasks: measured } = await measure(max, (task) => ({
    id: task.id,
    request: task.request,
    workspace,
    filesToChange: knownFiles(task).map((path) => `project-${tasks.indexOf(task)}/${path}`),
  }));
  expect(complete).toBeGreaterThanOrEqual(least);
  expect(measured.filter(({ missing }) => missing.length > 0)).toHaveLength(25 - complete);
});
