/** A map that forgets what was put in first once all values together weigh more than it may hold. */
export class BoundedMap<Key, Value> {
  readonly #most: number;
  readonly #weigh: (value: Value) => number;
  readonly #map = new Map<Key, Value>();
  #weight = 0;

  constructor(most: number, weigh: (value: Value) => number) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key);
  }

  set(key: Key, value: Value): void {
    this.#delete(key);
    this.#map.set(key, value);
    this.#weight += this.#weigh(value);
    for (const oldest of this.#map.keys()) {
      if (this.#weight <= this.#most) break;
      this.#delete(oldest);
    }
  }

  #delete(key: Key): void {
    const value = this.#map.get(key);
    if (value === undefined) return;
    this.#map.delete(key);
    this.#weight -= this.#weigh(value);
  }
}
