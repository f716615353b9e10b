import { AppError, type ErrorCode, type UpstreamFacts } from "../../base/errors/app-error.ts";
import type { StreamOptions } from "../../turn/chat-model.ts";
import { sleep } from "../../base/wire/patient-timer.ts";
import type { ChatApi, ChatCall, UpstreamResponse } from "./chat-api.ts";
import { describeConnection } from "../../base/errors/describe-cause.ts";
import {
  type Refusal,
  classifyRefusal,
  readRefusal,
  readRefusalBody,
  readReported,
  refusesTools,
} from "./refusal.ts";
import { quoteName } from "../../base/errors/names.ts";
import { reportedError } from "./answer-rules.ts";
import { cutText } from "../../base/text/lines.ts";

/** Why a call has failed, and what may be done about it. */
interface Failure {
  error: AppError;
  /** Milliseconds until it makes sense to try again; undefined if it does not. */
  wait: number | undefined;
}

interface SendOptions extends Pick<StreamOptions, "signal" | "figures" | "isOnce"> {
  /** Is told before a retry after 429 or 503. */
  onBusy: () => void;
}

/**
 * Posts a question to `/chat/completions` and answers a response that is known to be a stream. What may pass (failed
 * connections, 429, 5xx; the error code says so) is tried again, and so is, once, a call without a
 * parameter that we had added and the model refuses, or with calls in text where it refuses tools; all before the first byte has gone to anybody.
 *
 * @throws AppError `upstream_unreachable`, `upstream_refused`, `upstream_unknown_model`, `upstream_invalid`,
 * `upstream_error`, `prompt_too_large`, `rate_limited` (with retryAfter in whole seconds)
 */
export async function sendCall(
  api: ChatApi,
  asked: ChatCall,
  { signal, figures, isOnce = false, onBusy }: SendOptions,
): Promise<UpstreamResponse> {
  let call = asked;
  let body: object = {};
  let attempt = 0;
  let hasChanged = false;
  let isInText = false;

  for (;;) {
    const answer = await tryOnce();
    if (!("error" in answer)) return answer;
    if (answer.wait === undefined) throw answer.error;
    if (figures !== undefined) figures.retries += 1;
    if (answer.wait > 0) await sleep(answer.wait, api.timers, signal);
  }

  async function tryOnce(): Promise<UpstreamResponse | Failure> {
    let response: UpstreamResponse;
    try {
      response = await post();
    } catch (thrown) {
      if (!(thrown instanceof AppError) || signal.aborted) throw thrown;
      const error = nameModel(thrown, call);
      return { error, wait: nextWait(error) };
    }
    const problem = findProblem(response, call, api.now);
    if (problem !== undefined) return explain(problem, response);
    if (isInText) {
      call.refused.add(call.model, "tools", "text");
      api.onParameterChange?.({ param: "tools", replacement: "text" }, whereTo(call));
    }
    return response;
  }

  function post(): Promise<UpstreamResponse> {
    const { baseUrl, headers, model, added, refused } = call;
    body = refused.apply(model, call.body, added);
    return api.transport.send({
      url: `${baseUrl}/chat/completions`,
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "text/event-stream",
        "accept-encoding": "identity",
      },
      body: JSON.stringify(body),
      signal,
    });
  }

  async function explain(problem: AppError, response: UpstreamResponse): Promise<Failure> {
    const { status } = response;
    const wait = nextWait(problem);
    // Before the body is read: the head of our own answer waits for it.
    if (wait !== undefined && (status === 429 || status === 503)) onBusy();
    const text = await readRefusalBody(response, api.timers);
    signal.throwIfAborted();
    const refusal = readRefusal(text, response.header("content-type") ?? "");
    if (changesParameter(status, refusal) || putInText(status, refusal))
      return { error: problem, wait: 0 };
    const upstream = { ...tellRefusal(call, refusal, api.secrets ?? []), status };
    const error = refineProblem(problem, status, refusal, call, upstream);
    return { error, wait: error.isRetried ? wait : undefined };
  }

  /** Once; whether it was the tools is known when the server takes what has none. */
  function putInText(status: number, refusal: Refusal): boolean {
    const { inText } = call;
    if (inText === undefined || !refusesTools(status, refusal)) return false;
    call = inText();
    isInText = true;
    return true;
  }

  /** Once: whoever refuses a second time has the last word. What was learnt counts for the next call. */
  function changesParameter(status: number, { param }: Refusal): boolean {
    if ((status !== 400 && status !== 422) || param === undefined) return false;
    const change = call.refused.learn(call.model, body, call.added, param);
    if (change === undefined) return false;
    api.onParameterChange?.(change, whereTo(call));
    const isFirst = !hasChanged;
    hasChanged = true;
    return isFirst;
  }

  /** Counts the try. */
  function nextWait(error: AppError): number | undefined {
    const { retry, random } = api;
    const wanted = (error.details.retryAfter ?? 0) * 1_000;
    if (isOnce || !error.isRetried || wanted > retry.maxWait || attempt >= retry.retries)
      return undefined;
    const backoff = retry.backoff * 2 ** attempt * (0.75 + random() / 2);
    attempt += 1;
    return Math.max(wanted, backoff);
  }
}

