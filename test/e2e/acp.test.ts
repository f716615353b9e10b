// `rightseat acp` as an editor starts it: over standard input and output, with the client side of the official package.
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { NewSessionRequest } from "@agentclientprotocol/sdk";
import * as draft from "@agentclientprotocol/sdk/experimental/v2";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Editor, type EditorOptions, openEditor, startAcp } from "../helpers/acp-client.ts";
import { lastMessage, messagesSeen } from "../helpers/e2e-aimock.ts";
import {
  type ModelStep,
  coderSettings,
  create,
  createProject,
  edit,
  finish,
  startCoder,
} from "../helpers/e2e-code.ts";

vi.setConfig({ testTimeout: 120_000 });
const soon = { timeout: 60_000 };

const cart = "export function total(prices) {\n  return prices.length;\n}\n";
const fixed = cart.replace("length", "size");
const block = `<<<<<<< SEARCH\n${cart.split("\n")[1]}\n=======\n${fixed.split("\n")[1]}\n>>>>>>> REPLACE`;
const story = Array.from({ length: 400 }, (_, nth) => `Part ${nth}.`).join("\n\n");
const read: ModelStep = { calls: [["read_file", { target_file: "cart.js" }]] };

async function open(steps: readonly ModelStep[], options: EditorOptions = {}, language = "en") {
  const project = createProject({
    "cart.js": cart,
    "b.js": "export const b = 1;\n",
    "package.json": "{}\n",
    ".env": "KEY=planted\n",
  });
  writeFileSync(join(project.home, "outside.txt"), "planted\n");
  symlinkSync(join(project.home, "outside.txt"), join(project.folder, "link.txt"));
  const mock = await startCoder(steps);
  const start = (args: readonly string[] = []) =>
    startAcp(coderSettings(project, mock), ["--language", language, ...args]);
  const program = start();
  const editor = await openEditor(program.stream(), options);
  const at: NewSessionRequest = { cwd: project.folder, mcpServers: [] };
  const { sessionId, modes } = await editor.agent.request("session/new", at);
  const uriOf = (path: string, mark = "") =>
    `${pathToFileURL(join(project.folder, path)).href}${mark}`;
  const link = (path = "cart.js", mark = "") =>
    ({ type: "resource_link", name: path, uri: uriOf(path, mark) }) as const;
  return { project, mock, program, start, editor, at, sessionId, modes, link, uriOf };
}

function nextCommands(editor: Editor): string[] {
  const { availableCommands = [] } = editor.of("available_commands_update").at(-1) ?? {};
  return availableCommands.map(({ name }) => name);
}

test("explain, the next step by its number, permission, and the file is changed", async () => {
  const steps = [{ content: "It counts the prices." }, { content: block }, { content: block }];
  const { project, mock, editor, sessionId, link } = await open(steps, { choices: ["no", "yes"] });
  // What the editor attaches may come before the command.
  expect(await editor.prompt(sessionId, link("cart.js", "#L2:3"), "/explain")).toBe("end_turn");
  expect(editor.said()).toMatch(/It counts the prices\.[^]*1\. Fix/);
  expect(lastMessage(mock)).toContain("selected (marked with >): 2:1 to 3:2");
  await vi.waitFor(() => expect(nextCommands(editor)).toContain("1"), soon);
  expect(nextCommands(editor)).toEqual(expect.arrayContaining(["fix", "undo", "code"]));
  expect(nextCommands(editor)).not.toContain("clear");
  expect(await editor.prompt(sessionId, "/1")).toBe("end_turn");
  const [question] = editor.asked;
  const change = { type: "diff", path: join(project.folder, "cart.js"), oldText: cart };
  expect(question?.toolCall.content).toEqual([{ ...change, newText: fixed }]);
  expect(question?.options.map(({ kind }) => kind)).toEqual([
    "allow_once",
    "allow_always",
    "reject_once",
  ]);
  // They said no.
  expect(project.read("cart.js")).toBe(cart);
  expect(editor.of("tool_call_update").at(-1)).toMatchObject({ status: "failed" });
  expect(await editor.prompt(sessionId, "/fix")).toBe("end_turn");
  expect(project.read("cart.js")).toBe(fixed);
  expect(editor.of("tool_call_update").at(-1)).toMatchObject({ status: "completed" });
  expect(await editor.prompt(sessionId, "/undo")).toBe("end_turn");
  expect(project.read("cart.js")).toBe(cart);
});

