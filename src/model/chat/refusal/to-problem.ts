import { AppError } from "../../../base/errors/app-error.ts";
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
    return new AppError(
      "rate_limited",
      {
        en: `Model "${name}" takes no more requests at the moment.`,
        zh: `模型“${name}”目前不再接受请求。`,
      },
      {
        retryAfter,
      },
    );
  }
  if (status >= 500 || passing.has(status))
    return new AppError("upstream_error", {
      en: `Model "${name}" failed (HTTP ${status}).`,
      zh: `模型“${name}”出错（HTTP ${status}）。`,
    });
  if (status === 401 || status === 403) {
    return new AppError("upstream_refused", {
      en: `Model "${name}" did not accept our credentials (HTTP ${status}). Its operator can check the key.`,
      zh: `模型“${name}”未接受我们的凭证（HTTP ${status}），管理员可以检查密钥。`,
    });
  }
  if (status >= 400) {
    return new AppError("upstream_refused", {
      en: `Model "${name}" refused the request (HTTP ${status}).`,
      zh: `模型“${name}”拒绝了请求（HTTP ${status}）。`,
    });
  }
  if (status !== 200) {
    const message = {
      en: `Model "${name}" answered HTTP ${status} where 200 was expected.`,
      zh: `模型“${name}”应返回 HTTP 200，实际返回 HTTP ${status}。`,
    };
    return new AppError("upstream_invalid", message, { isLasting: true });
  }
  const type = response.header("content-type") ?? "";
  const encoding = response.header("content-encoding") ?? "identity";
  if (/^text\/event-stream\b/i.test(type) && encoding === "identity") return undefined;
  const message = {
    en: `Model "${name}" did not answer with an event stream.`,
    zh: `模型“${name}”返回的不是事件流。`,
  };
  // What answers there is mostly another service: the address is wrong.
  return new AppError("upstream_invalid", message, { isLasting: true });
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
  switch (classifyRefusal(status, refusal)) {
    case "too-large":
      return promptTooLarge(call, upstream);
    case "unknown-model":
      return new AppError(
        "upstream_unknown_model",
        {
          en: `The server of model ${quoteName(call.name)} does not know the model ${quoteName(call.model)}. Its operator can check the name.`,
          zh: `模型${quoteName(call.name, "zh")}的服务中没有模型${quoteName(call.model, "zh")}，管理员可以检查名称。`,
        },
        {},
        upstream,
      );
    case undefined:
      return problem.withUpstream(upstream);
  }
}

function promptTooLarge({ name }: ChatCall, upstream: UpstreamFacts): AppError {
  return new AppError(
    "prompt_too_large",
    {
      en: `The prompt is larger than model ${quoteName(name)} takes. Select less.`,
      zh: `提示词超出了模型${quoteName(name, "zh")}的容量，请缩小选择范围。`,
    },
    {},
    upstream,
  );
}

/** Retry-After as milliseconds: `retry-after-ms`, seconds, or a date; 1 s where the server says nothing. */
function retryAfterOf(response: UpstreamResponse, now: () => number): number {
  const exact = Number(response.header("retry-after-ms") ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = response.header("retry-after") ?? "1";
  const wait = Number.isNaN(Number(text)) ? Date.parse(text) - now() : Number(text) * 1_000;
  return Number.isFinite(wait) ? Math.max(wait, 0) : 1_000;
}
