// Runs the checks of the 25 tasks in copies: they fail before, and pass with the solution.
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type CodingTask,
  type ProjectFiles,
  readCodingTasks,
  solvedFiles,
} from "../helpers/coding-tasks.ts";

/** What a check runs besides `sh`. */
const tools = {
  javascript: process.execPath,
  typescript: process.execPath,
  python: "python3",
  c: "cc",
  cpp: "c++",
} as const satisfies Record<CodingTask["language"], string>;
const missing = new Set(
  Object.values(tools).filter((tool) => spawnSync(tool, ["--version"]).error !== undefined),
);

// Most of their time is the start of a process.
describe.concurrent.each(readCodingTasks())("$id", (task) => {
  test("the check fails before, and passes with the solution", async ({ skip }) => {
    const tool = tools[task.language];
    skip(missing.has(tool), `${tool} is not installed`);
    const before = await runCheck(task, task.before);
    expect(before).toMatchObject({ code: expect.toSatisfy((code: number) => code > 0) });
    const after = await runCheck(task, solvedFiles(task));
    expect(after).toEqual({ code: 0, printed: expect.any(String) });
  });
});

async function runCheck(
  { check }: CodingTask,
  files: ProjectFiles,
): Promise<{ code: number; printed: string }> {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-task-"));
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const [name = "", ...args] = check;
    const program = name === "node" ? process.execPath : name;
    // A test that runs inside of another would print for a machine.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return await new Promise((resolve) => {
      execFile(program, args, { cwd: folder, env, timeout: 50_000 }, (error, stdout, stderr) =>
        resolve({ code: codeOf(error), printed: stdout + stderr }),
      );
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** -1 if it was not run, or ended by a signal. */
function codeOf(error: { code?: unknown } | null): number {
  if (error === null) return 0;
  return typeof error.code === "number" ? error.code : -1;
}
