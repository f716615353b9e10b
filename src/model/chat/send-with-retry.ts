import { AppError } from "../../base/errors/app-error.ts";
import type { TurnFigures } from "../../turn/figures/turn-figures.ts";
import { sleep } from "../../base/wire/patient-timer.ts";
import type { ChatApi, ChatCall } from "./chat-api.ts";
import { describeConnection } from "../../base/errors/describe-connection.ts";
import { refusesTools } from "./refusal/classify-refusal.ts";
import { type Refusal, readRefusal, readRefusalBody } from "./refusal/read-refusal.ts";
import { findProblem, refineProblem } from "./refusal/to-problem.ts";
import { tellRefusal, whereTo } from "./refusal/upstream-facts-of.ts";
import type { UpstreamResponse } from "./upstream.ts";

/** Why a call has failed, and what may be done about it. */
interface Failure {
  error: AppError;
  /** Milliseconds until it makes sense to try again; undefined if it does not. */
  wait: number | undefined;
}

interface SendWatch {
  /** Is told before a retry after 429 or 503. */
  onBusy: () => void;
  figures: TurnFigures | undefined;
  /** What may pass is left to somebody else. */
  isOnce: boolean;
}

/**
 * Posts to `/chat/completions` and answers a response that is known to be a stream. What may pass (failed
 * connections, 429, 5xx; the error code says so) is tried again, and so is, once, a call without a
 * parameter that we had added and the model refuses, or with calls in text where it refuses tools; all before the first byte has gone to anybody.
 *
 * @throws AppError `upstream_unreachable`, `upstream_refused`, `upstream_unknown_model`, `upstream_invalid`,
 * `upstream_error`, `prompt_too_large`, `rate_limited` (with retryAfter in whole seconds)
 */
export function sendWithRetry(
  api: ChatApi,
  call: ChatCall,
  signal: AbortSignal,
  watch: SendWatch,
): Promise<UpstreamResponse> {
  return new Sending(api, call, signal, watch).send();
}

class Sending {
  readonly #api: ChatApi;
  #call: ChatCall;
  readonly #signal: AbortSignal;
  readonly #watch: SendWatch;
  #body: object = {};
  #attempt = 0;
  #hasChanged = false;
  #isInText = false;

  constructor(api: ChatApi, call: ChatCall, signal: AbortSignal, watch: SendWatch) {
    this.#api = api;
    this.#call = call;
    this.#signal = signal;
    this.#watch = watch;
  }

  async send(): Promise<UpstreamResponse> {
    for (;;) {
      const answer = await this.#try();
      if (!("error" in answer)) return answer;
      if (answer.wait === undefined) throw answer.error;
      if (this.#watch.figures !== undefined) this.#watch.figures.retries += 1;
      if (answer.wait > 0) await sleep(answer.wait, this.#api.timers, this.#signal);
    }
  }

  async #try(): Promise<UpstreamResponse | Failure> {
    let response: UpstreamResponse;
    try {
      response = await this.#post();
    } catch (thrown) {
      if (!(thrown instanceof AppError) || this.#signal.aborted) throw thrown;
      const error = this.#nameModel(thrown);
      return { error, wait: this.#nextWait(error) };
    }
    const problem = findProblem(response, this.#call, this.#api.now);
    if (problem !== undefined) return this.#explain(problem, response);
    if (this.#isInText) this.#rememberText();
    return response;
  }

  #post(): Promise<UpstreamResponse> {
    const { baseUrl, headers, model, body, added, refused } = this.#call;
    this.#body = refused.apply(model, body, added);
    return this.#api.transport.send({
      url: `${baseUrl}/chat/completions`,
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "text/event-stream",
        "accept-encoding": "identity",
      },
      body: JSON.stringify(this.#body),
      signal: this.#signal,
    });
  }

  /** A transport knows addresses, and those are not for the outside. */
  #nameModel(error: AppError): AppError {
    if (error.code !== "upstream_unreachable") return error;
    const upstream = {
      ...whereTo(this.#call),
      connection: describeConnection(error.details.cause),
    };
    const { name } = this.#call;
    const message = { en: `Model "${name}" could not be reached.`, zh: `无法连接模型“${name}”。` };
    return new AppError(error.code, message, error.details, upstream);
  }

  async #explain(problem: AppError, response: UpstreamResponse): Promise<Failure> {
    const { status } = response;
    const wait = this.#nextWait(problem);
    // Before the body is read: the head of our own answer waits for it.
    if (wait !== undefined && (status === 429 || status === 503)) this.#watch.onBusy();
    const text = await readRefusalBody(response, this.#api.timers);
    this.#signal.throwIfAborted();
    const refusal = readRefusal(text, response.header("content-type") ?? "");
    if (this.#changesParameter(status, refusal)) return { error: problem, wait: 0 };
    if (this.#putInText(status, refusal)) return { error: problem, wait: 0 };
    const upstream = { ...tellRefusal(this.#call, refusal, this.#api.secrets ?? []), status };
    const error = refineProblem(problem, status, refusal, this.#call, upstream);
    return { error, wait: error.isRetried ? wait : undefined };
  }

  /** Once; whether it was the tools is known when the server takes what has none. */
  #putInText(status: number, refusal: Refusal): boolean {
    const { inText } = this.#call;
    if (inText === undefined || !refusesTools(status, refusal)) return false;
    this.#call = inText();
    this.#isInText = true;
    return true;
  }

  #rememberText(): void {
    const { model, refused } = this.#call;
    refused.add(model, "tools", "text");
    this.#api.onParameterChange?.({ param: "tools", replacement: "text" }, whereTo(this.#call));
  }

  /** Once: whoever refuses a second time has the last word. What was learnt counts for the next call. */
  #changesParameter(status: number, { param }: Refusal): boolean {
    if ((status !== 400 && status !== 422) || param === undefined) return false;
    const { model, added, refused } = this.#call;
    const change = refused.learn(model, this.#body, added, param);
    if (change === undefined) return false;
    this.#api.onParameterChange?.(change, whereTo(this.#call));
    const isFirst = !this.#hasChanged;
    this.#hasChanged = true;
    return isFirst;
  }

  /** Counts the try. */
  #nextWait(error: AppError): number | undefined {
    if (this.#watch.isOnce) return undefined;
    const { retry, random } = this.#api;
    const attempt = this.#attempt;
    const asked = (error.details.retryAfter ?? 0) * 1_000;
    if (!error.isRetried || asked > retry.maxWait || attempt >= retry.retries) return undefined;
    this.#attempt += 1;
    return Math.max(asked, retry.backoff * 2 ** attempt * (0.75 + random() / 2));
  }
}
