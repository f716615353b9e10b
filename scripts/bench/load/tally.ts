import { Histogram } from "./histogram.ts";

/** What all connections of one load have seen together. */
export class Tally {
  complete = 0;
  failed = 0;
  chunks = 0;
  /** `copilot_action` events; counted in strict passes only. */
  actions = 0;
  /** Why streams failed, and how often. */
  readonly failures = new Map<string, number>();
  /** From the writing of a chunk at the fake model to its reading here. */
  readonly latency = new Histogram();
  /** From the request to the first chunk. */
  readonly firstChunk = new Histogram();
  /** The histograms record only while this is set. */
  isMeasuring = false;

  fail(problem: string): void {
    this.failed++;
    this.failures.set(problem, (this.failures.get(problem) ?? 0) + 1);
  }
}
