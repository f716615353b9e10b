import { expect, test } from "vitest";
import { prepare } from "../../../src/flows/ask/answer.ts";
import type { Services } from "../../../src/flows/flow.ts";
import { scriptedModel } from "../../../src/model/scripted.ts";
import { createPromptLibrary } from "../../../src/prompt/prompt-library.ts";
import { plainCodeParser } from "../../../src/code/plain/read-plainly.ts";
import { createStateSeal, randomStateKey } from "../../../src/turn/state/sealed-state.ts";
import { createSlices } from "../../../src/turn/slices.ts";
import type { Turn } from "../../../src/turn/turn.ts";
import { createTimers } from "../../../src/base/wire/patient-timer.ts";
import { createTestEngine } from "../../helpers/render-template.ts";

const manyTemplates = Array.from({ length: 30 }, () => ({
  role: "user" as const,
  template: "done",
}));

function createParts(): { turn: Turn; services: Services; slices: string[]; leave: () => void } {
  const slices: string[] = [];
  const controller = new AbortController();
  let now = 0;
  const services: Services = {
    prompts: createPromptLibrary({}),
    templates: createTestEngine(),
    code: plainCodeParser,
    states: createStateSeal({ keys: [randomStateKey()], lifetime: 1_000, now: () => 0 }),
    // Each look at the clock takes 5 ms, so that a slice holds few steps.
    slices: createSlices({
      now: () => (now += 5),
      defer: (next) => void setTimeout(next, 0),
      onSlice: (label) => void slices.push(label),
    }),
    retriever: undefined,
    maxFileTokens: 12_000,
    coding: undefined,
    loopLimits: { maxRounds: 25, maxTurnTokens: 1_000_000, maxTurnTime: 1_800_000 },
    now: () => 0,
    timers: createTimers(),
    version: "1",
  };
  const turn: Turn = {
    id: "turn-1",
    agent: "a",
    command: "go",
    definition: { name: "a" },
    messageTemplates: manyTemplates,
    modelConfiguration: {},
    context: { others: new Map() },
    history: [],
    locale: "en",
    caller: { forward: () => ({}) },
    model: scriptedModel([]),
    modelId: undefined,
    extra: {},
    signal: controller.signal,
  };
  return { turn, services, slices, leave: () => controller.abort(new Error("left")) };
}

test("a prompt is built in slices, so that others have their turn", async () => {
  const { turn, services, slices } = createParts();
  const { request } = await prepare(turn, services);
  expect(request.messages).toHaveLength(30);
  expect(slices.length).toBeGreaterThan(3);
  expect(new Set(slices)).toEqual(new Set(["prompt"]));
});

test("a prompt is not built to its end for a client that has left", async () => {
  const { turn, services, slices, leave } = createParts();
  const preparing = prepare(turn, services);
  leave();
  await expect(preparing).rejects.toThrow("left");
  expect(slices).toHaveLength(1);
});
