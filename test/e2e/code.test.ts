// Whole runs of `rightseat code` without a terminal, in front of a mock model that calls tools.
import { expect, test } from "vitest";
import { messagesSeen, startAimock } from "../helpers/e2e-aimock.ts";
import {
  create,
  createProject,
  edit,
  finish,
  type ModelStep,
  runCode,
  runUndo,
  startCode,
  startCoder,
  stoppedStart,
  untilShown,
} from "../helpers/e2e-code.ts";

const shop = {
  "src/cart.js": "export function total(items) {\n  return items.length;\n}\n",
  "src/print.js": 'import { total } from "./cart.js";\nconst shown = total([1]);\n',
  "src/check.js": 'import { total } from "./cart.js";\nconst isEmpty = total([]) === 0;\n',
  "docs/use.html": "Call `total` with the items.\n",
};

const rename: ModelStep[] = [
  { content: "I look for the name.", calls: [["grep_search", { query: "total" }]] },
  {
    calls: [
      edit("src/cart.js", "export function total(items) {", "export function sum(items) {"),
      edit("src/print.js", shop["src/print.js"], shop["src/print.js"].replaceAll("total", "sum")),
      edit("src/check.js", shop["src/check.js"], shop["src/check.js"].replaceAll("total", "sum")),
      edit("docs/use.html", "Call `total` with the items.", "Call `sum` with the items."),
    ],
  },
  finish("`total` is now called `sum`."),
];

test("with --yes a function is renamed over four files, and undo brings the old name back", async () => {
  const project = createProject(shop);
  const mock = await startCoder(rename);
  const { code, out, err } = await runCode(project, mock, ["rename total to sum", "--yes"]);
  expect({ code, err }).toMatchObject({ code: 0 });
  for (const [path, text] of Object.entries(shop))
    expect(project.read(path)).toBe(text.replaceAll("total", "sum"));
  expect(out).toContain("I look for the name.\n`total` is now called `sum`.\n\n**Modified:**\n");
  expect(err).toContain("  ✓ Search for total: 6 hits\n  ✓ Edit src/cart.js (+1 −1)\n");
  expect(err).toMatch(/5 steps, 4 files changed, [\d,]+ tokens\.\n/);
  expect(err).toContain(`To take these changes back: rightseat undo --dir ${project.folder}\n`);
  expect(await runUndo(project)).toMatchObject({ code: 0 });
  for (const [path, text] of Object.entries(shop)) expect(project.read(path)).toBe(text);
});

const broken = {
  "package.json": '{ "type": "module" }\n',
  "src/cart.js":
    "export function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum =+ item.price;\n  }\n  return sum;\n}\n",
  "test/cart.test.js":
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { total } from "../src/cart.js";\n\ntest("total adds prices", () => {\n  assert.equal(total([{ price: 1 }, { price: 2 }]), 3);\n});\n',
};
const wrongFix = edit("src/cart.js", "    sum =+ item.price;", "    sum -= item.price;");
const rightFix = edit("src/cart.js", "    sum -= item.price;", "    sum += item.price;");
const check = ["--", process.execPath, "--test"];

test("the check is run for real: it fails, the model reads why, and then it passes", async () => {
  const project = createProject(broken);
  const steps = [{ calls: [wrongFix] }, finish("Repaired."), { calls: [rightFix] }, finish()];
  const mock = await startCoder(steps);
  const { code, out } = await runCode(project, mock, ["repair total", "--yes", ...check]);
  expect(out).toMatch(/The check `.*--test` passed\.\n$/);
  expect(code).toBe(0);
  const told = messagesSeen(mock)[2]?.at(-1)?.content ?? "";
  expect(told).toContain("did not pass (exit code 1)");
  expect(told).toContain("-3 !== 3");
});

test("a check that never passes ends the run with 1", async () => {
  const project = createProject(broken);
  const mock = await startCoder([{ calls: [wrongFix] }, finish("Repaired.")]);
  const { code, out } = await runCode(project, mock, ["repair total", "--yes", ...check]);
  expect(out).toContain("did not pass (exit code 1)");
  expect(code).toBe(1);
});

test("the check gets no keys, and does not run where nobody has agreed to it", async () => {
  const show = `require("fs").writeFileSync("seen.json", JSON.stringify(process.env))`;
  const steps = [{ calls: [create("a.js", "a\n")] }, finish()];
  const given = ["--allow", "*.js", "--", process.execPath, "-e", show];
  const secrets = { GITHUB_TOKEN: "gh-secret", PLAIN: "mock-key-that-no-check-sees", LANG: "C" };
  const silent = createProject({});
  const refused = await runCode(silent, await startCoder(steps), ["add a", ...given], secrets);
  expect(refused.out).toContain("was not run: nobody could be asked. Start with --yes");
  expect(refused.code).toBe(1);
  expect([silent.has("a.js"), silent.has("seen.json")]).toEqual([true, false]);
  const asked = createProject({});
  const { code } = await runCode(
    asked,
    await startCoder(steps),
    ["add a", "--yes", ...given],
    secrets,
  );
  expect(code).toBe(0);
  const seen = asked.read("seen.json");
  expect(JSON.parse(seen)).toMatchObject({ HOME: asked.home, LANG: "C" });
  expect(seen).not.toMatch(/RIGHTSEAT|mock-key|gh-secret/);
});

