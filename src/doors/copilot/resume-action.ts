// Feedback on an action: `{ agent, action, state, data?, nodeId?, nodeAction? }` becomes the request that
// a client which knows the action's command would have sent (the platform documents no such format).
import * as z from "zod";
import { toProblems } from "../../turn/context/context.ts";
import { AppError } from "../../base/errors/app-error.ts";
import {
  hashText,
  type StateBinding,
  type StateContent,
  type StateSeal,
} from "../../turn/state/sealed-state.ts";
import { TreeAction } from "../../turn/action.ts";
import { type NextStep, stepKey, stepsOf } from "../../turn/next-step.ts";
import { isRecord } from "../../base/wire/json/is-record.ts";
import { ActionFeedback, type CopilotRequest } from "./schema.ts";

/** What actions carry that nobody has to be kept from reading: a button's step, or those of a tree's nodes. */
const Step = z.looseObject({ command: z.string(), prompt: z.string() });
const OpenState = z.union([
  Step,
  z.looseObject({ steps: z.record(z.string(), Step) }),
  TreeAction.shape.data,
]);

/** What the feedback asks for, in the form of an ordinary request. */
export interface ResumedRequest {
  request: CopilotRequest;
  isFileChanged: boolean;
  /** The children of a node that was opened: they are the whole answer. */
  opened?: TreeAction;
}

/**
 * Undefined if the request is no feedback: it names a command, or no action.
 *
 * @throws AppError `invalid_request` if it is one that cannot be read
 */
export function readFeedback(request: CopilotRequest): ActionFeedback | undefined {
  if (request.command) return undefined;
  // Some send the action back whole, as it came.
  const { action } = request;
  const given = isRecord(action) ? { ...action, ...request, action: action["action"] } : request;
  if (typeof given["action"] !== "string") return undefined;
  const parsed = ActionFeedback.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = toProblems(parsed.error, given);
  const list = problems.map(({ path, message }) => `${path}: ${message}`).join("; ");
  const listZh = problems.map(({ path, message, zh = message }) => `${path}：${zh}`).join("；");
  const text = {
    en: `The feedback on an action is not valid. ${list}`,
    zh: `对操作的反馈无效。${listZh}`,
  };
  throw new AppError("invalid_request", text, {
    problems,
    ...(problems[0] === undefined ? {} : { param: problems[0].path }),
  });
}

/**
 * @param binding of the agent and the person that now ask; undefined where it is unclear who that is
 * @throws AppError `state_invalid`, `state_expired`
 */
export async function resumeAction(
  request: CopilotRequest,
  feedback: ActionFeedback,
  states: StateSeal,
  binding: StateBinding | undefined,
): Promise<ResumedRequest> {
  const { action, state, data, nodeId, nodeAction, ...rest } = request;
  if (typeof feedback.state !== "string" || feedback.state === "") {
    return { ...chooseOpen(rest, feedback), isFileChanged: false };
  }
  if (binding === undefined) {
    const message = {
      en: "The id in userInfo cannot be read, so the state of this action does not open.",
      zh: "无法读取 userInfo 中的 id，因此无法打开该操作的 state。",
    };
    throw new AppError("state_invalid", message, { param: "contextVariables" });
  }
  const { asked, fileHash } = await states.open(feedback.state, binding);
  const chosen = choose(rest, asked, feedback);
  if (chosen === undefined) {
    const message = {
      en: "The state of this action has no such node. Start over.",
      zh: "该操作的 state 中没有此节点，请重新开始。",
    };
    throw new AppError("state_invalid", message, { param: "nodeId" });
  }
  if (chosen.opened !== undefined) return { ...chosen, isFileChanged: false };
  const file = editorContentOf(request);
  const isFileChanged =
    fileHash !== undefined && file !== undefined && (await hashText(file)) !== fileHash;
  return { ...chosen, isFileChanged };
}

/** What was asked for: a step, or the children of a node. Undefined if the state has neither. */
function choose(
  rest: CopilotRequest,
  asked: StateContent["asked"],
  feedback: ActionFeedback,
): Omit<ResumedRequest, "isFileChanged"> | undefined {
  const steps = stepsOfState(asked);
  const key = keyOf(feedback);
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step !== undefined) return { request: withStep(rest, step) };
  const opened = "nodes" in asked ? openNode(asked, feedback) : undefined;
  return opened && { request: rest, opened };
}

function stepsOfState(asked: StateContent["asked"]): Record<string, NextStep> {
  if ("steps" in asked) return asked.steps;
  return "nodes" in asked
    ? stepsOf({ action: "tree", state: {}, data: asked })
    : { "": { command: asked.command, prompt: asked.prompt } };
}

/** The tree of a node's own children, with the state that the whole tree came with. */
function openNode(tree: TreeAction["data"], feedback: ActionFeedback): TreeAction | undefined {
  const { nodeId, nodeAction, data } = feedback;
  const id = String(nodeId ?? data?.nodeId ?? "");
  const isKnown = tree.nodes.some((node) => node.id === id);
  if ((nodeAction ?? data?.nodeAction) !== "expand" || !isKnown) return undefined;
  const nodes = tree.nodes.filter(({ pId }) => pId === id);
  return { action: "tree", state: feedback.state, data: { ...tree, rootPId: id, nodes } };
}

/** What feedback without a sealed state asks for: its data or its state must name it. */
function chooseOpen(
  rest: CopilotRequest,
  feedback: ActionFeedback,
): Omit<ResumedRequest, "isFileChanged"> {
  const { state, data } = feedback;
  const { command, prompt } = data ?? {};
  if (command || prompt) {
    return { request: withStep(rest, { command: command ?? "", prompt: prompt ?? "" }) };
  }
  const asked = OpenState.safeParse(state).data;
  const chosen = asked && choose(rest, asked, feedback);
  if (chosen !== undefined) return chosen;
  const message = {
    en: "The feedback has neither the state that the action came with nor a command. Start over.",
    zh: "反馈中既没有操作附带的 state，也没有指令，请重新开始。",
  };
  throw new AppError("state_invalid", message, { param: "state" });
}

function keyOf({ action, data, nodeId, nodeAction }: ActionFeedback): string {
  if (action === "confirm") return "";
  const id = String(nodeId ?? data?.nodeId ?? "");
  return stepKey(id, nodeAction ?? data?.nodeAction ?? "click");
}

function withStep(request: CopilotRequest, { command, prompt }: NextStep): CopilotRequest {
  const variables = (request.contextVariables ?? []).filter(
    ({ name }) => name !== "userInputPrompt",
  );
  if (prompt !== "") variables.push({ name: "userInputPrompt", value: prompt });
  return { ...request, command, contextVariables: variables };
}

function editorContentOf({ contextVariables }: CopilotRequest): string | undefined {
  const editor = contextVariables?.find(({ name }) => name === "activeEditor")?.value;
  const content: unknown =
    typeof editor === "object" && editor !== null ? Reflect.get(editor, "content") : undefined;
  return typeof content === "string" && content !== "" ? content : undefined;
}