test("the coding agent shows a plan, its calls and changes; a yes for the session leaves guarded files out", async () => {
  const steps: ModelStep[] = [
    read,
    { calls: [edit("cart.js", "total", "sum")] },
    finish(),
    { calls: [edit("b.js", "b", "c")] },
    { calls: [create("notes.txt", "Done.\n")] },
    finish(),
  ];
  const { project, editor, sessionId } = await open(steps, { choices: ["all", "no"] });
  expect(await editor.prompt(sessionId, "rename total to sum")).toBe("end_turn");
  const statuses = editor.of("plan").map(({ entries }) => entries.map(({ status }) => status));
  expect(statuses[0]).toEqual(["in_progress", "pending", "pending"]);
  expect(statuses.at(-1)).toEqual(["completed", "completed", "completed"]);
  expect(editor.of("tool_call").map(({ kind, locations }) => [kind, locations])).toEqual([
    ["read", [{ path: join(project.folder, "cart.js") }]],
    ["edit", [{ path: join(project.folder, "cart.js") }]],
  ]);
  expect(project.read("cart.js")).toContain("sum");
  await editor.prompt(sessionId, "go on");
  expect(project.read("b.js")).toContain("c");
  // A change that was not asked for is shown as well.
  expect(editor.of("tool_call_update").some(({ content }) => content?.[0]?.type === "diff")).toBe(
    true,
  );
  expect(editor.asked).toHaveLength(2);
  expect(editor.asked[1]?.toolCall.title).toContain("notes.txt");
  expect(editor.asked[1]?.options.map(({ kind }) => kind)).toEqual(["allow_once", "reject_once"]);
  expect(project.has("notes.txt")).toBe(false);
});

test("what is not saved in the editor is explained, and changed there", async () => {
  const buffers = new Map<string, string>();
  const steps: ModelStep[] = [
    { content: "I see." },
    { content: block },
    read,
    { calls: [edit("cart.js", "// unsaved", "// written")] },
    finish(),
  ];
  const { project, mock, editor, sessionId, link } = await open(steps, {
    buffers,
    choices: ["yes"],
  });
  const path = join(project.folder, "cart.js");
  buffers.set(path, `// unsaved\n${cart}`);
  await editor.prompt(sessionId, "/explain", link());
  expect(lastMessage(mock)).toContain("// unsaved");
  await editor.prompt(sessionId, "/fix");
  expect(buffers.get(path)).toBe(`// unsaved\n${fixed}`);
  await editor.prompt(sessionId, "mend the comment");
  expect(buffers.get(path)).toBe(`// written\n${fixed}`);
  expect(project.read("cart.js")).toBe(cart);
});

test("files outside, secret ones and links are named to the model by no content; texts and images come along", async () => {
  const { project, mock, editor, sessionId, link, uriOf } = await open([{ content: "Yes." }]);
  await editor.agent.request("session/set_mode", { sessionId, modeId: "ask" });
  const outside = pathToFileURL(join(project.home, "outside.txt")).href;
  const text = { uri: "https://example.org/doc", text: "Prices are numbers." };
  const hostile = ["file://%zz", "file:///%00", "", "javascript:alert(1)", "../home/outside.txt"];
  await editor.prompt(
    sessionId,
    "What is this?",
    link("link.txt"),
    link(".env"),
    link("b.js"),
    { type: "resource_link", name: "outside", uri: outside },
    ...hostile.map((uri) => ({ type: "resource_link", name: "x", uri }) as const),
    { type: "resource", resource: text },
    { type: "resource", resource: { uri: uriOf("cart.js"), text: "// as shown\n" } },
    { type: "image", data: "aGk=", mimeType: "image/png" },
  );
  const seen = JSON.stringify(messagesSeen(mock).at(-1));
  expect(seen).not.toContain("planted");
  for (const part of [
    "Prices are numbers.",
    "// as shown",
    "export const b",
    "image/png;base64,aGk=",
  ])
    expect(seen).toContain(part);
  await expect(editor.prompt(sessionId, "/explain ../home/outside.txt")).rejects.toThrow(/outside/);
});

