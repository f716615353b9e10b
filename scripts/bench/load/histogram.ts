/** What a histogram tells, in microseconds. */
export interface Quantiles {
  count: number;
  p50: number;
  p95: number;
}

const bins = 200_000;

/** Counts durations in bins of one microsecond up to 200 ms; recording one allocates nothing. */
export class Histogram {
  readonly #bins = new Uint32Array(bins);
  #longer: number[] = [];
  #count = 0;

  add(micros: number): void {
    this.#count++;
    if (micros < bins) this.#bins[micros | 0] = (this.#bins[micros | 0] ?? 0) + 1;
    else this.#longer.push(micros);
  }

  /** @returns undefined where nothing was recorded */
  quantiles(): Quantiles | undefined {
    if (this.#count === 0) return undefined;
    this.#longer.sort((left, right) => left - right);
    return { count: this.#count, p50: this.#at(0.5), p95: this.#at(0.95) };
  }

  #at(share: number): number {
    let left = Math.ceil(share * this.#count);
    for (let micros = 0; micros < bins; micros++) {
      left -= this.#bins[micros] ?? 0;
      if (left <= 0) return micros;
    }
    return this.#longer[left - 1] ?? bins;
  }
}
