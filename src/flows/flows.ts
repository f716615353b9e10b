import type { Turn } from "../turn/turn.ts";
import { chat } from "./chat.ts";
import { greet } from "./default.ts";
import { docstring } from "./docstring.ts";
import { explain } from "./explain.ts";
import { fix } from "./fix.ts";
import type { Flow } from "./flow.ts";
import { atMarkedLines } from "./click/marked-lines.ts";
import { optimize } from "./optimize.ts";
import { recallOptions, withRecall } from "./ask/recall.ts";
import { templated } from "./templated.ts";
import { unittest } from "./unittest.ts";
import { unittestWrite } from "./unittest-write.ts";
import { tellVersion } from "./version.ts";

interface OwnFlow {
  flow: Flow;
  /** It is about a place in the editor's file, which a click may name. */
  hasPlace?: true;
  /** Templates of a definition make it a command like any other. */
  asksNoModel?: true;
}

/** The commands that we answer in our own way; every other one is answered from its templates. */
const flows: ReadonlyMap<string, OwnFlow> = new Map<string, OwnFlow>([
  ["default", { flow: greet, asksNoModel: true }],
  ["version", { flow: tellVersion, asksNoModel: true }],
  ["explain", { flow: explain, hasPlace: true }],
  ["chat", { flow: chat }],
  ["fix", { flow: fix, hasPlace: true }],
  ["optimize", { flow: optimize, hasPlace: true }],
  ["docstring", { flow: docstring, hasPlace: true }],
  ["unittest", { flow: unittest, hasPlace: true }],
  ["unittest-write", { flow: unittestWrite, hasPlace: true }],
]);

export const ownCommands: readonly string[] = [...flows.keys()];

/** A definition may give templates to commands that would not ask a model otherwise; they win. */
export function resolveFlow(turn: Turn): Flow {
  const { flow, hasPlace, asksNoModel } = flows.get(turn.command) ?? { flow: templated };
  if (asksNoModel) return turn.messageTemplates === undefined ? flow : templated;
  const options = recallOptions(turn);
  const informed = options === undefined ? flow : withRecall(flow, options);
  return hasPlace ? atMarkedLines(informed) : informed;
}