test("a cancelled turn ends as such, also at a question, and the conversation goes on and is loaded", async () => {
  const steps: ModelStep[] = [
    { content: story, isSlow: true },
    { calls: [edit("cart.js", "total", "sum")] },
    { content: "The end." },
  ];
  const given = await open(steps, { choices: ["silence"] });
  const { project, editor, sessionId, at, start } = given;
  const cancel = () => editor.agent.notify("session/cancel", { sessionId });
  const first = editor.prompt(sessionId, "/chat a story");
  await vi.waitFor(() => expect(editor.said()).toContain("Part 3."), soon);
  await expect(editor.prompt(sessionId, "more")).rejects.toThrow(/still works/);
  await cancel();
  expect(await first).toBe("cancelled");
  const second = editor.prompt(sessionId, "rename it");
  await vi.waitFor(() => expect(editor.asked).toHaveLength(1), soon);
  await cancel();
  expect(await second).toBe("cancelled");
  expect(project.read("cart.js")).toBe(cart);
  expect(await editor.prompt(sessionId, "/chat and then?")).toBe("end_turn");
  expect(editor.said()).toContain("The end.");
  const other = await openEditor(start().stream());
  const { sessions } = await other.agent.request("session/list", { cwd: project.folder });
  expect(sessions).toMatchObject([{ sessionId, cwd: project.folder, title: "/chat a story" }]);
  const load = (more = {}) => other.agent.request("session/load", { ...at, sessionId, ...more });
  await expect(load()).rejects.toThrow(/open in another program/);
  await editor.agent.request("session/close", { sessionId });
  await load();
  expect(JSON.stringify(other.of("user_message_chunk"))).toContain("/chat a story");
  expect(JSON.stringify(other.of("agent_message_chunk"))).toMatch(/Part 3\.[^]*The end\./);
  await expect(load({ cwd: project.home })).rejects.toThrow(project.folder);
  await other.agent.request("session/delete", { sessionId });
  expect((await other.agent.request("session/list", {})).sessions).toEqual([]);
  await expect(other.agent.request("session/resume", { ...at, sessionId })).rejects.toThrow(
    sessionId,
  );
});

