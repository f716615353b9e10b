/** What the model knows of the files of a turn: of each the hash that it had when it was last shown or written. */
export class SeenFiles {
  readonly #hashes = new Map<string, string>();

  /** The model has seen the file as it is now, or part of it; by its path as the workspace gives it. */
  note(path: string, hash: string): void {
    this.#hashes.set(path, hash);
  }

  /** The file is gone, and the model knows it. */
  forget(path: string): void {
    this.#hashes.delete(path);
  }

  has(path: string): boolean {
    return this.#hashes.has(path);
  }

  /**
   * Whether the file is no longer what the model has seen. A file that it never saw is not stale.
   *
   * @param hash of the file as it is now; undefined if it does not exist
   */
  isStale(path: string, hash: string | undefined): boolean {
    const seen = this.#hashes.get(path);
    return seen !== undefined && seen !== hash;
  }
}