/** A transport knows addresses, and those are not for the outside. */
function nameModel(error: AppError, call: ChatCall): AppError {
  if (error.code !== "upstream_unreachable") return error;
  const upstream = { ...whereTo(call), connection: describeConnection(error.details.cause) };
  const message = {
    en: `Model "${call.name}" could not be reached.`,
    zh: `无法连接模型“${call.name}”。`,
  };
  return new AppError(error.code, message, error.details, upstream);
}

/** An answer that is not the stream that was asked for; undefined where it is. By its head alone. */
function findProblem(
  response: UpstreamResponse,
  { name }: ChatCall,
  now: () => number,
): AppError | undefined {
  const { status } = response;
  if (status === 429) {
    const retryAfter = Math.ceil(retryAfterOf(response, now) / 1_000);
    const message = {
      en: `Model "${name}" takes no more requests at the moment.`,
      zh: `模型“${name}”目前不再接受请求。`,
    };
    return new AppError("rate_limited", message, { retryAfter });
  }
  const type = response.header("content-type") ?? "";
  const encoding = response.header("content-encoding") ?? "identity";
  const isStream = /^text\/event-stream\b/i.test(type) && encoding === "identity";
  if (status === 200 && isStream) return undefined;
  const [code, en, zh] = describeStatus(status);
  // What answers in another way is mostly another service: the address is wrong.
  const isLasting = code === "upstream_invalid";
  const message = { en: `Model "${name}" ${en}`, zh: `模型“${name}”${zh}` };
  return new AppError(code, message, isLasting ? { isLasting } : {});
}

function describeStatus(status: number): readonly [code: ErrorCode, en: string, zh: string] {
  if (status >= 500 || passing.has(status))
    return ["upstream_error", `failed (HTTP ${status}).`, `出错（HTTP ${status}）。`];
  if (status === 401 || status === 403)
    return [
      "upstream_refused",
      `did not accept our credentials (HTTP ${status}). Its operator can check the key.`,
      `未接受我们的凭证（HTTP ${status}），管理员可以检查密钥。`,
    ];
  if (status >= 400)
    return [
      "upstream_refused",
      `refused the request (HTTP ${status}).`,
      `拒绝了请求（HTTP ${status}）。`,
    ];
  if (status === 200)
    return ["upstream_invalid", "did not answer with an event stream.", "返回的不是事件流。"];
  return [
    "upstream_invalid",
    `answered HTTP ${status} where 200 was expected.`,
    `应返回 HTTP 200，实际返回 HTTP ${status}。`,
  ];
}

/** Late, in conflict, too early: refusals that say themselves that they pass. */
const passing: ReadonlySet<number> = new Set([408, 409, 425]);

