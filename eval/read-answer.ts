import { EventSourceParserStream } from "eventsource-parser/stream";
import * as z from "zod";
import { ProposedEdit } from "../src/turn/proposed-edit.ts";
import { ShownAction } from "../src/cli/call/show/print-actions.ts";

/** All that a turn has answered. */
export interface Answer {
  text: string;
  actions: ShownAction[];
  /** Proposed changes, as facts. */
  edits: ProposedEdit[];
  /** Why it ended; undefined if no chunk said so. */
  finishReason: string | undefined;
  /** What went wrong, for whoever mends it. */
  failure: string | undefined;
}

const Fault = z.looseObject({ code: z.unknown(), message: z.string().nullish() });
const Refusal = z.looseObject({ error: Fault });
const Chunk = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: z.looseObject({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  rightseat: z.looseObject({ edit: ProposedEdit.optional() }).nullish(),
  error: Fault.nullish(),
});

/**
 * Reads a whole answer of the copilot's door with a parser that is not ours.
 *
 * @throws whatever the signal aborts with, and the parsers on what is no such answer
 */
export async function readAnswer(response: Response, signal: AbortSignal): Promise<Answer> {
  const answer: Answer = {
    text: "",
    actions: [],
    edits: [],
    finishReason: undefined,
    failure: undefined,
  };
  if (!response.ok || response.body === null) {
    return { ...answer, failure: await readRefusal(response) };
  }
  const frames = response.body
    // An app that is left does not end its stream.
    .pipeThrough(new TextDecoderStream(), { signal })
    .pipeThrough(new EventSourceParserStream({ onError: "terminate" }));
  let hasEnded = false;
  for await (const { event, data } of frames) {
    if (/^\[done\]$/i.test(data)) hasEnded = true;
    else if (event === "copilot_action") answer.actions.push(ShownAction.parse(JSON.parse(data)));
    else readChunk(answer, Chunk.parse(JSON.parse(data)));
  }
  if (!hasEnded) answer.failure ??= "The stream ended without its end marker.";
  return answer;
}

function readChunk(answer: Answer, { choices, rightseat, error }: z.output<typeof Chunk>): void {
  const [choice] = choices ?? [];
  if (rightseat?.edit !== undefined) answer.edits.push(rightseat.edit);
  answer.finishReason = choice?.finish_reason ?? answer.finishReason;
  if (error) answer.failure = describeFault(error);
  else answer.text += choice?.delta?.content ?? "";
}

async function readRefusal(response: Response): Promise<string> {
  const refusal = Refusal.safeParse(await response.json().catch(() => undefined));
  const why = refusal.success ? `, ${describeFault(refusal.data.error)}` : "";
  return `HTTP ${response.status}${why}`;
}

function describeFault({ code, message }: z.output<typeof Fault>): string {
  return [code, message].filter((part) => typeof part === "string" && part !== "").join(": ");
}
