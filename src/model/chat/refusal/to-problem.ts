import { AppError, type ErrorCode } from "../../../base/errors/app-error.ts";
import type { UpstreamFacts } from "../../../base/errors/upstream-facts.ts";
import { quoteName } from "../../../base/errors/print-names.ts";
import type { ChatCall } from "../chat-api.ts";
import type { UpstreamResponse } from "../upstream.ts";
import { classifyRefusal } from "./classify-refusal.ts";
import type { Refusal } from "./read-refusal.ts";

/** An answer that is not the stream that was asked for; undefined where it is. By its head alone. */
export function findProblem(
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

/** The problem by what the server said of it, too. */
export function refineProblem(
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

/** Retry-After as milliseconds: `retry-after-ms`, seconds, or a date; 1 s where the server says nothing. */
function retryAfterOf(response: UpstreamResponse, now: () => number): number {
  const exact = Number(response.header("retry-after-ms") ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = response.header("retry-after") ?? "1";
  const wait = Number.isNaN(Number(text)) ? Date.parse(text) - now() : Number(text) * 1_000;
  return Number.isFinite(wait) ? Math.max(wait, 0) : 1_000;
}
