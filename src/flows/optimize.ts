import type { Turn } from "../turn/turn.ts";
import { applyPrompt, offerNext, proposeEdit } from "./edit-file.ts";
import { targetOf } from "./edit-target.ts";
import type { Flow } from "./flow.ts";
import { placeVariables } from "./place.ts";
import { templated } from "./templated.ts";
import { withVariables } from "./with-variables.ts";

/** Improves the code in focus for speed, memory or readability, as the prompt says; on the same path as fix. */
export const optimize: Flow = async function* (turn, services) {
  const target = targetOf(turn.context.activeEditor);
  if (target === undefined) return yield* templated(turn, services);
  const outcome =
    (yield* applyPrompt(turn, services, target)) ??
    (yield* proposeEdit(turn, services, {
      asked: withVariables(turn, {
        ...(await placeVariables(turn, services, target)),
        intent: intentOf(turn),
      }),
      target,
    }));
  yield* offerNext(turn, services, target, outcome);
  yield { type: "turn-end", reason: outcome.reason };
};

const intents: readonly (readonly [intent: string, words: RegExp])[] = [
  ["memory", /memory|heap|alloc|footprint|\bram\b|内存|占用|空间/i],
  ["readability", /readab|clean|simpl|refactor|clear|tidy|可读|简化|重构|整洁|清晰/i],
  ["speed", /speed|fast|slow|perform|latency|time|速度|性能|快|慢|耗时/i],
];

function intentOf({ context }: Turn): string {
  const prompt = context.userInputPrompt ?? "";
  return intents.find(([, words]) => words.test(prompt))?.[0] ?? "speed";
}
