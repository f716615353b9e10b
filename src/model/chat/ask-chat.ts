import type { ChatModel, ChatRequest, StreamOptions } from "../../turn/chat-model.ts";
import { RelayEnd, notWanted } from "../../turn/relay.ts";
import type { EndReason, ModelEvent, Relay, RelaySink } from "../../turn/turn-event.ts";
import { AnswerPipe } from "./answer-pipe.ts";
import type { ChatApi, ChatCall } from "./chat-api.ts";
import { putCallsInText } from "./calls-in-text.ts";
import { EventQueue } from "./event-queue.ts";

/** The answer of a model behind a chat completions API. */
class ChatRelay implements Relay {
  readonly #api: ChatApi;
  readonly #call: ChatCall;
  readonly #options: StreamOptions;
  readonly #end = new RelayEnd();
  #pipe: AnswerPipe | undefined;

  constructor(api: ChatApi, call: ChatCall, options: StreamOptions) {
    this.#api = api;
    this.#call = call;
    this.#options = options;
  }

  get ended(): Promise<EndReason> {
    return this.#end.promise;
  }

  pipe(sink: RelaySink): Promise<void> {
    this.#start("frames", sink);
    return this.#end.over;
  }

  async *deltas(): AsyncGenerator<ModelEvent, EndReason, void> {
    const queue = new EventQueue();
    this.#start("deltas", queue);
    void this.#end.over.then(queue.close);
    try {
      for (;;) {
        const events = await queue.next();
        if (events.length === 0) return await this.#end.promise;
        for (const event of events) yield event;
      }
    } finally {
      this.cancel();
    }
  }

  cancel(): void {
    if (this.#end.isOver) return;
    const reason = notWanted();
    this.#end.fail(reason);
    this.#pipe?.abort(reason);
  }

  #start(as: "frames" | "deltas", sink: RelaySink): void {
    if (this.#end.isOver) return;
    const { signal, figures, isOnce = false } = this.#options;
    const options = { signal, figures, isOnce, as, sink, end: this.#end };
    this.#pipe = new AnswerPipe(this.#api, this.#call, options);
    void this.#pipe.ask();
  }
}

/**
 * The two ways to ask a model behind such an API.
 *
 * @param toCall what is posted for a request
 * @param isText whether the server is known to take no `tools`
 */
export function askChat(
  api: ChatApi,
  toCall: (request: ChatRequest, options: StreamOptions) => ChatCall,
  isText = false,
): Required<Pick<ChatModel, "stream" | "relay">> {
  const prepare = (request: ChatRequest, options: StreamOptions): ChatCall => {
    const call = toCall(request, options);
    if (!request.tools?.length) return call;
    // Some of these servers read calls out of the text by themselves.
    const inText = (): ChatCall => ({
      ...toCall(putCallsInText(request), options),
      toolUse: call.toolUse,
    });
    return isText || call.refused.has(call.model, "tools") ? inText() : { ...call, inText };
  };
  const relay = (request: ChatRequest, options: StreamOptions): ChatRelay =>
    new ChatRelay(api, prepare(request, options), options);
  return { relay, stream: (request, options) => relay(request, options).deltas() };
}
