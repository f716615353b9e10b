import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { runCommand, type CommandPlace } from "../../../../src/cli/code/run-check.ts";
import { temporaryFolder } from "../../call/temporary-folder.ts";

const place = (given: Partial<CommandPlace> = {}): CommandPlace => ({
  folder: temporaryFolder(),
  environment: { PATH: process.env["PATH"] ?? "" },
  signal: new AbortController().signal,
  timeLimit: 60_000,
  ...given,
});
const node = (program: string): string[] => [process.execPath, "-e", program];

test("the exit code and both streams come back, without colours", async () => {
  const program = `console.log("\\x1b[32mout\\x1b[0m"); console.error("err"); process.exitCode = 3`;
  const end = await runCommand(node(program), place());
  expect(end).toMatchObject({ kind: "ended", code: 3, signal: null });
  expect(end.kind === "ended" && end.output.split("\n").toSorted()).toEqual(["", "err", "out"]);
});

test("it runs in the folder with nothing but the given environment, and reads nothing", async () => {
  const folder = temporaryFolder();
  const program = `console.log(process.cwd(), process.env.A, process.env.HOME, require("fs").readFileSync(0, "utf8").length)`;
  const end = await runCommand(node(program), place({ folder, environment: { A: "1" } }));
  expect(end).toMatchObject({ code: 0, output: `${folder} 1 undefined 0\n` });
});

test("no shell reads the words", async () => {
  const folder = temporaryFolder();
  const end = await runCommand(
    ["echo", "$HOME", ";", "touch", "made", "`id`", "*"],
    place({ folder }),
  );
  expect(end).toMatchObject({ code: 0, output: "$HOME ; touch made `id` *\n" });
});

test("of a long output the end is kept", async () => {
  const program = `process.stdout.write("é".repeat(100_000) + "\\nthe end\\n")`;
  const end = await runCommand(node(program), place());
  const output = end.kind === "ended" ? end.output : "";
  expect(output.endsWith("é\nthe end\n")).toBe(true);
  expect(output.startsWith("…é")).toBe(true);
  expect(Buffer.byteLength(output)).toBeLessThanOrEqual(64 * 1_024 + 3);
});

test("a program that is not there, or is no program, is told", async () => {
  expect(await runCommand(["no-such-program-anywhere"], place())).toEqual({
    kind: "not-started",
    code: "ENOENT",
  });
  const folder = temporaryFolder({ "plain.txt": "x" });
  expect(await runCommand(["./plain.txt"], place({ folder }))).toEqual({
    kind: "not-started",
    code: "EACCES",
  });
});

/** Starts a child that outlives its parent unless somebody ends the whole group. */
const family = `
  const { spawn } = require("node:child_process");
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
  require("node:fs").writeFileSync("pid", String(child.pid));
  console.log("started");
  LAST`;

async function isGone(pid: number): Promise<boolean> {
  for (let nth = 0; nth < 500; nth += 1) {
    try {
      // A zombie has no command line.
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8") === "") return true;
    } catch {
      return true;
    }
    await sleep(20);
  }
  return false;
}

/** Of the process that the command starts, once it has; time is what the test says. */
async function pidIn(folder: string): Promise<number> {
  const path = `${folder}/pid`;
  while (!existsSync(path) || readFileSync(path, "utf8") === "") await sleep(5);
  return Number(readFileSync(path, "utf8"));
}
const stopTime = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

test("when the time is over, the whole group ends", async () => {
  stopTime();
  const folder = temporaryFolder();
  const shell = ["sh", "-c", "sleep 1000 & echo started; echo $! > pid; wait"];
  const running = runCommand(shell, place({ folder, timeLimit: 2_000 }));
  const pid = await pidIn(folder);
  vi.advanceTimersByTime(2_000);
  expect(await running).toEqual({ kind: "timeout", output: "started\n" });
  expect(await isGone(pid)).toBe(true);
});

test("what a command leaves behind ends with it and does not keep its output open", async () => {
  const folder = temporaryFolder();
  const end = await runCommand(
    node(family.replace("LAST", "child.unref(); process.exit(0)")),
    place({ folder }),
  );
  expect(end).toMatchObject({ kind: "ended", code: 0 });
  expect(await isGone(await pidIn(folder))).toBe(true);
});

test("an abort ends the group, also one that does not listen, and is thrown", async () => {
  stopTime();
  const folder = temporaryFolder();
  const stopped = new AbortController();
  const deaf = family.replace(
    "LAST",
    'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)',
  );
  const running = runCommand(node(deaf), place({ folder, signal: stopped.signal }));
  const pid = await pidIn(folder);
  stopped.abort(new Error("the person left"));
  vi.advanceTimersByTime(2_000);
  await expect(running).rejects.toThrow("the person left");
  expect(await isGone(pid)).toBe(true);
});
