import { expect, test } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { runCall } from "../../src/tools/run-call.ts";
import { type SubAgent, subAgentTool } from "../../src/tools/sub-agent.ts";
import { Toolbox } from "../../src/tools/tool.ts";
import { createManualTimers } from "../helpers/manual-timers.ts";

const id = "0b127f1d-4667-4a52-bbcb-0b636f9a471a";

/** What a model reads of a call of an agent. */
function call(run: SubAgent["run"], given: unknown = { prompt: "Do it." }) {
  const timers = createManualTimers();
  const leave = new AbortController();
  const tool = subAgentTool({ name: id, description: "Counts.", run, timeout: 5_000, timers });
  const asked = { id: "c1", name: id, arguments: JSON.stringify(given) };
  const use = { locale: "en" as const, signal: leave.signal };
  const done = runCall(asked, new Toolbox([tool]), use).then(({ outcome }) => outcome);
  return { done, timers, leave };
}

test("an agent is a tool: a prompt in, its answer out", async () => {
  const { done, timers } = call(async (prompt) => `Done: ${prompt}`);
  expect(await done).toEqual({ success: true, result: "Done: Do it." });
  expect(timers.pending).toBe(0);
});

test("its prompt is required", async () => {
  for (const given of [{}, { prompt: "" }, { prompt: null }]) {
    const outcome = await call(async () => "never", given).done;
    expect(outcome["code"]).toBe("bad-arguments");
  }
});

test("what it fails with is told, and a fault of ours is not", async () => {
  const told = new AppError("upstream_error", { en: "Its model failed.", zh: "模型出错。" });
  expect(await call(() => Promise.reject(told)).done).toEqual({
    success: false,
    code: "upstream_error",
    error: "Its model failed.",
  });
  const outcome = await call(() => Promise.reject(new Error("secret of ours"))).done;
  expect(outcome).toMatchObject({ success: false, code: "failed" });
  expect(JSON.stringify(outcome)).not.toContain("secret");
});

test("one that does not answer in time is told to stop, and the model hears of it", async () => {
  let stopped = false;
  const { done, timers } = call(async (_, signal) => {
    signal.addEventListener("abort", () => (stopped = true));
    return new Promise<never>(() => undefined);
  });
  timers.pass(5_000);
  expect(await done).toMatchObject({ success: false, code: "limit_reached" });
  expect(stopped).toBe(true);
});

test("the turn's end ends it, though it looks at no signal", async () => {
  const { done, leave, timers } = call(() => new Promise<never>(() => undefined));
  leave.abort(new Error("left"));
  await expect(done).rejects.toThrow("left");
  await Promise.resolve();
  expect(timers.pending).toBe(0);
});

test("a long description is cut, and no character in two", () => {
  const description = "😀".repeat(2_000);
  const parts = { name: id, run: async () => "", timeout: 1, timers: createManualTimers() };
  const [offered] = new Toolbox([subAgentTool({ ...parts, description })]).offer("zh");
  expect(offered?.description.length).toBeLessThanOrEqual(1_024);
  expect(offered?.description).toMatch(/^(?:😀){500,}$/u);
  expect(offered?.parameters).toMatchObject({ required: ["prompt"] });
});
