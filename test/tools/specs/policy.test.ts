// What tools of descriptions may change: grants, their rules, and what a session allows of them.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ToolPolicy, type ToolRule, countCalls } from "../../../src/tools/specs/policy.ts";
import type { AskCall } from "../../../src/tools/tool.ts";
import { apiOf, openSpecs } from "../../helpers/spec-tools.ts";

const body = (properties: object = {}, type = "application/json") => ({
  requestBody: { content: { [type]: { schema: { type: "object", properties } } } },
});
const query = (name: string, schema: object = {}) => ({ name, in: "query", schema });

/** Three writes and a read at `https://api.test/v1`. */
const shop = apiOf({
  "/orders": {
    post: { operationId: "order", ...body(), parameters: [query("amount")] },
    get: { operationId: "list" },
  },
  "/orders/{id}": { delete: { operationId: "cancel" }, put: { operationId: "PUSH", ...body() } },
});

async function statusOf(
  policy: ToolPolicy | readonly string[],
  name: string,
  args: unknown = { id: "1" },
  more: object = {},
): Promise<unknown> {
  const { call, sent } = await openSpecs([shop], { grants: policy, ...more });
  const { statusCode } = await call(name, args);
  expect(sent).toHaveLength(statusCode === 200 ? 1 : 0);
  return statusCode;
}

describe("a grant", () => {
  test.each([
    ["order@api.test", "order", 200],
    ["order@API.test", "order", 200],
    ["order@api.test", "cancel", 403],
    ["order@api.test:8443", "order", 403],
    ["POST@api.test", "order", 200],
    ["post@api.test", "order", 200],
    ["POST@api.test", "cancel", 403],
    ["POST /v1/orders@api.test", "order", 200],
    ["POST /orders@api.test", "order", 403],
    ["DELETE /v1/orders/{any}@api.test", "cancel", 200],
    ["DELETE /v1/orders/5@api.test", "cancel", 403],
    ["DELETE /v1/{any}/5@api.test", "cancel", 403],
    ["PUT /v1/orders/{any}@api.test", "cancel", 403],
    ["*@api.test", "cancel", 200],
    ["*@evil.test", "list", 200],
  ])("of %s for %s: %i", async (grant, name, status) => {
    expect(await statusOf([grant], name)).toBe(status);
    expect(await statusOf({ [grant]: {} }, name)).toBe(status);
  });

  test("of a method is taken by no tool that is named like it", async () => {
    const sly = apiOf({ "/all": { delete: { operationId: "POST" } } });
    const { call, sent } = await openSpecs([sly], { grants: ["POST@api.test", "post@api.test"] });
    expect(await call("POST")).toMatchObject({ statusCode: 403 });
    expect(sent).toEqual([]);
  });

  test("that is more exact counts in place of others", async () => {
    const policy = { "*@api.test": {}, "POST@api.test": { ask: true }, "order@api.test": {} };
    expect(await statusOf(policy, "order")).toBe(200);
    expect(await statusOf({ ...policy, "order@api.test": { ask: true } }, "order")).toBe(403);
    expect(await statusOf({ "*@api.test": {}, "POST@api.test": { ask: true } }, "order")).toBe(403);
  });
});

