import { AppError } from "../../base/errors/app-error.ts";
import { sleep, type Timers } from "../../base/wire/patient-timer.ts";

/** What a turn waits, and spends on asking again, in all; in milliseconds. */
const maxInAll = 120_000;
/** The first wait where nobody says how long, and the longest; each is twice the one before. */
const [firstWait, longestWait] = [1_000, 30_000];

/** How long a turn waits for a model that fails in a way that passes: it is busy, away, or its answer broke off. */
export class Patience {
  readonly #timers: Timers;
  #left = maxInAll;
  #tries = 0;
  /** When the model was asked again. */
  #since: number | undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** @returns milliseconds to wait before asking again; undefined where that makes no sense */
  next(error: AppError): number | undefined {
    if (this.#since !== undefined) this.#left -= this.#timers.now() - this.#since;
    const usual = Math.min(firstWait * 2 ** this.#tries, longestWait, this.#left);
    const wait = Math.max((error.details.retryAfter ?? 0) * 1_000, usual);
    return passes(error) && this.#left > 0 && wait <= this.#left ? wait : undefined;
  }

  /** @throws the signal's reason, as soon as it is aborted */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    await sleep(milliseconds, this.#timers, signal);
    this.#left -= milliseconds;
    this.#tries += 1;
    this.#since = this.#timers.now();
  }

  /** The model has answered. */
  rest(): void {
    this.#tries = 0;
    this.#since = undefined;
  }
}

/** Whether the same question may well be answered a moment later. */
function passes({ isRetried, code }: AppError): boolean {
  return isRetried || code === "upstream_truncated" || code === "upstream_timeout";
}
