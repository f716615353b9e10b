import type { ModelEvent, RelaySink } from "../../turn/turn-event.ts";

/** Keeps what is pushed until its one reader asks for it; no more is wanted before it asks again. */
export class EventQueue implements RelaySink {
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
