import { describe, expect, test } from "vitest";
import { createTimers } from "../../../src/base/wire/patient-timer.ts";
import { createSleepingChannel } from "../../../src/base/wire/channel.ts";

function open(maxMessage = 1_000_000) {
  const sent: string[] = [];
  const closed: number[] = [];
  const reasons: string[] = [];
  const socket = {
    send: (text: string) => void sent.push(text),
    close(code = 1005, reason = "") {
      closed.push(code);
      reasons.push(reason);
    },
  };
  const channel = createSleepingChannel(socket, {
    maxMessage,
    remember: () => undefined,
    timers: createTimers(),
  });
  return { channel, sent, closed, reasons };
}

describe("a channel that is told what comes", () => {
  test("gives the messages in their order, and ends with the connection", async () => {
    const { channel } = open();
    channel.push("a");
    channel.push("b");
    const taken: string[] = [];
    for await (const text of channel.receive) {
      taken.push(text);
      if (taken.length === 2) channel.finish();
    }
    expect(taken).toEqual(["a", "b"]);
  });

  test("is closed when much was sent and the client said nothing", () => {
    const { channel, sent, closed } = open();
    const megabyte = "x".repeat(1_048_576);
    for (let nth = 0; nth < 20; nth += 1) channel.send(megabyte);
    expect(sent).toHaveLength(8);
    expect(closed).toEqual([1013]);
  });

  test("sends on to a client that answers now and then", () => {
    const { channel, sent, closed } = open();
    const megabyte = "x".repeat(1_048_576);
    for (let nth = 0; nth < 20; nth += 1) {
      channel.send(megabyte);
      if (nth % 5 === 4) channel.push("I am here");
    }
    expect(sent).toHaveLength(20);
    expect(closed).toEqual([]);
  });

  test("is closed when more messages wait than may", () => {
    const { channel, closed } = open();
    for (let nth = 0; nth < 5; nth += 1) channel.push("x".repeat(1_000_000));
    expect(closed).toEqual([1013]);
  });

  test("is closed when messages without any text wait, as many as fill a memory", () => {
    const { channel, closed } = open();
    for (let nth = 0; nth < 100_000; nth += 1) channel.push("");
    expect(closed).toEqual([1013]);
  });

  test("gives its reader one message a turn of the event loop", async () => {
    const { channel } = open();
    for (let nth = 0; nth < 50; nth += 1) channel.push(String(nth));
    let [taken, turns, isOver] = [0, 0, false];
    const turn = (): void => {
      turns += 1;
      if (!isOver) setTimeout(turn, 0);
    };
    turn();
    for await (const text of channel.receive) {
      expect(text).toBe(String(taken));
      if (++taken === 50) channel.finish();
    }
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(48);
  });

  test.each([
    ["Send a valid key, as X-Api-Key: KEY or ?api_key=KEY.", undefined],
    ["请".repeat(50), "请".repeat(41)],
    [`${"a".repeat(121)}😀`, "a".repeat(121)],
  ])(
    "says why it is closed in the 123 bytes that a frame has for it: %s",
    (reason, cut = reason) => {
      const { channel, reasons } = open();
      channel.close(4401, reason);
      expect(reasons).toEqual([cut]);
    },
  );

  test("takes as many messages as come when they are read", async () => {
    const { channel, closed } = open();
    const reader = channel.receive[Symbol.asyncIterator]();
    for (let nth = 0; nth < 10; nth += 1) {
      channel.push("x".repeat(1_000_000));
      await reader.next();
    }
    expect(closed).toEqual([]);
  });
});
