// A conversation with a person at a real (pseudo) terminal.
import { describe, expect, test, vi } from "vitest";
import { messagesSeen } from "../helpers/e2e-aimock.ts";
import {
  cliPath,
  coderSettings,
  createProject,
  edit,
  finish,
  type Project,
  startCoder,
  stoppedStart,
} from "../helpers/e2e-code.ts";
import { spawnCommand } from "../helpers/e2e-process.ts";
import { eventStream, startUpstream } from "../helpers/e2e-upstream.ts";
import { chunk, frame } from "../helpers/upstream.ts";
import { hasPython, killed, runAtTerminal, type ScreenStep } from "../helpers/e2e-terminal.ts";

// Each walk is a person's, with many keys, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const [down, enter, escape, interrupt] = ["\u001b[B", "\r", "\u001b", "\u0003"];
const cart = "export function total(prices) {\n  return prices.length;\n}\n";
const fixed = cart.replace("length", "size");
const block = `<<<<<<< SEARCH\n${cart.split("\n")[1]}\n=======\n${fixed.split("\n")[1]}\n>>>>>>> REPLACE`;
const story = Array.from({ length: 400 }, (_, nth) => `Part ${nth}.`).join("\n\n");

function talk(
  project: Project,
  settings: Record<string, string>,
  args: readonly string[],
  steps: readonly ScreenStep[],
) {
  const environment = { ...settings, TERM: "xterm-256color" };
  return runAtTerminal([cliPath, ...args], environment, steps, project.folder);
}

interface Words {
  lang: string;
  ready: string;
  question: string;
  answer: string;
  next: string;
  written: string;
  change: string;
  restored: string;
  stopped: string;
  cut: string;
  leave: string;
}

const english: Words = {
  lang: "en_US.UTF-8",
  ready: "% of the window",
  question: "What is wrong with @cart.js?",
  answer: "It counts the prices.",
  next: "What next?",
  written: "cart.js was written.",
  change: "Write this change to cart.js?",
  restored: "Restored: cart.js",
  stopped: "Stopped.",
  cut: "(stopped)",
  leave: "Press Ctrl-C again to leave.",
};
const chinese: Words = {
  lang: "zh_CN.UTF-8",
  ready: "窗口已用",
  question: "@cart.js 有什么问题？",
  answer: "它只数了价格的个数。",
  next: "接下来做什么？",
  written: "cart.js 已写入。",
  change: "把这项修改写入 cart.js 吗？",
  restored: "已恢复：cart.js",
  stopped: "已停止。",
  cut: "（已停止）",
  leave: "再按一次 Ctrl-C 退出。",
};

