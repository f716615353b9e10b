import type { AppError, ErrorProblem } from "./app-error.ts";
import type { Locale } from "./locale.ts";

/** The body of every refusal: `{ "error": { type, code, message, param?, problems?, request_id } }`. */
export type PublicError = ReturnType<typeof toPublicError>;

/** Maps an error to what may leave the house, in the person's language. Nothing of its cause does. */
export function toPublicError(error: AppError, requestId: string, locale: Locale = "en") {
  const { param, problems } = error.details;
  const print = ({ path, message, zh = message }: ErrorProblem) => ({
    path,
    message: locale === "zh" ? zh : message,
  });
  return {
    type: error.type,
    code: error.code,
    message: error.messageIn(locale),
    ...(param === undefined ? {} : { param }),
    ...(problems === undefined ? {} : { problems: problems.map(print) }),
    request_id: requestId,
  };
}

/**
 * What a protocol shows that has room for a sentence only: of a request that is wrong what is wrong with it, else a
 * sentence for the person.
 */
export function sayError(error: AppError, locale: Locale): string {
  const isOurFault = error.status >= 429 || error.status === 401;
  return isOurFault ? error.sentence(locale) : error.messageIn(locale);
}

/** As {@link sayError}, for who chooses the model, and may know why that has failed. */
export function sayReason(error: AppError, locale: Locale): string {
  return error.code.startsWith("upstream_") ? error.messageIn(locale) : sayError(error, locale);
}

/** Official clients of OpenAI's send again whatever has a status of 500 or more, unless this header is there. */
export const noRetry = { "x-should-retry": "false" };

/**
 * The refusal as an HTTP response, with Retry-After and Allow where the error knows them.
 *
 * @param shown the error as a protocol spells it; ours where absent
 */
export function toErrorResponse(
  error: AppError,
  requestId: string,
  shown: object = toPublicError(error, requestId),
): Response {
  const headers = new Headers({
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    ...(error.isLasting ? noRetry : {}),
  });
  const { retryAfter, allow } = error.details;
  if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter));
  if (allow !== undefined) headers.set("allow", allow);
  // The rest of a body that is not wanted would otherwise be read as the next request.
  if (error.code === "body_too_large") headers.set("connection", "close");
  const body = JSON.stringify({ error: shown });
  return new Response(`${body}\n`, { status: error.status, headers });
}
