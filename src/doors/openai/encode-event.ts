import { AppError } from "../../base/errors/app-error.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { toPublicError } from "../../base/errors/to-public-error.ts";
import { printSteps } from "../../flows/click/typed-steps.ts";
import {
  printCompletion,
  printUsageChunk,
  toCompletionReason,
} from "../../model/chat/chat-chunk.ts";
import { type UpstreamDelta, readDeltas } from "../../model/chat/answer/upstream-chunk.ts";
import type { Action } from "../../turn/action.ts";
import type { Turn } from "../../turn/turn.ts";
import { addUsage, type ChunkHead, type PlainEvent, type Usage } from "../../turn/turn-event.ts";
import { encodeFrame } from "../../base/wire/sse-frame.ts";
import { ChunkStream } from "../http/chunk-stream.ts";
import type { EventEncoder } from "../../run/pump-turn.ts";

/** How an answer is written: as a stream, or as one body. */
interface Writer {
  frames?: EventEncoder["frames"];
  delta(delta: UpstreamDelta): string;
  end(reason: ReturnType<typeof toCompletionReason>, usage: Usage | undefined): string;
}

/** An error as the OpenAI API spells it, with these four fields. */
export function toOpenAiError(error: AppError, requestId: string, locale: Locale): object {
  const { type, code, message, param = null } = toPublicError(error, requestId, locale);
  return { message, type, param, code };
}

/** Turns events into an answer of the OpenAI API; next steps come as text, to be typed. */
export function createOpenAiEncoder(writer: Writer, turn: Turn): EventEncoder {
  const actions: Action[] = [];
  let usage: Usage | undefined;
  let error: AppError | undefined;
  const encode = (event: PlainEvent): string => {
    switch (event.type) {
      case "text-delta":
        return writer.delta({ content: event.text });
      case "reasoning-delta":
        return writer.delta({ reasoning_content: event.text });
      case "action":
        actions.push(event.action);
        return "";
      case "usage":
        usage = addUsage(usage, event.usage);
        return "";
      case "turn-error":
        error = event.error;
        return "";
      case "turn-end": {
        if (event.reason === "error" || event.reason === "aborted") {
          error ??= new AppError("upstream_error", {
            en: "The model ended its answer with an error.",
            zh: "模型以错误结束了回答。",
          });
          const message = error.sentence(turn.locale);
          const shown = { ...toOpenAiError(error, turn.id, turn.locale), message };
          return encodeFrame(JSON.stringify({ error: shown })) + encodeFrame("[DONE]");
        }
        const steps = printSteps(actions, turn);
        const last = steps === "" ? "" : writer.delta({ content: steps });
        return last + writer.end(toCompletionReason(event.reason), usage);
      }
      case "context-receipt":
      case "text-was-reasoning":
      case "upstream-event":
      // These clients show the text alone, and calls of tools are ours to make.
      case "edit":
      case "tool-call":
      case "tool-result":
      case "tree-lines":
      case "model-busy":
      case "model-answers":
        return "";
    }
  };
  return writer.frames === undefined ? encode : Object.assign(encode, { frames: writer.frames });
}

/** @param tellsUsage in a chunk of its own, as `stream_options.include_usage` asks for */
export function writeStream(own: ChunkHead, tellsUsage: boolean): Writer {
  const chunks = new ChunkStream(own);
  return {
    delta: (delta) => chunks.delta(delta),
    // Under our own head: the chunks name the model that was asked for.
    frames: (bytes) =>
      readDeltas(bytes)
        .map((delta) => chunks.delta(delta))
        .join(""),
    end(reason, usage) {
      const told = usage !== undefined && tellsUsage;
      const last = told ? encodeFrame(printUsageChunk(chunks.head, usage)) : "";
      return chunks.end(reason) + last + encodeFrame("[DONE]");
    },
  };
}

export function writeBody(head: ChunkHead): Writer {
  const said = { text: "", reasoning: "" };
  return {
    delta({ content, reasoning_content: thought }) {
      said.text += content ?? "";
      said.reasoning += thought ?? "";
      return "";
    },
    end: (reason, usage) => printCompletion(head, said, reason, usage),
  };
}
