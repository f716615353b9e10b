// What clients make of the tools; on Node and in workerd.
import type { CallToolResult, ElicitResult } from "@modelcontextprotocol/client";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { cases } from "../../helpers/cases.ts";
import type { App } from "../../../src/app.ts";
import { applyTextChanges } from "../../../src/edit/unified-diff.ts";
import type { ProposedEdit } from "../../../src/turn/proposed-edit.ts";
import { createTestApp, fewCommands } from "../../helpers/create-test-app.ts";
import { gatedModel } from "../../helpers/gated-model.ts";
import { type McpClientOptions, connectMcp, eras, textOfResult } from "../../helpers/mcp-client.ts";
import { post } from "../../helpers/copilot-request.ts";

const code = "const a = 1;\nconst b = 2;\nconst c = 3;\n";
const unit =
  "It was wrong.\n\n------- SEARCH\nconst b = 2;\n=======\nconst b = 4;\n+++++++ REPLACE\n";
const fix = { name: "rightseat_fix", arguments: { path: "src/a.ts", code, startLine: 2 } };

interface Answer {
  answer: string;
  edits: ProposedEdit[];
  next: { title: string; command: string; state: string }[];
  trees: { state: string; nodes: { id: string; name: string; actions: string[] }[] }[];
  error: { code: string };
}

async function connect(app: App, options: McpClientOptions = {}) {
  const client = await connectMcp(app, options);
  onTestFinished(() => client.close());
  return client;
}

/** The facts are of the schema that the client has checked them by. */
function factsOf({ structuredContent }: CallToolResult): Answer {
  return structuredContent as Answer;
}

describe.each(eras)("a client of the revision %s", (era) => {
  test("gets an answer as text, and its edit as facts", async () => {
    const { app } = createTestApp({ models: [[unit]] });
    const client = await connect(app, { era });
    // The client checks the facts by the schema that the list has.
    await client.listTools();
    const result = await client.callTool(fix);
    expect(textOfResult(result)).toMatch(/^It was wrong\.[^]*\+const b = 4;[^]*`\/unittest/);
    const { answer, edits, next } = factsOf(result);
    expect(answer.trim()).toBe("It was wrong.");
    expect(edits).toMatchObject([
      {
        filePath: "src/a.ts",
        units: [{ search: "const b = 2;\n", replace: "const b = 4;\n" }],
        result: { status: "applied", changes: [{ startLine: 2, endLine: 2 }] },
      },
    ]);
    expect(next.map(({ command }) => command)).toEqual(["fix", "unittest", "explain"]);
  });

  test("goes on by the state of a button, and of a node, in a further call", async () => {
    const { app, model } = createTestApp({ models: [[unit], ["Explained."], [unit]] });
    const client = await connect(app, { era });
    const { next } = factsOf(await client.callTool(fix));
    const { state } = next.find(({ command }) => command === "explain") ?? {};
    const explained = await client.callTool({
      name: "rightseat_fix",
      arguments: { ...fix.arguments, state, ask: false },
    });
    expect(explained.isError ?? false).toBe(false);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("const b = 4;");
    const twice = { ...fix.arguments, code: `${code}// again\n${code}` };
    const places = await client.callTool({ ...fix, arguments: { ...twice, startLine: undefined } });
    const [tree] = factsOf(places).trees;
    expect(tree?.nodes.map(({ actions }) => actions)).toEqual([["click"], ["click"]]);
    expect(JSON.stringify(tree)).not.toContain("prompt");
    const { state: ofTree, nodes = [] } = tree ?? {};
    const chosen = await client.callTool({
      ...fix,
      arguments: { ...twice, state: ofTree, node: nodes[1]?.id },
    });
    expect(factsOf(chosen).edits[0]?.result).toMatchObject({ changes: [{ startLine: 6 }] });
  });

  test("is told of progress, which joined is what the model wrote", async () => {
    const words = Array.from({ length: 300 }, (_, nth) => `word${nth} `);
    const { app } = createTestApp({ models: [words] });
    const client = await connect(app, { era });
    const heard: string[] = [];
    const counts: number[] = [];
    const result = await client.callTool(
      { name: "rightseat_chat", arguments: { question: "Why?" } },
      {
        onprogress({ message = "", progress }) {
          heard.push(message);
          counts.push(progress);
        },
      },
    );
    expect(heard.length).toBeGreaterThan(3);
    expect(textOfResult(result).startsWith(heard.join(""))).toBe(true);
    expect(counts).toEqual([...new Set(counts)].sort((one, other) => one - other));
  });

  test("that cancels a call ends the request to the model", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const client = await connect(app, { era });
    const stopped = new AbortController();
    const call = client
      .callTool(fix, { signal: stopped.signal })
      .catch((thrown: unknown) => thrown);
    await expect.poll(() => model.requests.length).toBe(1);
    stopped.abort();
    await call;
    // Of the older revision a stateless server hears nothing but that the client has left.
    if (era === "legacy") await client.close();
    await expect.poll(() => model.aborted).toBe(1);
  });

  test.each([
    [{ code, startLine: 9 }, "startLine"],
    [{ code, startLine: 3, endLine: 2 }, "endLine"],
    [{ startLine: 1 }, "code"],
    [{ code, startLine: 1.5 }, "startLine"],
    [{ code: 7, files: "x" }, "files"],
    [{ code, state: "v1.random.xyz" }, "state"],
  ])("is told what is wrong with the input %j, in its language", async (given, field) => {
    const { app, model } = createTestApp();
    const client = await connect(app, { era, language: "zh-CN" });
    const result = await client.callTool({ name: "rightseat_fix", arguments: given });
    expect(result.isError).toBe(true);
    expect(textOfResult(result)).toMatch(/\p{Script=Han}/u);
    expect(textOfResult(result)).toContain(field);
    expect(model.requests).toEqual([]);
  });

  test("that calls a tool which does not exist gets an error of the protocol", async () => {
    const { app } = createTestApp();
    const client = await connect(app, { era });
    const thrown: unknown = await client.callTool({ name: "rightseat_fly" }).catch((one) => one);
    expect(thrown).toMatchObject({ code: -32602, message: expect.stringContaining("fly") });
  });
});

