import * as z from "zod";
import { isPluginModel } from "../../doors/plugin/ide/plugin-models.ts";
import { ChatMessage } from "../../turn/chat-message.ts";
import type { ChatModel } from "../../turn/chat-model.ts";
import type { AgentFrame } from "./frame.ts";

/** Answers prompts with a model of this side. */
export interface ModelAnswers {
  take(id: string | number, frame: AgentFrame): void;
}

export interface ModelAnswersOptions {
  /** As the person asked for it; only this one answers. */
  asked: string | undefined;
  /** Finds a model of the settings by its name. */
  find: (name: string) => ChatModel | undefined;
  send: (frame: object) => void;
  signal: AbortSignal;
  /** Hears which model was asked for and is not here, and why one failed. */
  onMissing: (name: string) => void;
  onFailure: (message: string) => void;
}

/** Answers at once, and for one command: the person pays for them. */
const maxCalls = 4;
const maxPrompts = 20;

const Prompt = z.looseObject({
  messages: z.array(ChatMessage).min(1).max(1_000),
  temperature: z.number().nullish(),
  max_tokens: z.int().min(1).nullish(),
  top_p: z.number().nullish(),
});

/** The name of a model on the plugin's side: `deepseek-r1` of `plugin deepseek-r1`; undefined for others. */
export function pluginModelName(asked: string | undefined): string | undefined {
  return isPluginModel(asked) ? asked.replace(/^plugin\s+/i, "") : undefined;
}

export function createModelAnswers(options: ModelAnswersOptions): ModelAnswers {
  const { asked, find, send, signal, onMissing, onFailure } = options;
  const running = new Map<string | number, AbortController>();
  const name = pluginModelName(asked);
  let prompts = 0;
  const answer = async (id: string | number, frame: AgentFrame): Promise<void> => {
    const prompt = Prompt.safeParse(frame);
    const model = name === undefined || frame.model !== asked ? undefined : find(name);
    if (model === undefined) onMissing(frame.model ?? "");
    const isTooMuch = running.size >= maxCalls || prompts >= maxPrompts;
    if (model === undefined || !prompt.success || isTooMuch) {
      send({ llm_request_id: id, error: "This model is not available here." });
      return;
    }
    prompts += 1;
    const stop = new AbortController();
    running.set(id, stop);
    const either = AbortSignal.any([signal, stop.signal]);
    try {
      await stream(model, prompt.data, either, (fields) => send({ llm_request_id: id, ...fields }));
    } catch (thrown) {
      if (either.aborted) return;
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      onFailure(message);
      send({ llm_request_id: id, error: message });
    } finally {
      running.delete(id);
    }
  };
  return {
    take(id, frame) {
      if (frame.cmd === "llm_cancel") running.get(id)?.abort();
      else if (frame.cmd === "llm_chat") void answer(id, frame);
    },
  };
}

async function stream(
  model: ChatModel,
  { messages, temperature, max_tokens: maxTokens, top_p: topP }: z.infer<typeof Prompt>,
  signal: AbortSignal,
  send: (fields: object) => void,
): Promise<void> {
  const request = {
    messages,
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(typeof maxTokens === "number" ? { maxTokens } : {}),
    ...(typeof topP === "number" ? { topP } : {}),
  };
  const caller = { forward: () => ({}) };
  let next = 0;
  for await (const event of model.stream(request, { signal, caller }))
    if (event.type === "text-delta")
      send({ msg: event.text, stream_seq_id: next++, stream_finsh: false });
  send({ msg: "", stream_seq_id: next, stream_finsh: true });
}
