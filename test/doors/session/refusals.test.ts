// Who may do what, and what is refused; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../../../src/store/memory-store.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { gatedModel } from "../../helpers/gated-model.ts";
import { connect, open } from "../../helpers/plugin-client.ts";
import {
  follow,
  get,
  getJson,
  history,
  init,
  line,
  post,
  readEvents,
  task,
} from "../../helpers/session-client.ts";

interface Refusal {
  error: { code: string; message: string; param?: string };
}

async function refusalOf(response: Response): Promise<[number, string, string | undefined]> {
  const { error } = (await response.json()) as Refusal;
  return [response.status, error.code, error.param];
}

describe("the body of /init", () => {
  const sub = (list: unknown) => ({ sessionList: list });
  test.each<[unknown, string | undefined]>([
    [[], "(request)"],
    ["{", undefined],
    [{ llmConfig: "x" }, "llmConfig"],
    [{ llmConfig: { temperature: "hot" } }, "llmConfig.temperature"],
    [{ llmConfig: { maxTokens: 0 } }, "llmConfig.maxTokens"],
    [{ llmConfig: { topP: 2 } }, "llmConfig.topP"],
    [{ llmConfig: { model: "nobody" } }, "llmConfig.model"],
    [{ systemPrompt: 1 }, "systemPrompt"],
    [{ openSpecList: {} }, "openSpecList"],
    [{ openSpecList: ["x"] }, "openSpecList[0]"],
    [{ taskPipelineStrategy: "sometimes" }, "taskPipelineStrategy"],
    [sub([{}]), "sessionList[0].id"],
    [sub([{ id: "turn-99" }]), "sessionList[0].id"],
    [sub([{ id: "__proto__" }]), "sessionList[0].id"],
    [sub([{ id: "a", name: "two words" }]), "sessionList[0].name"],
    [sub([{ id: "a" }, { id: "a" }]), "sessionList"],
    ...[0, -1, 1e12, "60", 1.5, {}].map((timeoutSeconds): [unknown, string] => [
      { timeoutSeconds },
      "timeoutSeconds",
    ]),
  ])("%j is refused with the path", async (body, param) => {
    const { app } = createTestApp();
    const [status, , path] = await refusalOf(await post(app, "/api/init", body));
    expect([status, path]).toEqual([400, param]);
  });

  test.each([
    {},
    { timeoutSeconds: null, llmConfig: null, systemPrompt: null, sessionList: null },
    { timeoutSeconds: 2_147_484, llmConfig: { temperature: null, topP: null, apiKey: null } },
    { more: { fields: true }, openSpecList: [] },
  ])("%j is accepted", async (body) => {
    const { app } = createTestApp();
    const id = await init(app, body);
    const events = await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi")));
    expect(line(events.at(-1)?.message ?? {})).toBe("agent>client [TASK_DONE]");
  });

  test.each(["http://169.254.169.254/v1", "http://127.0.0.1:1/v1", "file:///etc/passwd"])(
    "may not send the server to %s",
    async (baseUrl) => {
      const { app } = createTestApp();
      const body = { llmConfig: { baseUrl, apiKey: "sk-secret", model: "m" } };
      expect((await post(app, "/api/init", body)).status).toBeOneOf([400, 403]);
    },
  );
});

test.each([
  ["a description of a service in", (text: string) => ({ openSpec: { openapi: "3.1.0", text } })],
  ["the same as text in", (text: string) => ({ openSpec: text })],
])(
  "%s the body of /init of more than 1 MiB is refused unread, one of a little less is not",
  async (_, specOf) => {
    const { app } = createTestApp();
    const ask = async (length: number, end = "") => {
      const spec = { protocol: "openapi", ...specOf("x".repeat(length)) };
      const body = JSON.stringify({ openSpecList: [spec] });
      return refusalOf(await post(app, "/api/init", body + end));
    };
    // What follows would be found by whoever reads it.
    expect(await ask(1_048_576, "}")).toEqual([413, "body_too_large", undefined]);
    expect((await ask(1_048_000)).slice(0, 2)).toEqual([400, "invalid_request"]);
  },
);

