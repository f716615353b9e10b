import { chat } from "./chat.ts";
import { greet } from "./default.ts";
import { explain } from "./explain.ts";
import type { Flow } from "./flow.ts";
import { templated } from "./templated.ts";
import type { Turn } from "../turn/turn.ts";
import { tellVersion } from "./version.ts";

/** The commands that we answer in our own way; every other one is answered from its templates. */
const flows: ReadonlyMap<string, Flow> = new Map([
  ["default", greet],
  ["version", tellVersion],
  ["explain", explain],
  ["chat", chat],
]);

export const ownCommands: readonly string[] = [...flows.keys()];

/** A definition may give templates to commands that would not ask a model otherwise; they win. */
export function resolveFlow(turn: Turn): Flow {
  const flow = flows.get(turn.command) ?? templated;
  const asksNoModel = flow === greet || flow === tellVersion;
  return asksNoModel && turn.messageTemplates !== undefined ? templated : flow;
}
