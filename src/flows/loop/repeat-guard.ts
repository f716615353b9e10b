/** So often the same call may come to the same result before the agent is stopped. */
const maxSame = 3;

/** Notices an agent that goes round in circles: one call, one result, and nothing was written in between. */
export class RepeatGuard {
  readonly #seen = new Map<string, { content: string; count: number }>();

  /**
   * @param key equal for calls that ask for the same
   * @returns whether this call was made too often by now
   */
  add(key: string, content: string): boolean {
    const known = this.#seen.get(key);
    const count = known?.content === content ? known.count + 1 : 1;
    this.#seen.set(key, { content, count });
    return count >= maxSame;
  }

  /** After a write the same call may well come to something else. */
  forget(): void {
    this.#seen.clear();
  }
}
