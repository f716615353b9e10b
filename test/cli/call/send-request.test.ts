import { cliTexts } from "../../../src/cli/texts.ts";
import type { UpstreamFacts } from "../../../src/base/errors/app-error.ts";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { Endpoint } from "../../../src/cli/call/send-request.ts";
import { holdConversation } from "../../../src/cli/call/choose/next-steps.ts";
import type { CallRequest } from "../../../src/cli/call/collect/build-request.ts";
import type { Choice } from "../../../src/cli/call/show/print-actions.ts";
import { createTerminal } from "../../../src/cli/call/terminal.ts";

const request: CallRequest = {
  agent: "a",
  command: "explain",
  contextVariables: [{ name: "userInfo", value: { id: "u" } }],
};

const delta = (fields: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta: fields, ...more }] })}\n\n`;
const text = (content: string) => delta({ content });
const action = (value: object) => `event: copilot_action\ndata: ${JSON.stringify(value)}\n\n`;
const confirm = (title: string, command: string, prompt: string) =>
  action({ action: "confirm", state: {}, data: { title, message: `${title}!`, command, prompt } });
const done = "data: [DONE]\n\n";

const tree = action({
  action: "tree",
  state: {},
  data: {
    treeId: "t",
    rootPId: "root",
    nodes: [
      {
        id: "s",
        pId: "root",
        type: "source",
        name: "guide.md",
        description: "guide",
        labels: ["file"],
      },
      {
        id: "p",
        pId: "s",
        type: "passage",
        name: "[1] guide.md:3",
        description: "Prices are in cents.",
        labels: ["0.9"],
      },
      {
        id: "loop",
        pId: "loop",
        type: "passage",
        name: "its own parent",
        description: "",
        labels: [],
      },
    ],
    nodeActions: [
      {
        nodeType: "passage",
        nodeAction: "click",
        command: "explain",
        prompt: "Explain.",
        promptByNodeProperty: "description",
      },
    ],
  },
});

interface Script {
  answers: (string | Response)[];
  choose?: (choices: readonly Choice[]) => Choice | undefined;
  receipt?: boolean;
  raw?: boolean;
  language?: "en" | "zh";
  signal?: AbortSignal;
  model?: string;
  isLocal?: boolean;
  trouble?: UpstreamFacts;
}

/** Plays answers one after the other and tells what was sent and printed. */
async function play({
  answers,
  choose,
  receipt = false,
  raw = false,
  language = "en",
  signal = new AbortController().signal,
  model,
  isLocal = false,
  trouble,
}: Script) {
  const sent: CallRequest[] = [];
  const left = [...answers];
  const endpoint: Endpoint = {
    ...(isLocal && { trouble: () => trouble }),
    send(next) {
      sent.push(next);
      const answer = left.shift() ?? done;
      return Promise.resolve(typeof answer === "string" ? eventStream(answer) : answer);
    },
    close: () => Promise.resolve(),
  };
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const first = { ...request, ...(model === undefined ? {} : { model }) };
  const isSound = await holdConversation(first, {
    endpoint,
    terminal: createTerminal(stdout, stderr),
    signal,
    receipt,
    raw,
    texts: cliTexts(language),
    ...(choose === undefined ? {} : { choose: (choices) => Promise.resolve(choose(choices)) }),
  });
  const read = (stream: PassThrough): string => String(stream.read() ?? "");
  return { isSound, sent, out: read(stdout), err: read(stderr) };
}

/** Cuts the bytes small, so that frames and characters arrive in pieces. */
function eventStream(body: string, headers: Record<string, string> = {}): Response {
  const bytes = new TextEncoder().encode(body);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += 5)));
    },
  });
  return new Response(stream, {
    headers: { "content-type": "text/event-stream; charset=utf-8", ...headers },
  });
}

test("text, a tree and buttons are printed with numbers that count through", async () => {
  const { isSound, out, err } = await play({
    answers: [text("你好 ") + text("😀") + tree + confirm("Fix", "fix", "Fix it.") + done],
  });
  expect(out).toBe(
    [
      "你好 😀",
      "",
      "Next steps:",
      "  guide.md (file)",
      "    1. [1] guide.md:3 (0.9)",
      "  2. Fix",
      "",
    ].join("\n"),
  );
  expect(err).toBe("");
  expect(isSound).toBe(true);
});

test("a chosen button sends its command and prompt with the same context, until there is nothing to choose", async () => {
  const answers = [confirm("Fix", "fix", "Fix it.") + done, text("fixed") + done];
  const { sent, out } = await play({ answers, choose: (choices) => choices[0] });
  expect(sent).toEqual([
    request,
    {
      ...request,
      command: "fix",
      contextVariables: [
        { name: "userInputPrompt", value: "Fix it." },
        ...request.contextVariables,
      ],
    },
  ]);
  expect(out).toBe("fixed\n");
});

test("a chosen node sends the property that its action names", async () => {
  const { sent, out } = await play({ answers: [tree + done], choose: (choices) => choices[0] });
  expect(sent[1]?.command).toBe("explain");
  expect(sent[1]?.contextVariables[0]).toEqual({
    name: "userInputPrompt",
    value: "Prices are in cents.",
  });
  expect(out).toBe("\n  guide.md (file)\n    1. [1] guide.md:3 (0.9)\n");
});

test("an action that asks for undocumented feedback is no choice", async () => {
  const { out } = await play({
    answers: [action({ action: "confirm", state: {}, data: { title: "Odd" } }) + done],
  });
  expect(out).toBe("");
});

test("the document's own sample, with a button without message and an end marker of one newline, is understood", async () => {
  const sample = `${text("hello")}${action({ action: "confirm", state: {}, data: { title: "获取版本号", command: "version", prompt: "" } })}data: [Done]\n`;
  const { out, isSound } = await play({ answers: [sample] });
  expect(out).toBe("hello\n\nNext steps:\n  1. 获取版本号\n");
  expect(isSound).toBe(true);
});

test("a model cannot send escape sequences, not by text, title, label or error", async () => {
  const evil = "\u001b[2J";
  const nodes = [{ id: "n", pId: "r", type: "t", name: evil, description: "", labels: [evil] }];
  const body =
    text(evil) +
    delta({ reasoning_content: evil }) +
    confirm(evil, "fix", "") +
    action({
      action: "tree",
      state: {},
      data: { treeId: "t", rootPId: "r", nodes, nodeActions: [] },
    }) +
    `data: ${JSON.stringify({ error: { code: evil, message: evil } })}\n\n` +
    done;
  const { out, err } = await play({
    answers: [eventStream(body, { "x-rightseat-context": JSON.stringify({ command: evil }) })],
    receipt: true,
  });
  expect(out + err).not.toContain("\u001b");
  expect(out).toContain(String.raw`\x1b[2J`);
});

test("reasoning goes to standard error, on lines of its own", async () => {
  const { out, err } = await play({
    answers: [
      delta({ reasoning_content: "hm" }) + delta({ reasoning_content: "m" }) + text("so") + done,
    ],
  });
  expect(err).toBe("hmm\n\n");
  expect(out).toBe("so\n");
});

test("an error in the stream is told on standard error after the text, and the answer has failed", async () => {
  const error = {
    type: "server_error",
    code: "upstream_timeout",
    message: "The model was silent for 30 s.",
  };
  const last = `data: ${JSON.stringify({ choices: [{ delta: { content: "\n\nPlease try again." }, finish_reason: "error" }], error })}\n\n`;
  const { out, err, isSound } = await play({ answers: [text("half") + last + done] });
  expect(out).toBe("half\n");
  expect(err).toBe("Please try again.\nupstream_timeout: The model was silent for 30 s.\n");
  expect(isSound).toBe(false);
});

test("a stream that just stops is a failure", async () => {
  const { isSound, err } = await play({ answers: [text("half")] });
  expect(isSound).toBe(false);
  expect(err).toBe("The stream ended without its end marker, so the answer may be incomplete.\n");
});

test("an answer that the model cut is said to be cut", async () => {
  const { err, isSound } = await play({
    answers: [text("half") + delta({}, { finish_reason: "length" }) + done],
  });
  expect(err).toBe("The model stopped early: length.\n");
  expect(isSound).toBe(true);
});

test("a refusal is told with status, code and the problems that its message leaves out", async () => {
  const problems = [
    { path: "command", message: "expected text" },
    { path: "contextVariables[0].value", message: "expected an object" },
  ];
  const body = {
    error: {
      type: "t",
      code: "invalid_request",
      message: "Not valid. command: expected text",
      problems,
    },
  };
  const { err, isSound } = await play({ answers: [Response.json(body, { status: 400 })] });
  expect(err).toBe(
    "Refused with 400 invalid_request: Not valid. command: expected text\n  contextVariables[0].value: expected an object\n",
  );
  expect(isSound).toBe(false);
});

test("a refusal of a proxy that is no JSON is shown as it is", async () => {
  const { err } = await play({
    answers: [new Response("<h1>Bad Gateway</h1>", { status: 502, statusText: "Bad Gateway" })],
  });
  expect(err).toBe("Refused with 502 Bad Gateway\n<h1>Bad Gateway</h1>\n");
});

test("an answer that is not an event stream is refused by its content type", async () => {
  const page = new Response("<html>", { headers: { "content-type": "text/html" } });
  await expect(play({ answers: [page] })).rejects.toThrow(
    'not an event stream (Content-Type "text/html")',
  );
});

test("the receipt is printed as an aligned table before the answer", async () => {
  const receipt = {
    command: "explain",
    model: "offline",
    budget: 1000,
    tokens: 250,
    arrived: { userInfo: 8, activeEditor: 200 },
    cut: ["packageFiles: 1 of 3"],
    missing: ["knowledgeBase", "globalPrompts"],
    unused: ["userInfo"],
    dropped: [{ path: "contextVariables[0].value.id", message: "expected text" }],
  };
  const { err } = await play({
    answers: [eventStream(text("a") + done, { "x-rightseat-context": JSON.stringify(receipt) })],
    receipt: true,
  });
  expect(err).toBe(
    [
      "Context of explain for model offline (tokens are estimates)",
      "  userInfo        8  unused",
      "  activeEditor  200",
      "  prompt        250  of 1000",
      "  cut: packageFiles: 1 of 3",
      "  missing: knowledgeBase, globalPrompts",
      "  dropped: contextVariables[0].value.id (expected text)",
      "",
      "",
    ].join("\n"),
  );
  const chinese = await play({
    answers: [eventStream(text("a") + done, { "x-rightseat-context": JSON.stringify(receipt) })],
    receipt: true,
    language: "zh",
  });
  expect(chinese.err.split("\n").slice(0, 7)).toEqual([
    "explain 的上下文（模型 offline；token 数为估算）",
    "  userInfo        8  未使用",
    "  activeEditor  200",
    "  提示词        250  上限 1000",
    "  截去：packageFiles: 1 of 3",
    "  缺少：knowledgeBase、globalPrompts",
    "  丢弃：contextVariables[0].value.id (expected text)",
  ]);
  const { err: none } = await play({ answers: [done], receipt: true });
  expect(none).toBe("No context receipt came with this answer.\n\n");
});

test("raw prints the bytes as they came and nothing else, and still knows a failure", async () => {
  const body = `${text("😀")}${confirm("Fix", "fix", "")}: comment\n\n${done}`;
  const sound = await play({ answers: [body], raw: true });
  expect(sound).toMatchObject({ out: body, err: "", isSound: true });
  const cut = await play({ answers: [text("half")], raw: true });
  expect(cut).toMatchObject({ out: text("half"), err: "", isSound: false });
});

test("an abort ends the answer at once, and nothing of it is shown afterwards", async () => {
  const controller = new AbortController();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      stream.enqueue(new TextEncoder().encode(text("first")));
    },
    // The first piece was taken.
    pull() {
      setTimeout(() => controller.abort(), 20);
    },
    cancel() {
      isCancelled = true;
    },
  });
  const answer = new Response(body, { headers: { "content-type": "text/event-stream" } });
  const { out, err, isSound } = await play({ answers: [answer], signal: controller.signal });
  expect({ out, err, isSound, isCancelled }).toEqual({
    out: "first\n",
    err: "",
    isSound: false,
    isCancelled: true,
  });
});

test("a refusal that asks for patience says for how long", async () => {
  const body = { error: { code: "rate_limited", message: "Too many." } };
  const refuse = (wait: string) =>
    Response.json(body, { status: 429, headers: { "retry-after": wait } });
  const head = "Refused with 429 rate_limited: Too many.\n  Retry-After: ";
  expect((await play({ answers: [refuse("7")] })).err).toBe(`${head}7 s\n`);
  const date = "Wed, 21 Oct 2026 07:28:00 GMT";
  expect((await play({ answers: [refuse(date)] })).err).toBe(`${head}${date}\n`);
});

test("a model that was asked for and does not answer is told once, with the one that does", async () => {
  const chunk = `data: ${JSON.stringify({ model: "big-1", choices: [{ delta: { content: "a" } }] })}\n\n`;
  const note = "Model big-1 answers; big was asked for.\n";
  expect((await play({ answers: [chunk + chunk + done], model: "big" })).err).toBe(note);
  expect((await play({ answers: [chunk + done], model: "big-1" })).err).toBe("");
  expect((await play({ answers: [chunk + done] })).err).toBe("");
});

test("the receipt is believed before the chunks, which carry the provider's name of the model", async () => {
  const chunk = `data: ${JSON.stringify({ model: "big-1", choices: [{ delta: { content: "a" } }] })}\n\n`;
  const answer = (model: object) =>
    eventStream(chunk + done, {
      "x-rightseat-context": JSON.stringify({
        command: "chat",
        cut: [],
        missing: [],
        unknown: [],
        unused: [],
        ...model,
      }),
    });
  expect((await play({ answers: [answer({ model: "big" })], model: "big" })).err).toBe("");
  expect((await play({ answers: [answer({})], model: "big" })).err).toBe("");
  expect((await play({ answers: [answer({ model: "offline" })], model: "big" })).err).toBe(
    "Model offline answers; big was asked for.\n",
  );
});

test("who leaves the menu has had a whole answer", async () => {
  const answers = [text("a") + confirm("Fix", "fix", "Fix it.") + done];
  const { isSound, sent } = await play({ answers, choose: () => undefined });
  expect({ isSound, requests: sent.length }).toEqual({ isSound: true, requests: 1 });
});

const refuse = (status: number, code: string) =>
  Response.json({ error: { code, message: "No model." } }, { status });

test("a refusal is told in Chinese to whoever reads Chinese, with the message for who mends it", async () => {
  const { err } = await play({ answers: [refuse(502, "upstream_unreachable")], language: "zh" });
  expect(err).toMatch(/^请求被拒绝（502 upstream_unreachable）：无法连接模型.*\nNo model\.\n$/);
  const foreign = await play({ answers: [refuse(418, "teapot")], language: "zh" });
  expect(foreign.err).toBe("请求被拒绝（418 teapot）：No model.\n");
});

test("what a model refused is told in this process, and of a server its log tells it", async () => {
  const trouble = { host: "up.example", model: "up-1", status: 400, code: "bad\u001b[31m" };
  const answers = () => [refuse(502, "upstream_refused")];
  const line = "up-1 at up.example: HTTP 400, code bad";
  expect((await play({ answers: answers(), isLocal: true, trouble })).err).toContain(line);
  expect((await play({ answers: answers(), isLocal: true, trouble })).err).not.toContain("\u001b");
  expect((await play({ answers: answers(), trouble })).err).not.toContain("up.example");
});

test("a fault in this process is told with where its log can be seen", async () => {
  const hint = "With RIGHTSEAT_LOG_LEVEL=debug the log is shown here, which says why.\n";
  const failing = delta({ content: "Sorry." }, { finish_reason: "error" }).replace(
    "}\n\n",
    ',"error":{"code":"internal","message":"Unexpected."}}\n\n',
  );
  for (const answer of [() => refuse(500, "internal"), () => failing + done]) {
    expect((await play({ answers: [answer()], isLocal: true })).err).toContain(hint);
    expect((await play({ answers: [answer()] })).err).not.toContain("RIGHTSEAT_LOG_LEVEL");
  }
  const refused = await play({ answers: [refuse(404, "unknown_command")], isLocal: true });
  expect(refused.err).not.toContain("RIGHTSEAT_LOG_LEVEL");
});
