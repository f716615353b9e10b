/** Lets work on one path, or on whatever else has a name, wait for other work on it. */
export function createLocks() {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
      // Whatever became of the work before, its turn is over.
      const mine = (last.get(path) ?? Promise.resolve()).then(work, work);
      last.set(path, mine);
      try {
        return await mine;
      } finally {
        if (last.get(path) === mine) last.delete(path);
      }
    },
  };
}
