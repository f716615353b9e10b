// What every door must do that answers over HTTP, whatever its protocol; on Node and in workerd.
import { describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import type { Door } from "../../src/doors/http/door.ts";
import { AppError } from "../../src/errors/app-error.ts";
import { truncated } from "../../src/model/scripted.ts";
import { type PostOptions, post } from "../helpers/copilot-request.ts";
import { createTestApp, type TestAppOptions } from "../helpers/create-test-app.ts";
import { bytesOf, chunk, fakeTransport, frame, modelOver } from "../helpers/upstream.ts";

/** What a client of the door reads from a stream. */
interface ReadStream {
  text: string;
  /** Of the error that ended it, with the sentence for the person. */
  error: { code: string; sentence: string } | undefined;
  /** It came to the end that the protocol has, and nothing follows. */
  isWhole: boolean;
}

/** All that the suite has to know of a protocol. */
export interface DoorAdapter {
  /** A question of which the model is asked once, and whose answer is a stream. */
  question(agent: string): { path: string; body: object };
  /** @param stream a whole response's body */
  read(stream: string): ReadStream;
  /** The code of the refusal where nobody has that name. */
  unknownAgent: string;
  /** The door, where it is none of ours. */
  door?: Door;
}

const half = frame(chunk({ content: "Hel" }));

/** @param name of the door, for the tests' names */
export function doorSuite(name: string, adapter: DoorAdapter): void {
  const doors = adapter.door === undefined ? [] : [adapter.door];
  const create = ((options: TestAppOptions<never> = {}) =>
    createTestApp({ ...options, doors })) as typeof createTestApp;
  const { path, body: question } = adapter.question("rightseat");

  const ask = (app: App, options: PostOptions = {}, body: unknown = question): Promise<Response> =>
    post(app, body, { path, ...options });
  const readWhole = async (response: Response): Promise<ReadStream> => {
    expect(response.status).toBe(200);
    return adapter.read(await response.text());
  };
  const hanging = (settings: Record<string, string> = {}) => {
    const transport = fakeTransport({ body: [bytesOf(half), "hang"] });
    return { transport, ...create({ models: modelOver(transport), settings }) };
  };

  describe(`the door ${name} answers`, () => {
    test("with a stream that holds the model's text and comes to its end", async () => {
      const { app, model } = create({ models: [["Hello", " 世界 😀", "\n\ndata: x\r\n"]] });
      const response = await ask(app);
      expect(response.headers.get("x-request-id")).toBe("turn-1");
      const { text, error, isWhole } = await readWhole(response);
      expect([error, isWhole]).toEqual([undefined, true]);
      expect(text.startsWith("Hello 世界 😀\n\ndata: x\r\n")).toBe(true);
      expect(model.requests).toHaveLength(1);
    });

    test("after a silence of the model with the whole text all the same", async () => {
      const settings = { RIGHTSEAT_FIRST_BYTE_HOLD_MS: "5", RIGHTSEAT_HEARTBEAT_MS: "5" };
      const body = [60, bytesOf(half), 60, bytesOf(frame(chunk({}, "stop")))];
      const { app } = create({ models: modelOver(fakeTransport({ body })), settings });
      const { text, isWhole } = await readWhole(await ask(app));
      expect([text.startsWith("Hel"), isWhole]).toEqual([true, true]);
    });
  });

  describe(`the door ${name} refuses before the first byte`, () => {
    const busy = new AppError("rate_limited", "Too much.", { retryAfter: 7 });
    const broken = new AppError("upstream_unreachable", "No connection.");
    const long = { ...question, padding: "x".repeat(5_000) };
    const key = { headers: { "x-api-key": "good" } };
    const text = { headers: { ...key.headers, "content-type": "text/plain" } };
    const nobody = adapter.question("nobody");

    test.each<[string, number, string, TestAppOptions<never>["models"], PostOptions, unknown]>([
      ["a caller without a key", 401, "unauthorized", undefined, {}, question],
      [
        "an agent that is not there",
        404,
        adapter.unknownAgent,
        undefined,
        { ...key, path: nobody.path },
        nobody.body,
      ],
      ["a body that is not JSON", 400, "invalid_json", undefined, key, "{"],
      ["a body of another kind", 400, "invalid_request", undefined, key, [1]],
      ["a body that is too large", 413, "body_too_large", undefined, key, long],
      ["a body of another type", 415, "unsupported_media_type", undefined, text, question],
      ["what the model refuses", 429, "rate_limited", [[busy]] as never, key, question],
      ["what the model fails at", 502, "upstream_unreachable", [[broken]] as never, key, question],
    ])("%s with %i, and lets the next one in", async (_, status, code, models, options, body) => {
      const settings = {
        RIGHTSEAT_API_KEYS: "good",
        RIGHTSEAT_MAX_BODY_BYTES: "5000",
        RIGHTSEAT_MAX_STREAMS: "1",
      };
      const { app } = create({ settings, ...(models === undefined ? {} : { models }) });
      for (let nth = 0; nth < 2; nth += 1) {
        const response = await ask(app, options, body);
        expect(response.headers.get("content-type")).toMatch(/^application\/json/);
        expect(response.headers.get("x-request-id")).toMatch(/^turn-/);
        expect(response.headers.get("retry-after")).toBe(status === 429 ? "7" : null);
        const refusal = (await response.json()) as { error: { code: string; message: string } };
        expect([response.status, refusal.error.code]).toEqual([status, code]);
      }
    });

    test("a caller that has as many answers running as allowed, until one has ended", async () => {
      const settings = { RIGHTSEAT_API_KEYS: "one,two", RIGHTSEAT_MAX_STREAMS_PER_CALLER: "1" };
      const { app, transport } = hanging(settings);
      const by = (who: string) => ask(app, { headers: { "x-api-key": who } });
      const running = await by("one");
      const refused = await by("one");
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
      const other = await by("two");
      expect(other.status).toBe(200);
      await Promise.all([running.body?.cancel(), other.body?.cancel()]);
      await expect.poll(() => transport.cancelled).toBe(2);
      const again = await by("one");
      expect(again.status).toBe(200);
      await again.body?.cancel();
    });

    test("everybody while the server drains", async () => {
      const { app, model } = create();
      await app.drain();
      const refused = await ask(app);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await refused.json()).toMatchObject({ error: { code: "draining" } });
      expect(model.requests).toEqual([]);
    });
  });

  describe(`a client of the door ${name} that leaves`, () => {
    const one = { RIGHTSEAT_MAX_STREAMS: "1" };

    test("in the middle of an answer ends the model's request and makes room", async () => {
      const { app, transport } = hanging(one);
      const reader = (await ask(app)).body?.getReader();
      await reader?.read();
      expect((await ask(app)).status).toBe(503);
      await reader?.cancel();
      await expect.poll(() => transport.cancelled).toBe(1);
      const next = await ask(app);
      expect(next.status).toBe(200);
      await next.body?.cancel();
    });

    test("before the first byte ends the model's request and makes room", async () => {
      const transport = fakeTransport({ body: ["hang"] }, { body: [bytesOf(half), "hang"] });
      const { app } = create({ models: modelOver(transport), settings: one });
      const controller = new AbortController();
      const response = ask(app, { signal: controller.signal });
      await expect.poll(() => transport.requests.length).toBe(1);
      controller.abort();
      await expect.poll(() => transport.cancelled).toBe(1);
      await response.catch(() => undefined);
      const next = await ask(app);
      expect(next.status).toBe(200);
      await next.body?.cancel();
    });
  });

  test(`a client of the door ${name} that does not read slows the model down`, async () => {
    let pulled = 0;
    const piece = bytesOf(frame(chunk({ content: "x".repeat(8_000) })));
    const transport = {
      async send() {
        return {
          status: 200,
          header: (header: string) => (header === "content-type" ? "text/event-stream" : undefined),
          discard: () => undefined,
          body: (async function* () {
            for (; pulled < 900; pulled += 1) yield piece;
          })(),
        };
      },
    };
    const { app } = create({ models: modelOver(transport) });
    const response = await ask(app);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(pulled).toBeLessThan(40);
    await response.body?.cancel();
  });

  describe(`while the server drains, an answer of the door ${name}`, () => {
    test("that ends in time is whole", async () => {
      const body = [bytesOf(half), 30, bytesOf(frame(chunk({ content: "lo" }, "stop")))];
      const { app } = create({ models: modelOver(fakeTransport({ body })) });
      const response = await ask(app);
      const [{ text, error, isWhole }] = await Promise.all([readWhole(response), app.drain()]);
      expect([text.startsWith("Hello"), error, isWhole]).toEqual([true, undefined, true]);
    });

    test("that takes longer ends with the error", async () => {
      const { app } = hanging({ RIGHTSEAT_DRAIN_TIMEOUT_MS: "30" });
      const response = await ask(app);
      const [{ text, error, isWhole }] = await Promise.all([readWhole(response), app.drain()]);
      expect([text.startsWith("Hel"), error?.code, isWhole]).toEqual([true, "draining", true]);
    });
  });

  test.each([
    ["en", /broke off/],
    ["zh", /中断/],
  ])(
    `a failure after the first byte ends a stream of the door ${name} with a sentence in %s`,
    async (language, sentence) => {
      const { app } = create({ models: [["Hel", truncated()]] });
      const response = await ask(app, { headers: { "accept-language": language } });
      const { text, error, isWhole } = await readWhole(response);
      expect([text.startsWith("Hel"), isWhole]).toEqual([true, true]);
      expect(error).toEqual({
        code: "upstream_truncated",
        sentence: expect.stringMatching(sentence),
      });
    },
  );
}
