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

/** How many steps the work takes; the first that is more than `most` ends it. */
export function stepsOf(most: number, work: () => void): number {
  left = most;
  try {
    work();
  } catch (thrown) {
    if (left >= 0) throw thrown;
  }
  const taken = most - left;
  left = Infinity;
  return taken;
}
