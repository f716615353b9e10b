// The evaluation of the coding agent with a model that plays its recorded calls: real loop, real files, real checks.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { readCodingTasks } from "../helpers/coding-tasks.ts";
import { spawnCommand } from "../helpers/e2e-process.ts";

const tasks = readCodingTasks();
const isMissing = ["python3", "cc", "c++"].some(
  (tool) => spawnSync(tool, ["--version"]).error !== undefined,
);
const writes = new Set(["edit_file", "delete_file"]);
const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith("rightseat-task-"));

test(
  "all 25 tasks are solved by their recorded calls, and no copy is left",
  { timeout: 300_000 },
  async ({ skip }) => {
    skip(isMissing, "python3 and a C++ compiler are needed");
    const before = copies();
    const args = ["eval", "--flow", "code", "--recorded", "--json", "--expect-right", "100"];
    await using program = spawnCommand(tmpdir(), [...args, "--expect-sound"]);
    const code = await program.exited;
    expect({ code, err: program.stderr }).toEqual({ code: 0, err: "" });
    const { languages, tasks: results } = JSON.parse(program.stdout);
    expect(languages.at(-1)).toMatchObject({ tasks: 25, solved: 25, inMap: 25, failed: 0 });
    expect(results).toMatchObject(
      tasks.map(({ id, calls }) => ({
        id,
        isSolved: true,
        check: { exit: "exit code 0" },
        steps: calls.length - 1,
        refusedEdits: calls.filter(({ tool, success }) => writes.has(tool) && !success).length,
        strayFiles: [],
        untouchedFiles: [],
      })),
    );
    expect(copies().filter((name) => !before.includes(name))).toEqual([]);
  },
);
