import { chat } from "./chat.ts";
import { greet } from "./default.ts";
import { explain } from "./explain.ts";
import { docstring } from "./docstring.ts";
import { fix } from "./fix.ts";
import type { Flow } from "./flow.ts";
import { atMarkedLines, hasMark } from "./marked-lines.ts";
import { optimize } from "./optimize.ts";
import { recallOptions, withRecall } from "./recall.ts";
import { templated } from "./templated.ts";
import type { Turn } from "../turn/turn.ts";
import { unittest } from "./unittest.ts";
import { unittestWrite } from "./unittest-write.ts";
import { tellVersion } from "./version.ts";

/** The commands that we answer in our own way; every other one is answered from its templates. */
const flows: ReadonlyMap<string, Flow> = new Map([
  ["default", greet],
  ["version", tellVersion],
  ["explain", explain],
  ["chat", chat],
  ["fix", fix],
  ["optimize", optimize],
  ["docstring", docstring],
  ["unittest", unittest],
  ["unittest-write", unittestWrite],
]);

export const ownCommands: readonly string[] = [...flows.keys()];

/** A definition may give templates to commands that would not ask a model otherwise; they win. */
export function resolveFlow(turn: Turn): Flow {
  const flow = flows.get(turn.command) ?? templated;
  const asksNoModel = flow === greet || flow === tellVersion;
  if (asksNoModel) return turn.messageTemplates === undefined ? flow : templated;
  const options = recallOptions(turn);
  const informed = options === undefined ? flow : withRecall(flow, options);
  return hasMark(turn) ? atMarkedLines(informed) : informed;
}
