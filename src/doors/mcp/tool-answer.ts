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

/** Gathers what a turn says. */
export class AnswerCollector {
  readonly #turn: Turn;
  readonly #actions: Action[] = [];
  readonly #edits: ProposedEdit[] = [];
  #text = "";
  /** The same without what the edits say. */
  #brief = "";
  #error: AppError | undefined;
  #reason = "stop";

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  take(event: PlainEvent): void {
    if (event.type === "text-delta") {
      this.#text += event.text;
      this.#brief += event.brief ?? event.text;
    } else if (event.type === "text-was-reasoning") this.#text = this.#brief = "";
    else if (event.type === "edit") this.#edits.push(event.edit);
    else if (event.type === "turn-error") this.#error ??= event.error;
    else if (event.type === "turn-end") this.#reason = event.reason;
    else if (event.type === "action" && this.#actions.length < maxActions)
      this.#actions.push(event.action);
  }

  result(): CallResult {
    const { id, locale } = this.#turn;
    const said = this.#text;
    if (this.#error !== undefined) return failed(this.#error, id, locale, said);
    const structuredContent: ToolAnswer = {
      answer: this.#brief,
      edits: this.#edits,
      next: this.#actions.flatMap(({ action, state, data }) =>
        action === "tree" ? [] : [{ ...pickTitle(data), state: printState(state) }],
      ),
      trees: this.#actions.flatMap((action) => (action.action === "tree" ? [toTree(action)] : [])),
      finishReason: this.#reason,
    };
    const text = said + printSteps(this.#actions, this.#turn);
    return { content: [{ type: "text", text }], structuredContent };
  }
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
