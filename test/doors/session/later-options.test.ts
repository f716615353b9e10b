// What the version 0.8 of the protocol lets a session choose; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { gatedModel } from "../../helpers/gated-model.ts";
import {
  type Message,
  follow,
  history,
  init,
  line,
  post,
  readEvents,
  someFunction,
  task,
} from "../../helpers/session-client.ts";

const spec = { openSpecList: [{ openSpec: "{}", protocol: "openapi" }] };
type App = Parameters<typeof post>[0];

async function chat(app: App, id: string, text = "Hi"): Promise<Message[]> {
  const events = await readEvents(await post(app, `/api/chat?id=${id}`, task(text)));
  return events.map(({ message }) => message);
}

function callOf(name: string, given: object, id = "call-1") {
  return { type: "tool-call" as const, call: { id, name, arguments: JSON.stringify(given) } };
}

describe("toolPipelineStrategy", () => {
  test.each([
    ["parallel", 3],
    ["serial", 1],
    [undefined, 3],
  ])("%s runs %i calls of an answer at once", async (toolPipelineStrategy, most) => {
    let [running, together] = [0, 0];
    const tool = someFunction(async () => {
      running += 1;
      await new Promise((resolve) => setTimeout(resolve, 0));
      together = Math.max(together, running);
      running -= 1;
      return {};
    });
    const calls = ["a", "b", "c"].map((operation) =>
      callOf("SomeFunction", { operation }, operation),
    );
    const { app } = createTestApp({
      models: [calls, ["Done."]],
      openTools: async (list) => (list.length === 0 ? [] : [tool]),
    });
    const id = await init(app, { ...spec, toolPipelineStrategy });
    const returned = (await chat(app, id)).filter(
      ({ from, type }) => `${String(from)} ${String(type)}` === "tool toolReturn",
    );
    expect(returned.map(({ message }) => (message as Message)["id"])).toEqual(["a", "b", "c"]);
    expect(together).toBe(most);
  });

  test("reject has no meaning, and is refused", async () => {
    const { app } = createTestApp();
    const refused = await post(app, "/api/init", { toolPipelineStrategy: "reject" });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(
      "toolPipelineStrategy: must be one of: parallel, serial",
    );
  });
});

test("a task that is rejected tells it as its start", async () => {
  const model = gatedModel();
  const { app } = createTestApp({ models: model });
  const id = await init(app, { taskPipelineStrategy: "reject" });
  const socket = await follow(app, id, "&protocol=0.8");
  const running = chat(app, id);
  await socket.next();
  socket.send(task("Two", "two"));
  let told: Message;
  do told = await socket.next();
  while (told["taskId"] !== "two");
  const description = { code: 409, message: expect.any(String) as string };
  expect(told).toMatchObject({
    type: "taskStatus",
    content: { status: "start", taskId: "two", description },
  });
  await model.end();
  await running;
});

describe("reflectPromptList", () => {
  const reflector = { llmConfig: {}, prompt: "Is it English?" };
  const noted = callOf("reflect", { score: 3, description: "This is French." });

  test("an answer that is not good enough is asked for once more, and does not count", async () => {
    const passes = callOf("reflect", { score: 8 });
    const { app, model } = createTestApp({
      models: [
        ["Bonjour."],
        [noted],
        ["Hello."],
        [passes],
        ['{"score": "10"}'],
        ["Yes."],
        [passes],
        [passes],
      ],
    });
    const id = await init(app, { reflectPromptList: [reflector, reflector] });
    const lines = (await chat(app, id)).map(line);
    expect(lines.map((each) => each.split(" ")[0])).toEqual([
      "agent>client",
      "user>agent",
      "agent>llm",
      "llm>agent",
      "agent>reflection",
      "reflection>agent",
      "agent>llm",
      "llm>agent",
      "agent>reflection",
      "reflection>agent",
      "agent>user",
      "agent>client",
    ]);
    expect(lines[6]).toContain("3 of 10");
    expect(lines[10]).toBe("agent>user Hello.");
    const found = (await history(app, id, "&protocol=0.8")).filter(
      ({ role }) => role === "reflection",
    );
    expect(found[0]).toMatchObject({
      to: "agent",
      type: "reflection",
      content: {
        isPass: false,
        messageScore: {
          contentList: [{ type: "text", message: "Hi" }],
          messageType: "text",
          message: "Bonjour.",
          reflectScoreList: [{ score: 3, description: "This is French." }],
        },
        passScore: 8,
        count: 1,
        maxCount: 10,
      },
    });
    const scores = { reflectScoreList: [{ score: 8 }, { score: 10 }] };
    expect(found[1]?.["content"]).toMatchObject({ isPass: true, count: 2, messageScore: scores });
    expect(model.requests[1]?.messages[0]).toEqual({ role: "system", content: reflector.prompt });
    await chat(app, id, "Sure?");
    const told = model.requests[5]?.messages.map(({ content }) => content);
    expect(told).toEqual(["Hi", "Hello.", "Sure?"]);
  });

  test("the tenth answer counts, whatever it is worth, and who gives no score has found nothing good", async () => {
    const models = Array.from({ length: 20 }, (_, nth) => [nth % 2 === 0 ? `A${nth}` : "Fine."]);
    const { app, model } = createTestApp({ models });
    const id = await init(app, { reflectPromptList: [reflector] });
    const lines = (await chat(app, id)).map(line);
    expect(lines.slice(-2)).toEqual(["agent>user A18", "agent>client [TASK_DONE]"]);
    expect(model.requests).toHaveLength(20);
  });

  test("its own models are looked at when the session begins", async () => {
    const { app } = createTestApp();
    const llmConfig = { baseUrl: "http://10.0.0.1/v1", model: "m", apiKey: "sk-x" };
    const refused = await post(app, "/api/init", {
      reflectPromptList: [{ llmConfig, prompt: "p" }],
    });
    expect(refused.status).toBe(403);
    const empty = await post(app, "/api/init", { reflectPromptList: [{ llmConfig: {} }] });
    expect(await empty.text()).toContain("reflectPromptList[0].prompt");
  });

  test("a stop ends the look at an answer", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const id = await init(app, { reflectPromptList: [reflector] });
    const running = chat(app, id);
    await model.say("Hello.");
    await model.end();
    await expect.poll(() => model.requests.length).toBe(2);
    await app.fetch(new Request(`http://localhost/api/stop?id=${id}`));
    expect((await running).map(line).at(-1)).toBe("agent>client [TASK_STOP]");
    await expect.poll(() => model.aborted).toBe(1);
  });
});
