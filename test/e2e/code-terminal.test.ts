// `rightseat code` with a person at a real (pseudo) terminal.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { messagesSeen } from "../helpers/e2e-aimock.ts";
import {
  cliPath,
  coderSettings,
  createProject,
  edit,
  finish,
  type ModelStep,
  type Project,
  runUndo,
  startCoder,
} from "../helpers/e2e-code.ts";
import { hasPython, runAtTerminal, type ScreenStep } from "../helpers/e2e-terminal.ts";

const [down, enter, interrupt] = ["\u001b[B", "\r", "\u0003"];
const manifest = '{ "type": "module" }\n';

async function run(
  project: Project,
  steps: readonly ModelStep[],
  args: readonly string[],
  keys: readonly ScreenStep[],
) {
  const mock = await startCoder(steps);
  const settings = { ...coderSettings(project, mock), TERM: "xterm-256color" };
  const command = [cliPath, "code", "--dir", project.folder, ...args];
  return { ...(await runAtTerminal(command, settings, keys)), mock };
}

describe.skipIf(!hasPython)("at a terminal", () => {
  test("each write is asked for with its diff, a no goes to the model, and the check is asked for once", async () => {
    const project = createProject({ "a.js": "a\n", "b.js": "b\n" });
    const { code, screen, mock } = await run(
      project,
      [{ calls: [edit("a.js", "a", "A"), edit("b.js", "b", "B")] }, finish("Half of it.")],
      ["write in capitals", "--", process.execPath, "-e", "console.log(1)"],
      [
        ["Write this change to a.js?", enter],
        ["Write this change to b.js?", down + down + down + enter],
        ["What should it do instead?", `leave b${enter}`],
        ["Run this check after the changes?", enter],
      ],
    );
    expect(screen).toContain("-a\r\n+A\r\n");
    expect([project.read("a.js"), project.read("b.js")]).toEqual(["A\n", "b\n"]);
    expect(messagesSeen(mock)[1]?.at(-1)?.content).toContain('they said: \\"leave b\\"');
    expect(screen).toMatch(/The check .+ passed\./);
    expect(code).toBe(0);
  });

  test("all covers the rest of the run, but a guarded file is asked for and named", async () => {
    const project = createProject({ "a.js": "a\n", "b.js": "b\n", "package.json": manifest });
    const calls = [
      edit("a.js", "a", "A"),
      edit("b.js", "b", "B"),
      edit("package.json", manifest, '{ "type": "commonjs" }\n'),
    ];
    const { code, screen } = await run(
      project,
      [{ calls }, finish()],
      ["go"],
      [
        ["Write this change to a.js?", down + enter],
        ["This file is always asked for: it is not source code", ""],
        ["Write this change to package.json?", down + enter],
      ],
    );
    expect(screen).not.toContain("Write this change to b.js?");
    expect([project.read("b.js"), project.read("package.json")]).toEqual(["B\n", manifest]);
    expect(code).toBe(0);
  });

  test("a question of the model's is answered, and the run goes on with the answer", async () => {
    const project = createProject({ "a.js": "a\n" });
    const asked = { question: "Which name?", choices: ["sum", "amount"] };
    const { code, screen, mock } = await run(
      project,
      [{ calls: [["ask_person", asked]] }, finish("So be it.")],
      ["rename"],
      [["Your answer?", down + enter]],
    );
    expect(screen).toContain("Which name?");
    expect(messagesSeen(mock)[1]?.at(-1)?.content).toContain('"answer":"amount"');
    expect(code).toBe(0);
  });

  test("a command runs as it was shown, again where that was allowed, and undo takes back what it did", async () => {
    const project = createProject({ "a.txt": "1\n" });
    const command = ["sed", "-i", "s/1/2/", "a.txt"];
    const { code, screen, mock } = await run(
      project,
      [
        { calls: [["run_command", { command }]] },
        { calls: [["run_command", { command }], edit("a.txt", "2", "3")] },
        { calls: [["bash", { command: "cat a.txt; echo $RIGHTSEAT_OPENAI_API_KEY" }]] },
        finish(),
      ],
      ["count", "--yes"],
      [
        ["Run this command?", down + enter],
        ["Write this change to a.txt?", enter],
        ["A shell runs all of this line", ""],
        ["Run this command?", enter],
      ],
    );
    expect(screen).toContain('"sed" "-i" "s/1/2/" "a.txt"');
    expect(screen).toContain("Run sed -i s/1/2/ a.txt: 1 file changed");
    expect(messagesSeen(mock)[3]?.at(-1)?.content).toContain('"output":"3\\n\\n"');
    expect(code).toBe(0);
    expect(project.read("a.txt")).toBe("3\n");
    expect(await runUndo(project)).toMatchObject({ code: 0 });
    expect(project.read("a.txt")).toBe("1\n");
  });

  test("a command that was allowed is asked for again after a write that nobody was asked for", async () => {
    const project = createProject({ "a.js": "a\n" });
    const command = ["true"];
    const { code, mock } = await run(
      project,
      [
        { calls: [["run_command", { command }]] },
        { calls: [edit("a.js", "a", "A")] },
        { calls: [["run_command", { command }]] },
        finish(),
      ],
      ["go", "--yes"],
      [
        ["Run this command?", down + enter],
        ["Edit a.js", ""],
        ["Run this command?", down + down + enter],
      ],
    );
    expect(messagesSeen(mock)[3]?.at(-1)?.content).toContain("they said no");
    expect(code).toBe(0);
  });

  test("a secret file is sent once the person has said yes", async () => {
    const project = createProject({ ".env": "KEY=canary\n" });
    const calls: [string, object][] = [
      ["read_file", { target_file: ".env", explanation: "I need it." }],
    ];
    const { mock, screen } = await run(
      project,
      [{ calls }, finish()],
      ["read", "--yes"],
      [["Send .env to the model?", enter]],
    );
    expect(screen).toContain("The model's reason, in its own words: I need it.");
    expect(messagesSeen(mock)[1]?.at(-1)?.content).toContain("KEY=canary");
  });

  test("keys that were pressed before there was a question do not answer it", async () => {
    const project = createProject({ "a.js": "a\n" });
    const { code } = await run(
      project,
      [
        { calls: [["list_dir", { relative_workspace_path: "." }]] },
        { calls: [edit("a.js", "a", "A")], meanwhile: () => sleep(3_000) },
        finish(),
      ],
      ["go"],
      [
        ["✓ List", down + enter + down],
        ["Write this change to a.js?", down + down + enter],
      ],
    );
    expect(project.read("a.js")).toBe("a\n");
    expect(code).toBe(0);
  });

  test("Ctrl-C at a question ends the run with nothing written", async () => {
    const project = createProject({ "a.js": "a\n" });
    const { code, screen } = await run(
      project,
      [{ calls: [edit("a.js", "a", "A")] }, finish()],
      ["go"],
      [["Write this change to a.js?", interrupt]],
    );
    expect(project.read("a.js")).toBe("a\n");
    expect(screen).toContain("Stopped.\r\n");
    expect(code).toBe(130);
  });
});
