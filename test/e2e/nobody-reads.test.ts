import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../cli/call/temporary-folder.ts";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

/** Starts the command with an output that nobody reads, as behind a `head` that has ended. */
function runUnread(args: string[], input = ""): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: temporaryFolder({ "add.ts": "export const one = 1;\n", "bad.json": "{}" }),
    env: { PATH: process.env["PATH"], NO_COLOR: "1" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdout.destroy();
  // It may leave before it has read all.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, err })));
}

const line =
  '{"id":1,"before":"a\\n","diff":"------- SEARCH\\na\\n=======\\nb\\n+++++++ REPLACE\\n"}\n';

test.each<[string[], string?]>([
  [["--help"]],
  [["help", "eval"]],
  [["call", "--help"]],
  [["--version"]],
  [["schema"]],
  [["lint", "bad.json"]],
  [["complete", "bash"]],
  [["call", "explain", "add.ts"]],
  [["call", "explain", "add.ts", "--raw"]],
  [["edit", "--jsonl"], line.repeat(2_000)],
])("%j ends quietly when nobody reads its output", async (args, input) => {
  expect(await runUnread(args, input)).toEqual({ code: 0, err: "" });
});
