/** How the fake model answers. */
export interface UpstreamSettings {
  /** Content events of each answer. */
  chunks: number;
  /** Milliseconds between two of them; 0 sends the whole answer at once. */
  interval: number;
  /** Stops after the first content event until `POST /release`. */
  isHeld: boolean;
}