/** An editor that speaks the draft of version 2: the client side of the official package. */
async function openDraft(stream: draft.Stream, choices: string[] = []) {
  const updates: draft.SessionUpdate[] = [];
  const asked: draft.RequestPermissionRequest[] = [];
  const { client: own, agent: methods } = draft.methods;
  const connection = draft
    .client({ name: "test" })
    .onNotification(own.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(own.session.requestPermission, ({ params }) => {
      asked.push(params);
      return { outcome: { outcome: "selected", optionId: choices.shift() ?? "no" } };
    })
    .connect(stream);
  onTestFinished(() => connection.close());
  const { agent } = connection;
  const info = { name: "test", version: "1" };
  const { protocolVersion, capabilities } = await agent.request(methods.initialize, {
    protocolVersion: 2,
    info,
  });
  expect([protocolVersion, capabilities?.session?.prompt?.image]).toEqual([2, {}]);
  const kinds = () => updates.map(({ sessionUpdate }) => sessionUpdate);
  const states = () =>
    updates.flatMap((one) => (one.sessionUpdate === "state_update" ? [one] : []));
  return {
    agent,
    updates,
    asked,
    kinds,
    states,
    /** Until the work on a message has ended. */
    async prompt(sessionId: string, text: string) {
      const start = updates.length;
      const prompt = [{ type: "text" as const, text }];
      const { messageId } = await agent.request(methods.session.prompt, { sessionId, prompt });
      const since = () => updates.slice(start);
      const ends = () =>
        since().filter((one) => one.sessionUpdate === "state_update" && one.state === "idle");
      await vi.waitFor(() => expect(ends()).toHaveLength(1), soon);
      const told = { sessionUpdate: "user_message", messageId, content: prompt };
      expect(since()).toContainEqual(told);
      return ends()[0];
    },
  };
}

test("an editor that speaks the draft of version 2 has sessions, text, plans, changes and permission in it", async () => {
  const steps: ModelStep[] = [
    { content: "It counts the prices." },
    read,
    { calls: [edit("cart.js", "total", "sum")] },
    finish(),
    { content: story, isSlow: true },
  ];
  const { project, start } = await open(steps);
  const cwd = { cwd: project.folder };
  const editor = await openDraft(start().stream(), ["yes"]);
  const { agent, updates, asked, kinds, states } = editor;
  const { session } = draft.methods.agent;
  const { sessionId, configOptions } = await agent.request(session.new, cwd);
  expect(configOptions).toMatchObject([{ configId: "mode", currentValue: "code" }]);
  expect(await editor.prompt(sessionId, "/explain cart.js")).toMatchObject({
    stopReason: "end_turn",
  });
  const chunks = () =>
    updates.flatMap((one) => (one.sessionUpdate === "agent_message_chunk" ? [one] : []));
  const said = () =>
    chunks()
      .map(({ content }) => String(Reflect.get(Object(content), "text")))
      .join("");
  expect(said()).toContain("It counts the prices.");
  expect(new Set(chunks().map(({ messageId }) => messageId)).size).toBe(1);
  await editor.prompt(sessionId, "rename total to sum");
  expect(project.read("cart.js")).toContain("sum");
  const changes = [{ operation: "modify", path: join(project.folder, "cart.js") }];
  const content = expect.arrayContaining([expect.objectContaining({ type: "diff", changes })]);
  expect(asked).toMatchObject([{ subject: { type: "tool_call", toolCall: { content } } }]);
  expect(JSON.stringify(asked)).toContain("-export function total");
  expect(kinds()).toEqual(expect.arrayContaining(["plan_update", "tool_call_update"]));
  expect(kinds()).not.toContain("tool_call");
  const mode = { sessionId, configId: "mode", type: "id", value: "ask" } as const;
  const set = await agent.request(session.setConfigOption, mode);
  expect(set.configOptions).toMatchObject([{ currentValue: "ask" }]);
  const told = editor.prompt(sessionId, "a story");
  await vi.waitFor(() => expect(said()).toContain("Part 3."), soon);
  await expect(editor.prompt(sessionId, "more")).rejects.toThrow(/still works/);
  await agent.notify(session.cancel, { sessionId });
  expect(await told).toMatchObject({ stopReason: "cancelled" });
  expect(await editor.prompt(sessionId, "/fixx")).toMatchObject({ stopReason: "error" });
  await agent.request(session.close, { sessionId });
  updates.length = 0;
  await agent.request(session.resume, { ...cwd, sessionId, replayFrom: { type: "start" } });
  expect(states()).toMatchObject([{ state: "idle" }]);
  expect(JSON.stringify(updates)).toMatch(/user_message_chunk[^]*rename total/);
  expect(said()).toContain("Part 3.");
  expect((await agent.request(session.list, {})).sessions.map((one) => one.sessionId)).toContain(
    sessionId,
  );
  await agent.request(session.delete, { sessionId });
  await expect(agent.request(session.resume, { ...cwd, sessionId })).rejects.toThrow(sessionId);
});

test("what fails is told in the person's language", async () => {
  const { mock, editor, sessionId, modes } = await open([{}], {}, "zh");
  expect(modes?.availableModes.map(({ name }) => name)).toEqual(["编码", "问答"]);
  await expect(editor.prompt(sessionId, "/fixx")).rejects.toThrow("没有指令 /fixx");
  await expect(editor.prompt(sessionId, "")).rejects.toThrow("消息中没有文字");
  await expect(editor.prompt("none", "a")).rejects.toThrow("没有对话 none");
  const relative = editor.agent.request("session/new", { cwd: "src", mcpServers: [] });
  await expect(relative).rejects.toThrow("必须是绝对路径");
  await mock.stop();
  await expect(editor.prompt(sessionId, "/chat 你好")).rejects.toThrow(/无法访问|连接/);
  await mock.start();
});

/** Lines of JSON, as they come. */
async function talk(program: ReturnType<typeof startAcp>, ...lines: string[]) {
  let out = "";
  program.child.stdout.on("data", (bytes: Buffer) => (out += bytes.toString()));
  for (const line of lines) program.child.stdin.write(`${line}\n`);
  await vi.waitFor(() => expect(out.split("\n").length).toBeGreaterThan(lines.length), soon);
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
}

test("bad lines are answered, and the process ends with its input, a line without end, or a signal", async () => {
  const project = createProject({});
  const settings = { HOME: project.home, LANG: "en_US.UTF-8" };
  const program = startAcp(settings);
  const answers = await talk(
    program,
    "{",
    "7",
    '{"jsonrpc":"2.0","id":1,"method":"no/such"}',
    '{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":7}}',
    '{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":99}}',
  );
  const codes = new Map(answers.map(({ id, error }) => [id, error?.code]));
  expect(answers.map(({ error }) => error?.code)).toContain(-32700);
  expect(codes.get(1)).toBe(-32601);
  expect(codes.get(2)).toBe(-32602);
  expect(answers.find(({ id }) => id === 3)).toMatchObject({ result: { protocolVersion: 1 } });
  program.child.stdin.end();
  expect(await program.exited).toBe(0);
  const flooded = startAcp(settings);
  flooded.child.stdin.on("error", () => undefined);
  flooded.child.stdin.write("x".repeat(40 * 1024 * 1024));
  expect(await flooded.exited).toBe(1);
  expect(flooded.stderr).toMatch(/more than \d+ bytes/);
  const killed = startAcp(settings);
  await talk(
    killed,
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}',
  );
  killed.child.kill("SIGTERM");
  expect(await killed.exited).toBe(0);
});

