// The stream of the platform document's own sample, behind every door that speaks HTTP.
import { describe, expect, test } from "vitest";
import { post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { bytesOf, fakeTransport, frame, platformOver } from "../../helpers/upstream.ts";

/** As its `createMessageChunk` writes it. */
function messageChunk(content: string, at: number): string {
  const choice = {
    index: 0,
    delta: { role: "assistant", content },
    logprobs: null,
    finish_reason: "",
  };
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  return JSON.stringify({
    id: 17,
    model: "happy",
    object: "",
    created: at / 1_000,
    choices: [choice],
    usage,
  });
}

const chunks = ["Hello, ", "Ada!"].map((text, nth) =>
  frame(messageChunk(text, 1_763_600_000_123 + nth)),
);

function appOver(body: string) {
  const transport = fakeTransport({ body: [bytesOf(body)] });
  return createTestApp({ models: platformOver(transport) }).app;
}

interface Chunk {
  choices: {
    delta?: { content?: string };
    message?: { content: string };
    finish_reason: string | null;
  }[];
}

async function read(response: Response): Promise<{ text: string; reasons: unknown[] }> {
  const body = await response.text();
  const lines = body.startsWith("{")
    ? [body]
    : [...body.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => json);
  const choices = lines.flatMap((line) => (JSON.parse(line) as Chunk).choices);
  return {
    text: choices.map(({ delta, message }) => (message ?? delta)?.content ?? "").join(""),
    reasons: choices.map(({ finish_reason }) => finish_reason).filter((reason) => reason !== null),
  };
}

const doors = {
  copilot: (body: string) => post(appOver(body), { agent: "rightseat", command: "chat" }),
  "/v1, streamed": (body: string) => askV1(body, true),
  "/v1, whole": (body: string) => askV1(body, false),
};

function askV1(body: string, stream: boolean): Response | Promise<Response> {
  const messages = [{ role: "user", content: "Hi." }];
  return appOver(body).fetch(
    new Request("http://localhost/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "rightseat", messages, stream }),
    }),
  );
}

describe.each(Object.entries(doors))("at %s an answer in the document's own form", (door, ask) => {
  test.each(["data: [DONE]\n\n", "data: [Done]\n"])(
    "is whole with %j, under one finish reason",
    async (marker) => {
      const { text, reasons } = await read(await ask(chunks.join("") + marker));
      expect(text).toContain("Hello, Ada!");
      expect(text).not.toContain("broke off");
      expect(reasons).toEqual(["stop"]);
    },
  );

  test("has its named events at the copilot door alone", async () => {
    const action = { action: "confirm", state: {}, data: { title: "T", command: "version" } };
    const event = `event: copilot_action\ndata: ${JSON.stringify(action)}\n\n`;
    const [first = "", second = ""] = chunks;
    const body = await (await ask(`${first}${event}${second}data: [DONE]\n\n`)).text();
    expect(body.includes(event)).toBe(door === "copilot");
    expect(body.includes("event:")).toBe(door === "copilot");
    const order = [body.indexOf("Hello"), body.indexOf(event), body.indexOf("Ada")];
    if (door === "copilot") expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test("is not whole without its marker", async () => {
    const response = await ask(chunks.join(""));
    const body = await response.text();
    expect(body).toContain('"code":"upstream_truncated"');
    expect(body).not.toContain('"finish_reason":"stop"');
  });
});
