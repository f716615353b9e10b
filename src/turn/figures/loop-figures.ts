/** How long the event loop was held by one piece of work; in whole milliseconds. */
export interface LoopFigures {
  maxLastMinute: number;
  /** Since the start. */
  max: number;
  /** How often it was held for longer than 200 ms. */
  stalls: number;
  lastStall?: { milliseconds: number; secondsAgo: number };
}
