// The agent for editors inside of this process: the client side of the official package talks with it over streams.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as sdk from "@agentclientprotocol/sdk";
import { array, assert, asyncProperty, constantFrom, integer, option, string } from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { createAcpAgent } from "../../../src/cli/acp/acp-agent.ts";
import { readPromptBlocks } from "../../../src/cli/acp/read-prompt.ts";
import { createConversations } from "../../../src/cli/chat/conversations.ts";
import { cliTexts } from "../../../src/cli/texts.ts";
import { createMemoryStore } from "../../../src/store/memory-store.ts";
import { openEditor } from "../../helpers/acp-client.ts";
import { createProject } from "../../helpers/e2e-code.ts";
import { createManualTimers } from "../../helpers/manual-timers.ts";

const texts = cliTexts("en");
const cart = "export function total(prices) {\n  return prices.length;\n}\n";

function createStream(): [sdk.Stream, sdk.Stream] {
  const [there, back] = [new TransformStream(), new TransformStream()];
  return [
    sdk.ndJsonStream(there.writable, back.readable),
    sdk.ndJsonStream(back.writable, there.readable),
  ];
}

/** The offline model answers. */
async function open() {
  const project = createProject({ "cart.js": cart });
  vi.stubEnv("HOME", project.home);
  vi.stubEnv("XDG_STATE_HOME", undefined);
  const timers = createManualTimers();
  const store = createMemoryStore({ now: timers.now });
  let ids = 0;
  const createId = (): string => `${++ids}`.padStart(8, "0");
  const conversations = createConversations({
    store,
    now: timers.now,
    timers,
    createId,
    process: "1",
    isAlive: () => true,
  });
  const options = { language: "en", model: "offline" };
  const { app, close } = createAcpAgent(sdk, { options, conversations, texts });
  const [mine, theirs] = createStream();
  app.connect(theirs);
  const editor = await openEditor(mine);
  onTestFinished(close);
  const cwd = project.folder;
  const start = () => editor.agent.request("session/new", { cwd, mcpServers: [] });
  return { project, editor, start };
}

test("several sessions go on side by side, each with its own files, mode and commands", async () => {
  const { project, editor, start } = await open();
  const [one, other] = [await start(), await start()];
  expect(one.modes?.currentModeId).toBe("code");
  await editor.agent.request("session/set_mode", { sessionId: other.sessionId, modeId: "ask" });
  const wrong = { sessionId: other.sessionId, modeId: "fly" };
  await expect(editor.agent.request("session/set_mode", wrong)).rejects.toThrow(/param/i);
  const uri = pathToFileURL(join(project.folder, "cart.js")).href;
  const ends = await Promise.all([
    editor.prompt(one.sessionId, "/explain", { type: "resource_link", name: "cart.js", uri }),
    editor.prompt(other.sessionId, "/help"),
  ]);
  expect(ends).toEqual(["end_turn", "end_turn"]);
  expect(editor.said()).toContain("/explain");
  const { sessions } = await editor.agent.request("session/list", {});
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual([one.sessionId]);
  await editor.agent.request("session/close", { sessionId: one.sessionId });
  await expect(editor.prompt(one.sessionId, "/help")).rejects.toThrow(one.sessionId);
  const again = { sessionId: one.sessionId, cwd: project.folder };
  expect(await editor.agent.request("session/resume", again)).toMatchObject({
    modes: { currentModeId: "code" },
  });
});

test("whatever address and mark an editor writes, only files of the folder are meant, and lines that they have", async () => {
  const project = createProject({ "cart.js": cart, "a b.js": cart });
  const at = { cwd: project.folder, root: project.folder, texts };
  const file = constantFrom("cart.js", "a b.js", "../home", "none.js", ".git/config", "%zz", "");
  const mark = option(
    constantFrom("L", "").chain((start) =>
      array(integer({ min: 0, max: 2_000_000_000 }), { minLength: 1, maxLength: 3 }).chain(
        (lines) => constantFrom(":", "-", "-L", ",").map((between) => start + lines.join(between)),
      ),
    ),
  );
  const uri = constantFrom("file://", "FILE://", "").chain((scheme) =>
    file.chain((name) =>
      option(string()).chain((odd) =>
        mark.map(
          (text) =>
            `${scheme}${join(project.folder, name)}${odd ?? ""}${text === null ? "" : `#${text}`}`,
        ),
      ),
    ),
  );
  await assert(
    asyncProperty(uri, async (address) => {
      const link = { type: "resource_link" as const, name: "x", uri: address };
      const { place, message } = await readPromptBlocks(
        [{ type: "text", text: "/fix " }, link],
        at,
      );
      expect(message.startsWith("/fix")).toBe(true);
      if (place === undefined) return;
      expect(["cart.js", "a b.js"]).toContain(place.file);
      if (place.lines !== undefined) expect(place.lines).toMatch(/^[1-3]-[1-3]$/);
    }),
  );
});

test("very many parts and very long ones are read", async () => {
  const project = createProject({});
  const at = { cwd: project.folder, root: project.folder, texts };
  const long = "x".repeat(1024 * 1024);
  const many = Array.from({ length: 20_000 }, () => ({ type: "text" as const, text: "a " }));
  const resource = { uri: long, text: "`".repeat(100_000) };
  const { message } = await readPromptBlocks([...many, { type: "resource", resource }], at);
  expect(message.length).toBeGreaterThan(1_000_000);
});