describe.skipIf(!hasPython)("at a terminal", () => {
  test("Ctrl-C while the tools are opened leaves the terminal as it was", async () => {
    const project = createProject({});
    const mock = await startCoder([finish()]);
    const settings = { ...coderSettings(project, mock), ...stoppedStart };
    const { code, raw } = await talk(project, settings, [], []);
    // A child's -2, by SIGINT, as an exit code.
    expect({ code, marksPastes: raw.includes("\u001b[?2004h") }).toEqual({
      code: 254,
      marksPastes: false,
    });
  });

  test.each([english, chinese])("a whole walk in $lang", async (words) => {
    const project = createProject({ "cart.js": cart });
    const mock = await startCoder([
      { content: words.answer },
      { content: block },
      { calls: [edit("cart.js", "total", "sum")] },
      finish(),
      { content: story, isSlow: true },
      { content: story, isSlow: true },
      { content: "The end." },
    ]);
    const settings = { ...coderSettings(project, mock), LANG: words.lang };
    const first = await talk(
      project,
      settings,
      [],
      [
        [words.ready, words.question + enter],
        [words.answer, ""],
        [words.ready, `/fix cart.js${enter}`],
        // The change of the flow is applied, and taken back.
        [words.next, down + enter],
        [words.written, ""],
        [words.next, enter],
        [words.ready, `/undo${enter}`],
        [words.restored, ""],
        // A change of the agent is agreed to, shown and taken back.
        [words.ready, `total > sum${enter}`],
        [words.change, enter],
        [words.ready, `/diff${enter}`],
        ["+export function sum(prices)", ""],
        [words.ready, `/undo${enter}`],
        [words.restored, ""],
        // An answer is stopped, and the conversation goes on.
        [words.ready, `story${enter}`],
        ["Part 3.", escape],
        [words.stopped, ""],
        [words.ready, `more${enter}`],
        ["Part 3.", killed],
      ],
    );
    expect(first.code).not.toBe(0);
    expect(project.read("cart.js")).toBe(cart);
    const second = await talk(
      project,
      settings,
      ["--continue"],
      [
        ["> more", ""],
        ["Part 3.", ""],
        [words.cut, ""],
        [words.ready, `and then?${enter}`],
        ["The end.", ""],
        [words.ready, interrupt],
        [words.leave, interrupt],
      ],
    );
    expect(second.code).toBe(0);
    // What was said and done is what the model gets.
    const asked = messagesSeen(mock).at(-1) ?? [];
    const history = asked.filter(({ role }) => role !== "system").map(({ content }) => content);
    expect(history[0]).toBe(words.question);
    expect(history[1]).toBe(words.answer);
    expect(history[2]).toBe("/fix cart.js");
    expect(history.filter((text) => /cart\.js[)）]/.test(text))).toHaveLength(2);
    expect(history.filter((text) => text.startsWith("Part 0.\n\nPart 1."))).toHaveLength(2);
    expect(history.at(-1)).toContain("and then?");
  });

  test("a pasted block is one message, and a conversation of another folder is not for this one", async () => {
    const project = createProject({ "cart.js": cart });
    const mock = await startCoder([{ content: "I see." }]);
    const settings = coderSettings(project, mock);
    const { code, screen } = await talk(
      project,
      settings,
      [],
      [
        ["of the window", `\u001b[200~one\ttwo\rthree\u001b[201~${enter}`],
        ["I see.", ""],
        ["of the window", `/exit${enter}`],
      ],
    );
    expect(code).toBe(0);
    expect(screen).toContain("> [Pasted 2 lines #1]");
    expect(messagesSeen(mock)).toHaveLength(1);
    expect(messagesSeen(mock)[0]?.at(-1)?.content).toContain("one\ttwo\nthree");
    const [, id = ""] = /--resume (\w{8})/.exec(screen) ?? [];
    const elsewhere = createProject({});
    const refused = await talk(elsewhere, settings, ["--resume", id], []);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.screen).toContain(`That conversation belongs to ${project.folder}.`);
  });
});

test("without a terminal one question is answered, and kept", async () => {
  const project = createProject({ "cart.js": cart });
  const mock = await startCoder([{ content: "It counts." }]);
  const settings = coderSettings(project, mock);
  const run = async (...args: string[]) => {
    const program = spawnCommand(project.folder, args, settings);
    const code = await program.exited;
    return { code, out: program.stdout, err: program.stderr };
  };
  expect(await run()).toEqual({
    code: 1,
    out: "",
    err: expect.stringMatching(/^A conversation needs a terminal\. .+\n$/),
  });
  expect(await run("Why is it wrong?")).toMatchObject({ code: 0, out: "It counts.\n" });
  expect(await run("--continue", "And now?")).toMatchObject({ code: 0, out: "It counts.\n" });
  expect(messagesSeen(mock)[1]?.map(({ content }) => content)).toEqual(
    expect.arrayContaining(["Why is it wrong?", "It counts."]),
  );
  const listed = await run("chat", "--list");
  expect(listed.out).toMatch(/^[\da-f]{8} {2}\S+ \S+ {2}\S+ {2}Why is it wrong\?\n$/);
  expect(listed.out).toContain(project.folder);
  expect(await run("chat", "--delete", "zz")).toMatchObject({
    code: 1,
    err: "There is no conversation zz. See rightseat chat --list.\n",
  });
  expect(await run("chat", "--delete", listed.out.slice(0, 4))).toMatchObject({ code: 0 });
  expect(await run("chat", "--list")).toMatchObject({ out: "" });
  expect(await run("--continue", "Why?")).toMatchObject({ code: 1 });
  expect(project.read("cart.js")).toBe(cart);
});

