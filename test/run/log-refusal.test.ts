import { configure, getLogger, type LogRecord, reset } from "@logtape/logtape";
import { afterEach, expect, test } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { logRefusal } from "../../src/run/run-turn.ts";

afterEach(reset);

test("a key set that cannot be had is a warning with the reason in our words, without a stack", async () => {
  const records: LogRecord[] = [];
  await configure({
    reset: true,
    sinks: { list: (record) => void records.push(record) },
    loggers: [{ category: "x", sinks: ["list"] }],
  });
  const details = { reason: "the key set at a.test: HTTP 404", cause: new Error("secret") };
  logRefusal(getLogger("x"), new AppError("keys_unavailable", "No keys.", details), "r1");
  expect(records.map(({ level, message }) => `${level} ${message.join("")}`)).toEqual([
    "warning request r1 was refused: keys_unavailable, the key set at a.test: HTTP 404",
  ]);
});
