// The relays of all models; they stand with the doors so that they are tested on both runtimes.
import { expect, test } from "vitest";
import { AppError } from "../../../src/base/errors/app-error.ts";
import {
  type BodyReader,
  type PushedBody,
  type UpstreamTransport,
  createFetchTransport,
} from "../../../src/model/chat/chat-api.ts";
import { scriptedModel } from "../../../src/testing.ts";
import { offlineModel } from "../../helpers/offline-model.ts";
import type { ChatModel } from "../../../src/turn/chat-model.ts";
import { expandRelays, relayAnswer } from "../../../src/turn/relay.ts";
import { settle } from "../../../src/run/run-turn.ts";
import type { TurnEvent } from "../../../src/turn/turn-event.ts";
import { type RelaySubject, relaySuite } from "../../helpers/relay-suite.ts";
import {
  answerOf,
  bytesOf,
  chunk,
  fakeTransport,
  frame,
  modelOver,
} from "../../helpers/upstream.ts";

type Body = (Uint8Array | Error | "hang")[];

/** An answer of one piece for each text. */
function bodyOf(texts: readonly string[], end: "stop" | "hang" | AppError): Body {
  const pieces = texts.map((text) => bytesOf(frame(chunk({ content: text }))));
  const last = [bytesOf(frame(chunk({}, "stop"))), bytesOf(frame("[DONE]"))];
  return [...pieces, ...(end === "stop" ? last : end === "hang" ? (["hang"] as const) : [end])];
}

relaySuite("an API over a transport that is pulled", {
  say(texts, end) {
    const transport = fakeTransport({ body: bodyOf(texts, end) });
    return { model: modelOver(transport), calls: () => transport.requests.length };
  },
});

relaySuite("an API over a transport that pushes", {
  say(texts, end) {
    const transport = pushingTransport(bodyOf(texts, end));
    return { model: modelOver(transport), calls: () => transport.requests };
  },
});

relaySuite("an API over fetch", {
  say(texts, end) {
    let requests = 0;
    const transport = createFetchTransport((_url, init) => {
      requests++;
      return Promise.resolve(toResponse(bodyOf(texts, end), init?.signal ?? undefined));
    });
    return { model: modelOver(transport), calls: () => requests };
  },
});

const scripted: RelaySubject = {
  say(texts, end) {
    const model = scriptedModel([[...texts, ...(end instanceof AppError ? [end] : [])]]);
    return { model: end === "hang" ? hanging(model) : model, calls: () => model.requests.length };
  },
};
relaySuite("a scripted model", scripted);

/** The model, which stays silent after its last text until the signal aborts. */
function hanging(model: ChatModel): ChatModel {
  return {
    ...model,
    async *stream(request, options) {
      for await (const event of model.stream(request, options)) yield event;
      return await new Promise((_, reject) => {
        const { signal } = options;
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    },
  };
}

/** A transport that keeps pushing until its reader asks it to wait. */
function pushingTransport(pieces: Body): UpstreamTransport & { requests: number } {
  const transport = {
    requests: 0,
    send({ signal }: { signal: AbortSignal }) {
      transport.requests++;
      let hasLeft = false;
      const push = (reader: BodyReader, from: number): void => {
        for (let at = from; at < pieces.length; at++) {
          const piece = pieces[at];
          if (piece === "hang" || hasLeft) return;
          if (piece instanceof Error) {
            reader.end(piece);
            return;
          }
          const drained = piece === undefined ? undefined : reader.push(piece);
          if (drained === undefined) continue;
          void drained.then(() => push(reader, at + 1));
          return;
        }
        if (!hasLeft) reader.end();
      };
      const body: PushedBody = {
        pipe(reader) {
          signal.addEventListener("abort", () => reader.end(signal.reason));
          push(reader, 0);
        },
        leave: () => (hasLeft = true),
      };
      const header = (name: string) => (name === "content-type" ? "text/event-stream" : undefined);
      return Promise.resolve({ status: 200, header, body, discard: () => undefined });
    },
  };
  return transport;
}

function toResponse(pieces: Body, signal: AbortSignal | undefined): Response {
  let next = 0;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      signal?.addEventListener("abort", () => controller.error(signal.reason));
    },
    pull(controller) {
      const piece = pieces[next++];
      if (piece === undefined) controller.close();
      else if (piece instanceof Error) controller.error(piece);
      else if (piece === "hang") return new Promise(() => undefined);
      else controller.enqueue(piece);
      return undefined;
    },
  });
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

test("the offline model says the same, relayed or read", async () => {
  const options = { signal: new AbortController().signal, caller: { forward: () => ({}) } };
  const request = { messages: [{ role: "user" as const, content: "hi" }] };
  const piped: string[] = [];
  const pulled: string[] = [];
  await relayAnswer(offlineModel(), request, options).pipe({
    take: (event) => piped.push(JSON.stringify(event)) > 0,
    drained: () => Promise.resolve(),
  });
  for await (const event of offlineModel().stream(request, options))
    pulled.push(JSON.stringify(event));
  expect(piped).toEqual(pulled);
  expect(piped.length).toBeGreaterThan(1);
});

/** A turn that passes on what the model says. */
async function* passOn(model: ChatModel, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  const options = { signal, caller: { forward: () => ({}) } };
  const relay = relayAnswer(model, { messages: [] }, options);
  yield { type: "relay", relay };
  yield { type: "turn-end", reason: await relay.ended };
}

test("a relay that the reader of a turn passes over is cancelled, and the turn ends", async () => {
  const transport = fakeTransport({ body: ["hang"] });
  const { signal } = new AbortController();
  const types: string[] = [];
  for await (const event of settle(passOn(modelOver(transport), signal), signal))
    types.push(event.type);
  expect(types).toEqual(["relay", "turn-error", "turn-end"]);
  expect(transport.requests).toHaveLength(0);
});

test("a relay that is under way when the reader of a turn leaves is cancelled", async () => {
  const transport = fakeTransport({ body: [bytesOf(frame(chunk({ content: "a" }))), "hang"] });
  const { signal } = new AbortController();
  let piped: Promise<void> | undefined;
  for await (const event of settle(passOn(modelOver(transport), signal), signal)) {
    if (event.type !== "relay") continue;
    piped = event.relay.pipe({ take: () => true, drained: () => Promise.resolve() });
    await expect.poll(() => transport.requests.length).toBe(1);
    break;
  }
  await piped;
  await expect.poll(() => transport.cancelled).toBe(1);
});

test.each([
  ["ends well", [bytesOf(answerOf("ab"))], ["text-delta", "usage", "turn-end"]],
  ["fails", [new Error("reset")], ["turn-error", "turn-end"]],
] as const)("who wants deltas gets a turn that %s without relays", async (_, body, types) => {
  const { signal } = new AbortController();
  const seen: string[] = [];
  const events = settle(passOn(modelOver(fakeTransport({ body })), signal), signal);
  for await (const event of expandRelays(events)) seen.push(event.type);
  expect(seen).toEqual(types);
});

test("who leaves the deltas of a turn ends the request to the model", async () => {
  const transport = fakeTransport({ body: [bytesOf(frame(chunk({ content: "a" }))), "hang"] });
  const { signal } = new AbortController();
  for await (const event of expandRelays(settle(passOn(modelOver(transport), signal), signal))) {
    expect(event).toEqual({ type: "text-delta", text: "a" });
    break;
  }
  expect(transport.cancelled).toBe(1);
});
