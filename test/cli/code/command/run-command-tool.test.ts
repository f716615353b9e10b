// The tool `run_command` on a folder of the disk: what is asked, run, told, and taken back.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../helpers/cases.ts";
import { splitLine } from "../../../../src/cli/code/run-command.ts";
import { openCommands } from "../../../helpers/run-commands.ts";

const node = (program: string): string[] => [process.execPath, "-e", program];
const write = (path: string, text: string): string =>
  `require("fs").writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(text)});`;

describe("what is asked", () => {
  const vector = ["echo", "a b"];
  test.each<[string, object, string[]]>([
    ["run_command", { command: vector }, vector],
    ["run_command", { command: "echo 'a b'" }, vector],
    ["bash", { command: 'echo "a b"', timeout: 5_000, description: "x" }, vector],
    ["Bash", { command: '["echo", "a b"]' }, vector],
    ["execute_command", { command: "echo", args: ["a b"], cwd: "." }, vector],
    ["run_terminal_cmd", { command: ["echo 'a b'"], is_background: false }, vector],
    ["shell", { command: ["bash", "-lc", "echo a b"] }, ["bash", "-lc", "echo a b"]],
    ["shell", { command: "echo a > made" }, ["/bin/sh", "-c", "echo a > made"]],
  ])("by %s with %j is the program with its arguments", async (name, args, command) => {
    const { run, asked, project } = await openCommands({}, { says: { ok: false, reason: "no." } });
    expect(await run(args, name)).toMatchObject({ success: false, code: "not-approved" });
    expect(asked).toEqual([
      { tool: "run_command", target: project.folder, arguments: { command } },
    ]);
    expect(project.all()).toEqual({});
  });

  test("is told to the model where it is refused, and nothing runs", async () => {
    const { run, project } = await openCommands(
      {},
      { says: { ok: false, reason: "they said no." } },
    );
    const outcome = await run({ command: ["touch", "made"] });
    expect(outcome["error"]).toBe("Nothing was run: they said no.");
    expect(project.all()).toEqual({});
  });

  test("never leads out of the folder", async () => {
    const { run, asked, project } = await openCommands({ "in/a": "" });
    symlinkSync(project.place, join(project.folder, "out"));
    for (const folder of ["..", "/usr", "out", "in/../..", "in/a", "none"])
      expect(await run({ command: ["pwd"], folder })).toMatchObject({ success: false });
    for (const command of [[], [""], ["a\0b"], ["x".repeat(20_000)]])
      expect(await run({ command })).toMatchObject({ code: "bad-arguments" });
    expect(asked).toEqual([]);
    expect((await run({ command: ["pwd"], folder: "in" }))["output"]).toBe(
      `${join(project.folder, "in")}\n`,
    );
  });

  test("of a line is split only where a shell would do nothing else", () => {
    const shell = fc.string({ unit: fc.constantFrom(...Array.from("ab \"'$;&|`*?~#\\\n=(){}<>")) });
    fc.assert(
      fc.property(shell, (line) => {
        const words = splitLine(line);
        if (words[0] === "/bin/sh" || words.length === 0) return;
        // With what a shell makes of it as its words.
        const print = `for word in ${line}\ndo printf '%s\\0' "$word"; done`;
        const printed = execFileSync("/bin/sh", ["-c", print], { cwd: "/proc/self/task" });
        expect(printed.toString().split("\0").slice(0, -1)).toEqual(words);
      }),
      { numRuns: 300 },
    );
  });
});

describe("what comes of it", () => {
  test("is the output, its beginning and its end, and the exit code", async () => {
    const { run } = await openCommands({});
    const long = `process.stdout.write("first\\n" + "é".repeat(100_000) + "\\nlast\\n"); process.exitCode = 3`;
    const outcome = await run({ command: node(long) });
    expect(outcome).toMatchObject({ success: false, exit_code: 3, error: "exit code 3" });
    const output = String(outcome["output"]);
    expect(output).toMatch(/^first\né+\n…é+\nlast\n$/);
    expect(Buffer.byteLength(output)).toBeLessThan(40_000);
    expect(await run({ command: ["no-such-program"] })).toMatchObject({ code: "not-started" });
  });

  test("a program that takes too long is ended with all that it has started", async () => {
    const { run, project } = await openCommands({});
    const child = `require("child_process").spawn(process.execPath, ["-e", "setTimeout(() => ${write("late", "x").replaceAll('"', "'")}, 4000)"], { stdio: "ignore" }); setInterval(() => {}, 1000)`;
    const outcome = await run({ command: node(child), time_limit: 1 });
    expect(outcome).toMatchObject({ success: false, code: "timeout" });
    expect(project.all()).toEqual({});
  });

  test("a turn that is stopped ends it, and what it has changed can be undone", async () => {
    const stopped = new AbortController();
    const { run, undo, project, found } = await openCommands(
      { a: "1\n" },
      { signal: stopped.signal },
    );
    const running = run({ command: node(`${write("a", "2\n")} setInterval(() => {}, 1000)`) });
    await expect.poll(() => project.read("a"), { timeout: 20_000 }).toBe("2\n");
    stopped.abort(new Error("Ctrl-C"));
    await expect(running).rejects.toThrow("Ctrl-C");
    expect(found).toMatchObject([{ files: ["a"] }]);
    expect((await undo()).ok).toBe(true);
    expect(project.read("a")).toBe("1\n");
  });
});

