/** Counts how often something is read of the values that it wraps, at all depths. */
export class ReadCounter {
  reads = 0;
  readonly #known = new WeakMap<object, object>();

  /** The value, of which every look at an item or a field counts. */
  wrap<Value>(value: Value): Value {
    if (typeof value !== "object" || value === null) return value;
    const known = this.#known.get(value);
    // What stands under a value is its own proxy.
    if (known !== undefined) return known as Value;
    const proxy = new Proxy(value, {
      get: (target, key, receiver): unknown => {
        if (typeof key === "string") this.reads += 1;
        return this.wrap(Reflect.get(target, key, receiver));
      },
      ownKeys: (target) => {
        const keys = Reflect.ownKeys(target);
        this.reads += keys.length;
        return keys;
      },
    });
    this.#known.set(value, proxy);
    return proxy;
  }
}
