// exec_code: the agent works on the plugin's project, or on the texts of the request; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { createIdeServices } from "../../../src/doors/plugin/ide-services.ts";
import { printPluginChanges } from "../../../src/doors/plugin/frame-writer.ts";
import { type Script, scriptedModel } from "../../../src/testing.ts";
import { hashOf } from "../../helpers/tool-workspace.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { holdText } from "../../../src/workspace/source/held-file.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { toolCall } from "../../helpers/loop-app.ts";
import { createManualTimers } from "../../helpers/manual-timers.ts";
import { createMemoryChannel } from "../../helpers/memory-channel.ts";
import {
  addNote,
  converse,
  createProjectIde,
  fileServices,
  finish,
  inRoot,
  type ProjectIde,
  rename,
  request,
  root,
  script,
  shop,
} from "../../helpers/plugin-code.ts";
import { connect, type Frame, msgOf } from "../../helpers/plugin-client.ts";
import { editOf } from "../../helpers/plugin-requests.ts";

const project = { ...request, ide_services: fileServices, root };
const readsOnly = { ...project, ide_services: ["/read_file", "/list_files"] };
const renamed = shop["shop/cart.py"].replace("total", "sum_up");
const note = "`total` is `sum_up` now.\n";

async function run(
  asked: Frame,
  ide: Pick<ProjectIde, "answer"> = createProjectIde(),
  scripts: readonly Script[] = script,
) {
  const model = scriptedModel(scripts);
  const { app } = createTestApp({ models: model });
  const talk = await converse(await connect(app), asked, ide);
  const toolResults = (model.requests.at(-1)?.messages ?? []).filter(({ role }) => role === "tool");
  return { ...talk, msg: msgOf(talk.frames), last: talk.frames.at(-1), toolResults, model };
}

const ofRequest = {
  ...request,
  filepath: "shop\\cart.py",
  file_content: shop["shop/cart.py"],
  selected_text: {
    filepath: "shop\\cart.py",
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 16 } },
    text: "def total(items):",
  },
};

describe.each(["en", "zh"])("the conversation in %s", (language) => {
  test.each<[string, Frame]>([
    ["writes", project],
    ["proposes", readsOnly],
    ["request", ofRequest],
  ])("of exec_code that %s is as recorded", async (name, asked) => {
    let text = "";
    for (const stream of [false, true]) {
      const { said } = await run({ ...asked, language, stream });
      text += `${said.join("\n")}\n`;
    }
    await expect(text).toMatchFileSnapshot(
      `../../fixtures/plugin/exec_code-${name}.${language}.txt`,
    );
  });
});

describe("with a plugin that writes", () => {
  test("a write that the person refuses is told to the model, with the reason", async () => {
    const ide = createProjectIde(shop, { [inRoot("shop/cart.py")]: "Not before the release." });
    const { last, toolResults, msg } = await run(project, ide);
    expect(ide.texts.get(inRoot("shop/cart.py"))).toBe(shop["shop/cart.py"]);
    expect(toolResults.map(textOfMessage).join("\n")).toContain("Not before the release.");
    expect(last).toMatchObject({ written: ["NOTES.md"] });
    expect(msg).not.toContain("+def sum_up");
  });

  test("a failure after a write names what was written", async () => {
    const ide = createProjectIde();
    const scripts = [[rename], [new Error("The model broke.")]];
    const { frames } = await run(project, ide, scripts);
    expect(frames).toEqual([
      { request_id: 123, error: expect.any(String), written: ["shop/cart.py"] },
    ]);
  });

  test.each([
    ["and nothing was written, so the model is told", false, []],
    ["but the file was written, which is found out", true, ["shop/cart.py"]],
  ])("a person does not answer in time, %s", async (_, isWritten, written) => {
    const timers = createManualTimers();
    const model = scriptedModel([[rename], finish()]);
    const { app } = createTestApp({ models: model, timers });
    const ide = createProjectIde();
    const answer = async (path: string, params: Frame): Promise<Frame> => {
      if (path !== "/write_file") return ide.answer(path, params);
      if (isWritten) await ide.answer(path, params);
      timers.pass(601_000);
      // Too late.
      return { result: true };
    };
    const { frames } = await converse(await connect(app), project, { answer });
    expect(frames).toMatchObject([{ written }]);
    const result = model.requests.at(-1)?.messages.at(-1);
    expect(result === undefined ? "" : textOfMessage(result)).toContain(
      isWritten ? "applied" : "did not answer it within 600 seconds",
    );
  });

  test("a plugin that does not answer a write is not asked for another one", async () => {
    const timers = createManualTimers();
    const { channel, peer } = createMemoryChannel();
    const ide = createIdeServices(channel, timers);
    ide.announce(["write_file"], undefined);
    const { signal } = new AbortController();
    const params = { abspath: "/a", before_hash: null, text: "x" };
    const asked = ide.ask("/write_file", params, signal).catch((thrown: unknown) => thrown);
    timers.pass(599_000);
    expect(ide.has("/write_file")).toBe(true);
    timers.pass(2_000);
    expect(await asked).toMatchObject({ code: "ide_timeout" });
    expect([ide.has("/write_file"), peer.received.length]).toEqual([false, 1]);
  });

  test("protected names and paths that lead out never reach it", async () => {
    const write = (target_file: string) =>
      toolCall("edit_file", { target_file, instructions: "Write.", code_edit: "x\n" });
    const reads = ["..\\secret.txt", "C:\\Windows\\win.ini", "/etc/passwd", ".env"].map((path) =>
      toolCall("read_file", { target_file: path, explanation: "Look." }),
    );
    const writes = [".git/config", ".vscode/tasks.json", "..\\x", "D:\\x"].map(write);
    const { questions, last } = await run(project, undefined, [
      [...reads, ...writes],
      finish("Nothing."),
    ]);
    expect(questions.map(({ path }) => path)).not.toContain("/write_file");
    for (const { params } of questions)
      expect(params).toMatchObject({ abspath: expect.stringMatching(/^C:\\code\\shop/) });
    expect(JSON.stringify(questions)).not.toMatch(/passwd|win\.ini|env|secret/);
    expect(last).toMatchObject({ written: [] });
  });
});

