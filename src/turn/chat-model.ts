import type { Locale } from "../base/errors/locale.ts";
import type { ChatMessage, OfferedTool, ToolChoice } from "./chat-message.ts";
import type { PromptFacts } from "./focus.ts";
import type { TurnFigures } from "./figures.ts";
import type { ChunkHead, EndReason, ModelEvent, Relay } from "./turn-event.ts";

/** What a question is about: code, and the best of the knowledge that came with it. */
export interface Subject {
  path: string;
  language: string;
  text: string;
  /** 1-based line of the file on which `text` starts. */
  startLine: number;
  /** What is done with it: the turn's command. */
  command: string;
  /** All that the editor has sent of the file, `text` included; empty where no file is open. */
  file: string;
  /** Lines of the person's file above `file`; absent: those above `text` where that is all that was sent. */
  linesAbove?: number;
  /** The place in `file` that the command is about, 1-based and inclusive; absent: all of it. */
  place?: { startLine: number; endLine: number };
  /** What the prompt is told beside the context: cases, the test framework, ... */
  facts: PromptFacts;
  question?: string;
  /** A few, the best first. */
  passages?: readonly { source: string; text: string }[];
}

export interface ChatRequest {
  messages: ChatMessage[];
  /** The model id that the turn asked for, where the model serves several. */
  model?: string;
  temperature?: number;
  maxTokens?: number;
  topP?: number;
  /**
   * What the model may call; its calls come as `tool-call` events. Models of our own call none. A call
   * that neither this nor `extra.tools` asked for is an error.
   */
  tools?: readonly OfferedTool[];
  /** Without `tools` it says nothing; `auto` if absent. */
  toolChoice?: ToolChoice;
  /** Whether an answer may have several calls, where somebody says so. */
  parallelToolCalls?: boolean;
  /** As the chat completions API spells it: `json_object`, `json_schema`. */
  responseFormat?: Readonly<Record<string, unknown>>;
  /** Parameters of the inbound request that a platform may know; other models ignore them. */
  extra?: Record<string, unknown>;
  /** Tells what code the question is about, for a model that reads no prompts. */
  subject?: () => Subject | undefined;
  /** The person's language; a real model reads it from the prompt. */
  locale?: Locale;
}

export interface StreamOptions {
  signal: AbortSignal;
  caller: Caller;
  /** What the call comes to is told to them. */
  figures?: TurnFigures;
  /** Is told what the model's server calls an answer that has ended well, and itself. */
  onHead?: (head: Pick<ChunkHead, "id" | "model">) => void;
  /** Somebody else is asked where the call fails, so it is not sent again. */
  isOnce?: boolean;
}

/** A port: a chat model behind an OpenAI-compatible API, or one of our own. */
export interface ChatModel {
  name: string;
  /** Tokens that prompt and answer may take together. */
  contextWindow: number;
  /** Tokens of the window that are kept for the answer. */
  answerReserve: number;
  /**
   * `tools` (the default): it takes `tools` and calls them; `text`: its prompt tells it how to write calls down;
   * `none`: it cannot call any.
   */
  toolCalls?: "tools" | "text" | "none";
  /** It answers the same question always in the same way, so nobody is offered to ask again. */
  isDeterministic?: boolean;
  /**
   * Asks the model for an answer that the caller reads: deltas, no frames. Nothing is sent before the first `next()`; leaving early, or aborting the
   * signal, ends the upstream request.
   *
   * @returns why the answer ended
   * @throws AppError (`upstream_*`, `rate_limited`, `aborted`), before or in the middle of the answer
   */
  stream(request: ChatRequest, options: StreamOptions): AsyncGenerator<ModelEvent, EndReason, void>;
  /**
   * The same for a caller that passes the answer on: plain frames may come as bytes. Absent where the
   * answer has no frames; `relayAnswer` serves both.
   */
  relay?(request: ChatRequest, options: StreamOptions): Relay;
}

/** Who asks. Nothing here is logged but the ids. */
export interface Caller {
  /** The subject of the token, where the caller showed one. */
  userId?: string;
  /** Which of the operator's keys let the caller in: the beginning of its hash. */
  keyId?: string;
  /** Reads the headers that may travel on to the platform: the allow-list's, never a key of ours. */
  forward: () => Record<string, string>;
}

/**
 * One name for whoever is known by token or key: for limits, states and the log. Its kind comes first, so
 * that no subject of a token is taken for a key.
 */
export function nameCaller({ userId, keyId }: Omit<Caller, "forward">): string | undefined {
  if (userId !== undefined) return `user:${userId}`;
  return keyId === undefined ? undefined : `key:${keyId}`;
}
