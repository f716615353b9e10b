import { parseJson } from "../../../base/text/json.ts";
import { type CliTexts } from "../../texts.ts";
import * as z from "zod";
import { createEscaper, escapeControls, escapeLine } from "./escape-controls.ts";
import { ProposedEdit } from "../../../turn/proposed-edit.ts";
import { ShownAction } from "./print-actions.ts";
import { type Terminal, say } from "../terminal.ts";
import { AppError, isErrorCode } from "../../../base/errors/app-error.ts";
import { type Frame, createFrameReader } from "../../../base/wire/sse-frames.ts";

export interface PrintedAnswer {
  actions: ShownAction[];
  edits: ProposedEdit[];
  failed: boolean;
  /** A limit, or a filter, has ended it. */
  isCut?: true;
  code?: string;
}

/**
 * Prints an answer as it comes: text to standard output; reasoning (dimmed)
 * and errors (red) to standard error, so that `> file` keeps the answer alone.
 *
 * @param onModel is told what each chunk calls its model
 * @returns the actions, to be shown when it is complete, and the changes
 */
export async function printAnswer(
  parts: AsyncIterable<AnswerPart>,
  terminal: Terminal,
  texts: CliTexts,
  onModel?: (name: string) => void,
): Promise<PrintedAnswer> {
  const printed: PrintedAnswer = { actions: [], edits: [], failed: false };
  const printer = createPrinter(terminal);
  try {
    for await (const part of parts) {
      switch (part.type) {
        case "text-delta":
          printer.print("text", part.text);
          break;
        case "reasoning-delta":
          printer.print("reasoning", part.text);
          break;
        case "action":
          printed.actions.push(part.action);
          break;
        case "edit":
          printed.edits.push(part.edit);
          break;
        case "model":
          onModel?.(part.name);
          break;
        case "cut":
          printed.isCut = true;
          printer.finish();
          say("yellow", texts.modelStopped(escapeControls(part.reason)), terminal);
          break;
        case "failure":
          printer.finish();
          printed.failed = true;
          if (part.code !== undefined) printed.code ??= part.code;
          say(
            "red",
            [part.sentence, part.message].filter(Boolean).map(escapeControls).join("\n"),
            terminal,
          );
          break;
      }
    }
  } finally {
    printer.finish();
  }
  return printed;
}

type Voice = "text" | "reasoning";

export type Printer = ReturnType<typeof createPrinter>;

/** Keeps the voices apart: each begins on a line of its own, and every line gets its end. */
export function createPrinter(terminal: Terminal) {
  const { createPainter = createEscaper } = terminal;
  let voice: Voice = "text";
  let isLineOpen = false;
  const painters = { text: createPainter(terminal), reasoning: createEscaper() };
  const write = (text: string): void => {
    if (text === "") return;
    isLineOpen = !text.endsWith("\n");
    if (voice === "text") terminal.out(text);
    else terminal.err(terminal.errStyle("dim", text));
  };
  const finish = (): void => {
    write(painters[voice].finish());
    if (isLineOpen) write("\n");
  };
  return {
    print(next: Voice, text: string): void {
      if (next !== voice) {
        finish();
        if (voice === "reasoning") terminal.err("\n");
        voice = next;
      }
      write(painters[voice].feed(text));
    },
    finish,
  };
}

const Refusal = z.looseObject({
  error: z.looseObject({
    code: z.union([z.string(), z.number()]).nullish(),
    message: z.string(),
    problems: z.array(z.looseObject({ path: z.string(), message: z.string() })).nullish(),
  }),
});

/** How much of an answer is shown that is none of ours, in characters. */
const maxExcerpt = 500;

/** Prints an HTTP refusal in red, with the problems that its message leaves out. @returns its code, if it has one */
export async function printRefusal(response: Response, terminal: Terminal, texts: CliTexts) {
  const { status, statusText, headers } = response;
  const body = await response.text();
  const refusal = Refusal.safeParse(parseJson(body)).data?.error;
  const { code, message = "", problems } = refusal ?? {};
  const further = (problems ?? [])
    .map((problem) => `${problem.path}: ${problem.message}`)
    .filter((problem) => !message.includes(problem));
  // Messages are in English; for people in other languages every code of ours has a sentence.
  const isOurs = typeof code === "string" && isErrorCode(code);
  const sentence = isOurs ? new AppError(code, "").sentence(texts.locale) : "";
  const name = escapeLine(`${status} ${(refusal === undefined ? statusText : code) ?? ""}`).trim();
  // Seconds or a date (RFC 9110, section 10.2.3).
  const wait = headers.get("retry-after");
  const lines = [
    texts.refused(name, { message: escapeLine(message), sentence }),
    ...further.map((problem) => `  ${escapeLine(problem)}`),
    // What no agent of ours has said.
    ...(refusal === undefined ? [escapeControls(body.slice(0, maxExcerpt)).trim()] : []),
    ...(wait === null
      ? []
      : [`  Retry-After: ${escapeLine(wait)}${/^\d+$/.test(wait.trim()) ? " s" : ""}`]),
  ];
  say("red", lines.filter((line) => line !== "").join("\n"), terminal);
  return typeof code === "string" ? code : undefined;
}

export type AnswerPart =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  | { type: "action"; action: ShownAction }
  | { type: "edit"; edit: ProposedEdit }
  /** What the stream calls its model; comes with every chunk that says so. */
  | { type: "model"; name: string }
  /** The model stopped for another reason than that it was done: `length`, `content_filter`. */
  | { type: "cut"; reason: string }
  /** `sentence` is for the person, in their language; `message` for who mends it. */
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
 * Reads the platform's SSE. The end marker ends it; without one the last part is a failure. What a stream says after an
 * abort (that the client left) is no news to the client.
 *
 * @throws FrameTooLarge; whatever the bytes throw
 */
export async function* readAnswer(
  bytes: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<AnswerPart, void, void> {
  for await (const frame of readFrames(bytes)) {
    if (signal?.aborted === true) return;
    // The document writes `[Done]`, models `[DONE]`.
    if (/^\[done\]$/i.test(frame.data.trim())) return;
    yield* readFrame(frame);
  }
  if (signal?.aborted === true) return;
  yield failure("The stream ended without its end marker, so the answer may be incomplete.");
}

export function failure(message: string, sentence = ""): AnswerPart & { type: "failure" } {
  return { type: "failure", sentence, message };
}

/** The frames of server-sent events. @throws FrameTooLarge; whatever the bytes throw */
export async function* readFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
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
  if (!chunk.success)
    return yield failure("The stream holds a frame that is not a chunk of an answer.");
  const { choices, error, model, rightseat } = chunk.data;
  const { delta, finish_reason: reason } = choices?.[0] ?? {};
  if (error) {
    const message = [error.code, error.message]
      .filter((part) => typeof part === "string" && part !== "")
      .join(": ");
    const code = typeof error.code === "string" ? { code: error.code } : {};
    return yield { ...failure(message, delta?.content?.trim()), ...code };
  }
  if (model) yield { type: "model", name: model };
  if (delta?.reasoning_content) yield { type: "reasoning-delta", text: delta.reasoning_content };
  if (delta?.content) yield { type: "text-delta", text: delta.content };
  // What cannot be read is not offered; the text says all there is.
  const edit = rightseat && ProposedEdit.safeParse(rightseat.edit);
  if (edit?.success) yield { type: "edit", edit: edit.data };
  if (reason && cuts.includes(reason)) yield { type: "cut", reason };
}