describe("arguments", () => {
  const bounded = (bounds: ToolRule["arguments"]): ToolPolicy => ({
    "*@api.test": { arguments: bounds },
  });
  const amount = bounded({ amount: { min: 0, max: 100 } });

  test.each([
    [{ amount: 100 }, 200],
    [{ amount: 0 }, 200],
    [{ amount: "99.5" }, 200],
    [{}, 200],
    [{ amount: 100.01 }, 403],
    [{ amount: -1 }, 403],
    [{ amount: "101" }, 403],
    [{ amount: "0x10" }, 403],
    [{ amount: "010" }, 403],
    [{ amount: "1e3" }, 403],
    [{ amount: " 5" }, 403],
    [{ amount: true }, 403],
    [{ body: { amount: null } }, 403],
    ['{"amount": 1e999}', 403],
    [{ amount: [5, 500] }, 403],
    [{ amount: { value: 5 } }, 403],
    [{ body: { amount: 50 } }, 200],
    [{ body: { amount: 500 } }, 403],
    [{ body: { lines: [{ amount: 1 }, { Amount: 500 }] } }, 403],
    [{ body: { a_mount: 500 } }, 403],
    [{ body: { note: '{"amount": 500}' } }, 403],
    [{ body: { note: '[{"note": "{\\"amount\\": 500}"}]' } }, 403],
    [{ amount: 5, body: { amount: 500 } }, 403],
  ])("that a range of `amount` is for: %j is %i", async (args, status) => {
    expect(await statusOf(amount, "order", args)).toBe(status);
  });

  test("are meant by their path, and may be chosen from a list, or have to be there", async () => {
    const path = bounded({ "body.amount": { max: 1 } });
    expect(await statusOf(path, "order", { amount: 5 })).toBe(200);
    expect(await statusOf(path, "order", { body: { amount: 5 } })).toBe(403);
    const kind = bounded({ kind: { oneOf: ["a", 1, null] } });
    for (const value of ["a", 1, null, ["a", 1]])
      expect(await statusOf(kind, "order", { body: { kind: value } })).toBe(200);
    for (const value of ["b", "1", true, ["a", "b"], { a: 1 }])
      expect(await statusOf(kind, "order", { body: { kind: value } })).toBe(403);
    const required = bounded({ amount: { max: 1, required: true } });
    expect(await statusOf(required, "order", { body: { amount: 1 } })).toBe(200);
    expect(await statusOf(required, "order", { body: { other: 1 } })).toBe(403);
    const kindToo = bounded({ kind: { required: true } });
    expect(await statusOf(kindToo, "order", { body: { kind: null } })).toBe(403);
  });

  test("that the description itself sends are bounded, too", async () => {
    const paths = { "/orders?amount=500": { post: { operationId: "order" } } };
    const { call, sent } = await openSpecs([apiOf(paths)], { grants: amount });
    expect(await call("order")).toMatchObject({
      statusCode: 403,
      body: expect.stringContaining("amount must be a number from 0 to 100"),
    });
    expect(sent).toEqual([]);
  });

  test("of hostile sizes are looked at in good time, or refused", async () => {
    const long = "x".repeat(400_000);
    const deep = "[".repeat(50_000);
    const many = Array.from({ length: 5_000 }, () => ({ [long.slice(0, 30)]: 1 }));
    expect(await statusOf(amount, "order", { body: { [long]: many } })).toBe(200);
    expect(await statusOf(amount, "order", { body: { note: deep } })).toBe(400);
    expect(await statusOf(amount, "order", { body: { note: long } })).toBe(200);
  });
});

test("so many calls are made in a minute, and no more, in whichever tool of the grant", async () => {
  let now = 1_000;
  const countCall = countCalls(() => now);
  const { call, sent } = await openSpecs([shop], {
    grants: { "*@api.test": { perMinute: 2, arguments: { id: { max: 5 } } } },
    countCall,
  });
  const statuses: unknown[] = [];
  // What is refused for its arguments does not count.
  for (const [name, id] of Object.entries({ cancel: 9, PUSH: 1, order: 1, list: 1 }))
    statuses.push((await call(name, { id, body: {} }))["statusCode"]);
  now += 60_000;
  statuses.push((await call("cancel", { id: 1 }))["statusCode"]);
  expect(statuses).toEqual([403, 200, 200, 429, 200]);
  expect(sent).toHaveLength(3);
  // Tools that nobody else counts for, as at a terminal, have a count of their own.
  const { call: own } = await openSpecs([shop], { grants: { "*@api.test": { perMinute: 1 } } });
  expect([await own("list"), await own("list")]).toMatchObject([
    { statusCode: 200 },
    { statusCode: 429 },
  ]);
});

test("a person is asked for exactly what is sent; without a person, or a yes, nothing is", async () => {
  const asked: unknown[] = [];
  const answers = [{ ok: true as const }, { ok: false as const, reason: "Not today." }];
  const askCall: AskCall = async (given) => {
    asked.push(given);
    return answers[asked.length - 1] ?? { ok: false, reason: "" };
  };
  const { call, sent } = await openSpecs([shop], {
    grants: { "*@api.test": { ask: true, arguments: { amount: { max: 1 } } } },
    use: { askCall },
  });
  expect(await call("order", { amount: 5 })).toMatchObject({ statusCode: 403 });
  expect(asked).toEqual([]);
  expect(await call("order", { amount: 1, body: { a: 1 } })).toMatchObject({ statusCode: 200 });
  expect(asked).toEqual([
    { id: "1", tool: "order", target: "api.test", arguments: { amount: 1, body: { a: 1 } } },
  ]);
  expect(await call("order")).toEqual({ statusCode: 403, body: "Nothing was sent: Not today." });
  expect(sent.map(({ url }) => url)).toEqual(["https://api.test/v1/orders?amount=1"]);
  expect(await statusOf({ "*@api.test": { ask: true } }, "order")).toBe(403);
});

