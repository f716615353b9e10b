// The events of a turn in; the result of a call out: text for people, and the same as facts.
import * as z from "zod";
import type { AppError } from "../../base/errors/app-error.ts";
import { sayError, toPublicError } from "../../base/errors/to-public-error.ts";
import { printSteps } from "../../flows/click/typed-steps.ts";
import { type Action, TreeNode, maxActions, maxNodes } from "../../turn/action.ts";
import { ProposedEdit } from "../../turn/proposed-edit.ts";
import type { Turn } from "../../turn/turn.ts";
import type { PlainEvent } from "../../turn/turn-event.ts";

/** What a call comes to, besides its text. A further call goes on with a `state`, and the `id` of a node. */
export const ToolAnswer = z.object({
  /** Without what the edits say. */
  answer: z.string(),
  edits: z.array(ProposedEdit),
  next: z.array(
    z.object({ title: z.string(), message: z.string(), command: z.string(), state: z.string() }),
  ),
  trees: z.array(
    z.object({
      state: z.string(),
      nodes: z.array(
        TreeNode.omit({ prompt: true }).extend({ actions: z.array(z.enum(["click", "expand"])) }),
      ),
    }),
  ),
  /** Why the model stopped: `stop`, or `length` where the answer is cut. */
  finishReason: z.string(),
});
export type ToolAnswer = z.infer<typeof ToolAnswer>;

/** The result of a call, as the protocol has it. */
export interface CallResult {
  [field: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** The facts of a result of a command; undefined where it failed. */
export function answerOf({ isError, structuredContent }: CallResult): ToolAnswer | undefined {
  // No other result has facts of another kind.
  return isError === true ? undefined : (structuredContent as ToolAnswer | undefined);
}

export function createCollector(turn: Turn) {
  const actions: Action[] = [];
  const edits: ProposedEdit[] = [];
  /** `answer`: the text without what the edits say. */
  let [text, answer, finishReason] = ["", "", "stop"];
  let error: AppError | undefined;
  return {
    take(event: PlainEvent): void {
      if (event.type === "text-delta") {
        text += event.text;
        answer += event.brief ?? event.text;
      } else if (event.type === "answer-fault") {
        text += event.text;
        answer += event.text;
        if (event.retry !== undefined) actions.push(event.retry);
      } else if (event.type === "text-was-reasoning") text = answer = "";
      else if (event.type === "edit") edits.push(event.edit);
      else if (event.type === "turn-error") error ??= event.error;
      else if (event.type === "turn-end") finishReason = event.reason;
      else if (event.type === "action" && actions.length < maxActions) actions.push(event.action);
    },
    result(): CallResult {
      if (error !== undefined) return failed(error, turn.id, turn.locale, text);
      const next = actions.flatMap(({ action, state, data }) =>
        action === "tree" ? [] : [{ ...pickTitle(data), state: printState(state) }],
      );
      const trees = actions.flatMap((action) => (action.action === "tree" ? toTree(action) : []));
      const structuredContent: ToolAnswer = { answer, edits, next, trees, finishReason };
      const content = [{ type: "text" as const, text: text + printSteps(actions, turn) }];
      return { content, structuredContent };
    },
  };
}

/** @param said what came of the answer before */
export function failed(error: AppError, id: string, locale: Turn["locale"], said = ""): CallResult {
  const texts = [said, sayError(error, locale)].filter((text) => text !== "");
  return {
    content: texts.map((text) => ({ type: "text", text })),
    structuredContent: { error: toPublicError(error, id, locale) },
    isError: true,
  };
}

function pickTitle({ title, message, command }: (Action & { action: "confirm" })["data"]) {
  return { title, message, command };
}

/** Sealed, or open where sealing costs more than it is worth: then it is JSON. */
function printState(state: unknown): string {
  return typeof state === "string" ? state : JSON.stringify(state);
}

function toTree({ state, data }: Action & { action: "tree" }): ToolAnswer["trees"][number] {
  const actionsOf = (type: string) =>
    data.nodeActions.flatMap((one) => (one.nodeType === type ? [one.nodeAction] : []));
  const nodes = data.nodes
    .slice(0, maxNodes)
    .map(({ prompt: _, ...node }) => ({ ...node, actions: actionsOf(node.type) }));
  return { state: printState(state), nodes };
}
