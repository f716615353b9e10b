import type { Turn } from "../../turn/turn.ts";

/** The turn with what a flow has found out, for templates; a blank value is left out. */
export function withVariables(turn: Turn, values: Readonly<Record<string, string>>): Turn {
  const found = new Map(turn.context.found);
  for (const [name, value] of Object.entries(values)) if (value !== "") found.set(name, value);
  return { ...turn, context: { ...turn.context, found } };
}
