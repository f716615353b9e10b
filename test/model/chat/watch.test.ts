import { expect, test } from "vitest";
import { AppError, describeUpstream } from "../../../src/base/errors/app-error.ts";
import { watchAnswer } from "../../../src/model/chat/answer-pipe.ts";
import { createManualTimers } from "../../helpers/manual-timers.ts";

const times = { firstToken: 60_000, idle: 30_000, total: 600_000 };

function createWatch() {
  const timers = createManualTimers();
  const watch = watchAnswer(new AbortController().signal, times, timers, () => ({
    host: "m.test",
    model: "m-1",
  }));
  watch.beginWait();
  return { timers, watch };
}

/** What a reader does when data comes. */
function read(watch: ReturnType<typeof watchAnswer>): void {
  watch.endWait();
  watch.sawData();
  watch.beginWait();
}

test("the limit that has passed is told with its setting, the host and the model", () => {
  const told = (end: (made: ReturnType<typeof createWatch>) => void): unknown => {
    const made = createWatch();
    end(made);
    const reason: unknown = made.watch.signal.reason;
    return reason instanceof AppError && reason.upstream && describeUpstream(reason.upstream);
  };
  expect(told(({ timers }) => timers.pass(60_050))).toBe(
    "m-1 at m.test: no first token within 60000 ms (RIGHTSEAT_FIRST_TOKEN_TIMEOUT_MS)",
  );
  expect(
    told(({ timers, watch }) => {
      read(watch);
      timers.pass(30_050);
    }),
  ).toBe("m-1 at m.test: silent for 30000 ms (RIGHTSEAT_IDLE_TIMEOUT_MS)");
  expect(
    told(({ timers, watch }) => {
      watch.endWait();
      timers.pass(600_050);
    }),
  ).toBe("m-1 at m.test: no whole answer within 600000 ms (RIGHTSEAT_ANSWER_TIMEOUT_MS)");
});

test("data that waits in the socket while the event loop is held is read before anybody is blamed", () => {
  for (const held of [30_000, 30_001, 90_000, 599_000]) {
    const { timers, watch } = createWatch();
    read(watch);
    timers.hold(held);
    expect(watch.signal.aborted).toBe(false);
    // The loop goes on to the sockets.
    read(watch);
    timers.pass(250);
    expect(watch.signal.aborted).toBe(false);
    timers.pass(30_050);
    expect(watch.signal.aborted).toBe(true);
  }
});

test("a watch that is closed leaves no timer behind", () => {
  const { timers, watch } = createWatch();
  expect(timers.pending).toBe(1);
  watch.close();
  expect(timers.pending).toBe(0);
});