describe("without a plugin that writes", () => {
  test("a file that goes has no text", async () => {
    const remove = toolCall("delete_file", { target_file: "shop/item.py", explanation: "Unused." });
    const { last } = await run(readsOnly, undefined, [[remove], finish("Gone.")]);
    const before_hash = hashOf(shop["shop/item.py"]);
    expect(last?.["changes"]).toEqual([{ filepath: "shop/item.py", before_hash, text: null }]);
  });

  test("an answer that changes nothing says so with an empty list", async () => {
    const { last, msg } = await run(readsOnly, undefined, [["It adds prices."]]);
    expect(last).toMatchObject({ changes: [] });
    expect(msg).toContain("It adds prices.");
  });
});

describe("on the texts of a request", () => {
  test.each<[string, Frame]>([
    ["announces nothing", {}],
    ["reads, and does not tell its root", { ide_services: fileServices }],
    ["tells a root that is no absolute path", { ide_services: fileServices, root: "shop" }],
    ["tells its root, and reads nothing", { ide_services: [], root }],
  ])("a plugin that %s is asked nothing and gets the changes", async (_, announced) => {
    const { last, questions } = await run({ ...ofRequest, ...announced });
    expect(questions).toEqual([]);
    const before_hash = hashOf(shop["shop/cart.py"]);
    expect(last?.["changes"]).toEqual([
      { filepath: "NOTES.md", before_hash: null, text: note },
      { filepath: "shop/cart.py", before_hash, text: renamed },
    ]);
  });

  test("the selection reaches the model, though the whole file came along", async () => {
    const { model } = await run({ ...ofRequest, selected_text: { text: "def total(items):" } });
    const prompt = (model.requests[0]?.messages ?? []).map(textOfMessage).join("\n");
    expect(prompt).toContain("def total(items):");
    expect(prompt).toContain("shop/cart.py");
    expect(prompt).toContain("Rename `total`");
  });

  test("files with absolute paths keep them, new ones beside them, too", async () => {
    const files = await Promise.all([
      holdText("home/ada/shop/cart.py", "a\n"),
      holdText("home/ada/shop/new.py", "\ufeffb\n"),
      holdText("other.py", "c\n"),
    ]);
    const changed = files.map((now) => ({ path: now.path, before: undefined, now }));
    expect(printPluginChanges(changed, ["/home/ada/shop/cart.py"]).changes).toEqual([
      { filepath: "/home/ada/shop/cart.py", before_hash: null, text: "a\n" },
      { filepath: "/home/ada/shop/new.py", before_hash: null, text: "\ufeffb\n" },
      { filepath: "other.py", before_hash: null, text: "c\n" },
    ]);
  });

  test("changes that have no room are named", async () => {
    const now = await holdText("large.txt", "x".repeat(2 * 1024 * 1024 + 1));
    const small = await holdText("small.txt", "x");
    const changed = [small, now].map((file) => ({ path: file.path, before: undefined, now: file }));
    expect(printPluginChanges(changed, [])).toEqual({
      changes: [{ filepath: "small.txt", before_hash: null, text: "x" }],
      left_out: ["large.txt"],
    });
  });
});

test("no answer has a fence, whatever the model writes and however it is cut", async () => {
  const pieces = ["Use:\n``", "`py\nx = 1\n", "```\nthen ``", "`~~~` and\n- ~~~\n  y\n  ~~~\nend"];
  const { msg, frames } = await run({ ...readsOnly, stream: true }, undefined, [
    pieces,
    [rename, addNote],
  ]);
  expect(msg).not.toMatch(/`{3}|~{3}/);
  expect(msg).toContain("Use:\n\n    x = 1\n\nthen ");
  expect(frames.length).toBeGreaterThan(2);
});

test("an answer of exec_chat that holds edits shows them, and no tags", async () => {
  const { app } = createTestApp({ models: [["Use a better name.\n\n", editOf("a = 1", "b = 1")]] });
  const client = await connect(app);
  const chat = { request_id: 1, cmd: "exec_chat", msg: "Name it.", model: "" };
  const msg = msgOf(await client.ask(chat));
  expect(msg).toContain("Use a better name.");
  expect(msg).toContain("`shop/cart.py` is not at hand here");
  expect(msg).toContain("a = 1\n=======\nb = 1\n");
  expect(msg).not.toContain("file-edit");
});

test("a request needs msg and model", async () => {
  const { frames } = await run({ request_id: 1, cmd: "exec_code" });
  expect(frames).toEqual([{ request_id: 1, error: "Missing fields: msg, model." }]);
});

test("another task ends it, and its pending question is forgotten", async () => {
  const { app } = createTestApp({ models: script });
  const client = await connect(app);
  client.send(project);
  expect(await client.next()).toMatchObject({ path: "/list_files" });
  client.send({ request_id: 2, cmd: "exec_chat", msg: "Hello", model: "" });
  expect(await client.next()).toEqual({ request_id: 123, error: "cancelled" });
});
