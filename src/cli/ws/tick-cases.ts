import { isCancel, multiselect } from "@clack/prompts";
import { escapeLine } from "../call/show/escape-controls.ts";
import type { PromptStreams } from "../call/prompt-streams.ts";
import type { WsTexts } from "./texts.ts";

/** Lets the person leave out cases. @returns the indexes of those that stay; undefined where they press Ctrl-C */
export type TickCases = (cases: readonly string[]) => Promise<readonly number[] | undefined>;

/** Asks on the terminal; all cases are ticked at first. */
export function createTickCases(texts: WsTexts, streams: Partial<PromptStreams> = {}): TickCases {
  return async (cases) => {
    const options = cases.map((line, value) => ({ value, label: escapeLine(line.trim()) }));
    const initialValues = options.map(({ value }) => value);
    const message = texts.tick;
    const ticked = await multiselect({
      message,
      options,
      initialValues,
      required: false,
      showInstructions: false,
      ...streams,
    });
    return isCancel(ticked) ? undefined : ticked;
  };
}

/** Recommended cases are a numbered list. */
const numbered = /^[ \t]{0,8}\d{1,4}[.)]/;

/** Whether a text lists cases. */
export function hasCases(text: string): boolean {
  return text.split("\n").some((line) => numbered.test(line));
}

/** The text without the cases that the person leaves out; "" where none is left. */
export async function keepTicked(text: string, tick: TickCases): Promise<string> {
  const lines = text.split("\n");
  const cases = lines.filter((line) => numbered.test(line));
  const ticked = new Set(await tick(cases));
  let nth = -1;
  const kept = lines.filter((line) => {
    if (!numbered.test(line)) return true;
    nth += 1;
    return ticked.has(nth);
  });
  return ticked.size === 0 ? "" : kept.join("\n");
}
