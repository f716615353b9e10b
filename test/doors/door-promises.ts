// What every door must do, whatever its protocol and however its answers travel; on Node and in workerd.
import { describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import type { Door } from "../../src/doors/http/door.ts";
import { truncated } from "../../src/testing.ts";
import { createTestApp, type TestAppOptions } from "../helpers/create-test-app.ts";
import { bytesOf, chunk, fakeTransport, frame, modelOver } from "../helpers/upstream.ts";

/** What a client of the door reads from an answer. */
export interface ReadStream {
  text: string;
  /** Of the error that ended it, with the sentence for the person. */
  error: { code: string; sentence: string } | undefined;
  /** It came to the end that the protocol has, and nothing follows. */
  isWhole: boolean;
}

/** A question that was asked, and what comes of it. */
export interface Talk {
  /** The code of the refusal, as soon as there is one; undefined once something of an answer has come. */
  refusal(): Promise<string | undefined>;
  /** The answer to its end. */
  whole(): Promise<ReadStream>;
  /** The client leaves, whatever has come so far. */
  leave(): void | Promise<void>;
}

export interface DoorClient {
  /** Asks the shipped agent something of which a model is asked once; nothing is read before the talk is. */
  ask(app: App, how?: { key?: string; language?: string }): Talk;
  /** The door, where it is none of ours. */
  door?: Door;
}

const half = frame(chunk({ content: "Hel" }));
const whole = frame(chunk({ content: "lo" }, "stop"));

/** @param name of the door, for the tests' names */
export function doorPromises(name: string, client: DoorClient): void {
  const doors = client.door === undefined ? [] : [client.door];
  const ask: DoorClient["ask"] = (...question) => client.ask(...question);
  const create = ((options: TestAppOptions<never> = {}) =>
    createTestApp({ ...options, doors })) as typeof createTestApp;
  const hanging = (settings: Record<string, string> = {}) => {
    const transport = fakeTransport({ body: [bytesOf(half), "hang"] });
    return { transport, ...create({ models: modelOver(transport), settings }) };
  };
  // Whoever finds the place taken is refused at once.
  const one = { RIGHTSEAT_MAX_STREAMS: "1", RIGHTSEAT_MAX_QUEUE: "0" };

  describe(`the door ${name} answers`, () => {
    test("with the model's text, whatever it is made of, and comes to an end", async () => {
      const { app, model } = create({ models: [["Hello", " 世界 😀", "\n\ndata: x\r\n"]] });
      const { text, error, isWhole } = await ask(app).whole();
      expect([error, isWhole]).toEqual([undefined, true]);
      expect(text.startsWith("Hello 世界 😀\n\ndata: x\r\n")).toBe(true);
      expect(model.requests).toHaveLength(1);
    });

    test("after a silence of the model with the whole text all the same", async () => {
      const settings = { firstByteHold: 5, RIGHTSEAT_HEARTBEAT_MS: "5" };
      const body = [60, bytesOf(half), 60, bytesOf(frame(chunk({}, "stop")))];
      const { app } = create({ models: modelOver(fakeTransport({ body })), settings });
      const { text, isWhole } = await ask(app).whole();
      expect([text.startsWith("Hel"), isWhole]).toEqual([true, true]);
    });
  });

  describe(`the door ${name} refuses`, () => {
    test("a caller without a key, and lets the next one in", async () => {
      const { app } = create({ settings: { RIGHTSEAT_API_KEYS: "good" } });
      expect(await ask(app).refusal()).toBe("unauthorized");
      expect(await ask(app, { key: "bad" }).refusal()).toBe("unauthorized");
      expect((await ask(app, { key: "good" }).whole()).isWhole).toBe(true);
    });

    test("everybody while the server drains", async () => {
      const { app, model } = create();
      await app.drain();
      expect(await ask(app).refusal()).toBe("draining");
      expect(model.requests).toEqual([]);
    });
  });

  describe(`a client of the door ${name} that leaves`, () => {
    test("in the middle of an answer ends the model's request and makes room", async () => {
      const { app, transport } = hanging(one);
      const running = ask(app);
      expect(await running.refusal()).toBeUndefined();
      expect(await ask(app).refusal()).toBeDefined();
      await running.leave();
      await expect.poll(() => transport.cancelled).toBe(1);
      const next = ask(app);
      expect(await next.refusal()).toBeUndefined();
      await next.leave();
    });

    test("before the first byte ends the model's request and makes room", async () => {
      const transport = fakeTransport({ body: ["hang"] }, { body: [bytesOf(half), "hang"] });
      const { app } = create({ models: modelOver(transport), settings: one });
      const running = ask(app);
      await expect.poll(() => transport.requests.length).toBe(1);
      await running.leave();
      await expect.poll(() => transport.cancelled).toBe(1);
      const next = ask(app);
      expect(await next.refusal()).toBeUndefined();
      await next.leave();
    });
  });

  describe(`while the server drains, an answer of the door ${name}`, () => {
    test("that ends in time is whole", async () => {
      const body = [bytesOf(half), 30, bytesOf(whole)];
      const { app } = create({ models: modelOver(fakeTransport({ body })) });
      const talk = ask(app);
      expect(await talk.refusal()).toBeUndefined();
      const [{ text, error, isWhole }] = await Promise.all([talk.whole(), app.drain()]);
      expect([text.startsWith("Hello"), error, isWhole]).toEqual([true, undefined, true]);
    });

    test("that takes longer ends with the error", async () => {
      const { app } = hanging({ RIGHTSEAT_DRAIN_TIMEOUT_MS: "30" });
      const talk = ask(app);
      expect(await talk.refusal()).toBeUndefined();
      const [{ text, error, isWhole }] = await Promise.all([talk.whole(), app.drain()]);
      expect([text.startsWith("Hel"), error?.code, isWhole]).toEqual([true, "draining", true]);
    });
  });

  test.each([
    ["en", /broke off/],
    ["zh", /中断/],
  ])(
    `a failure after the first byte ends an answer of the door ${name} with a sentence in %s`,
    async (language, sentence) => {
      const { app } = create({ models: [["Hel", truncated()]] });
      const { text, error, isWhole } = await ask(app, { language }).whole();
      expect([text.startsWith("Hel"), isWhole]).toEqual([true, true]);
      expect(error).toEqual({
        code: "upstream_truncated",
        sentence: expect.stringMatching(sentence),
      });
    },
  );
}
