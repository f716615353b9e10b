import { AppError } from "../../errors/app-error.ts";
import type { Timers } from "../../wire/patient-timer.ts";
import type { UpstreamRequest, UpstreamResponse, UpstreamTransport } from "./upstream.ts";

interface RetryRules {
  /** Tries after the first; 1 by default. */
  retries: number;
  /** Milliseconds before the first retry; doubled for each further one, with jitter. */
  backoff: number;
  /** The longest Retry-After that is waited out instead of being told to the client, in milliseconds. */
  maxWait: number;
}

export interface RetryPorts {
  transport: UpstreamTransport;
  retry: RetryRules;
  random: () => number;
  /** Milliseconds since 1970. */
  now: () => number;
  timers: Timers;
}

/**
 * Sends a request and answers a response that is known to be a stream. What may pass (failed
 * connections, 429, 5xx; the error code says so) is tried again, all before the first byte has gone to anybody.
 *
 * @param name the model's name, for messages
 * @param onBusy is told before a retry after 429 or 503
 * @throws AppError `upstream_unreachable`, `upstream_refused`, `upstream_invalid`, `upstream_error`,
 * `rate_limited` (with retryAfter in whole seconds)
 */
export async function sendWithRetry(
  api: RetryPorts,
  request: UpstreamRequest,
  name: string,
  onBusy: () => void,
): Promise<UpstreamResponse> {
  for (let attempt = 0; ; attempt++) {
    let error: AppError;
    let isBusy = false;
    try {
      const response = await api.transport.send(request);
      const problem = findProblem(response, name, api.now);
      if (problem === undefined) return response;
      response.discard();
      error = problem;
      isBusy = response.status === 429 || response.status === 503;
    } catch (thrown) {
      if (!(thrown instanceof AppError) || request.signal.aborted) throw thrown;
      error = nameModel(thrown, name);
    }
    const wait = waitBeforeRetry(error, attempt, api);
    if (attempt >= api.retry.retries || wait === undefined) throw error;
    if (isBusy) onBusy();
    await sleep(wait, api.timers, request.signal);
  }
}

/** A transport knows addresses, and those are not for the outside. */
function nameModel(error: AppError, name: string): AppError {
  if (error.code !== "upstream_unreachable") return error;
  return new AppError(error.code, `Model "${name}" could not be reached.`, error.details);
}

function findProblem(
  response: UpstreamResponse,
  name: string,
  now: () => number,
): AppError | undefined {
  const { status } = response;
  if (status === 429) {
    const retryAfter = Math.ceil(retryAfterOf(response, now) / 1_000);
    return new AppError("rate_limited", `Model "${name}" takes no more requests at the moment.`, {
      retryAfter,
    });
  }
  if (status >= 500)
    return new AppError("upstream_error", `Model "${name}" failed (HTTP ${status}).`);
  if (status === 401 || status === 403) {
    return new AppError(
      "upstream_refused",
      `Model "${name}" did not accept our credentials (HTTP ${status}). Its operator can check the key.`,
    );
  }
  if (status >= 400)
    return new AppError(
      "upstream_refused",
      `Model "${name}" refused the request (HTTP ${status}).`,
    );
  if (status !== 200) {
    return new AppError(
      "upstream_invalid",
      `Model "${name}" answered HTTP ${status} where 200 was expected.`,
    );
  }
  const type = response.header("content-type") ?? "";
  const encoding = response.header("content-encoding") ?? "identity";
  if (!/^text\/event-stream\b/i.test(type) || encoding !== "identity") {
    return new AppError(
      "upstream_invalid",
      `Model "${name}" answered with something that is no event stream.`,
    );
  }
  return undefined;
}

function waitBeforeRetry(
  error: AppError,
  attempt: number,
  { retry, random }: RetryPorts,
): number | undefined {
  const asked = (error.details.retryAfter ?? 0) * 1_000;
  if (!error.isRetried || asked > retry.maxWait) return undefined;
  return Math.max(asked, retry.backoff * 2 ** attempt * (0.75 + random() / 2));
}

/** Retry-After as milliseconds: `retry-after-ms`, seconds, or a date; 1 s where the server says nothing. */
function retryAfterOf(response: UpstreamResponse, now: () => number): number {
  const exact = Number(response.header("retry-after-ms") ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = response.header("retry-after") ?? "1";
  const wait = Number.isNaN(Number(text)) ? Date.parse(text) - now() : Number(text) * 1_000;
  return Number.isFinite(wait) ? Math.max(wait, 0) : 1_000;
}

function sleep(milliseconds: number, timers: Timers, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(signal.reason);
    };
    const cancel = timers.start(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}
