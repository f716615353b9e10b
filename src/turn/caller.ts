/** Who asks. Nothing here is logged but the ids. */
export interface Caller {
  /** The subject of the token, where the caller showed one. */
  userId?: string;
  /** Which of the operator's keys let the caller in: the beginning of its hash. */
  keyId?: string;
  /** Reads the headers that may travel on to the platform: the allow-list's, never a key of ours. */
  forward: () => Record<string, string>;
}

/**
 * One name for whoever is known by token or key: for limits, states and the log. Its kind comes first, so
 * that no subject of a token is taken for a key.
 */
export function nameCaller({
  userId,
  keyId,
}: Pick<Caller, "userId" | "keyId">): string | undefined {
  if (userId !== undefined) return `user:${userId}`;
  return keyId === undefined ? undefined : `key:${keyId}`;
}
