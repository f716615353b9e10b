import type { Counts, EndReason, Usage } from "./turn-event.ts";

/** What a turn comes to, for its line in the log. It is filled while the turn runs, and read when it is over. */
export class TurnFigures {
  /** Of the answer, where the protocol has one. */
  status: number | undefined;
  /** Who answered, where several models could. */
  readonly answeredBy = new Set<string>();
  /** Calls of models that were sent again. */
  retries = 0;
  /** Milliseconds from the beginning of the turn to the first event of a model's answer. */
  firstToken: number | undefined;
  /** Of all calls together, as the models have counted. */
  usage: Usage | undefined;
  reason: EndReason | undefined;
  readonly #now: () => number;
  readonly #started: number;

  /** @param now milliseconds; need not be the time of day */
  constructor(now: () => number) {
    this.#now = now;
    this.#started = now();
  }

  get elapsed(): number {
    return Math.round(this.#now() - this.#started);
  }

  /** The model has said something. Only the first time counts. */
  sawToken(): void {
    this.firstToken ??= this.elapsed;
  }

  addUsage(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
  }
}

/** A turn may ask the model more than once. */
export function addUsage(sum: Usage | undefined, next: Usage): Usage {
  return sum === undefined ? next : addCounts(sum, next);
}

function addCounts<Sum extends Counts>(sum: Sum, next: Counts): Sum {
  const added = Object.entries(next).map(([name, more]) => {
    const had = sum[name];
    if (typeof more === "number") return [name, typeof had === "number" ? had + more : more];
    return [name, typeof had === "object" ? addCounts(had, more) : more];
  });
  return { ...sum, ...Object.fromEntries(added) };
}

/** How long the event loop was held by one piece of work; in whole milliseconds. */
export interface LoopFigures {
  maxLastMinute: number;
  /** Since the start. */
  max: number;
  /** How often it was held for longer than 200 ms. */
  stalls: number;
  lastStall?: { milliseconds: number; secondsAgo: number };
}