test("what models write in place of fields and values is understood", async () => {
  const { app, model } = createTestApp({ models: [["Yes."]] });
  const client = await connect(app);
  const given = {
    prompt: "Is it right?",
    file_path: "a.ts",
    content: code,
    startLine: "2",
    endLine: null,
  };
  const result = await client.callTool({ name: "rightseat_explain", arguments: given });
  expect(result.isError ?? false).toBe(false);
  const asked = JSON.stringify(model.requests[0]?.messages);
  expect(asked).toContain("Is it right?");
  expect(asked).toContain("> 2");
});

test("the lines of a file with any line ends are selected as an editor would", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "b", " ", "界", "\r") });
  return fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      fc.nat(),
      async (lines, from, to) => {
        const startLine = (from % lines.length) + 1;
        const endLine = startLine + (to % (lines.length - startLine + 1));
        const { app } = createTestApp({ models: [["Yes."]] });
        const client = await connectMcp(app);
        try {
          const given = { code: lines.join("\n"), startLine, endLine, question: "Why?" };
          const result = await client.callTool({ name: "rightseat_chat", arguments: given });
          expect(result.isError ?? false).toBe(false);
        } finally {
          await client.close();
        }
      },
    ),
    { numRuns: cases(7) },
  );
});

describe("the names of tools", () => {
  test("hold the agent's where there are several", async () => {
    const other = {
      ...fewCommands,
      name: "java helper",
      commands: [{ name: "fix" }, { name: "修复" }],
    };
    const { app } = createTestApp({ agents: [fewCommands, other] });
    const { tools } = await (await connect(app)).listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain("rightseat_fix");
    expect(names).toContain("java-helper_fix");
    expect(names).not.toContain("rightseat_default");
  });

  test("are legal and differ, whatever agents and commands are called, and each can be called", () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, unit: "binary" }),
      fc.constantFrom("fix", "Fix", "edit", "f i x"),
    );
    const agent = fc.record({ name, commands: fc.uniqueArray(name, { maxLength: 4 }) });
    const agents = fc.uniqueArray(agent, { maxLength: 3, selector: (one) => one.name });
    return fc.assert(
      fc.asyncProperty(agents, async (given) => {
        const { app } = createTestApp({
          agents: given.map(({ name: own, commands }) => ({
            name: own,
            commands: commands.map((one) => ({
              name: one,
              messageTemplates: [{ role: "user" as const, content: "Hi" }],
            })),
          })),
        });
        const client = await connectMcp(app);
        try {
          const { tools } = await client.listTools();
          const names = tools.map((tool) => tool.name);
          for (const one of names) expect(one).toMatch(/^[A-Za-z][\w-]{0,63}$/);
          expect(new Set(names.map((one) => one.toLowerCase())).size).toBe(names.length);
          const last = names.at(-2);
          if (last === undefined) return;
          const result = await client.callTool({ name: last, arguments: { question: "Why?" } });
          expect(textOfResult(result)).toContain("Hello.");
        } finally {
          await client.close();
        }
      }),
      { numRuns: cases(10) },
    );
  });
});