describe("the body of a task", () => {
  test.each<[unknown, string | undefined]>([
    [{}, "contentList"],
    [{ contentList: [] }, "contentList"],
    [{ contentList: [{ type: "text" }] }, "contentList[0].message"],
    [{ contentList: [{ type: "video", message: "x" }] }, "contentList[0].type"],
    [{ contentList: [{ type: "imageUrl", message: "file:///x" }] }, "contentList[0].message"],
    [
      { contentList: [{ type: "imageUrl", message: "data:text/html,x" }] },
      "contentList[0].message",
    ],
    [{ ...task("x"), taskId: "" }, "taskId"],
    [{ ...task("x"), taskId: "x".repeat(65) }, "taskId"],
    [{ ...task("x"), taskId: "a\nb" }, "taskId"],
    [{ ...task("x"), taskId: 1 }, "taskId"],
  ])("%j is refused with the path", async (body, param) => {
    const { app } = createTestApp();
    const id = await init(app);
    const [status, , path] = await refusalOf(await post(app, `/api/chat?id=${id}`, body));
    expect([status, path]).toEqual([400, param]);
    expect(await history(app, id)).toEqual([]);
  });

  test("may not be larger than a message", async () => {
    const { app } = createTestApp({ settings: { RIGHTSEAT_MAX_MESSAGE_BYTES: "1000" } });
    const id = await init(app);
    const response = await post(app, `/api/chat?id=${id}`, task("x".repeat(1_000)));
    expect(response.status).toBe(413);
  });
});

describe("a session", () => {
  const paths = ["history", "stop", "clear", "chat"];

  test.each(paths)("that nobody has begun is not found by /%s", async (path) => {
    const { app } = createTestApp();
    for (const id of ["no", "__proto__", "constructor", "%7B%7D", "a:b", "x".repeat(1_000)])
      expect(await refusalOf(await get(app, `/api/${path}?id=${id}`))).toEqual([
        404,
        "not_found",
        "id",
      ]);
    expect(await refusalOf(await get(app, `/api/${path}`))).toEqual([400, "invalid_request", "id"]);
  });

  test("that nobody has begun is not found by a socket, and a page is told", async () => {
    const { app } = createTestApp();
    expect(await open(app, { path: "/api/chat?id=no" })).toMatchObject({ status: 404 });
    const headers = { origin: "http://localhost" };
    const socket = await connect(app, { path: "/api/chat?id=no", headers });
    expect(await socket.closed).toMatchObject({ code: 4404 });
  });

  test("belongs to the key that has begun it", async () => {
    const { app } = createTestApp({ settings: { RIGHTSEAT_API_KEYS: "one,two" } });
    const [one, two] = [{ "x-api-key": "one" }, { "x-api-key": "two" }];
    const id = await init(app, {}, one);
    await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi"), one));
    for (const path of paths) {
      expect((await get(app, `/api/${path}?id=${id}`, two)).status).toBe(404);
      expect((await get(app, `/api/${path}?id=${id}`)).status).toBe(401);
    }
    expect((await post(app, `/api/chat?id=${id}`, task("Hi"), two)).status).toBe(404);
    expect((await post(app, `/api/chat?id=${id}`, task("Hi"))).status).toBe(401);
    expect(await open(app, { path: `/api/chat?id=${id}`, headers: two })).toMatchObject({
      status: 404,
    });
    const [status, , param] = await refusalOf(
      await post(app, "/api/init", { sessionList: [{ id }] }, two),
    );
    expect([status, param]).toEqual([400, "sessionList[0].id"]);
    expect((await get(app, `/api/history?id=${id}`, one)).status).toBe(200);
    const socket = await follow(app, id, "&after=-1&api_key=one");
    expect(await socket.until("[TASK_DONE]")).toHaveLength(6);
  });

  test("is opened by no page of another site, nor stopped or cleared by one", async () => {
    const { app } = createTestApp();
    const id = await init(app);
    await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi")));
    const path = `/api/chat?id=${id}`;
    expect(await open(app, { path, headers: { origin: "https://evil.example" } })).toMatchObject({
      status: 403,
    });
    for (const name of ["stop", "clear"])
      for (const headers of [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { origin: "https://evil.example" },
      ] as Record<string, string>[])
        expect((await get(app, `/api/${name}?id=${id}`, headers)).status).toBe(403);
    expect(await history(app, id)).toHaveLength(6);
    const own = { "sec-fetch-site": "same-origin" };
    expect((await get(app, `/api/stop?id=${id}`, own)).status).toBe(200);
  });

  test("is spoken to in a version of the protocol that there is", async () => {
    const { app } = createTestApp();
    const [status, code, param] = await refusalOf(await get(app, "/api/version?protocol=0.5"));
    expect([status, code, param]).toEqual([400, "invalid_request", "protocol"]);
  });

  test.each(["", "+1", "%201", "0x10", "1e3", "1.0", "-2", "12345678901", "x"])(
    "takes no number written as `%s`",
    async (written) => {
      const { app } = createTestApp();
      const id = await init(app);
      for (const [path, name] of [
        ["history", "from"],
        ["history", "limit"],
        ["chat", "after"],
      ] as const) {
        const address = `/api/${path}?id=${id}&${name}=${written}`;
        expect(await refusalOf(await get(app, address))).toEqual([400, "invalid_request", name]);
      }
    },
  );
});

