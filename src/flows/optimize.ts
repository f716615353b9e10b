import type { Turn } from "../turn/turn.ts";
import { editCommand } from "./edit-command.ts";

/** Improves the code in focus for speed, memory or readability, as the prompt says. */
export const optimize = editCommand((turn) => ({ variables: () => ({ intent: intentOf(turn) }) }));

const intents: readonly (readonly [intent: string, words: RegExp])[] = [
  ["memory", /memory|heap|alloc|footprint|\bram\b|内存|占用|空间/i],
  [
    "readability",
    /\bread(?:ab|\b)|understand|clean|simpl|refactor|clear|tidy|可读|简化|重构|整洁|清晰/i,
  ],
  ["speed", /speed|fast|slow|perform|latency|time|速度|性能|快|慢|耗时/i],
];

function intentOf({ context }: Turn): string {
  const prompt = context.userInputPrompt ?? "";
  return intents.find(([, words]) => words.test(prompt))?.[0] ?? "speed";
}
