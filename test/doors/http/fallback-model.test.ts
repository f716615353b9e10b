// Rows that are asked in another's place; on Node and in workerd.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError, type ErrorCode } from "../../../src/base/errors/app-error.ts";
import { fallbackModel } from "../../../src/model/model-table.ts";
import { readDeltas } from "../../../src/model/chat/chat-chunk.ts";
import { scriptedModel } from "../../../src/testing.ts";
import type { Command } from "../../../src/flows/flow.ts";
import type { ChatModel, ChatRequest } from "../../../src/turn/chat-model.ts";
import { TurnFigures } from "../../../src/turn/figures.ts";
import { relayAnswer } from "../../../src/turn/relay.ts";
import type { RelayedEvent } from "../../../src/turn/turn-event.ts";
import { post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { relaySuite } from "../../helpers/relay-suite.ts";
import {
  answerOf,
  bytesOf,
  chunk,
  type FakeAnswer,
  fakeTransport,
  frame,
  modelOver,
} from "../../helpers/upstream.ts";

const silent = (): void => undefined;
const request: ChatRequest = { messages: [{ role: "user", content: "hi" }] };
const whole = (text: string): FakeAnswer => ({ body: [bytesOf(answerOf(text))] });

relaySuite("a model whose first row refuses", {
  say(texts, end) {
    const pieces = texts.map((text) => bytesOf(frame(chunk({ content: text }))));
    const rest = end === "stop" ? bytesOf(frame(chunk({}, "stop"))) : end;
    const transport = fakeTransport({ body: [...pieces, rest] });
    const model = fallbackModel(
      modelOver(fakeTransport({ status: 401 })),
      [modelOver(transport)],
      silent,
    );
    return { model, calls: () => transport.requests.length };
  },
});

/** Rows that answer so, by the names `0`, `1`, ... */
function rows(...answers: (FakeAnswer | Error)[]) {
  const transports = answers.map((answer) => fakeTransport(answer));
  const [first, ...others] = transports.map((transport, nth) =>
    named(`${nth}`, modelOver(transport)),
  );
  if (first === undefined) throw new Error("There is no row.");
  const told: string[] = [];
  const model = fallbackModel(first, others, (failed, error, next) =>
    told.push(`${failed} ${error.code} ${next}`),
  );
  return { model, told, asked: () => transports.map(({ requests }) => requests.length) };
}

const named = (name: string, model: ChatModel): ChatModel => ({ ...model, name });

/** The text, who answered and the code of the error, taken in one of both ways. */
async function ask(model: ChatModel, as: "pipe" | "deltas", asked = request) {
  const events: RelayedEvent[] = [];
  const figures = new TurnFigures(() => 0);
  const { signal } = new AbortController();
  const relay = relayAnswer(model, asked, { signal, caller: { forward: () => ({}) }, figures });
  let code: ErrorCode | undefined;
  try {
    const sink = {
      take: (event: RelayedEvent) => events.push(event) > 0,
      drained: () => Promise.resolve(),
    };
    if (as === "pipe") await relay.pipe(sink);
    else for await (const event of relay.deltas()) events.push(event);
    await relay.ended;
  } catch (thrown) {
    code = thrown instanceof AppError ? thrown.code : "internal";
  }
  const texts = events.flatMap((event) => {
    if (event.type === "text-delta") return [event.text];
    return event.type === "upstream-frames"
      ? readDeltas(event.bytes).map(({ content }) => content ?? "")
      : [];
  });
  const by = events.flatMap((event) => (event.type === "model-answers" ? [event.model] : []));
  expect([...figures.answeredBy]).toEqual(by);
  return { text: texts.join(""), by, code, events };
}

const role = frame(chunk({ role: "assistant", content: "" }));
const failures: Record<string, FakeAnswer | Error> = {
  "a refused key": { status: 401 },
  "a refused request": { status: 400 },
  "a model that is not there": { status: 404 },
  "429, however long it asks to wait": { status: 429, headers: { "retry-after": "60" } },
  "429 for a moment": { status: 429, headers: { "retry-after": "0" } },
  "500": { status: 500 },
  "503": { status: 503 },
  "no connection": new AppError("upstream_unreachable", "no route"),
  "a page": { headers: { "content-type": "text/html" } },
  "an error in the stream": { body: [bytesOf(frame('{"error":{"message":"x"}}'))] },
  "an error behind the role": {
    body: [bytesOf(role), bytesOf(frame('{"error":{"message":"x"}}'))],
  },
  "an end behind the role": { body: [bytesOf(role)] },
};

describe.each(["pipe", "deltas"] as const)("an answer that is taken by %s", (as) => {
  test.each(Object.entries(failures))("comes from the next row after %s", async (_, failure) => {
    const { model, told, asked } = rows(failure, whole("Hello"));
    const { text, by, code, events } = await ask(model, as);
    expect([text, by, code]).toEqual(["Hello", ["1"], undefined]);
    expect([asked(), told]).toEqual([
      [1, 1],
      [expect.stringMatching(/^0 (?:upstream_\w+|rate_limited) 1$/)],
    ]);
    const types = events.map(({ type }) => type).filter((type) => type !== "model-busy");
    expect(types.indexOf("model-answers")).toBe(0);
  });

  test("comes from the first of any rows that answers, and each before it is asked once", async () => {
    const failure = fc.constantFrom(...Object.values(failures));
    await fc.assert(
      fc.asyncProperty(
        fc.array(failure, { maxLength: 4 }),
        fc.boolean(),
        async (before, isAnswered) => {
          const { model, asked } = rows(
            ...before,
            ...(isAnswered ? [whole("Hello"), whole("no")] : [{ status: 401 }]),
          );
          const { text, by, code } = await ask(model, as);
          const ones = before.map(() => 1);
          expect(asked()).toEqual(isAnswered ? [...ones, 1, 0] : [...ones, 1]);
          expect([text, by]).toEqual(isAnswered ? ["Hello", [String(before.length)]] : ["", []]);
          expect(code === undefined).toBe(isAnswered);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("that has begun is not begun again", async () => {
    const { model, asked } = rows(
      { body: [bytesOf(role + frame(chunk({ content: "Hel" })))] },
      whole("no"),
    );
    const { text, by, code } = await ask(model, as);
    expect([text, by, code, asked()]).toEqual(["Hel", ["0"], "upstream_truncated", [1, 0]]);
  });

  test("that is whole without a word is an answer", async () => {
    const { model, asked } = rows(whole(""), whole("no"));
    expect(await ask(model, as)).toMatchObject({ text: "", by: ["0"], code: undefined });
    expect(asked()).toEqual([1, 0]);
  });

  test("fails with the error that may pass, else with the last", async () => {
    const passing = { status: 503 };
    expect((await ask(rows({ status: 401 }, passing, { status: 400 }).model, as)).code).toBe(
      "upstream_error",
    );
    expect(
      (await ask(rows({ status: 401 }, { headers: { "content-type": "a/b" } }).model, as)).code,
    ).toBe("upstream_invalid");
  });

  test("passes over a row that the question does not fit", async () => {
    const small = scriptedModel([["small"]], {
      name: "small",
      contextWindow: 600,
      answerReserve: 500,
    });
    const mute = scriptedModel([["mute"]], { name: "mute", toolCalls: "none" });
    const able = scriptedModel([["able"]], { name: "able" });
    const model = fallbackModel(
      modelOver(fakeTransport({ status: 500 })),
      [small, mute, able],
      silent,
    );
    const long: ChatRequest = {
      messages: [{ role: "user", content: "word ".repeat(400) }],
      tools: [{ name: "f", description: "", parameters: {} }],
    };
    expect((await ask(model, as, long)).by).toEqual(["able"]);
    expect((await ask(model, as)).by).toEqual(["small"]);
  });
});

test("a turn that is stopped asks nobody else", async () => {
  const { model, asked } = rows({ body: ["hang"] }, whole("no"));
  const controller = new AbortController();
  const relay = relayAnswer(model, request, {
    signal: controller.signal,
    caller: { forward: () => ({}) },
  });
  const piped = relay.pipe({ take: () => true, drained: () => Promise.resolve() });
  await expect.poll(asked).toEqual([1, 0]);
  controller.abort(new AppError("aborted", "The client left."));
  await piped;
  await expect(relay.ended).rejects.toMatchObject({ code: "aborted" });
  expect(asked()).toEqual([1, 0]);
});

test.each([true, false])(
  "the receipt says who answered (first row answers: %s)",
  async (isFirst) => {
    const { model } = rows(isFirst ? whole("Hello") : { status: 500 }, whole("Hello"));
    const { app } = createTestApp({ models: model });
    const response = await post(app, { agent: "rightseat", command: "chat" });
    const receipt = JSON.parse(response.headers.get("x-rightseat-context") ?? "") as {
      model: string;
    };
    expect(receipt.model).toBe(isFirst ? "0" : "1");
    expect(await response.text()).toContain("Hello");
    const v1 = await app.fetch(
      new Request("http://localhost/v1/chat/completions", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "rightseat", messages: request.messages }),
      }),
    );
    expect(JSON.parse(v1.headers.get("x-rightseat-context") ?? "")).toMatchObject({
      model: receipt.model,
    });
  },
);

/** A model that a library user wrote as a class: what it says of itself is on its prototype. */
class ClassModel implements ChatModel {
  readonly #script = scriptedModel([["Hello."]]);
  get name() {
    return "class";
  }
  get contextWindow() {
    return 16_384;
  }
  get answerReserve() {
    return 1_024;
  }
  get toolCalls() {
    return "none" as const;
  }
  get isDeterministic() {
    return true;
  }
  stream(...asked: Parameters<ChatModel["stream"]>) {
    return this.#script.stream(...asked);
  }
}

test("a model of a class is what it says it is, in a turn and in front of others", async () => {
  const own = new ClassModel();
  const models = fallbackModel(own, [scriptedModel([])], silent);
  const { name, contextWindow, answerReserve, toolCalls, isDeterministic } = own;
  const said = { name, contextWindow, answerReserve, toolCalls, isDeterministic };
  expect({ ...models }).toMatchObject(said);
  let seen: ChatModel | undefined;
  const look: Command = {
    name: "look",
    async *flow({ model }) {
      seen = model;
      yield { type: "turn-end", reason: "stop" };
    },
    asksModel: false,
    hasPlace: false,
  };
  for (const one of [own, models]) {
    const { app } = createTestApp({ models: one, commands: [look] });
    await (await post(app, { command: "look" }, { path: "/agents/rightseat" })).text();
    expect({ ...seen }).toMatchObject(said);
  }
});
