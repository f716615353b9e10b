// Calls that the owner of a session allows, one by one; on Node and in workerd.
import { expect, test } from "vitest";
import type { App } from "../../../src/app.ts";
import type { Script } from "../../../src/testing.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { createManualTimers, passUntil } from "../../helpers/manual-timers.ts";
import {
  type Message,
  follow,
  getJson,
  init,
  post,
  readEvents,
  task,
} from "../../helpers/session-client.ts";
import { readSpecs } from "../../../src/tools/specs/read-specs.ts";
import { apiOf } from "../../helpers/spec-tools.ts";

const grants = {
  "POST@api.test": { ask: true, perMinute: 3, arguments: { amount: { max: 100 } } },
};
const body = { requestBody: { content: { "application/json": { schema: { type: "object" } } } } };
const spec = apiOf({ "/orders": { post: { operationId: "order", ...body } } });
const order = (id: string, amount: number): Script => [
  {
    type: "tool-call",
    call: { id, name: "order", arguments: JSON.stringify({ body: { amount } }) },
  },
];

function shop(models: readonly Script[], more: object = {}) {
  const sent: unknown[] = [];
  const { app } = createTestApp({
    models,
    now: () => 0,
    ...more,
    openTools: (list, use) =>
      readSpecs(list, {
        async fetch(...request) {
          sent.push(await new Request(...request).json());
          return Response.json({});
        },
        createId: () => "1",
        now: () => 0,
        grants,
        ...use,
      }),
  });
  return { app, sent };
}

async function allow(app: App, id: string, answer: unknown): Promise<unknown> {
  const response = await post(app, `/api/approve?id=${id}`, answer);
  const { error } = (await response.json()) as { error?: { code: string } };
  return error === undefined ? response.status : `${response.status} ${error.code}`;
}

/** Runs a task; each call that has to be allowed is answered by `reply`. */
async function run(
  app: App,
  id: string,
  name: string,
  reply: (asked: Message) => unknown,
  query = "&protocol=0.8",
): Promise<unknown[]> {
  const socket = await follow(app, id, query);
  socket.send(task("Hi", name));
  const results: unknown[] = [];
  for (;;) {
    const message = await socket.next();
    const said = (message["content"] ?? message["message"]) as Message;
    if (message["type"] === "functionCall") await reply(said);
    if (message["type"] === "toolReturn" && message["to"] === "agent")
      results.push((said["result"] as Message)["statusCode"]);
    if (said["status"] === "done" || said["status"] === "stop") return results;
    if (/^"\[TASK_(?:DONE|STOP)\]/.test(JSON.stringify(message["message"] ?? ""))) return results;
  }
}

test("a call that was allowed is sent as it was shown, once; what was refused is not", async () => {
  const { app, sent } = shop([order("a", 5), order("a", 7), order("b", 500), ["Done."]]);
  const id = await init(app, { openSpecList: [spec] });
  const shown: Message[] = [];
  const answers: unknown[] = [];
  const results = await run(app, id, "one", async (asked) => {
    shown.push(asked);
    const { id: call, hash } = asked;
    const isFirst = shown.length === 1;
    answers.push(await allow(app, id, { id: call, hash: "0".repeat(64), allow: true }));
    answers.push(await allow(app, id, { id: call, hash, allow: isFirst }));
    answers.push(await allow(app, id, { id: call, hash, allow: true }));
    answers.push(await allow(app, id, { id: "other", hash, allow: true }));
    answers.push((await post(app, `/api/callback?id=${id}`, { id: call, result: 1 })).status);
  });
  const each = ["409 call_settled", 200, "409 call_settled", "404 not_found", 404];
  expect(answers).toEqual([...each, ...each]);
  expect(shown.map(({ hash: _, ...rest }) => rest)).toEqual([
    { id: "a", name: "order", parameters: { body: { amount: 5 } }, target: "api.test" },
    { id: "a-one-2", name: "order", parameters: { body: { amount: 7 } }, target: "api.test" },
  ]);
  expect(shown[0]?.["hash"]).not.toBe(shown[1]?.["hash"]);
  expect(results).toEqual([200, 403, 403]);
  expect(sent).toEqual([{ amount: 5 }]);
});

test("answers come on the socket, too; silence and clients of 0.4 mean no", async () => {
  const timers = createManualTimers();
  const models = [order("a", 5), ["Done."], order("b", 6), ["Done."], order("c", 7), ["Done."]];
  const { app, sent } = shop(models, { timers });
  const id = await init(app, { openSpecList: [spec] });
  const socket = await follow(app, id);
  expect(
    await run(app, id, "one", ({ id: call, hash }) => socket.send({ id: call, hash, allow: true })),
  ).toEqual([200]);
  const late: Message[] = [];
  expect(
    await passUntil(
      run(app, id, "two", (asked) => late.push(asked)),
      timers,
    ),
  ).toEqual([403]);
  const [{ id: call, hash } = {}] = late;
  expect(await allow(app, id, { id: call, hash, allow: true })).toBe("409 call_settled");
  const events = await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi")));
  expect(events.map(({ message }) => message["type"])).not.toContain("functionCall");
  expect(JSON.stringify(events)).toContain("nobody can be asked here");
  expect(sent).toEqual([{ amount: 5 }]);
});

test("a stop ends the question, and nothing is sent", async () => {
  const { app, sent } = shop([order("a", 5)]);
  const id = await init(app, { openSpecList: [spec] });
  let hash: unknown;
  await run(app, id, "one", (asked) => {
    ({ hash } = asked);
    return getJson(app, `/api/stop?id=${id}`);
  });
  expect(await allow(app, id, { id: "a", hash, allow: true })).toBe("409 call_settled");
  expect(sent).toEqual([]);
});

test("a session narrows its tools at the start, and rates hold over its tasks", async () => {
  const models = Array.from({ length: 5 }, (_, nth) => [order(`c${nth}`, nth), ["Done."]]).flat();
  const { app, sent } = shop(models);
  const narrowed = await init(app, { openSpecList: [spec], toolPolicy: { "PUT@api.test": {} } });
  const yes =
    (session: string) =>
    ({ id, hash }: Message): unknown =>
      allow(app, session, { id, hash, allow: true });
  expect(await run(app, narrowed, "one", yes(narrowed))).toEqual([403]);
  const id = await init(app, { openSpecList: [spec], toolPolicy: ["POST@api.test"] });
  const statuses: unknown[] = [];
  for (const name of ["one", "two", "three", "four"])
    statuses.push(...(await run(app, id, name, yes(id))));
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(sent).toEqual([{ amount: 1 }, { amount: 2 }, { amount: 3 }]);
  const wrong = { openSpecList: [spec], toolPolicy: { "POST@api.test": { perMinut: 1 } } };
  const refused = await post(app, "/api/init", wrong);
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("toolPolicy"),
  ]);
});
