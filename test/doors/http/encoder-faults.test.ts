// Doors whose encoder throws; on Node and in workerd.
import { type LogRecord, configureSync, resetSync } from "@logtape/logtape";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toErrorResponse } from "../../../src/base/errors/to-public-error.ts";
import { type TurnAnswer, answerTurn } from "../../../src/doors/http/answer-turn.ts";
import type { Door } from "../../../src/doors/http/door.ts";
import type { PlainEvent } from "../../../src/turn/turn-event.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

let records: LogRecord[];

beforeEach(() => {
  records = [];
  configureSync({
    reset: true,
    sinks: { list: (record) => void records.push(record) },
    loggers: [
      { category: "rightseat", sinks: ["list"] },
      { category: ["logtape", "meta"], lowestLevel: "error" },
    ],
  });
});
afterEach(() => resetSync());

/** The log has one line about the turn: it failed, and of what. */
function expectOneFailure(): void {
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({ level: "warning", properties: { code: "internal" } });
  expect(JSON.stringify(records[0]?.properties)).toContain("the encoder is at fault");
}

const script = ["a", "b", "c", "d"];

/** An encoder prints the types of the events, until it throws. */
async function askThrough(
  throwsAt: (event: PlainEvent, count: number) => boolean,
  isWhole = false,
) {
  const door: Door = {
    name: "faulty",
    mount(app, host) {
      app.post("/faulty", (c) => {
        const answer: TurnAnswer = {
          read: async ({ id, caller, signal }) => ({
            id,
            agent: "rightseat",
            definition: undefined,
            command: "chat",
            variables: [{ name: "userInputPrompt", value: "Why?" }],
            history: [],
            models: [],
            languages: [],
            caller,
            signal,
            extra: {},
          }),
          encoder() {
            let count = 0;
            return (event) => {
              if (throwsAt(event, ++count)) throw new Error("the encoder is at fault");
              return event.type === "turn-error" ? `${event.error.code};` : `${event.type};`;
            };
          },
          isWhole: () => isWhole,
          refuse: (error, id) => toErrorResponse(error, id),
        };
        return answerTurn(c, host, answer);
      });
    },
  };
  const { app } = createTestApp({ models: [script], doors: [door] });
  const response = await app.fetch(new Request("http://localhost/faulty", { method: "POST" }));
  const text = await response.text();
  await app.drain();
  return { status: response.status, text };
}

describe("an encoder that throws", () => {
  test("after the head ends the stream with the error, and the turn as failed", async () => {
    const { status, text } = await askThrough((_, count) => count === 3);
    expect(status).toBe(200);
    expect(text).toMatch(/internal;turn-end;$/);
    expectOneFailure();
  });

  test("at an event of ours ends the stream in the same way", async () => {
    const { status, text } = await askThrough(({ type }) => type === "turn-end");
    expect(status).toBe(200);
    expect(text).not.toContain("turn-end;");
    expectOneFailure();
  });

  test("whenever it is called ends the stream all the same", async () => {
    const { status } = await askThrough((_, count) => count > 2);
    expect(status).toBe(200);
    expectOneFailure();
  });

  test("before the head is a refusal", async () => {
    const { status, text } = await askThrough(() => true);
    expect(status).toBe(500);
    expect(text).toContain('"internal"');
    expect(text).not.toContain("at fault");
    expectOneFailure();
  });

  test("of a whole answer is a refusal", async () => {
    const { status } = await askThrough((_, count) => count === 3, true);
    expect(status).toBe(500);
    expectOneFailure();
  });
});
