import { AppError } from "../../base/errors/app-error.ts";
import type { UpstreamFacts } from "../../base/errors/upstream-facts.ts";
import { PatientTimer, type Timers } from "../../base/wire/patient-timer.ts";

/** All in milliseconds. */
export interface AnswerTimes {
  /** From the request to the first data event. */
  firstToken: number;
  /** Between two data events; comments do not count. */
  idle: number;
  /** The whole answer. */
  total: number;
}

/**
 * Watches over one upstream request: aborts it when the caller's signal does, or when the model
 * stays silent too long. Time during which nobody waits for the model (a slow client) is not
 * counted as silence, and neither is time in which the event loop was held. One timer serves the whole
 * answer, since most answers need none.
 */
export class Watch {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #times: AnswerTimes;
  #end: number;
  #isEnding = false;
  #hasBegun = false;
  #deadline: number;
  #fresh = false;
  #waiting = false;
  readonly #timers: Timers;
  readonly #timer: PatientTimer;
  readonly #where: () => Pick<UpstreamFacts, "host" | "model">;
  readonly #abort = (): void => this.#controller.abort(this.#outer.reason);

  /** @param where the host that the request goes to, for the log */
  constructor(
    outer: AbortSignal,
    times: AnswerTimes,
    timers: Timers,
    where: () => Pick<UpstreamFacts, "host" | "model">,
  ) {
    this.#where = where;
    this.#outer = outer;
    this.#times = times;
    this.#timers = timers;
    this.#timer = new PatientTimer(timers, this.#check);
    const now = timers.now();
    this.#end = now + times.total;
    this.#deadline = now + times.firstToken;
    if (outer.aborted) this.#abort();
    else outer.addEventListener("abort", this.#abort, { once: true });
    this.#timer.set(Math.min(times.firstToken, times.total, times.idle));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From here on somebody waits for the model, and its silence counts. */
  beginWait(): void {
    if (this.#fresh) this.#deadline = this.#timers.now() + this.#times.idle;
    this.#fresh = false;
    this.#waiting = true;
  }

  endWait(): void {
    this.#waiting = false;
  }

  /** A data event came: silence is counted anew from the next wait on. */
  sawData(): void {
    this.#fresh = true;
    this.#hasBegun = true;
  }

  /** The answer is whole; only its trailer is waited for, and not for long. Counts once. */
  endWithin(milliseconds: number): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const now = this.#timers.now();
    this.#end = Math.min(this.#end, now + milliseconds);
    this.#timer.set(Math.max(this.#end - now, 1));
  }

  /** Ends the request. */
  abort(reason: AppError): void {
    this.#controller.abort(reason);
  }

  /** Lets go of timer and listener. Call it in every case. */
  close(): void {
    this.#timer.stop();
    this.#outer.removeEventListener("abort", this.#abort);
  }

  /** The limit that has passed, with its setting. */
  #describeLimit(isSilent: boolean): string {
    const { firstToken, idle, total } = this.#times;
    if (!isSilent) return `no whole answer within ${total} ms (RIGHTSEAT_ANSWER_TIMEOUT_MS)`;
    return this.#hasBegun
      ? `silent for ${idle} ms (RIGHTSEAT_IDLE_TIMEOUT_MS)`
      : `no first token within ${firstToken} ms (RIGHTSEAT_FIRST_TOKEN_TIMEOUT_MS)`;
  }

  readonly #check = (): void => {
    const now = this.#timers.now();
    const isSilent = this.#waiting && now >= this.#deadline;
    if (isSilent || now >= this.#end) {
      this.#controller.abort(
        new AppError(
          "upstream_timeout",
          isSilent
            ? { en: "The model stayed silent for too long.", zh: "模型长时间没有响应。" }
            : { en: "The model took too long.", zh: "模型用时过长。" },
          {},
          { ...this.#where(), connection: this.#describeLimit(isSilent) },
        ),
      );
      return;
    }
    // Data that comes later sets a nearer deadline than the one of the first token.
    const next = Math.min(
      this.#waiting ? this.#deadline : this.#end,
      now + this.#times.idle,
      this.#end,
    );
    this.#timer.set(Math.max(next - now, 1));
  };
}
