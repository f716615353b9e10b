// Methods of OpenRPC as tools.
import { expect, test } from "vitest";
import { type Answer, type SpecClient, openSpecs } from "../../helpers/spec-tools.ts";

const result = { name: "book", schema: { type: "object" } };
const params = [
  { name: "id", required: true, schema: { type: "integer" } },
  { name: "note", schema: { type: "String" } },
  { name: "tags", schema: { type: "array", items: { type: "string" } } },
];
const openSpec = {
  openrpc: "1.2.1",
  servers: [{ name: "books", url: "https://api.test/rpc" }],
  methods: [
    { name: "books.find", params, result },
    { name: "listed", params, paramStructure: "by-position", result },
    { name: "log", params: [] },
  ],
};
const open = async (answer: Answer, entry: object = {}): Promise<SpecClient> =>
  await openSpecs([{ openSpec, protocol: "jsonrpcHttp", ...entry }], { answer });
const reply = (more: object): Response => Response.json({ jsonrpc: "2.0", id: "1", ...more });

test("a call has the version 2.0, an id and its parameters by name", async () => {
  const { call, sent, toolbox } = await open(reply({ result: { a: 1 } }), {
    apiKey: { type: "bearer", apiKey: "k" },
  });
  expect(toolbox.names).toEqual(["books-find", "listed", "log"]);
  expect(await call("books.find", { id: "7" })).toEqual({ statusCode: 200, body: '{"a":1}' });
  expect(JSON.parse(sent[0]?.body ?? "")).toEqual({
    jsonrpc: "2.0",
    id: "1",
    method: "books.find",
    params: { id: 7 },
  });
  expect([sent[0]?.url, sent[0]?.headers.get("authorization")]).toEqual([
    "https://api.test/rpc",
    "Bearer k",
  ]);
});

test("parameters by position leave no gap", async () => {
  const { call, sent } = await open(reply({ result: null }));
  expect(await call("listed", { id: 1, tags: ["x"] })).toEqual({ statusCode: 200, body: "null" });
  await call("listed", { id: 1 });
  expect(sent.map(({ body }) => (JSON.parse(body) as { params: unknown }).params)).toEqual([
    [1, null, ["x"]],
    [1],
  ]);
});

test("what has no result is a notification: no id, and no answer", async () => {
  const { call, sent } = await open(new Response(null, { status: 204 }));
  expect(await call("log")).toEqual({ statusCode: 204, body: "" });
  expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ jsonrpc: "2.0", method: "log", params: {} });
});

test.each([
  [reply({ error: { code: -32_601, message: "no" } }), 404, "no"],
  [reply({ error: { code: -32_602, message: "bad" } }), 400, "bad"],
  [reply({ error: { code: 5, message: "own" } }), 500, "own"],
  [reply({ id: null, error: { code: -32_700, message: "parse" } }), 400, "parse"],
  [reply({ id: "2", result: 1 }), 502, "another request"],
  [Response.json([{ jsonrpc: "2.0", id: "1", result: 1 }]), 502, "not one of JSON-RPC"],
  [new Response("<html>"), 502, "not one of JSON-RPC"],
  [new Response("gone", { status: 503 }), 503, "gone"],
])("answer %# ends with %i", async (answer, statusCode, text) => {
  const { call } = await open(answer);
  expect(await call("books-find", { id: 1 })).toEqual({
    statusCode,
    body: expect.stringContaining(text),
  });
});

test.each([
  [{ methods: {} }, "methods"],
  [{ methods: [{ params: [] }] }, "methods[0].name"],
  [{ methods: [{ name: "a" }, { name: "a" }] }, "methods[1].name"],
  [{ methods: [{ name: "a", params: [{ schema: {} }] }] }, "methods[0].params[0].name"],
  [{ servers: [] }, "servers"],
])("%j is refused at %s", async (more, path) => {
  const entry = { openSpec: { ...openSpec, ...more }, protocol: "jsonrpcHttp" };
  await expect(openSpecs([entry])).rejects.toMatchObject({
    details: { param: `openSpecList[0].openSpec.${path}` },
  });
});
