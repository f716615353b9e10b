/** Lets work on one path wait for other work on it. */
export interface PathLocks {
  run<Value>(path: string, work: () => Promise<Value>): Promise<Value>;
}

export function createPathLocks(): PathLocks {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(path, work) {
      const before = last.get(path);
      // Whatever became of the work before, its turn is over.
      const mine = (async () => {
        await before?.catch(() => undefined);
        return work();
      })();
      last.set(path, mine);
      try {
        return await mine;
      } finally {
        if (last.get(path) === mine) last.delete(path);
      }
    },
  };
}
