import { parseJson } from "../read/read-text-file.ts";
import * as z from "zod";
import { type Frame, createFrameReader } from "../../base/wire/sse-frames.ts";
import { ProposedEdit } from "../../turn/proposed-edit.ts";
import { ShownAction } from "./show/print-actions.ts";

/** What a copilot stream says, in order. */
export type AnswerPart =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  | { type: "action"; action: ShownAction }
  | { type: "edit"; edit: ProposedEdit }
  /** What the stream calls its model; comes with every chunk that says so. */
  | { type: "model"; name: string }
  /** The model stopped for another reason than that it was done: `length`, `content_filter`. */
  | { type: "cut"; reason: string }
  /** `sentence` is for the person, in their language; `message` for whoever mends it. */
  | { type: "failure"; sentence: string; message: string; code?: string };

const Delta = z.looseObject({
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
});
const Chunk = z.looseObject({
  model: z.string().nullish(),
  choices: z
    .array(z.looseObject({ delta: Delta.nullish(), finish_reason: z.string().nullish() }))
    .nullish(),
  rightseat: z.looseObject({ edit: z.unknown() }).nullish().catch(undefined),
  error: z.looseObject({ code: z.unknown(), message: z.string().nullish() }).nullish(),
});

/** In characters; ours are smaller, and other agents may send whole files in a tree. */
const maxFrame = 16 * 1024 * 1024;
const cuts = ["length", "content_filter"];

/**
 * Reads the platform's SSE. The end marker ends it; without one the last part is a failure.
 *
 * @throws FrameTooLarge; whatever the bytes throw
 */
export async function* readAnswer(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<AnswerPart, void, void> {
  for await (const frame of readFrames(bytes)) {
    // The document writes `[Done]`, models `[DONE]`.
    if (/^\[done\]$/i.test(frame.data.trim())) return;
    yield* readFrame(frame);
  }
  yield {
    type: "failure",
    sentence: "",
    message: "The stream ended without its end marker, so the answer may be incomplete.",
  };
}

async function* readFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void, void> {
  const reader = createFrameReader(maxFrame);
  const decoder = new TextDecoder();
  for await (const chunk of bytes) yield* reader.feed(decoder.decode(chunk, { stream: true }));
  yield* reader.feed(decoder.decode());
  yield* reader.finish();
}

function* readFrame({ event, data }: Frame): Generator<AnswerPart, void, void> {
  const json = parseJson(data);
  if (event === "copilot_action") {
    const action = ShownAction.safeParse(json);
    if (action.success) yield { type: "action", action: action.data };
    return;
  }
  // What a platform's stream brings besides.
  if (event !== undefined && event !== "message") return;
  const chunk = Chunk.safeParse(json);
  if (!chunk.success) {
    yield {
      type: "failure",
      sentence: "",
      message: "The stream holds a frame that is not a chunk of an answer.",
    };
    return;
  }
  const { choices, error, model, rightseat } = chunk.data;
  const { delta, finish_reason: reason } = choices?.[0] ?? {};
  if (error) {
    const message = [error.code, error.message]
      .filter((part) => typeof part === "string" && part !== "")
      .join(": ");
    const code = typeof error.code === "string" ? { code: error.code } : {};
    yield { type: "failure", sentence: delta?.content?.trim() ?? "", message, ...code };
    return;
  }
  if (model) yield { type: "model", name: model };
  if (delta?.reasoning_content) yield { type: "reasoning-delta", text: delta.reasoning_content };
  if (delta?.content) yield { type: "text-delta", text: delta.content };
  // What cannot be read is not offered; the text says all there is.
  const edit = rightseat && ProposedEdit.safeParse(rightseat.edit);
  if (edit?.success) yield { type: "edit", edit: edit.data };
  if (reason && cuts.includes(reason)) yield { type: "cut", reason };
}