test("an editor that leaves in the middle of a turn ends it, and what was said is kept", async () => {
  const { program, editor, sessionId, start, at } = await open([{ content: story, isSlow: true }]);
  const asking = editor.prompt(sessionId, "/chat a story");
  asking.catch(() => undefined);
  await vi.waitFor(() => expect(editor.said()).toContain("Part 3."), soon);
  program.child.stdin.destroy();
  program.child.stdout.destroy();
  expect(await program.exited).toBe(0);
  const other = await openEditor(start().stream());
  await other.agent.request("session/load", { ...at, sessionId });
  expect(JSON.stringify(other.of("agent_message_chunk"))).toContain("Part 3.");
});

test("without its package the command names it", async () => {
  const project = createProject({});
  const hook = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (name !== "@agentclientprotocol/sdk") return next(name, context);
      throw Object.assign(new Error("none"), { code: "ERR_MODULE_NOT_FOUND" });
    } });`;
  const url = `data:text/javascript,${encodeURIComponent(hook)}`;
  const program = startAcp({ HOME: project.home, NODE_OPTIONS: `--import=${url}` });
  onTestFinished(() => void program.child.kill());
  expect(await program.exited).toBe(1);
  expect(program.stderr).toContain("npm install @agentclientprotocol/sdk");
});