describe("a person who can be asked", () => {
  const asking = async (
    answer: ElicitResult,
    capability: { form?: Record<string, never> } = { form: {} },
  ) => {
    const { app, model } = createTestApp({ models: [[unit], ["Four is right."]] });
    const client = await connect(app, { capabilities: { elicitation: capability } });
    const questions: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message);
      return answer;
    });
    return { result: await client.callTool(fix), questions, model };
  };

  test.each([{ form: {} }, {}])(
    "chooses a next step, with the capability %j",
    async (capability) => {
      const content = { step: "Explain the change" };
      const { result, questions } = await asking({ action: "accept", content }, capability);
      expect(questions).toHaveLength(1);
      expect(questions[0]).toContain("It was wrong.");
      expect(questions[0]).toContain("Write unit tests");
      expect(textOfResult(result)).toMatch(/It was wrong\.[^]*Four is right\./);
      expect(factsOf(result).edits).toHaveLength(1);
    },
  );

  test.each([
    { action: "decline" as const },
    { action: "cancel" as const },
    { action: "accept" as const, content: {} },
    { action: "accept" as const, content: { step: "Something else" } },
  ])("and answers %j leaves it at the first answer", async (answer) => {
    const { result, model } = await asking(answer);
    expect(textOfResult(result)).toContain("It was wrong.");
    expect(factsOf(result).next).toHaveLength(3);
    expect(model.requests).toHaveLength(1);
  });

  test("is not asked where the call says so", async () => {
    const { app } = createTestApp({ models: [[unit]] });
    const client = await connect(app, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", () => expect.unreachable());
    const result = await client.callTool({ ...fix, arguments: { ...fix.arguments, ask: false } });
    expect(factsOf(result).next).toHaveLength(3);
  });
});

test.each([
  "{",
  '{"text":1,"facts":{}}',
  '{"text":"Said.","facts":{"next":[null],"edits":[]}}',
  JSON.stringify({ nodes: Array.from({ length: 20_000 }, () => ({})) }),
  `${'{"steps":'.repeat(10_000)}1${"}".repeat(10_000)}`,
])(
  "what a client makes of a state of ours is refused, or counts as nothing (case %#)",
  async (state) => {
    const { app, model } = createTestApp({ models: [["Hello."]] });
    const refused = await (await connect(app)).callTool({ ...fix, arguments: { code, state } });
    expect(factsOf(refused).error.code).toBe("state_invalid");
    expect(model.requests).toHaveLength(0);
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
    };
    const inputResponses = { step: { action: "accept", content: { step: "Fix" } } };
    const params = { ...fix, requestState: state, inputResponses, _meta: meta };
    const headers = {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": fix.name,
    };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const response = await post(app, call, { path: "/mcp", headers });
    expect(await response.text()).toContain("Hello.");
  },
);

test("a state opens for the key alone that it was made for", async () => {
  const settings = { RIGHTSEAT_API_KEYS: "one,other" };
  const { app } = createTestApp({ models: [[unit], ["Explained."]], settings });
  const { next } = factsOf(await (await connect(app, { key: "one" })).callTool(fix));
  const call = { ...fix, arguments: { ...fix.arguments, state: next[2]?.state } };
  const refused = await (await connect(app, { key: "other" })).callTool(call);
  expect(factsOf(refused).error.code).toBe("state_invalid");
  const taken = await (await connect(app, { key: "one" })).callTool(call);
  expect(textOfResult(taken)).toContain("Explained.");
});

