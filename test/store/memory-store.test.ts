import { expect, test } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { createMemoryStore } from "../../src/store/memory-store.ts";
import { createManualTimers } from "../helpers/manual-timers.ts";
import { storeSuite } from "./store-suite.ts";

storeSuite(
  "this process's memory",
  () => {
    const timers = createManualTimers();
    const store = createMemoryStore({ now: timers.now });
    return { open: () => store, pass: (time) => timers.hold(time), close: () => undefined };
  },
  { cases: 300, sharesTopics: true },
);

test("a store that is full refuses more, keeps what it has, and takes more when that is over", async () => {
  const timers = createManualTimers();
  const store = createMemoryStore({ now: timers.now, maxCharacters: 10_000 });
  await store.put("kept", "a".repeat(4_000));
  await store.put("passing", "b".repeat(4_000), { ttl: 5_000 });
  const full = await store.append("log", ["c".repeat(4_000)], { id: "1" }).catch(String);
  expect(full).toContain("AppError");
  await expect(store.put("kept", "d".repeat(9_000))).rejects.toSatisfy(
    (thrown) => thrown instanceof AppError && thrown.code === "store_unavailable",
  );
  expect(await store.get("kept")).toBe("a".repeat(4_000));
  expect(await store.lengthOf("log")).toBe(0);
  timers.hold(5_000);
  expect(await store.append("log", ["c".repeat(4_000)], { id: "1" })).toBe(0);
  await store.delete("log");
  await store.put("kept", "d".repeat(9_000));
  expect(await store.get("kept")).toBe("d".repeat(9_000));
});
