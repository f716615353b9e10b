import type { AppError } from "../../base/errors/app-error.ts";
import type { ChatModel, ChatRequest, StreamOptions } from "../../turn/chat-model.ts";
import type { RelaySink } from "../../turn/turn-event.ts";
import { AnswerPipe } from "./answer-pipe.ts";
import type { ChatApi, ChatCall } from "./chat-api.ts";
import { putCallsInText } from "./calls-in-text.ts";
import { QueuedRelay } from "./queued-relay.ts";

/** The answer of a model behind a chat completions API. */
class ChatRelay extends QueuedRelay {
  readonly #api: ChatApi;
  readonly #call: ChatCall;
  readonly #options: StreamOptions;
  #pipe: AnswerPipe | undefined;

  constructor(api: ChatApi, call: ChatCall, options: StreamOptions) {
    super();
    this.#api = api;
    this.#call = call;
    this.#options = options;
  }

  protected override start(as: "frames" | "deltas", sink: RelaySink): void {
    const { signal, figures, isOnce = false } = this.#options;
    const options = { signal, figures, isOnce, as, sink, end: this.end };
    this.#pipe = new AnswerPipe(this.#api, this.#call, options);
    void this.#pipe.ask();
  }

  protected override abort(reason: AppError): void {
    this.#pipe?.abort(reason);
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
