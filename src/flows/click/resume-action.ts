// What somebody has chosen of an action in; the step that they asked for out.
import * as z from "zod";
import { AppError } from "../../base/errors/app-error.ts";
import { isRecord } from "../../base/text/json.ts";
import { type NextStep, TreeAction, stepKey, stepsOf } from "../../turn/action.ts";
import {
  type StateBinding,
  type StateContent,
  type StateSeal,
  hashText,
} from "../../turn/state/sealed-state.ts";

export interface ChosenAction {
  /** As the action brought it. */
  state: unknown;
  nodeId?: string | undefined;
  /** `click` where absent. */
  nodeAction?: "expand" | "click" | undefined;
}

export interface ResumedAction {
  step?: NextStep;
  /** The children of a node that was opened: they are the whole answer. */
  opened?: TreeAction;
  isFileChanged: boolean;
}

/** What actions carry that nobody has to be kept from reading: a button's step, or those of a tree's nodes. */
const Step = z.looseObject({ command: z.string(), prompt: z.string() });
const OpenState = z.union([
  Step,
  z.looseObject({ steps: z.record(z.string(), Step) }),
  TreeAction.shape.data,
]);

/** Nodes or steps of an open state: those of ours have fewer, and the reasons why others do not fit take long to find. */
const maxOpen = 1_000;

function readOpen(state: unknown): z.infer<typeof OpenState> | undefined {
  const lists = Object.values(isRecord(state) ? state : {}).filter(
    (one) => typeof one === "object",
  );
  if (lists.some((one) => Object.keys(Object(one)).length > maxOpen)) return undefined;
  return OpenState.safeParse(state).data;
}

/**
 * Finds what was asked for.
 *
 * @param binding of the agent and the person that now ask; undefined where it is unclear who that is
 * @param file the text in the editor, as far as it came
 * @throws AppError `state_invalid`, `state_expired`
 */
export async function resumeAction(
  chosen: ChosenAction,
  states: StateSeal,
  binding: StateBinding | undefined,
  file: string | undefined,
): Promise<ResumedAction> {
  const { state } = chosen;
  if (typeof state !== "string" || state === "") {
    const asked = readOpen(state);
    const found = asked && choose(asked, chosen);
    if (found !== undefined) return { ...found, isFileChanged: false };
    const message = {
      en: "The feedback has neither the state that the action came with nor a command. Start over.",
      zh: "反馈中既没有操作附带的 state，也没有指令，请重新开始。",
    };
    throw new AppError("state_invalid", message, { param: "state" });
  }
  if (binding === undefined) {
    const message = {
      en: "The id in userInfo cannot be read, so the state of this action does not open.",
      zh: "无法读取 userInfo 中的 id，因此无法打开该操作的 state。",
    };
    throw new AppError("state_invalid", message, { param: "contextVariables" });
  }
  const { asked, fileHash } = await states.open(state, binding);
  const found = choose(asked, chosen);
  if (found === undefined) {
    const message = {
      en: "The state of this action has no such node. Start over.",
      zh: "该操作的 state 中没有此节点，请重新开始。",
    };
    throw new AppError("state_invalid", message, { param: "nodeId" });
  }
  if ("opened" in found) return { ...found, isFileChanged: false };
  const isFileChanged =
    fileHash !== undefined && file !== undefined && (await hashText(file)) !== fileHash;
  return { ...found, isFileChanged };
}

/**
 * A step, or the tree of a node's own children, with the state that the whole tree came with. Undefined if the state has
 * neither.
 */
function choose(
  asked: StateContent["asked"],
  { state, nodeId, nodeAction = "click" }: ChosenAction,
): { step: NextStep } | { opened: TreeAction } | undefined {
  const steps = stepsOfState(asked);
  const key = nodeId === undefined ? "" : stepKey(nodeId, nodeAction);
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step !== undefined) return { step };
  const isTree = "nodes" in asked && asked.nodes.some(({ id }) => id === nodeId);
  if (nodeId === undefined || nodeAction !== "expand" || !isTree) return undefined;
  const nodes = asked.nodes.filter(({ pId }) => pId === nodeId);
  return { opened: { action: "tree", state, data: { ...asked, rootPId: nodeId, nodes } } };
}

function stepsOfState(asked: StateContent["asked"]): Record<string, NextStep> {
  if ("steps" in asked) return asked.steps;
  return "nodes" in asked
    ? stepsOf({ action: "tree", state: {}, data: asked })
    : { "": { command: asked.command, prompt: asked.prompt } };
}
