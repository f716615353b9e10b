import * as z from "zod";

/** Rules that stand before the person's question, in the order in which they are to be read. */
export const GlobalPrompts = z.array(
  z.looseObject({ role: z.string().nullish(), content: z.string() }),
);
export type GlobalPrompts = z.infer<typeof GlobalPrompts>;

export function renderGlobalPrompts(prompts: GlobalPrompts): string {
  return prompts.map((prompt) => prompt.content).join("\n\n");
}
