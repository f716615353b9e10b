import { confirmAction } from "../turn/action.ts";
import { answer } from "./answer.ts";
import type { Flow } from "./flow.ts";
import { knowledgeTree } from "./knowledge-tree.ts";
import { textsFor } from "./texts.ts";

/** Explains the selection, else the visible range, else the file; leads on to fix and unit tests. */
export const explain: Flow = async function* (turn, services) {
  const texts = textsFor(turn.locale);
  const { receipt, events } = answer(turn, services);
  yield receipt;
  const reason = yield* events;
  const tree = knowledgeTree(turn);
  if (tree !== undefined) yield { type: "action", action: tree };
  yield { type: "action", action: confirmAction({ ...texts.fix, command: "fix" }) };
  yield { type: "action", action: confirmAction({ ...texts.unittest, command: "unittest" }) };
  yield { type: "turn-end", reason };
};
