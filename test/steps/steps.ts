// What count-steps.ts has the modules of src/ call.
let left = Infinity;

/** The texts and patterns of each module that was loaded, by its path. */
export const known = new Map<string, readonly (string | RegExp)[]>();

export function know(path: string, marks: readonly (string | RegExp)[]): void {
  known.set(path, marks);
}

export function step(): void {
  left -= 1;
  if (left < 0) throw new Error("This text takes too many steps.");
}

/** How many steps the work takes, to its end; the first that is more than `most` ends it. */
export async function stepsOf(most: number, work: () => unknown): Promise<number> {
  left = most;
  try {
    await work();
  } catch (thrown) {
    if (left >= 0) throw thrown;
  }
  const taken = most - left;
  left = Infinity;
  return taken;
}