test("files are created and deleted, folders included, and undo takes both back", async () => {
  const project = createProject({ "old.js": "export const old = 1;\n" });
  const remove: [string, object] = ["delete_file", { target_file: "old.js" }];
  const mock = await startCoder([
    { calls: [create("lib/deep/new.js", "export const now = 2;\n"), remove] },
    finish(),
  ]);
  const { code, out } = await runCode(project, mock, ["replace old", "--yes"]);
  expect(code).toBe(0);
  expect(out).toContain("new `lib/deep/new.js` (+1 −0)");
  expect(out).toContain("deleted `old.js` (+0 −1)");
  expect([project.has("old.js"), project.read("lib/deep/new.js")]).toEqual([
    false,
    "export const now = 2;\n",
  ]);
  expect(await runUndo(project)).toMatchObject({ code: 0 });
  expect([project.has("old.js"), project.has("lib")]).toEqual([true, false]);
});

test("without --yes nothing is written, and it is said how to allow it", async () => {
  const project = createProject(shop);
  const mock = await startCoder(rename);
  const { code, out, err } = await runCode(project, mock, ["rename total to sum"]);
  for (const [path, text] of Object.entries(shop)) expect(project.read(path)).toBe(text);
  expect(out).not.toContain("Modified");
  expect(err).toContain("Not done, since nobody could be asked:\n  src/cart.js\n  src/print.js\n");
  expect(err).toContain("--allow PATTERN");
  expect(code).toBe(1);
});

test("--allow writes what fits, and refuses the rest", async () => {
  const project = createProject(shop);
  const mock = await startCoder(rename);
  const { code, err } = await runCode(project, mock, [
    "rename",
    "--allow",
    "src/*",
    "--allow",
    "x",
  ]);
  expect(project.read("src/cart.js")).toContain("sum");
  expect(project.read("docs/use.html")).toContain("total");
  expect(err).toContain("Not done, since nobody could be asked:\n  docs/use.html\n--yes");
  expect(code).toBe(1);
});

test("Ctrl-C ends the run; what was written stays, and undo takes it back", async () => {
  const project = createProject(shop);
  const mock = await startCoder([...rename.slice(0, 2), { hangs: true }]);
  const program = startCode(project, mock, ["rename total to sum", "--yes"]);
  await untilShown(program, "✓ Edit docs/use.html");
  program.child.kill("SIGINT");
  expect(await program.exited).toBe(130);
  expect(program.stderr).toContain("Stopped. What was written stays (4 files).");
  expect(project.read("src/cart.js")).toContain("sum");
  expect(await runUndo(project)).toMatchObject({ code: 0 });
  for (const [path, text] of Object.entries(shop)) expect(project.read(path)).toBe(text);
});

test("Ctrl-C while the tools are opened ends the run before it begins", async () => {
  const project = createProject(shop);
  const mock = await startCoder(rename);
  const { code, err } = await runCode(project, mock, ["rename", "--yes"], stoppedStart);
  expect({ code, err }).toEqual({ code: 130, err: expect.stringContaining("Stopped.") });
  expect(messagesSeen(mock)).toEqual([]);
});

test("Ctrl-C during the check ends the check, too", async () => {
  const project = createProject({});
  const mock = await startCoder([{ calls: [create("a.js", "a\n")] }, finish()]);
  const wait = `require("fs").writeFileSync("pid", String(process.pid)); console.log("on"); setInterval(() => {}, 1000)`;
  const given = ["add a", "--yes", "--", process.execPath, "-e", wait];
  const program = startCode(project, mock, given);
  await expect
    .poll(() => project.has("pid") && project.read("pid"), { timeout: 50_000 })
    .toMatch(/\d/);
  program.child.kill("SIGINT");
  expect(await program.exited).toBe(130);
  expect(() => process.kill(Number(project.read("pid")), 0)).toThrow("ESRCH");
});

test("after kill -9 in the middle of a run undo restores the state before", async () => {
  const project = createProject(shop);
  const mock = await startCoder([...rename.slice(0, 2), { hangs: true }]);
  const program = startCode(project, mock, ["rename total to sum", "--yes"]);
  await untilShown(program, "✓ Edit src/print.js");
  program.child.kill("SIGKILL");
  await program.exited;
  expect(project.read("src/cart.js")).toContain("sum");
  expect(await runUndo(project)).toMatchObject({ code: 0 });
  for (const [path, text] of Object.entries(shop)) expect(project.read(path)).toBe(text);
});

