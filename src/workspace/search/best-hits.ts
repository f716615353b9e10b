import type { SearchHit } from "../workspace.ts";

/** Keeps the first hits in the order of files and lines, while files come in any order. */
export class BestHits {
  readonly #most: number;
  /** Sorted by file. */
  readonly #files: { file: string; hits: readonly SearchHit[] }[] = [];
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether hits of a file would be kept. */
  wants(file: string): boolean {
    const last = this.#files.at(-1);
    return this.#count < this.#most || last === undefined || file < last.file;
  }

  /** @param hits all of one file, in order; no file comes twice */
  add(file: string, hits: readonly SearchHit[]): void {
    const place = this.#files.findIndex((other) => file < other.file);
    this.#files.splice(place === -1 ? this.#files.length : place, 0, { file, hits });
    this.#count += hits.length;
    for (let last = this.#files.at(-1); last !== undefined; last = this.#files.at(-1)) {
      if (this.#count - last.hits.length < this.#most) break;
      this.#count -= last.hits.length;
      this.#files.pop();
    }
  }

  list(): SearchHit[] {
    return this.#files.flatMap(({ hits }) => hits).slice(0, this.#most);
  }
}
