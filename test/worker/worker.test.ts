import { addFile } from "../knowledge/fixtures.ts";
import { exports } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createKnowledgeIndex } from "../../src/knowledge/knowledge-index.ts";
import { promptsIn } from "../../src/prompt/prompt-library.ts";
import prompts from "../../src/setup/prompts.worker.txt";
import worker from "../../src/worker.ts";

afterEach(() => vi.restoreAllMocks());

function post(body: unknown): Request {
  return new Request("https://rightseat.example.workers.dev/agents/rightseat", {
    method: "POST",
    headers: { "content-type": "application/json", host: "rightseat.example.workers.dev" },
    body: JSON.stringify(body),
  });
}

const explain = {
  command: "explain",
  contextVariables: [
    {
      name: "activeEditor",
      value: {
        filePath: "src/cart.ts",
        content: "let total = 1;\n",
        selectedRanges: [
          { content: "let total = 1;", startLine: 1, startColumn: 1, endLine: 1, endColumn: 15 },
        ],
      },
    },
  ],
};

test("the deployed worker answers a command as a stream that ends", async () => {
  const response = await exports.default.fetch(post(explain));
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const text = await response.text();
  expect(text).toContain("total");
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
});

test("settings come from the text bindings, the others are left alone", async () => {
  const response = await worker.fetch(post(explain), {
    RIGHTSEAT_API_KEYS: "secret",
    BUCKET: { get: () => null },
  });
  expect(response.status).toBe(401);
});

test("the app is made once for an environment", async () => {
  const env = { RIGHTSEAT_MAX_STREAMS: "1" };
  // A second app would know nothing of the stream that the first one still holds.
  const first = await worker.fetch(post(explain), env);
  const second = await worker.fetch(post(explain), env);
  expect([first.status, second.status]).toEqual([200, 503]);
  await first.body?.cancel();
});

test.each([
  ["65,536 characters", 65_536, "**Declarations:**"],
  ["more", 65_537, "as far as their first lines show them"],
])("code of %s is read as its length allows", async (_, length, words) => {
  const code = "function total() {\n  return 1;\n}\n";
  const content = code + " ".repeat(length - code.length);
  const value = { filePath: "src/cart.ts", content };
  const response = await worker.fetch(
    post({ command: "explain", contextVariables: [{ name: "activeEditor", value }] }),
    {},
  );
  expect(await response.text()).toContain(words);
});

test("a bad setting is a 500 in the error form, and only the log says which", async () => {
  const log = vi.spyOn(console, "error").mockReturnValue(undefined);
  const env = { RIGHTSEAT_PORT: "eighty", OPENAI_API_KEY: "sk-secret" };
  const response = await worker.fetch(post(explain), env);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    error: {
      type: "server_error",
      code: "internal",
      message:
        "The settings of this server are not valid. Its operator finds the reason in the log.",
      request_id: expect.any(String),
    },
  });
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("RIGHTSEAT_PORT"));
});

test("a worker without keys for its states warns once, and one with keys does not", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
  const bare = { RIGHTSEAT_LOCALE: "en" };
  for (const env of [bare, bare, { RIGHTSEAT_STATE_KEYS: `a:${btoa("x".repeat(32))}` }])
    await (await worker.fetch(post({ command: "version" }), env)).text();
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("RIGHTSEAT_STATE_KEYS"));
});

test("every built-in prompt is bundled", () => {
  const files = import.meta.glob("/src/flows/**/*.liquid", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const texts = Object.entries(files).flatMap(([path, text]) => promptsIn(path, text));
  expect(JSON.parse(prompts)).toEqual(Object.fromEntries(texts));
});

test("the test page is bundled as it is, and served where a key is asked for", async () => {
  const files = import.meta.glob("/src/doors/plugin/page/*.html", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const get = (env: object) =>
    worker.fetch(new Request("https://rightseat.example.workers.dev/simpletest2025"), env);
  const page = await get({ RIGHTSEAT_TEST_PAGE: "true", RIGHTSEAT_PLUGIN_KEYS: "plain-key" });
  expect(page.status).toBe(200);
  const text = await page.text();
  const [, nonce = "none"] = / nonce="([^"]+)"/.exec(text) ?? [];
  expect([text.replaceAll(` nonce="${nonce}"`, "")]).toEqual(Object.values(files));
  expect(page.headers.get("content-security-policy")).toContain(`'nonce-${nonce}'`);
  expect((await get({ RIGHTSEAT_PLUGIN_KEYS: "plain-key" })).status).toBe(404);
});

describe("knowledge of a binding", () => {
  const index = createKnowledgeIndex();
  addFile(index, "shop/total.md", "# The total\n\nThe total of a cart is in cents.\n");
  const knowledgeBase = { name: "knowledgeBase", resolverOptions: { recallByAgent: true } };
  const strategy = { type: "specify", contextVariables: [knowledgeBase] };
  const agentDefinition = {
    name: "helper",
    commands: [{ name: "chat", contextVariableCollectionStrategy: strategy }],
  };
  const question = {
    agentDefinition,
    command: "chat",
    contextVariables: [{ name: "userInputPrompt", value: "What is the total of a cart in?" }],
  };

  test("is found and named as a source", async () => {
    const urls: string[] = [];
    const fetch = (url: string) => {
      urls.push(url);
      return Promise.resolve(Response.json(index));
    };
    const env = { KNOWLEDGE: { fetch } };
    const ask = async () => (await worker.fetch(post(question), env)).text();
    expect(await ask()).toContain("[1] `shop/total.md:");
    expect(await ask()).toContain("[1] `shop/total.md:");
    expect(urls).toHaveLength(1);
  });

  test("that cannot be read is missing from the answer, told to the log and looked for again", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue(undefined);
    const answers = [new Response("", { status: 404 }), Response.json(index)];
    const env = { KNOWLEDGE: { fetch: () => Promise.resolve(answers.shift()) } };
    const first = await (await worker.fetch(post(question), env)).text();
    expect(first).toMatch(/data: \[DONE\]\n\n$/);
    expect(first).not.toContain("[1]");
    expect(String(log.mock.calls[0])).toContain("The binding answers 404");
    const second = await (await worker.fetch(post(question), env)).text();
    expect(second).toContain("[1] `shop/total.md:");
  });
});