test("what cannot be sent is found in the rehearsal, before anybody is asked", async () => {
  let asked = 0;
  const askCall: AskCall = async () => ({ ok: (asked += 1) > 0 }) as { ok: true };
  const rule = { rehearse: true, ask: true };
  const open = (more: object = {}) =>
    openSpecs([shop], { grants: { "*@api.test": { ...rule, ...more } }, use: { askCall } });
  const { call, sent } = await open();
  expect(await call("cancel", { id: ".." })).toMatchObject({ statusCode: 400 });
  const devices = await open({ invariants: ["register 1 < 5"] });
  expect(await devices.call("cancel", { id: "1" })).toMatchObject({ statusCode: 403 });
  expect([asked, sent.length, devices.sent.length]).toEqual([0, 0, 0]);
  expect(await call("cancel", { id: "1" })).toMatchObject({ statusCode: 200 });
  expect([asked, sent.length]).toEqual([1, 1]);
});

test.each(["register 3", "register <= 4", "a b < 4", "register 70000 < 1", "1 < 2 < 3", "= 4"])(
  "an invariant is not like %s",
  (text) => {
    const given = { "WRITE@a.test:502": { invariants: [text] } };
    expect(ToolPolicy.safeParse(given).success).toBe(false);
    const right = {
      "WRITE@a.test:502": { invariants: ["Input Register 3 != -1.5", "温度 < b-c"] },
    };
    expect(ToolPolicy.safeParse(right).success).toBe(true);
  },
);

test("time and size of an answer are those of the rule", async () => {
  const late = async (_input: unknown, init?: RequestInit): Promise<Response> => {
    const answer = Promise.withResolvers<Response>();
    init?.signal?.addEventListener("abort", () => answer.reject(new Error("aborted")));
    return answer.promise;
  };
  const slow = { "GET@api.test": { timeout: 5 } };
  const { call } = await openSpecs([shop], { grants: slow, fetch: late });
  expect(await call("list")).toEqual({
    statusCode: 504,
    body: "The server did not answer within 5 ms.",
  });
  const short = await openSpecs([shop], {
    grants: { "GET@api.test": { maxAnswer: 10 } },
    narrowed: { "GET@api.test": { maxAnswer: 100, timeout: 600_000 } },
    answer: () => new Response("x".repeat(200), { headers: { "content-type": "text/plain" } }),
  });
  expect(await short.call("list")).toEqual({
    statusCode: 200,
    body: "x".repeat(10),
    is_cut: true,
  });
});

test("a session narrows what is granted, and never widens it", async () => {
  const what = fc.constantFrom("order", "cancel", "PUSH", "POST", "DELETE", "*", "POST /v1/orders");
  const rule = fc.record(
    {
      ask: fc.boolean(),
      perMinute: fc.constant(1),
      arguments: fc.record(
        { amount: fc.record({ min: fc.nat(9), max: fc.nat(9) }, { requiredKeys: [] }) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  const policy = fc
    .array(fc.tuple(what, rule), { maxLength: 4 })
    .map((rules) => Object.fromEntries(rules.map(([name, own]) => [`${name}@api.test`, own])));
  const calls = fc.array(
    fc.tuple(fc.constantFrom("order", "cancel", "PUSH"), fc.nat(9), fc.boolean()),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(policy, policy, calls, async (granted, narrowed, made) => {
      const run = async (...[grants, own]: (ToolPolicy | undefined)[]): Promise<string[]> => {
        const asked: string[] = [];
        const { call, sent } = await openSpecs([shop], {
          grants: grants ?? {},
          narrowed: own,
          countCall: countCalls(() => 0),
          use: { askCall: async ({ tool }) => ({ ok: asked.push(tool) > 0 }) as { ok: true } },
        });
        for (const [name, amount, isInBody] of made)
          await call(name, { id: 1, ...(isInBody ? { body: { amount } } : { amount }) });
        return sent.map(({ method }) => method);
      };
      const [both, alone, other] = [
        await run(granted, narrowed),
        await run(granted),
        await run(narrowed),
      ];
      expect(both.length).toBeLessThanOrEqual(Math.min(alone.length, other.length));
      expect(await run(granted, granted)).toEqual(alone);
    }),
  );
  expect(await statusOf(["*@api.test"], "order", {}, { narrowed: {} })).toBe(403);
  expect(await statusOf([], "order", {}, { narrowed: { "*@api.test": {} } })).toBe(403);
});