describe("what it has changed", () => {
  test("is told, shown as changes, and taken back", async () => {
    const files = { "a.js": "one\n", "old/b.js": "two\n", "same.js": "x\n", ".gitignore": "out\n" };
    const { run, undo, project, changed } = await openCommands(files);
    const program = `${write("a.js", "ONE\n")} fs.rmSync("old", { recursive: true }); fs.mkdirSync("new/deep", { recursive: true }); ${write("new/deep/c.js", "three\n")} fs.mkdirSync("out"); fs.writeFileSync("out/bin", Buffer.from([0, 255, 0])); fs.utimesSync("same.js", 1, 1)`;
    const outcome = await run({ command: node(`const fs = require("fs"); ${program}`) });
    const paths = ["a.js", "new/deep/c.js", "old/b.js", "out/bin"];
    expect(outcome).toMatchObject({ success: true, changed_files: paths });
    expect(outcome).not.toHaveProperty("not_undoable");
    expect(changed).toEqual(paths.slice(0, 3));
    expect(await undo()).toMatchObject({ ok: true });
    expect(project.all()).toEqual(files);
    for (const folder of ["new", "out"])
      expect(existsSync(join(project.folder, folder))).toBe(false);
  });

  test("and undo does not cover is named, and hides nothing of the rest", async () => {
    const big = "x".repeat(2 * 1024 * 1024 + 1);
    const { run, undo, project } = await openCommands({
      "a.js": "one\n",
      ".env": "KEY=1\n",
      "big.txt": big,
      ".git/HEAD": "ref\n",
      "node_modules/x/index.js": "",
      "run.sh": "#!/bin/sh\n",
    });
    const program = `const fs = require("fs"); ${write("a.js", "ONE\n")} ${write(".env", "KEY=2\n")} fs.appendFileSync("big.txt", "y"); ${write(".git/index", "i")} fs.mkdirSync("node_modules/y"); fs.chmodSync("run.sh", 0o777); fs.symlinkSync("/etc/passwd", "link"); ${write("back\\slash", "x")}`;
    const outcome = await run({ command: node(program) });
    expect(outcome["not_undoable"]).toEqual([
      ".env",
      "back\\slash",
      "big.txt",
      "link",
      "run.sh",
      ".git/",
      "node_modules/",
    ]);
    expect(await undo()).toMatchObject({ ok: true });
    expect(project.read("a.js")).toBe("one\n");
    expect(project.read(".env")).toBe("KEY=2\n");
  });

  test("by several commands is taken back as a whole, whatever they do", async () => {
    const name = fc.constantFrom("a", "b", "d/a", "d/e/b", "f");
    const step = fc.record({
      path: name,
      text: fc.option(fc.constantFrom("", "1\n", "2\n", "é\u0000"), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, fc.constantFrom("", "0\n", "1\n")),
        fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        async (files, commands) => {
          const { run, undo, project } = await openCommands(files);
          const before = project.all();
          for (const steps of commands)
            await run({ command: ["sh", "-c", steps.map(toShell).join("\n") || "true"] });
          const isChanged = JSON.stringify(project.all()) !== JSON.stringify(before);
          const undone = await undo();
          if (isChanged) expect(undone.ok).toBe(true);
          expect(project.all()).toEqual(before);
        },
      ),
      { numRuns: cases(8) },
    );
  });
});

function toShell({ path, text }: { path: string; text: string | undefined }): string {
  if (text === undefined) return `rm -f ${path}`;
  const octal = [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`);
  return `mkdir -p ${dirname(path)} && printf '${octal.join("")}' > ${path}`;
}

test("modes stay when a command's changes are undone", async () => {
  const { run, undo, project } = await openCommands({ "run.sh": "#!/bin/sh\n" });
  chmodSync(join(project.folder, "run.sh"), 0o755);
  await run({ command: ["rm", "run.sh"] });
  await undo();
  expect(readFileSync(join(project.folder, "run.sh"), "utf8")).toBe("#!/bin/sh\n");
  execFileSync(join(project.folder, "run.sh"));
});
