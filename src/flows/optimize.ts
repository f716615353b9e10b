import type { PromptFacts } from "../turn/focus.ts";
import type { Turn } from "../turn/turn.ts";
import { editCommand } from "./edit/edit-command.ts";

/** Improves the code in focus for speed, memory or readability, as the prompt says. */
export const optimize = editCommand((turn) => ({
  example: "optimize",
  facts: () => ({ intent: intentOf(turn) }),
}));

type Intent = NonNullable<PromptFacts["intent"]>;

const intents: readonly (readonly [intent: Intent, words: RegExp])[] = [
  ["memory", /\b(?:memory|heap|alloc\w*|footprint|ram)\b|内存|占用|空间/i],
  [
    "readability",
    /\bread(?:ab\w*)?\b|understand|clean|simpl|refactor|\bclear|tidy|可读|简化|重构|整洁|清晰/i,
  ],
  ["speed", /\bspeed|\bfast|\bslow|perform|latency|\btime|速度|性能|快|慢|耗时/i],
];

/** What the prompt names first. */
function intentOf({ context }: Turn): Intent {
  const prompt = context.userInputPrompt ?? "";
  const named = intents
    .map(([intent, words]) => ({ intent, at: prompt.search(words) }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at);
  return named[0]?.intent ?? "speed";
}
