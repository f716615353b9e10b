import type { AppError } from "../base/errors/app-error.ts";
import type { Action } from "./action.ts";
import type { ToolCall, ToolResult } from "./chat-message.ts";
import type { ProposedEdit } from "./proposed-edit.ts";
import type { Problem } from "./context/context.ts";

/** Numbers by the names that a server gives them, some of them in groups (`prompt_tokens_details`). */
export interface Counts {
  [name: string]: number | Counts;
}

/** Tokens as the model counted them, with whatever else it counted. */
export interface Usage extends Counts {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** Why a turn ended: the model's finish reason as it came, or ours. */
export type EndReason = "stop" | "length" | "content_filter" | "tool_calls" | "error" | "aborted";

/** The fields that all chunks of one answer share. `created` is in whole seconds. */
export interface ChunkHead {
  id: string;
  model: string;
  created: number;
}

/** A piece of the answer's text, in Markdown. */
interface TextDelta {
  type: "text-delta";
  text: string;
  /**
   * The same without what an edit or an action of the turn says as facts, often "": for doors that print these
   * themselves. Absent where the text holds nothing of the kind.
   */
  brief?: string;
}

/**
 * What a model yields. Calls of tools come whole, in the order of the answer, after its text, and only
 * from an answer that is complete (`stop`, `tool_calls`): one that was cut has none.
 */
export type ModelEvent =
  | TextDelta
  | { type: "reasoning-delta"; text: string }
  /** All text of the answer so far was reasoning: it ended with a tag that was never opened. */
  | { type: "text-was-reasoning" }
  | { type: "tool-call"; call: ToolCall }
  | { type: "usage"; usage: Usage }
  /** An event of the model's stream that has a name and is no chunk; its data is JSON on one line. */
  | { type: "upstream-event"; event: string; data: string }
  /**
   * The model is asked once more, because it takes no more at the moment, or its answer was cut; `isVoid`: what it said of
   * this answer does not count.
   */
  | { type: "model-busy"; isVoid?: true }
  /** Of several models that could: who answers. It comes before the answer's first word. */
  | { type: "model-answers"; model: string };

/** What a relay passes on: deltas, or whole SSE frames as the model sent them, none of which ends the answer. */
export type RelayedEvent =
  | ModelEvent
  | { type: "upstream-frames"; bytes: Uint8Array; head: ChunkHead };

/** Takes what a relay passes on. */
export interface RelaySink {
  /** Takes the next event; false says that no more is wanted before it has drained. */
  take(event: RelayedEvent): boolean;
  /** Resolves when more may come; it never rejects. */
  drained(): Promise<void>;
}

/**
 * A model's answer that is passed on as it comes. Whoever gets it takes it once, by `pipe` or by `deltas`;
 * nothing is sent to the model before that. It must be over before the next event of the turn is asked for.
 */
export interface Relay {
  /**
   * Passes the answer on in the form that costs least. A sink that is slow slows the model.
   *
   * @returns resolves when the answer is over, however it ends
   */
  pipe(sink: RelaySink): Promise<void>;
  /** The answer as deltas, without frames. Leaving early cancels it; it throws what `ended` rejects with. */
  deltas(): AsyncGenerator<ModelEvent, EndReason, void>;
  /** Why the answer ended; rejects with an AppError when it failed or was cancelled. */
  readonly ended: Promise<EndReason>;
  /** Of an answer that is over: whether it has any text but blanks. Absent where nobody knows. */
  readonly heard?: { readonly hasText: boolean };
  /** Ends an answer that is not over, also one that nobody has taken. */
  cancel(): void;
}

/** What a flow yields besides relays. The sequence ends with exactly one `turn-end`; see `settle`. */
export type PlainEvent =
  | ModelEvent
  | { type: "context-receipt"; receipt: ContextReceipt }
  /** A whole answer of the model, as a conversation keeps it; its text has come as deltas before. */
  | { type: "model-answer"; answer: ModelAnswer }
  /** `entry`: the same for a reader that keeps a record of the steps. */
  | { type: "tool-result"; result: ToolResult; entry?: HistoryEntry }
  /** Lines of the tree that follows, as soon as they are known: for doors that print trees as text. */
  | { type: "tree-lines"; text: string }
  | { type: "action"; action: Action }
  /**
   * What the person is told of a model's answer that a limit has cut, or that says nothing, and the button for another
   * try: for doors whose protocol does not tell that.
   */
  | { type: "answer-fault"; fault: "cut" | "empty"; text: string; retry?: Action }
  | { type: "edit"; edit: ProposedEdit }
  | { type: "turn-error"; error: AppError }
  | { type: "turn-end"; reason: EndReason };

/** One answer of a model, before its calls are run. */
export interface ModelAnswer {
  text: string;
  calls: readonly ToolCall[];
  usage?: Usage;
  /** Of the answer, as the model's server names it. */
  id?: string;
  /** As the model's server names itself. */
  model?: string;
}

/** What a flow yields. */
export type TurnEvent = PlainEvent | { type: "relay"; relay: Relay };

/** One step of an agent, as the coding document keeps it (shared memory). Plain JSON. */
export interface HistoryEntry {
  tool: string;
  /** The model's own. */
  reason: string;
  params: Readonly<Record<string, unknown>>;
  result: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  timestamp: string;
}

/** What became of the context on its way into the prompt. Token counts are estimates. */
export interface ContextReceipt {
  command: string;
  /** The model that is asked, or the one of several that answers; absent where no model was. */
  model?: string;
  /** The tokens that the prompt may take: the window less the reserve for the answer. */
  budget?: number;
  /** The tokens that the prompt takes. */
  tokens?: number;
  /** The place that the question or a click names, and which of them: `names(), lines 3-9, from the question`. */
  place?: string;
  /** Of feedback on an action: the editor's file has changed since the action was sent. */
  isFileChanged?: true;
  /** The variables that came, with what each weighs before any cut. */
  arrived: Record<string, number>;
  /** How many passages of the knowledge the prompt holds, the best ones. */
  passages?: number;
  /** What was left out to stay within the budget, in the order in which it was dropped. */
  cut?: string[];
  /** Variables that the command declares or its templates use, and that did not come; a likely name beside one that is perhaps misspelt. */
  missing?: string[];
  /** Variables with names that nobody documents; a likely name beside one that nobody asks for either. */
  unknown?: string[];
  /** Variables that came but that no template mentions. */
  unused?: string[];
  /** Files that an agent looked up for the request, and why each came. */
  files?: { path: string; why: string }[];
  /** Files that the request names as `@path` and that did not come along, and why. */
  leftOut?: { path: string; why: string }[];
  /** What came and could not be used, by its path in the request, and why. */
  dropped?: Problem[];
}
