// What holds for the relay of every model; nothing here may come from node:.
import { describe, expect, test } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { readDeltas } from "../../src/model/chat/chat-chunk.ts";
import type { ChatModel } from "../../src/turn/chat-model.ts";
import { relayAnswer } from "../../src/turn/relay.ts";
import type { EndReason, RelayedEvent, Relay, RelaySink } from "../../src/turn/turn-event.ts";

/** A model for one call, and what the suite may know of it. */
interface RelayCase {
  model: ChatModel;
  /** How many calls have reached the model. */
  calls: () => number;
}

export interface RelaySubject {
  /** A model that says these texts, then stays silent (`hang`), fails (an error) or stops. */
  say(texts: readonly string[], end: "stop" | "hang" | AppError): RelayCase;
}

const request = { messages: [{ role: "user", content: "hi" }] } as const;

function open(model: ChatModel, signal = new AbortController().signal): Relay {
  return relayAnswer(
    model,
    { messages: [...request.messages] },
    { signal, caller: { forward: () => ({}) } },
  );
}

function textOf(events: readonly RelayedEvent[]): string {
  const texts = events.map((event) => {
    if (event.type === "text-delta") return event.text;
    if (event.type !== "upstream-frames") return "";
    return readDeltas(event.bytes)
      .map(({ content }) => content ?? "")
      .join("");
  });
  return texts.join("");
}

/** A sink that keeps what it takes; `isSlow` has it wait for `release` after each event. */
class KeepingSink implements RelaySink {
  readonly events: RelayedEvent[] = [];
  readonly #isSlow: boolean;
  #waiting: (() => void) | undefined;

  constructor(isSlow = false) {
    this.#isSlow = isSlow;
  }

  get text(): string {
    return textOf(this.events);
  }

  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  take(event: RelayedEvent): boolean {
    this.events.push(event);
    return !this.#isSlow;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  release(): void {
    this.#waiting?.();
    this.#waiting = undefined;
  }
}

interface Outcome {
  reason?: EndReason;
  code?: string;
}

async function outcomeOf(relay: Relay): Promise<Outcome> {
  try {
    return { reason: await relay.ended };
  } catch (thrown) {
    return { code: thrown instanceof AppError ? thrown.code : "no error of ours" };
  }
}

async function pull(relay: Relay): Promise<{ text: string; code?: string }> {
  const events: RelayedEvent[] = [];
  try {
    for await (const event of relay.deltas()) events.push(event);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(AppError);
    if (thrown instanceof AppError) return { text: textOf(events), code: thrown.code };
  }
  expect(events.map(({ type }) => type)).not.toContain("upstream-frames");
  return { text: textOf(events) };
}

