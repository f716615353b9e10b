// The official clients over real sockets: what the house does for doors that answer whole, and with
// parts of a library user.
import OpenAI7 from "openai";
import OpenAI6 from "openai6";
import { describe, expect, test } from "vitest";
import { todos } from "../../examples/own-command.ts";
import { linesDoor } from "../../examples/own-door.ts";
import { startServer } from "../../src/start-server.node.ts";
import { startRightseat } from "../helpers/e2e-server.ts";
import { eventStream, startUpstream } from "../helpers/e2e-upstream.ts";
import { answerOf, chunk, frame } from "../helpers/upstream.ts";

const clients = [
  { name: "openai 7", OpenAI: OpenAI7 },
  { name: "openai 6", OpenAI: OpenAI6 as unknown as typeof OpenAI7 },
];
const messages = [{ role: "user" as const, content: "What?" }];
const said = ["Hello", " 世界 😀", "\n\ndata: [DONE]\n\n"];

describe.each(clients)("the client of $name", ({ OpenAI }) => {
  const clientOf = (url: string): OpenAI7 =>
    new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });

  test("gets the same text as a stream and whole, with the tokens", async () => {
    await using upstream = await startUpstream(({ socket }) => {
      socket.end(eventStream + answerOf(...said));
    });
    await using server = await startRightseat({ RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url });
    const { chat } = clientOf(server.url);
    const stream = await chat.completions.create({
      model: "rightseat",
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    let total: number | undefined;
    for await (const { choices, usage } of stream) {
      text += choices[0]?.delta.content ?? "";
      total = usage?.total_tokens ?? total;
    }
    const whole = await chat.completions.create({ model: "rightseat", messages });
    expect([text, whole.choices[0]?.message.content]).toEqual([said.join(""), said.join("")]);
    expect([total, whole.usage?.total_tokens]).toEqual([10, 10]);
  });

  test.each([true, false])(
    "that leaves ends the model's request, with a stream: %s",
    async (stream) => {
      const { promise: heard, resolve } = Promise.withResolvers<Promise<bigint>[]>();
      await using upstream = await startUpstream(({ socket, closed }) => {
        socket.write(eventStream + frame(chunk({ content: "Hel" })));
        resolve([closed]);
      });
      await using server = await startRightseat({ RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url });
      const controller = new AbortController();
      const answer = clientOf(server.url).chat.completions.create(
        { model: "rightseat", messages, stream },
        { signal: controller.signal },
      );
      const settled = Promise.resolve(answer).catch((error: unknown) => error);
      const [closed] = await heard;
      controller.abort();
      await settled;
      await closed;
      expect(upstream.open).toBe(0);
    },
  );

  test("finds a command of a library user among the models", async () => {
    const server = await startServer({
      environment: { RIGHTSEAT_PORT: "0" },
      commands: [todos],
      doors: [linesDoor],
    });
    try {
      const model = "rightseat/todos";
      const { choices } = await clientOf(server.url).chat.completions.create({ model, messages });
      expect(choices[0]?.message.content).toBe("There is nothing to do in this file.\n");
      const response = await fetch(`${server.url}/lines/rightseat`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ command: "todos", question: "" }),
      });
      expect(await response.text()).toMatch(/\{"end":"stop"\}\n$/);
    } finally {
      await server.close();
    }
  });
});
