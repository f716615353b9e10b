import type { FileChange } from "../workspace.ts";
import type { HeldFile } from "./held-file.ts";

/** A file that is not as it was. */
export interface ChangedFile {
  path: string;
  before: HeldFile | undefined;
  now: HeldFile | undefined;
}

/** What became of files: each as it was before its first change, and as it is after its last. */
export class ChangedFiles {
  readonly #files = new Map<string, ChangedFile>();

  /** Undefined where the file was never changed. */
  find(path: string): ChangedFile | undefined {
    return this.#files.get(path);
  }

  /** @param before counts for the first change only */
  note(path: string, before: HeldFile | undefined, now: HeldFile | undefined): void {
    const known = this.#files.get(path);
    this.#files.set(path, { path, before: known === undefined ? before : known.before, now });
  }

  /** Every file that was touched. */
  all(): Iterable<ChangedFile> {
    return this.#files.values();
  }

  /** Those that are not as they were, by path. */
  list(): ChangedFile[] {
    return [...this.#files.values()]
      .filter(({ before, now }) => before?.hash !== now?.hash)
      .toSorted((left, right) => (left.path < right.path ? -1 : 1));
  }
}

export function toChange({ path, before, now }: ChangedFile): FileChange {
  return { path, before: before && { text: before.text, hash: before.hash }, after: now?.text };
}