/** @param name what makes the relays */
export function relaySuite(name: string, subject: RelaySubject): void {
  describe(`the relay of ${name}`, () => {
    const broken = new AppError("upstream_truncated", "It broke off.");

    test("asks nothing before it is taken", async () => {
      const { model, calls } = subject.say(["a"], "stop");
      const relay = open(model);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(calls()).toBe(0);
      await relay.pipe(new KeepingSink());
      expect(calls()).toBe(1);
    });

    test("carries the same text as bytes and as deltas, and tells why it ended", async () => {
      const texts = ["Hello", " 世界", ' "x"\n', "😀"];
      const piped = open(subject.say(texts, "stop").model);
      const sink = new KeepingSink();
      await piped.pipe(sink);
      expect(sink.text).toBe(texts.join(""));
      expect(await outcomeOf(piped)).toEqual({ reason: "stop" });

      const pulled = open(subject.say(texts, "stop").model);
      expect(await pull(pulled)).toEqual({ text: texts.join("") });
      expect(await outcomeOf(pulled)).toEqual({ reason: "stop" });
    });

    test.each([
      [[], false],
      [[" ", "\n"], false],
      [["<think>", "Hm.", "</think>"], false],
      [[" ", "Hi"], true],
      [["<think>Hm.</think>", "\n", "Hi", " "], true],
    ])("knows of %j whether anything was said: %s", async (texts, hasText) => {
      const piped = open(subject.say(texts, "stop").model);
      await piped.pipe(new KeepingSink());
      const pulled = open(subject.say(texts, "stop").model);
      await pull(pulled);
      expect([piped.heard?.hasText, pulled.heard?.hasText]).toEqual([hasText, hasText]);
    });

    test.each([[[]], [["Hel", "lo"]]])(
      "passes on %j and then tells the failure that came",
      async (texts) => {
        const piped = open(subject.say(texts, broken).model);
        const sink = new KeepingSink();
        await piped.pipe(sink);
        const pulled = await pull(open(subject.say(texts, broken).model));
        expect([sink.text, (await outcomeOf(piped)).code]).toEqual([pulled.text, pulled.code]);
        expect(pulled).toEqual({ text: texts.join(""), code: "upstream_truncated" });
      },
    );

    test.each(["pipe", "deltas"] as const)(
      "that is taken by %s ends when the signal aborts, and passes nothing on any more",
      async (way) => {
        const controller = new AbortController();
        const relay = open(subject.say(["a"], "hang").model, controller.signal);
        const sink = new KeepingSink();
        const taken = way === "pipe" ? relay.pipe(sink) : pull(relay);
        await new Promise((resolve) => setTimeout(resolve, 5));
        controller.abort(new AppError("draining", "Going down."));
        const seen = sink.text;
        await taken;
        expect(await outcomeOf(relay)).toEqual({ code: "draining" });
        expect(sink.text).toBe(seen);
      },
    );

    test("waits for a sink that is slow, and loses nothing of it", async () => {
      const texts = ["a", "b", "c"];
      const relay = open(subject.say(texts, "stop").model);
      const sink = new KeepingSink(true);
      const piped = relay.pipe(sink);
      const seen: string[] = [];
      for (const text of texts) {
        await expect.poll(() => sink.isWaiting && sink.text.endsWith(text)).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 2));
        seen.push(sink.text);
        sink.release();
      }
      await piped;
      expect(seen).toEqual(["a", "ab", "abc"]);
    });

    test("that nobody takes asks nothing once it is cancelled, and ends", async () => {
      const { model, calls } = subject.say(["a"], "stop");
      const relay = open(model);
      relay.cancel();
      const sink = new KeepingSink();
      await relay.pipe(sink);
      expect([sink.events, calls(), await outcomeOf(relay)]).toEqual([[], 0, { code: "aborted" }]);
      expect(await pull(relay)).toEqual({ text: "", code: "aborted" });
    });

    test("that is cancelled in the middle ends at once; after its end that changes nothing", async () => {
      const relay = open(subject.say(["a"], "hang").model);
      const piped = relay.pipe(new KeepingSink());
      relay.cancel();
      expect(await outcomeOf(relay)).toEqual({ code: "aborted" });
      await piped;

      const whole = open(subject.say(["a"], "stop").model);
      await whole.pipe(new KeepingSink());
      whole.cancel();
      expect(await outcomeOf(whole)).toEqual({ reason: "stop" });
    });

    test("is cancelled when who reads its deltas leaves", async () => {
      const relay = open(subject.say(["a", "b"], "hang").model);
      for await (const event of relay.deltas()) {
        if (event.type === "model-busy" || event.type === "model-answers") continue;
        expect(event).toEqual({ type: "text-delta", text: "a" });
        break;
      }
      expect(await outcomeOf(relay)).toEqual({ code: "aborted" });
    });

    test("whose sink throws fails as a fault of ours", async () => {
      const relay = open(subject.say(["a"], "hang").model);
      const sink: RelaySink = {
        take() {
          throw new TypeError("secret");
        },
        drained: () => Promise.resolve(),
      };
      await relay.pipe(sink);
      expect(await outcomeOf(relay)).toEqual({ code: "internal" });
    });
  });
}
