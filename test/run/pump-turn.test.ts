import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { type EventEncoder, pumpTurn } from "../../src/run/run-turn.ts";
import { AppError } from "../../src/base/errors/app-error.ts";
import type { Relay, RelayedEvent, TurnEvent } from "../../src/turn/turn-event.ts";

const head = { id: "chatcmpl-1", model: "m", created: 1 };
const encoder = new TextEncoder();

type Said = { content: string } | { reasoning_content: string };

/** A model's answer whose frames come several at a time. */
function relayOf(groups: readonly (readonly Said[])[]): Relay {
  return {
    async pipe(sink) {
      for (const group of groups) {
        const frames = group.map(
          (delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`,
        );
        const event: RelayedEvent = {
          type: "upstream-frames",
          bytes: encoder.encode(frames.join("")),
          head,
        };
        if (!sink.take(event)) await sink.drained();
      }
    },
    deltas() {
      throw new Error("not asked for");
    },
    ended: Promise.resolve("stop"),
    cancel: () => undefined,
  };
}

async function pump(events: readonly TurnEvent[], encode: EventEncoder) {
  const seen: string[] = [];
  const pieces: (string | Uint8Array)[] = [];
  const aborts: AppError[] = [];
  async function* flow(): AsyncGenerator<TurnEvent> {
    yield* events;
  }
  const thrown = await pumpTurn({
    events: flow(),
    encode,
    sink: {
      see: ({ type }) => void seen.push(type),
      write: (piece) => pieces.push(piece) > 0,
      drained: async () => undefined,
      end: (piece, reason) => void pieces.push(piece, `end: ${reason}`),
    },
    abort: (error) => void aborts.push(error),
  }).catch((error: unknown) => error);
  return { seen, pieces, aborts, thrown };
}

const end: TurnEvent = { type: "turn-end", reason: "stop" };

describe("the pump of events", () => {
  const text = fc.string({ minLength: 1 });
  const said: fc.Arbitrary<Said> = fc.oneof(
    text.map((content) => ({ content })),
    text.map((thought) => ({ reasoning_content: thought })),
  );
  const answer = fc.array(fc.array(said, { minLength: 1, maxLength: 4 }), { maxLength: 6 });

  test("shows a door without `frames` deltas only, all of them in their order", async () => {
    await fc.assert(
      fc.asyncProperty(answer, async (groups) => {
        const events: TurnEvent[] = [{ type: "relay", relay: relayOf(groups) }, end];
        const { seen, pieces } = await pump(events, (event) => {
          if (event.type === "turn-end") return "";
          expect(event.type).toMatch(/^(?:text|reasoning)-delta$/);
          return "text" in event ? `${event.type === "text-delta" ? "T" : "R"}${event.text}` : "";
        });
        const runs = groups.flatMap((group) =>
          group.reduce<string[]>((all, delta, nth) => {
            const [sign, words] =
              "content" in delta ? ["T", delta.content] : ["R", delta.reasoning_content];
            const previous = group[nth - 1];
            const isSame = previous !== undefined && "content" in previous === "content" in delta;
            return isSame
              ? [...all.slice(0, -1), `${all.at(-1)}${words}`]
              : [...all, `${sign}${words}`];
          }, []),
        );
        expect(pieces).toEqual([...runs, "", "end: stop"]);
        expect(seen).not.toContain("upstream-frames");
      }),
    );
  });

  test("gives a door with `frames` the bytes as they came", async () => {
    const groups = [[{ content: "a" }, { content: "b" }], [{ reasoning_content: "c" }]];
    const encode = Object.assign(() => "", { frames: (bytes: Uint8Array) => bytes });
    const { pieces } = await pump([{ type: "relay", relay: relayOf(groups) }, end], encode);
    expect(pieces.slice(0, 2).map((piece) => piece.length)).toEqual(
      groups.map((group) =>
        group.reduce(
          (sum, delta) =>
            sum + JSON.stringify({ choices: [{ delta }] }).length + "data: \n\n".length,
          0,
        ),
      ),
    );
  });

  test("lets the loop turn after each hundred pieces", async () => {
    const deltas: TurnEvent[] = Array.from({ length: 350 }, () => ({
      type: "text-delta",
      text: "a",
    }));
    const timer = vi.spyOn(globalThis, "setTimeout");
    const { pieces } = await pump([...deltas, end], (event) =>
      event.type === "text-delta" ? event.text : "",
    );
    expect(pieces).toHaveLength(352);
    // Once for each hundred; more often where that takes long.
    expect(timer.mock.calls.length).toBeGreaterThanOrEqual(3);
    expect(timer.mock.calls.length).toBeLessThan(100);
    timer.mockRestore();
  });

  test("aborts the turn with what the encoder throws, and asks for no more events", async () => {
    const { aborts, thrown, pieces } = await pump([{ type: "text-delta", text: "a" }, end], () => {
      throw new AppError("internal", "broken");
    });
    expect([aborts.map(({ message }) => message), pieces, String(thrown)]).toMatchObject([
      ["broken"],
      [],
      expect.stringContaining("broken"),
    ]);
  });
});
