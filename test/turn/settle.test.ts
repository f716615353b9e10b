import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { settle } from "../../src/run/run-turn.ts";
import type { TurnEvent } from "../../src/turn/turn-event.ts";

const text = (words: string): TurnEvent => ({ type: "text-delta", text: words });
const end: TurnEvent = { type: "turn-end", reason: "stop" };
const never = new AbortController().signal;

async function collect(events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const collected: TurnEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

/** The failure that a list of events ends with. */
function failureOf(events: readonly TurnEvent[]): { code?: string; message?: string } {
  const event = events.find(({ type }) => type === "turn-error");
  return event?.type === "turn-error" ? event.error : {};
}

test("nothing comes after turn-end, and the source is let go there", async () => {
  let isReleased = false;
  let isReadOn = false;
  async function* flow(): AsyncGenerator<TurnEvent> {
    try {
      yield end;
      isReadOn = true;
      yield text("late");
      yield end;
    } finally {
      isReleased = true;
    }
  }
  expect(await collect(settle(flow(), never))).toEqual([end]);
  expect(isReleased).toBe(true);
  expect(isReadOn).toBe(false);
});

test("nothing comes after turn-end when letting go of the source fails", async () => {
  async function* flow(): AsyncGenerator<TurnEvent> {
    try {
      yield end;
    } finally {
      await Promise.reject(new AppError("internal", "It would not let go."));
    }
  }
  expect(await collect(settle(flow(), never))).toEqual([end]);
});

test.each(["throws", "just stops"])(
  "a source that told its failure itself and then %s is not told to have failed twice",
  async (how) => {
    const failure: TurnEvent = { type: "turn-error", error: new AppError("overloaded", "Busy.") };
    async function* flow(): AsyncGenerator<TurnEvent> {
      yield failure;
      if (how === "throws") throw new TypeError("secret");
    }
    const events = await collect(settle(flow(), never));
    expect(events).toEqual([failure, { type: "turn-end", reason: "error" }]);
  },
);

test.each(["error", "aborted"] as const)(
  "an end by %s of which nobody has told the failure has one",
  async (reason) => {
    async function* flow(): AsyncGenerator<TurnEvent> {
      yield { type: "turn-end", reason };
    }
    const events = await collect(settle(flow(), never));
    expect(events.map(({ type }) => type)).toEqual(["turn-error", "turn-end"]);
    expect(failureOf(events).code).toBe("upstream_error");
    expect(events.at(-1)).toEqual({ type: "turn-end", reason });
  },
);

test("whatever is thrown is one turn-error and one turn-end, and what came before it stays", async () => {
  const thrown = fc.constantFrom<unknown>(
    new AppError("upstream_truncated", "It broke off."),
    new TypeError("secret"),
    new DOMException("stop", "AbortError"),
    "text",
    undefined,
    null,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string()), thrown, async (words, problem) => {
      async function* flow(): AsyncGenerator<TurnEvent> {
        for (const word of words) yield text(word);
        throw problem;
      }
      const events = await collect(settle(flow(), never));
      expect(events.slice(0, -2)).toEqual(words.map(text));
      expect(events.slice(-2).map(({ type }) => type)).toEqual(["turn-error", "turn-end"]);
      expect(failureOf(events)).toBeInstanceOf(AppError);
    }),
  );
});

test("a source that throws before its first event, or when asked for an iterator, is a failure all the same", async () => {
  const source: AsyncIterable<TurnEvent> = {
    [Symbol.asyncIterator]() {
      throw new AppError("overloaded", "Busy.");
    },
  };
  const events = await collect(settle(source, never));
  expect(events.map(({ type }) => type)).toEqual(["turn-error", "turn-end"]);
  expect(failureOf(events).code).toBe("overloaded");
});

test("a source that stops without an end is an internal failure", async () => {
  async function* flow(): AsyncGenerator<TurnEvent> {
    yield text("a");
  }
  const events = await collect(settle(flow(), never));
  expect(events.map(({ type }) => type)).toEqual(["text-delta", "turn-error", "turn-end"]);
  expect(failureOf(events).code).toBe("internal");
});

test("an abort is told as aborted, and nothing of the source comes after it", async () => {
  const controller = new AbortController();
  let isReleased = false;
  async function* flow(): AsyncGenerator<TurnEvent> {
    try {
      yield text("a");
      controller.abort();
      yield text("late");
      yield end;
    } finally {
      isReleased = true;
    }
  }
  const events = await collect(settle(flow(), controller.signal));
  expect(events.map(({ type }) => type)).toEqual(["text-delta", "turn-error", "turn-end"]);
  expect(failureOf(events).code).toBe("aborted");
  expect(events.at(-1)).toEqual({ type: "turn-end", reason: "aborted" });
  expect(isReleased).toBe(true);
});

test.each(["yields on", "throws", "just stops", "ends"])(
  "an abort whose reason is an error of ours is told as that error when the source %s",
  async (how) => {
    const controller = new AbortController();
    async function* flow(): AsyncGenerator<TurnEvent> {
      yield text("a");
      controller.abort(new AppError("draining", "Going down."));
      if (how === "throws") throw new DOMException("stop", "AbortError");
      if (how === "yields on") yield text("late");
      if (how === "ends") yield end;
    }
    const events = await collect(settle(flow(), controller.signal));
    expect(events.map(({ type }) => type)).toEqual(["text-delta", "turn-error", "turn-end"]);
    expect(failureOf(events).code).toBe("draining");
    expect(events.at(-1)).toEqual({ type: "turn-end", reason: "error" });
  },
);

test("nothing of the source runs before the first next, and leaving early lets it go", async () => {
  const log: string[] = [];
  async function* flow(): AsyncGenerator<TurnEvent> {
    log.push("begun");
    try {
      yield text("a");
      yield end;
    } finally {
      log.push("released");
    }
  }
  const events = settle(flow(), never);
  await Promise.resolve();
  expect(log).toEqual([]);
  await events.next();
  expect(log).toEqual(["begun"]);
  await events.return();
  expect(log).toEqual(["begun", "released"]);
});
