// What every door must do that answers over HTTP, whatever its protocol, beside what all doors must do; on
// Node and in workerd.
import { describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import type { Door } from "../../src/doors/http/door.ts";
import { AppError } from "../../src/base/errors/app-error.ts";
import { doorPromises, type ReadStream, type Talk } from "./door-promises.ts";
import { type PostOptions, post } from "../helpers/copilot-request.ts";
import { createTestApp, type TestAppOptions } from "../helpers/create-test-app.ts";
import {
  bytesOf,
  chunk,
  endlessTransport,
  fakeTransport,
  frame,
  modelOver,
} from "../helpers/upstream.ts";

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

interface Refusal {
  error: { code: string; message: string };
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
  const talk = (app: App, { key, language }: { key?: string; language?: string } = {}): Talk => {
    const controller = new AbortController();
    const headers = {
      ...(key === undefined ? {} : { "x-api-key": key }),
      ...(language === undefined ? {} : { "accept-language": language }),
    };
    const response = ask(app, { headers, signal: controller.signal });
    // Whoever leaves reads no answer.
    response.catch(() => undefined);
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    let start: Uint8Array | undefined;
    return {
      async refusal() {
        const { status, body } = await response;
        if (status !== 200) return ((await (await response).json()) as Refusal).error.code;
        reader = body?.getReader();
        start = (await reader?.read())?.value;
        return undefined;
      },
      async whole() {
        expect((await response).status).toBe(200);
        reader ??= (await response).body?.getReader();
        const decoder = new TextDecoder("utf-8", { fatal: true });
        let text = decoder.decode(start, { stream: true });
        for (;;) {
          const next = await reader?.read();
          if (next === undefined || next.done) return adapter.read(text + decoder.decode());
          text += decoder.decode(next.value, { stream: true });
        }
      },
      leave() {
        if (reader === undefined) controller.abort();
        else void reader.cancel();
      },
    };
  };
  const hanging = (settings: Record<string, string> = {}) => {
    const transport = fakeTransport({ body: [bytesOf(half), "hang"] });
    return { transport, ...create({ models: modelOver(transport), settings }) };
  };

  doorPromises(name, {
    ...(adapter.door === undefined ? {} : { door: adapter.door }),
    ask: (app, how) => talk(app, how),
  });

  test(`the door ${name} names the turn in a header`, async () => {
    const { app } = create();
    expect((await ask(app)).headers.get("x-request-id")).toBe("turn-1");
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

  test(`a client of the door ${name} that does not read slows the model down`, async () => {
    const transport = endlessTransport();
    const { app } = create({ models: modelOver(transport) });
    const response = await ask(app);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(transport.taken).toBeLessThan(40);
    await response.body?.cancel();
  });
}
