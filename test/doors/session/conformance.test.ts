// What every door promises, as far as it holds where tasks outlive their clients; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { gatedModel } from "../../helpers/gated-model.ts";
import { connect, open } from "../../helpers/plugin-client.ts";
import { init, line, post, readEvents, task } from "../../helpers/session-client.ts";

async function refusalOf(response: Response): Promise<[number, string]> {
  const { error } = (await response.json()) as { error: { code: string } };
  return [response.status, error.code];
}

test("an answer is the model's text, whatever it is made of", async () => {
  const { app } = createTestApp({ models: [["Hello", " 世界 😀", "\n\ndata: x\r\n"]] });
  const id = await init(app);
  const events = await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi")));
  expect(events[4]?.message["message"]).toBe("Hello 世界 😀\n\ndata: x\r\n");
});

describe("while the server drains", () => {
  test("nothing begins", async () => {
    const { app, model } = createTestApp();
    const id = await init(app);
    await app.drain();
    const path = `/api/chat?id=${id}`;
    expect(await refusalOf(await post(app, path, task("Hi")))).toEqual([503, "draining"]);
    const socket = await open(app, { path });
    expect(socket).toMatchObject({ status: 503 });
    expect(model.requests).toEqual([]);
  });

  test("a task that ends in time is whole, and then the sockets are closed", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const id = await init(app);
    const socket = await connect(app, { path: `/api/chat?id=${id}` });
    const stream = await post(app, `/api/chat?id=${id}`, task("Hi"));
    await model.say("Hello.");
    const drained = app.drain();
    await model.end();
    const events = await readEvents(stream);
    expect(line(events.at(-1)?.message ?? {})).toBe("agent>client [TASK_DONE]");
    await drained;
    expect(await socket.closed).toMatchObject({ code: 1012 });
  });

  test("a task that takes longer ends with the error", async () => {
    const model = gatedModel();
    const { app } = createTestApp({
      models: model,
      settings: { RIGHTSEAT_DRAIN_TIMEOUT_MS: "30" },
    });
    const id = await init(app);
    const stream = await post(app, `/api/chat?id=${id}`, task("Hi"));
    await model.say("Hel");
    const [events] = await Promise.all([readEvents(stream), app.drain()]);
    expect(line(events.at(-1)?.message ?? {})).toMatch(
      /^agent>client \[TASK_STOP\]\{"code":503,"message":"/,
    );
  });
});

test.each([
  ["en", /is being restarted|Something went wrong/],
  ["zh", /智能体/],
])("a failure is told in %s", async (language, sentence) => {
  const { app } = createTestApp({ models: [[new Error("ours")]] });
  const id = await init(app);
  const headers = { "accept-language": language };
  const events = await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi"), headers));
  expect(line(events.at(-1)?.message ?? {})).toMatch(sentence);
});
