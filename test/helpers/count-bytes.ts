/**
 * Counts the bytes that `run` copies, searches and decodes in byte arrays: what matters where pieces are
 * small is how often each byte is touched, not how long it takes.
 */
export function countBytes(run: () => void): number {
  let count = 0;
  const arrays = Object.getPrototypeOf(Uint8Array.prototype) as Record<string, unknown>;
  const undo: (() => void)[] = [];
  const watch = (
    owner: object,
    name: string,
    sizeOf: (self: unknown, args: unknown[]) => number,
  ) => {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== "function") throw new Error(`There is no ${name} to count.`);
    const counting = function (this: unknown, ...args: unknown[]): unknown {
      count += sizeOf(this, args);
      return Reflect.apply(original, this, args);
    };
    Reflect.set(owner, name, counting);
    undo.push(() => Reflect.set(owner, name, original));
  };
  const lengthOf = (value: unknown): number => (ArrayBuffer.isView(value) ? value.byteLength : 0);
  watch(arrays, "set", (_, [source]) => lengthOf(source));
  for (const name of ["includes", "indexOf", "lastIndexOf"]) watch(arrays, name, lengthOf);
  watch(arrays, "slice", (self, [from, to]) => {
    const indexes = [from, to].map((index) => (typeof index === "number" ? index : undefined));
    return self instanceof Uint8Array ? self.subarray(...indexes).byteLength : 0;
  });
  watch(TextDecoder.prototype, "decode", (_, [source]) => lengthOf(source));
  try {
    run();
  } finally {
    for (const restore of undo) restore();
  }
  return count;
}
