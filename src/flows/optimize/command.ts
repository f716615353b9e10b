import type { MakeExample } from "../../prompt/worked-example.ts";
import type { Turn } from "../../turn/turn.ts";
import { type OwnCommand, aboutCode, later, selectedCode } from "../flow.ts";

export const optimize: OwnCommand = {
  name: "optimize",
  description: {
    en: "Make the selected code faster, smaller or clearer",
    zh: "让选中的代码更快、更省或更清晰",
  },
  ...aboutCode,
  writesCode: true,
  clickWords: { optimize: { en: "Optimize ", zh: "优化 " } },
  plugin: { cmd: "exec_optimize", needs: selectedCode, isEdit: true },
  flow: later(async () => {
    const { editCommand } = await import("../edit/edit-command.ts");
    return editCommand((turn) => ({
      example: exampleOfOptimize,
      facts: () => ({ intent: intentOf(turn) }),
    }));
  }),
};

/** What is computed in each round of a loop is computed once before it. */
export const exampleOfOptimize: MakeExample = ({
  code,
  loop: [loop],
  work: [slow, fast, before],
}) => {
  const from = code.indexOf(loop);
  const search = code.slice(from, code.indexOf(slow) + slow.length);
  const replace = `${before}\n${search.slice(0, -slow.length)}${fast}`;
  return { code, search, replace, line: slow };
};

const intents: readonly (readonly [intent: string, words: RegExp])[] = [
  ["memory", /\b(?:memory|heap|alloc\w*|footprint|ram)\b|内存|占用|空间/i],
  [
    "readability",
    /\bread(?:ab\w*)?\b|understand|clean|simpl|refactor|\bclear|tidy|可读|简化|重构|整洁|清晰/i,
  ],
  ["speed", /\bspeed|\bfast|\bslow|perform|latency|\btime|速度|性能|快|慢|耗时/i],
];

/** What the prompt names first. */
function intentOf({ context }: Turn): string {
  const prompt = context.userInputPrompt ?? "";
  const named = intents
    .map(([intent, words]) => ({ intent, at: prompt.search(words) }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at);
  return named[0]?.intent ?? "speed";
}
