// Every kind of click, sent twice, and once more after the file has changed; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { printUnits } from "../../../src/edit/read/print-units.ts";
import type { Script } from "../../../src/testing.ts";
import { type Action, stepsOf } from "../../../src/turn/action.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { ask, editor, prompted, type Reply, send, user } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { code } from "../../helpers/code-parser.ts";

const file = `export function total(items) {
  let sum = 0;
  for (const item of items) sum =+ item.price;
  return sum;
}

export function count(items) {
  return items.length;
}
`;
const changed = `// A new line.\n\n${file}`;
const edit = (search: string, replace: string): string =>
  `<file-edit filePath="src/cart.js">\n${printUnits([{ search, replace }])}</file-edit>\n`;
const loop = "  for (const item of items) sum =+ item.price;\n";
const repair = edit(loop, loop.replace("=+", "+="));
const options = `## Option A\n\n${repair}\n## Option B\n\n${repair.replace("+=", "= sum + ")}`;
const cases = JSON.stringify({
  test_cases: [
    { description: "adds", category: "happy path" },
    { description: "no items", category: "edge case" },
  ],
});
const knowledgeBase = {
  name: "knowledgeBase",
  value: [
    {
      knowledgeBaseId: "kb",
      references: [{ score: 1, chunk: "Prices are in cents.", metadata: { fileName: "a.md" } }],
    },
  ],
};
const nth = (steps: Record<string, unknown>, index: number): string =>
  Object.keys(steps)[index] ?? "";

interface Kind {
  command: string;
  /** Lines that are selected. */
  lines?: [number, number];
  script: Script;
  question?: string;
  /** Which action of the answer, and which of its steps. */
  action: number;
  step?: number;
  /** The first line of what is sent. */
  says: string;
  /** What is told of a file that has changed: in words, or by the lines that are looked at then. */
  notices: "words" | "lines" | "nothing of the file";
}

const kinds: Record<string, Kind> = {
  "a symbol": {
    command: "explain",
    script: ["It is."],
    action: 0,
    step: 1,
    says: "Explain count, lines 7-9",
    notices: "lines",
  },
  "a passage": {
    command: "chat",
    question: "Cents?",
    script: ["Yes."],
    action: 0,
    says: "Explain this passage of a.md",
    notices: "nothing of the file",
  },
  "a function": {
    command: "unittest",
    script: [cases],
    action: 0,
    says: "Recommend test cases for total, lines 1-5",
    notices: "lines",
  },
  "a test case": {
    command: "unittest",
    lines: [1, 5],
    script: [cases],
    action: 0,
    says: "Write tests for total, lines 1-5",
    notices: "lines",
  },
  "all test cases": {
    command: "unittest",
    lines: [1, 5],
    script: [cases],
    action: 1,
    says: "Write tests for total, lines 1-5",
    notices: "lines",
  },
  "more cases": {
    command: "unittest-write",
    lines: [1, 5],
    script: ["x"],
    action: 0,
    says: "Recommend more test cases for total, lines 1-5",
    notices: "lines",
  },
  "the whole file": {
    command: "fix",
    lines: [1, 5],
    script: [repair],
    action: 0,
    says: "Show the whole file with this change",
    notices: "words",
  },
  "the change explained": {
    command: "fix",
    lines: [1, 5],
    script: [repair],
    action: 2,
    says: "Explain what this change does and why",
    notices: "nothing of the file",
  },
  "a place of a change": {
    command: "fix",
    script: [edit("}\n", "};\n")],
    action: 0,
    step: 1,
    says: "Apply the change at line 9",
    notices: "words",
  },
  "one of several changes": {
    command: "fix",
    lines: [1, 5],
    script: [options],
    action: 0,
    says: "Apply this change: Option A",
    notices: "words",
  },
  "one of several places": {
    command: "fix",
    question: "fix total() and count()",
    script: [],
    action: 0,
    says: "Fix total, lines 1-5",
    notices: "lines",
  },
  "the next step at a place": {
    command: "explain",
    question: "explain count()",
    script: ["It is."],
    action: 1,
    says: "Fix count, lines 7-9",
    notices: "lines",
  },
};

/** The click, as a client sends it by itself and by feedback, to a server that answers it from its prompt. */
async function offer(kind: Kind) {
  const { command, lines, script, question, action: index, step = 0, says } = kind;
  const answer = /unit|Recommend/.test(says) ? cases : "It is.\n";
  const { app, model } = createTestApp({
    code,
    models: [...(script.length === 0 ? [] : [script]), [answer]],
  });
  const more = question === undefined ? [] : [prompted(question)];
  const reply = await ask(app, command, [editor(file, lines), knowledgeBase, ...more]);
  const actions = reply.actions.filter((_, at) => at >= index);
  const [action] = actions;
  if (action === undefined) throw new Error("There is nothing to click.");
  const steps = stepsOf(action);
  const key = nth(steps, step);
  const sent = steps[key] ?? { command: "", prompt: "" };
  const context = (content: string) => [editor(content, [1, 1]), knowledgeBase];
  const byPrompt = (content: string) =>
    ask(app, sent.command, [...context(content), prompted(sent.prompt)]);
  const byState = (content: string) =>
    send(app, {
      ...feedback(action, key),
      contextVariables: [user, ...context(content)],
    });
  return { action, sent, model, byPrompt, byState };
}

function feedback({ action, state }: Action, key: string) {
  return { action, state, nodeId: key.split(" ")[0], nodeAction: "click" };
}

const shown = ({ text, actions, finish }: Reply) => ({
  text,
  finish,
  data: actions.map(({ data }) => JSON.stringify(data).replaceAll(/turn-\d+/g, "turn")),
});

