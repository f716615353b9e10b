/** How long the event loop was held by one piece of work; in whole milliseconds. */
export interface LoopFigures {
  maxLastMinute: number;
  /** Since the start. */
  max: number;
  /** How often it was held for longer than 200 ms. */
  stalls: number;
  lastStall?: Stall & { secondsAgo: number };
}

export interface Stall {
  milliseconds: number;
  /** What held the loop; absent where it was no slice of work that has a label. */
  work?: string;
}
