/** Who asks. Nothing here is logged but the ids. */
export interface Caller {
  /** The subject of the token, where the caller showed one. */
  userId?: string;
  /** Which of the operator's keys let the caller in. */
  keyId?: string;
  /** Reads the headers that may travel on to the platform: the allow-list's, never a key of ours. */
  forward: () => Record<string, string>;
}