describe.each(Object.entries(kinds))("a click on %s", (_, kind) => {
  test("reads like a sentence, and has the rest in one block", async () => {
    const { action, sent } = await offer(kind);
    const [line = "", empty, ...rest] = sent.prompt.split("\n");
    expect(line).toBe(kind.says);
    expect(line).not.toMatch(/[[\]{}`<>]/);
    if (empty !== undefined) {
      expect(empty).toBe("");
      expect(rest[0]).toMatch(/^`{3,}\w+$/);
      expect(rest.at(-1)).toMatch(/^`{3,}$/);
      expect(rest.slice(1, -1).filter((one) => /^`{3,}/.test(one))).toEqual([]);
    }
    if (action.action !== "tree") return;
    const [click] = action.data.nodeActions;
    expect(click).not.toHaveProperty("prompt");
    expect(click?.promptByNodeProperty).toBe("prompt");
    for (const { prompt: own, ...seen } of action.data.nodes) {
      if (own !== undefined) expect(JSON.stringify(seen)).not.toContain(own.slice(0, 20));
      expect(JSON.stringify(seen)).not.toMatch(/```|SEARCH|\[(?:lines|unit|whole|chosen)/);
    }
  });

  test("has the same effect twice, by its prompt and by its state", async () => {
    const { byPrompt, byState, model } = await offer(kind);
    const before = model.requests.length;
    const replies = [];
    for (const click of [byPrompt, byPrompt, byState, byState])
      replies.push(shown(await click(file)));
    const [first, ...others] = replies;
    for (const other of others) expect(other).toEqual(first);
    const asked = model.requests.slice(before).map(({ messages }) => messages.map(textOfMessage));
    for (const request of asked) expect(request).toEqual(asked[0]);
    expect(asked.length % replies.length).toBe(0);
  });

  test("notices that the file has changed", async () => {
    const { byPrompt, byState, model } = await offer(kind);
    for (const click of [byPrompt, byState]) {
      const before = model.requests.length;
      const { text } = await click(changed);
      const asked = model.requests[before]?.messages.map(textOfMessage).at(-1) ?? "";
      expect(text.includes("The file has changed since")).toBe(kind.notices === "words");
      if (kind.notices === "lines")
        expect(asked).toMatch(/> {0,2}[39] \| export|lines (?:3 to 7|9 to 11)/);
    }
  });
});

test("a click names its file, so that a change elsewhere in it is noticed, too", async () => {
  const { byPrompt } = await offer(kinds["the whole file"] as Kind);
  expect((await byPrompt(file)).text).not.toContain("has changed");
  expect((await byPrompt(file.replace("items.length", "items.size"))).text).toContain(
    "has changed",
  );
});

describe("feedback that opens a node", () => {
  const nested = "class Cart {\n  total() {}\n  count() {}\n}\nclass Order {\n  total() {}\n}\n";
  async function open(nodeId: unknown, more: object = {}) {
    const { app, model } = createTestApp({ code, models: [["It is."]] });
    const contextVariables = [user, editor(nested)];
    const listed = await send(app, { command: "explain", contextVariables });
    const [tree] = listed.actions;
    const body = { action: "tree", state: tree?.state, nodeId, nodeAction: "expand", ...more };
    const before = model.requests.length;
    const reply = await send(app, { ...body, contextVariables });
    return {
      tree,
      reply,
      asked: model.requests.length - before,
      again: send(app, { ...body, contextVariables }),
      app,
    };
  }

  test("is answered with its children, asks no model, and can come twice", async () => {
    const { tree, reply, asked, again } = await open("symbol-1");
    if (tree?.action !== "tree") throw new Error("There is no tree.");
    const [opened, ...others] = reply.actions;
    if (opened?.action !== "tree") throw new Error("There is no tree.");
    expect(others).toEqual([]);
    expect([reply.status, reply.text, reply.finish, asked]).toEqual([200, "", "stop", 0]);
    expect(opened.data).toMatchObject({ treeId: tree.data.treeId, rootPId: "symbol-1" });
    expect(opened.data.nodes).toEqual(tree.data.nodes.filter(({ pId }) => pId === "symbol-1"));
    expect(opened.data.nodes.map(({ name }) => name)).toEqual(["total", "count"]);
    expect((await again).actions).toEqual(reply.actions);
  });

  test("without children is answered with none, and its own children can be clicked", async () => {
    expect((await open("symbol-2")).reply.actions[0]?.data).toMatchObject({ nodes: [] });
    const { reply, app } = await open("symbol-4");
    const [opened] = reply.actions;
    const body = { action: "tree", state: opened?.state, nodeId: "symbol-5", nodeAction: "click" };
    const clicked = await send(app, { ...body, contextVariables: [user, editor(nested)] });
    expect(clicked.text).toContain("It is.");
  });

  test("of a tree that is too large to be sealed whole is refused, and its nodes can be clicked", async () => {
    const { app } = createTestApp({ code, models: [["It is."]] });
    const long = Array.from({ length: 180 }, (_, at) => `function f${at}(${"p".repeat(150)}) {}\n`);
    const contextVariables = [user, editor(long.join(""))];
    const [tree] = (await send(app, { command: "explain", contextVariables })).actions;
    expect(tree?.state).toMatch(/^v1\./);
    const body = { action: "tree", state: tree?.state, nodeId: "symbol-7", contextVariables };
    expect((await send(app, { ...body, nodeAction: "expand" })).status).toBe(403);
    expect((await send(app, { ...body, nodeAction: "click" })).text).toContain("It is.");
  });

  test.each(["symbol-99", "root", "", "__proto__", 7, undefined])(
    "%j that the tree does not have is refused",
    async (nodeId) => {
      expect((await open(nodeId)).reply.status).toBe(403);
    },
  );
});