test("a conversation that is open elsewhere goes on as a copy, and neither loses anything", async () => {
  const project = createProject({ "cart.js": cart });
  const more = Promise.withResolvers<void>();
  const word = (content: string): string => frame(chunk({ role: "assistant", content }));
  await using model = await startUpstream(async ({ socket }, count) => {
    socket.write(eventStream + word("It counts"));
    if (count === 1) await more.promise;
    socket.end(
      `${word(count === 1 ? " first." : " second.")}${frame(chunk({}, "stop"))}data: [DONE]\n\n`,
    );
  });
  const settings = {
    HOME: project.home,
    RIGHTSEAT_OPENAI_BASE_URL: model.url,
    RIGHTSEAT_OPENAI_API_KEY: "key",
  };
  const run = async (...args: string[]) => {
    const program = spawnCommand(project.folder, args, settings);
    const code = await program.exited;
    return { code, out: program.stdout, err: program.stderr };
  };
  const first = spawnCommand(project.folder, ["Why is it wrong?"], settings);
  await expect.poll(() => model.requests.length).toBe(1);
  const [id = ""] = (await run("chat", "--list")).out.split(" ");
  const second = await run("--continue", "And now?");
  expect(second).toMatchObject({ code: 0, out: "It counts second.\n" });
  const told =
    /^Conversation (\w{8}) is open in another program\. Here it goes on as a copy, (\w{8})\.$/m;
  expect(told.exec(second.err)?.[1]).toBe(id);
  expect(model.requests[1]?.body).toContain("Why is it wrong?");
  expect(await run("chat", "--delete", id)).toMatchObject({ code: 1 });
  more.resolve();
  expect(await first.exited).toBe(0);
  expect(first.stdout).toBe("It counts first.\n");
  await run("--resume", id, "And then?");
  expect(model.requests[2]?.body).toContain("It counts first.");
  await run("--resume", told.exec(second.err)?.[2] ?? "", "And then?");
  expect(model.requests[3]?.body).toContain("It counts second.");
  expect(model.requests[3]?.body).not.toContain("It counts first.");
});

test("commands of an agent need no call, and what is neither a command nor a question is refused", async () => {
  const project = createProject({ "cart.js": cart });
  const run = async (...args: string[]) => {
    const program = spawnCommand(project.folder, args, { HOME: project.home });
    const code = await program.exited;
    return { code, out: program.stdout, err: program.stderr };
  };
  const called = await run("call", "explain", "cart.js");
  expect(called.code).toBe(0);
  expect(await run("explain", "cart.js")).toEqual(called);
  expect((await run("help", "explain")).out).toContain("Usage: rightseat call");
  expect(await run("explian", "cart.js")).toEqual({
    code: 1,
    out: "",
    err: "Unknown command 'explian'. Did you mean explain?\n",
  });
  // The folder does not choose its model, for the coding agent might answer.
  project.write("rightseat.json", '{ "models": [] }');
  expect((await run("Why?")).err).toContain("rightseat.json of this folder is ignored");
  // Without tools the files of a question come along, but no secrets and nothing from outside.
  const [secret, outside] = [".env", "../other.js"];
  project.write(secret, "KEY=canary\n");
  project.write(outside, "export const canary = 1;\n");
  const asked = await run(`What do @${secret}, @${outside} and @cart.js hold?`);
  expect(asked.code).toBe(0);
  expect(asked.out).toContain("function `total`");
  expect(asked.out).not.toContain("canary");
  expect(asked.err).toContain("@.env does not come along: it may hold secrets");
  expect(asked.err).toContain("@../other.js does not come along");
});