describe("a limit", () => {
  const key = (name: string) => ({ "x-api-key": name });
  const keys = { RIGHTSEAT_API_KEYS: "one,two" };

  test("of sessions holds for each key", async () => {
    const { app } = createTestApp({ settings: { ...keys, maxSessions: 2 } });
    await init(app, {}, key("one"));
    await init(app, {}, key("one"));
    const [status, code] = await refusalOf(await post(app, "/api/init", {}, key("one")));
    expect([status, code]).toEqual([429, "rate_limited"]);
    await init(app, {}, key("two"));
  });

  test("of sessions holds, too, where many begin at once, and each writes the list of its key once", async () => {
    const store = createMemoryStore({ now: Date.now });
    const lists: boolean[] = [];
    const put = store.put.bind(store);
    store.put = async (name, ...given) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      const isWritten = await put(name, ...given);
      if (name.startsWith("owner:")) lists.push(isWritten);
      return isWritten;
    };
    const { app } = createTestApp({ store, settings: { maxSessions: 20 } });
    const asked = Array.from({ length: 30 }, () => post(app, "/api/init", {}));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(lists).toEqual(Array.from({ length: 20 }, () => true));
  });

  test("of messages ends a session, until it is cleared", async () => {
    const { app } = createTestApp({ settings: { maxHistory: 6 } });
    const id = await init(app);
    const ask = (name: string) => post(app, `/api/chat?id=${id}`, task("Hi", name));
    await readEvents(await ask("one"));
    expect((await ask("two")).status).toBe(429);
    // One that was answered already is found again.
    expect(await readEvents(await ask("one"))).toHaveLength(6);
    await getJson(app, `/api/clear?id=${id}`);
    expect(await readEvents(await ask("two"))).toHaveLength(6);
  });

  test("of tasks holds for each key, over all its sessions", async () => {
    const model = gatedModel();
    const { app } = createTestApp({
      models: model,
      settings: { ...keys, maxSessionTasks: 1 },
    });
    const [first, second] = [await init(app, {}, key("one")), await init(app, {}, key("one"))];
    const other = await init(app, {}, key("two"));
    const ask = (id: string, name: string) =>
      post(app, `/api/chat?id=${id}`, task("Hi"), key(name));
    const running = await ask(first, "one");
    expect((await ask(second, "one")).status).toBe(429);
    const others = await ask(other, "two");
    await model.end();
    await model.end();
    expect(await readEvents(running)).toHaveLength(6);
    expect(await readEvents(others)).toHaveLength(6);
    const again = await ask(second, "one");
    await model.end();
    expect(await readEvents(again)).toHaveLength(6);
  });

  test("of connections holds for each key", async () => {
    const { app } = createTestApp({
      settings: { ...keys, RIGHTSEAT_MAX_CONNECTIONS_PER_KEY: "1" },
    });
    const id = await init(app, {}, key("one"));
    const path = `/api/chat?id=${id}`;
    const socket = await connect(app, { path, headers: key("one") });
    expect(await open(app, { path, headers: key("one") })).toMatchObject({ status: 429 });
    socket.leave();
    await expect
      .poll(async () => (await open(app, { path, headers: key("one") })) instanceof Response)
      .toBe(false);
  });
});
