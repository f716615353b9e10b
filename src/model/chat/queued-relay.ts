import type { AppError } from "../../base/errors/app-error.ts";
import { RelayEnd, notWanted } from "../../turn/relay.ts";
import type { EndReason, ModelEvent, Relay, RelaySink } from "../../turn/turn-event.ts";

/** A relay whose answer is put into a sink; who wants deltas gets them out of a queue. */
export abstract class QueuedRelay implements Relay {
  protected readonly end = new RelayEnd();

  get ended(): Promise<EndReason> {
    return this.end.promise;
  }

  pipe(sink: RelaySink): Promise<void> {
    if (!this.end.isOver) this.start("frames", sink);
    return this.end.over;
  }

  async *deltas(): AsyncGenerator<ModelEvent, EndReason, void> {
    const queue = new EventQueue();
    if (!this.end.isOver) this.start("deltas", queue);
    void this.end.over.then(queue.close);
    try {
      for (;;) {
        const events = await queue.next();
        if (events.length === 0) return await this.end.promise;
        for (const event of events) yield event;
      }
    } finally {
      this.cancel();
    }
  }

  cancel(): void {
    if (this.end.isOver) return;
    const reason = notWanted();
    this.end.fail(reason);
    this.abort(reason);
  }

  /** Begins to fill the sink, and tells `end` how the answer ended. It never throws. */
  protected abstract start(as: "frames" | "deltas", sink: RelaySink): void;

  /** Nobody wants the answer any more. */
  protected abstract abort(reason: AppError): void;
}

/** Keeps what is pushed until its one reader asks for it; no more is wanted before it asks again. */
class EventQueue implements RelaySink {
  #events: ModelEvent[] = [];
  #isClosed = false;
  #wake: (() => void) | undefined;
  #release: (() => void) | undefined;

  take(event: ModelEvent): boolean {
    this.#events.push(event);
    this.#wake?.();
    return false;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  /** What has come, at least one event; none only after the queue was closed. */
  async next(): Promise<readonly ModelEvent[]> {
    if (this.#events.length === 0 && !this.#isClosed) {
      this.#release?.();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Nothing is pushed any more. */
  readonly close = (): void => {
    this.#isClosed = true;
    this.#wake?.();
  };
}