describe("the edit engine", () => {
  const edit = async (given: Record<string, unknown>): Promise<CallToolResult> => {
    const client = await connectMcp(createTestApp().app);
    try {
      return await client.callTool({ name: "rightseat_edit", arguments: given });
    } finally {
      await client.close();
    }
  };

  test.each([
    ["units in an answer", { path: "src/a.ts", code, answer: unit }, /const b = 4;/],
    [
      "a tag",
      { path: "a.ts", code, answer: `<file-edit path="a.ts">\n${unit.slice(15)}</file-edit>` },
      /const b = 4;/,
    ],
    [
      "code with marks",
      {
        path: "a.ts",
        code,
        answer: "const a = 1;\nconst b = 4;\nconst c = 3;\n// ... existing code ...\n",
      },
      /const b = 4;/,
    ],
    ["a new file", { path: "b.ts", answer: "```ts\nlet it;\n```" }, /^let it;\n$/],
  ])("takes %s", async (_, given, expected) => {
    const result = await edit(given);
    expect(textOfResult(result)).toMatch(expected);
    expect(result.structuredContent).toMatchObject({
      ok: true,
      text: expect.stringMatching(expected),
    });
  });

  test.each([
    ["what does not fit", { path: "a.ts", code: "let it;\n", answer: unit }, "no-match"],
    [
      "another file's",
      { path: "a.ts", code, answer: `<file-edit path="b.ts">\n${unit.slice(15)}</file-edit>` },
      "malformed",
    ],
    ["nothing", { path: "a.ts", code, answer: "" }, ""],
    [
      "a megabyte of one sign",
      { path: "a.ts", code: "x".repeat(400_000), answer: "y".repeat(400_000) },
      "",
    ],
    [
      "many lines",
      { path: "a.ts", code: "x\n".repeat(100_000), answer: "y\n".repeat(100_000) },
      "",
    ],
  ])("refuses %s", async (_, given, reason) => {
    const result = await edit(given);
    expect(result).toMatchObject({ isError: true, structuredContent: { ok: false } });
    expect(textOfResult(result)).toContain(reason);
  });
});

test("the changes of an edit make the new text out of the old one", () => {
  const lines = fc.uniqueArray(
    fc.string({ unit: fc.constantFrom("a", "b", "c", "1"), minLength: 1 }),
    {
      minLength: 2,
      maxLength: 8,
    },
  );
  return fc.assert(
    fc.asyncProperty(lines, fc.nat(), async (texts, nth) => {
      const at = nth % texts.length;
      const before = texts.map((text) => `let ${text}z;\n`).join("");
      const after = before.replace(`let ${texts[at]}z;\n`, `const ${texts[at]}z;\n`);
      const answer = `------- SEARCH\nlet ${texts[at]}z;\n=======\nconst ${texts[at]}z;\n+++++++ REPLACE\n`;
      const client = await connectMcp(createTestApp({ models: [[answer]] }).app);
      try {
        const result = await client.callTool({
          name: "rightseat_fix",
          arguments: { path: "a.js", code: before },
        });
        const outcome = factsOf(result).edits[0]?.result;
        const changes = outcome?.status === "applied" ? outcome.changes : [];
        expect(applyTextChanges(before, changes)).toBe(after);
      } finally {
        await client.close();
      }
    }),
    { numRuns: cases(5) },
  );
});

test("several calls in one request are each admitted and answered", async () => {
  const { app } = createTestApp({ models: [["One."], ["Two."]] });
  const calls = ["a", "b"].map((id) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "rightseat_chat", arguments: { question: "Why?" } },
  }));
  const accept = "application/json, text/event-stream";
  const response = await post(app, calls, { path: "/mcp", headers: { accept } });
  const text = await response.text();
  expect([response.status, text.includes("One."), text.includes("Two.")]).toEqual([
    200,
    true,
    true,
  ]);
});

test("what is no JSON, and other methods, are refused by a status", async () => {
  const { app } = createTestApp();
  const statusOf = async (method: string, body?: string) =>
    (
      await app.fetch(
        new Request("http://agent.test/mcp", {
          method,
          ...(body && { body, headers: { "content-type": "application/json" } }),
        }),
      )
    ).status;
  expect(await statusOf("POST", "{")).toBe(400);
  expect(await statusOf("GET")).toBe(405);
  expect(await statusOf("DELETE")).toBe(405);
});