/** Retry-After as milliseconds: `retry-after-ms`, seconds, or a date; 1 s where the server says nothing. */
function retryAfterOf(response: UpstreamResponse, now: () => number): number {
  const exact = Number(response.header("retry-after-ms") ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = response.header("retry-after") ?? "1";
  const wait = Number.isNaN(Number(text)) ? Date.parse(text) - now() : Number(text) * 1_000;
  return Number.isFinite(wait) ? Math.max(wait, 0) : 1_000;
}

/** The problem by what the server said of it, too. */
function refineProblem(
  problem: AppError,
  status: number,
  refusal: Refusal,
  call: ChatCall,
  upstream: UpstreamFacts,
): AppError {
  const meaning = classifyRefusal(status, refusal);
  if (meaning === undefined) return problem.withUpstream(upstream);
  const { name, model } = call;
  if (meaning === "too-large") {
    const message = {
      en: `The prompt is larger than model ${quoteName(name)} takes. Select less.`,
      zh: `提示词超出了模型${quoteName(name, "zh")}的容量，请缩小选择范围。`,
    };
    return new AppError("prompt_too_large", message, {}, upstream);
  }
  const message = {
    en: `The server of model ${quoteName(name)} does not know the model ${quoteName(model)}. Its operator can check the name.`,
    zh: `模型${quoteName(name, "zh")}的服务中没有模型${quoteName(model, "zh")}，管理员可以检查名称。`,
  };
  return new AppError("upstream_unknown_model", message, {}, upstream);
}

/** In characters. */
const maxMessage = 300;
/** A piece of a secret, at least as long, is left out as well: servers like to show how a key begins. */
const pieceOfSecret = 8;
const secretHeader = /auth|key|token|secret|cookie|session|credential|signature/i;
/** Servers that answer 200 report in an event what others refuse with a status. */
const noStatus = 200;

/** Where the call goes and what it asks for; the facts that every trouble with it has. */
export function whereTo({ baseUrl, model }: ChatCall): Pick<UpstreamFacts, "host" | "model"> {
  return { host: URL.canParse(baseUrl) ? new URL(baseUrl).host : "", model };
}

/**
 * What is told of a refusal: code, type and parameter where they are names, and the message on one line; all without
 * the secrets of the call and of the settings. The message may quote the prompt.
 *
 * @param configured secrets of the settings
 */
export function tellRefusal(
  call: ChatCall,
  refusal: Refusal,
  configured: readonly string[],
): UpstreamFacts {
  const secrets = [...configured, ...secretsOf(call.headers)];
  const upstream: UpstreamFacts = whereTo(call);
  for (const name of ["code", "type", "param"] as const) {
    const text = refusal[name];
    // A sentence in their place may quote the prompt.
    if (text !== undefined && /^[\w.:/-]+$/.test(text) && withoutSecrets(text, secrets) === text)
      upstream[name] = text;
  }
  const message = withoutSecrets(toLine(refusal.message ?? ""), secrets);
  if (/[^\s…]/.test(message)) upstream.message = cutText(message, maxMessage - 1);
  return upstream;
}

/**
 * The error of an event that reports one.
 *
 * @param secrets those of the settings
 */
export function explainReported(
  reported: unknown,
  call: ChatCall,
  secrets: readonly string[],
): AppError {
  const refusal = readReported(reported);
  const upstream = tellRefusal(call, refusal, secrets);
  return refineProblem(reportedError(), noStatus, refusal, call, upstream);
}

/** The parts of such values; of credentials without their scheme, which says nothing. */
function secretsOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => secretHeader.test(name))
    .flatMap(([, value]) => value.replace(/^\w+ +/, "").split(/[\s;,]+/));
}

/** Escapes are read first, so that they hide no secret; control characters, and invisible signs, are spaces. */
function toLine(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\[nrt]/g, " ")
    .replace(/\\(["'\\/])/g, "$1")
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
}

/** Pieces of secrets that touch are one gap. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const isHidden = new Uint8Array(text.length);
  for (const secret of new Set(secrets.map(toLine))) {
    if (secret === "") continue;
    const length = Math.min(secret.length, pieceOfSecret);
    for (let from = 0; from + length <= secret.length; from += 1) {
      const piece = secret.slice(from, from + length);
      for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + 1))
        isHidden.fill(1, at, at + length);
    }
  }
  return text.replace(/[^]/g, (sign, at: number) => {
    if (isHidden[at] !== 1) return sign;
    return isHidden[at - 1] === 1 ? "" : "…";
  });
}
