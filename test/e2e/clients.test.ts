// What others wrote on both sides of us: official clients and a parser that read our stream, and
// a mock server that we read.
import { EventSourceParserStream } from "eventsource-parser/stream";
import OpenAI7 from "openai";
import OpenAI6 from "openai6";
import { describe, expect, test } from "vitest";
import { copilotRequest } from "../helpers/copilot-request.ts";
import { type TestServer, explain, startRightseat } from "../helpers/e2e-server.ts";
import { type Upstream, eventStream, startUpstream } from "../helpers/e2e-upstream.ts";
import { answerOf, chunk, frame } from "../helpers/upstream.ts";

const said = ["Hello", " 世界 😀", '\n"quoted"\n\ndata: [DONE]\n\n', "\u2028 end."];

async function serverOver(upstream: Upstream): Promise<TestServer> {
  return startRightseat({ RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url });
}

interface StreamedEvent {
  rightseat?: { edit: { filePath: string; result: { status: string } } };
  choices?: { delta: { content?: string | null }; finish_reason: string | null }[];
}

const clients = [
  { name: "openai 7", OpenAI: OpenAI7 },
  { name: "openai 6", OpenAI: OpenAI6 },
];

describe.each(clients)("the client of $name", ({ OpenAI }) => {
  const streamFrom = (url: string, command: string): AsyncIterable<StreamedEvent> => {
    const client = new OpenAI({ apiKey: "none", baseURL: url, maxRetries: 0 });
    const options = { body: copilotRequest(command), stream: true };
    const answer = client.post("/agents/rightseat", options);
    return {
      async *[Symbol.asyncIterator]() {
        // `stream: true` makes it a stream, which the types of a free path do not say.
        yield* (await answer) as AsyncIterable<StreamedEvent>;
      },
    };
  };

  test.each(["explain", "chat"])("reads the whole text of the command %s", async (command) => {
    await using upstream = await startUpstream(({ socket }) => {
      socket.end(eventStream + answerOf(...said));
    });
    await using server = await serverOver(upstream);
    const texts: string[] = [];
    const reasons: string[] = [];
    for await (const { choices = [] } of streamFrom(server.url, command)) {
      texts.push(...choices.map(({ delta }) => delta.content ?? ""));
      reasons.push(...choices.flatMap(({ finish_reason: reason }) => reason ?? []));
    }
    expect(texts.join("")).toBe(said.join(""));
    expect(reasons).toEqual(["stop"]);
  });

  test("passes over the chunk that tells a change, which can be read", async () => {
    const units = "------- SEARCH\n}\n=======\n};\n+++++++ REPLACE\n";
    await using upstream = await startUpstream(({ socket }) => {
      socket.end(eventStream + answerOf(`<file-edit>\n${units}</file-edit>\n`));
    });
    await using server = await serverOver(upstream);
    let text = "";
    const edits: unknown[] = [];
    for await (const { choices = [], rightseat } of streamFrom(server.url, "fix")) {
      text += choices.map(({ delta }) => delta.content ?? "").join("");
      if (rightseat === undefined) continue;
      expect(choices).toMatchObject([{ delta: {}, finish_reason: null }]);
      edits.push(rightseat.edit);
    }
    expect(text).toContain("+};");
    expect(edits).toMatchObject([
      { filePath: "src/count-lines.ts", result: { status: "applied" } },
    ]);
  });

  test.each([
    { fault: "the model breaks off", end: "", code: "upstream_truncated" },
    {
      fault: "the model reports an error",
      end: frame('{"error":{"message":"no"}}'),
      code: "upstream_error",
    },
  ])("throws an APIError after the text when $fault", async ({ end, code }) => {
    const { promise: hasText, resolve } = Promise.withResolvers<void>();
    await using upstream = await startUpstream(async ({ socket }) => {
      socket.write(eventStream + frame(chunk({ content: "Hel" })));
      await hasText;
      socket.end(end);
    });
    await using server = await serverOver(upstream);
    let text = "";
    const read = async (): Promise<void> => {
      for await (const { choices } of streamFrom(server.url, "explain")) {
        text += choices?.[0]?.delta.content ?? "";
        resolve();
      }
    };
    const thrown: unknown = await read().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(OpenAI.APIError);
    expect(thrown).toMatchObject({ code, type: "upstream_error" });
    expect(text).toBe("Hel");
  });

  test("throws the error of the status when the model refuses", async () => {
    await using upstream = await startUpstream(({ socket }) => {
      socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
    });
    await using server = await serverOver(upstream);
    const read = async (): Promise<void> => {
      for await (const event of streamFrom(server.url, "explain")) expect(event).toBe("none");
    };
    const thrown: unknown = await read().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(OpenAI.InternalServerError);
    expect(thrown).toMatchObject({
      status: 502,
      code: "upstream_refused",
      requestID: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });
});

describe("eventsource-parser", () => {
  interface SeenEvent {
    event?: string | undefined;
    data: string;
  }

  /** Counted without any parser: an event ends with a blank line, and no data holds one. */
  const expected = (text: string): SeenEvent[] =>
    text
      .split("\n\n")
      .slice(0, -1)
      .map((block) => {
        const lines = block.split("\n");
        const event = lines.find((line) => line.startsWith("event: "))?.slice(7);
        const data = lines.find((line) => line.startsWith("data: "))?.slice(6) ?? "";
        return { event, data };
      });

  const checkAll = (seen: readonly SeenEvent[], text: string): void => {
    expect(seen.map(({ event, data }) => ({ event, data }))).toEqual(expected(text));
    expect(seen.filter(({ event }) => event === "copilot_action").length).toBe(2);
    expect(seen.at(-1)?.data).toBe("[DONE]");
    expect(seen.length).toBeGreaterThan(said.length + 3);
  };

  test("gets every event as a stream from the wire", async () => {
    await using upstream = await startUpstream(({ socket }) => {
      socket.end(eventStream + answerOf(...said));
    });
    await using server = await serverOver(upstream);
    const response = await fetch(server.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: explain,
    });
    const [forParser, forText] = response.body?.tee() ?? [];
    const text = new Response(forText ?? null).text();
    const seen: SeenEvent[] = [];
    const events = forParser
      ?.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onError: "terminate" }));
    for await (const event of events ?? []) seen.push(event);
    checkAll(seen, await text);
  });
});