test("while one run works in a folder, another one is told so and does nothing", async () => {
  const project = createProject(shop);
  const mock = await startCoder([...rename.slice(0, 2), { hangs: true }]);
  await using first = startCode(project, mock, ["rename total to sum", "--yes"]);
  await untilShown(first, "✓ Edit docs/use.html");
  const asked = mock.getRequests().length;
  const second = await runCode(project, mock, ["rename it again", "--yes"]);
  expect(second).toMatchObject({ code: 1, out: "" });
  expect(second.err).toBe(
    `Another agent works in this folder (process ${first.child.pid}). Wait until it has ended, or stop it.\n`,
  );
  expect(mock.getRequests()).toHaveLength(asked);
});

test("--json prints the history, the edits and the answer, and nothing else", async () => {
  const project = createProject(shop);
  const mock = await startCoder(rename);
  const { code, out } = await runCode(project, mock, ["rename total to sum", "--yes", "--json"]);
  expect(code).toBe(0);
  const report = JSON.parse(out);
  expect(report).toMatchObject({
    user_query: "rename total to sum",
    working_dir: project.folder,
    check: null,
    usage: { total_tokens: expect.any(Number) },
    end: "stop",
  });
  expect(Object.keys(report)).toEqual(
    "user_query working_dir history edit_operations response check usage end".split(" "),
  );
  expect(report.history.map(({ tool }: { tool: string }) => tool)).toEqual(
    "grep_search edit_file edit_file edit_file edit_file finish".split(" "),
  );
  expect(report.history[0]).toMatchObject({
    params: { query: "total" },
    result: { success: true },
  });
  expect(report.edit_operations).toContainEqual({
    target_file: "src/cart.js",
    start_line: 1,
    end_line: 1,
    replacement: "export function sum(items) {\n",
  });
  expect(report.response).toMatch(/^`total` is now called `sum`\./);
});

test("a run that the model's failure ends tells what it has written, also in the report", async () => {
  const project = createProject({ "a.js": "a\nb\n" });
  const mock = await startAimock((server) => {
    server.on(
      { predicate: ({ messages }) => messages.at(-1)?.role === "tool" },
      { error: { message: "No such key.", type: "invalid_request_error" }, status: 401 },
    );
    const [name, input] = edit("a.js", "b", "c");
    server.on(
      { predicate: () => true },
      { toolCalls: [{ id: "1", name, arguments: JSON.stringify(input) }] },
    );
  });
  const { code, out, err } = await runCode(project, mock, ["go", "--yes", "--json"]);
  expect(err).toContain("Modified:\n  a.js (+1 −1)\n");
  const report: unknown = JSON.parse(out);
  expect(report).toMatchObject({
    edit_operations: [{ target_file: "a.js", start_line: 2, end_line: 2, replacement: "c\n" }],
    end: "error",
  });
  expect(code).toBe(1);
});

test("the answer and the refusals are Chinese with --language zh", async () => {
  const project = createProject(shop);
  const mock = await startCoder(rename);
  const { out, err } = await runCode(project, mock, [
    "改名",
    "--language",
    "zh",
    "--allow",
    "src/*",
  ]);
  expect(out).toContain("**已成功修改：**");
  expect(err).toContain("✓ 修改 src/cart.js");
  expect(err).toContain("以下操作因无法询问而未执行：\n  docs/use.html\n");
});

test("a question that nobody can answer ends the run with 3, and the report has it", async () => {
  const project = createProject(shop);
  const choices = ["sum", "amount"];
  const asks: ModelStep = { calls: [["ask_person", { question: "Which name?", choices }]] };
  const { code, out, err } = await runCode(project, await startCoder([asks]), ["rename total"]);
  expect(code).toBe(3);
  expect(out).toContain("Which name?\n");
  expect(err).toContain("nobody could answer it here:\n  • sum\n  • amount\n");
  const json = await runCode(project, await startCoder([asks]), ["rename total", "--json"]);
  expect(json.code).toBe(3);
  expect(JSON.parse(json.out)).toMatchObject({
    end: "stop",
    question: { question: "Which name?", choices },
  });
});

test("no option lets a command run where nobody can be asked", async () => {
  const project = createProject(shop);
  const runs: ModelStep = { calls: [["run_command", { command: ["touch", "made.js"] }]] };
  const mock = await startCoder([runs, finish()]);
  const { code, err } = await runCode(project, mock, ["go", "--yes", "--allow", "**"]);
  expect(code).toBe(1);
  expect(err).toContain("Not done, since nobody could be asked:\n  touch made.js\n");
  expect(project.has("made.js")).toBe(false);
});
