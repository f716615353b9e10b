// acpx, a client of the Agent Client Protocol that others wrote, holds a conversation with `rightseat acp`.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lastMessage } from "../helpers/e2e-aimock.ts";
import {
  type ModelStep,
  type Project,
  cliPath,
  coderSettings,
  createProject,
  edit,
  finish,
  startCoder,
} from "../helpers/e2e-code.ts";
import { installClient } from "../helpers/real-clients.ts";

const patient = { timeout: 400_000 };
const cart = "export function total(prices) {\n  return prices.length;\n}\n";
const fixed = cart.replace("length", "size");
const block = `<<<<<<< SEARCH\n${cart.split("\n")[1]}\n=======\n${fixed.split("\n")[1]}\n>>>>>>> REPLACE`;

async function startTalk(steps: readonly ModelStep[], options: readonly string[]) {
  const project = createProject({ "cart.js": cart });
  const mock = await startCoder(steps);
  const agent = `"${process.execPath}" "${cliPath}" acp --language en`;
  // Its background process ends soon after the last message.
  const always = ["--agent", agent, "--cwd", project.folder, "--ttl", "2", ...options];
  const settings = coderSettings(project, mock);
  return { project, mock, acpx: (...args: string[]) => runAcpx(project, settings, always, args) };
}

function runAcpx(
  { folder }: Project,
  settings: Record<string, string>,
  always: readonly string[],
  args: readonly string[],
): Promise<{ code: number | null; printed: string }> {
  const program = join(installClient("acpx@0.19.1"), "acpx", "dist", "cli.js");
  const child = spawn(process.execPath, [program, ...always, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return new Promise((resolve) => {
    child.once("close", (code) => resolve({ code, printed }));
  });
}

test("explain, its next step, permission, and the file is changed", patient, async () => {
  const steps = [{ content: "It counts the prices." }, { content: block }];
  const { project, mock, acpx } = await startTalk(steps, ["--approve-all"]);
  expect(await acpx("sessions", "new")).toMatchObject({ code: 0 });
  const explained = await acpx("prompt", "/explain cart.js:1-3");
  expect(explained).toMatchObject({ code: 0 });
  expect(explained.printed).toContain("It counts the prices.");
  expect(explained.printed).toContain("1. Fix");
  const answered = await acpx("prompt", "/1");
  expect(answered).toMatchObject({ code: 0 });
  expect(lastMessage(mock, 1)).toContain("Fix this code.");
  expect(project.read("cart.js")).toBe(fixed);
  // What was agreed to is taken back.
  expect(await acpx("prompt", "/undo")).toMatchObject({ code: 0 });
  expect(project.read("cart.js")).toBe(cart);
});

test("a coding task, and one whose changes are refused", patient, async () => {
  const steps: ModelStep[] = [
    { calls: [["read_file", { target_file: "cart.js" }]] },
    { calls: [edit("cart.js", "total", "sum")] },
    finish("It is called sum now."),
  ];
  const agreed = await startTalk(steps, ["--approve-all"]);
  const done = await agreed.acpx("exec", "Rename total to sum.");
  expect(done).toMatchObject({ code: 0 });
  expect(done.printed).toContain("It is called sum now.");
  expect(done.printed).toContain("Edit cart.js");
  expect(agreed.project.read("cart.js")).toBe(cart.replace("total", "sum"));
  const refused = await startTalk(steps, ["--deny-all"]);
  await refused.acpx("exec", "Rename total to sum.");
  expect(refused.project.read("cart.js")).toBe(cart);
});
