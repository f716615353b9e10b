/**
 * A port: the files of an IDE's project by their absolute paths, in the way of its system. What comes back is as
 * the other side has sent it: untrusted.
 */
export interface IdeFiles {
  /** @returns the text of a file; anything else means that it does not exist */
  read: (abspath: string, signal: AbortSignal) => Promise<unknown>;
  /** Absent where the IDE lists nothing. @returns the paths of the project's files below a folder, relative to it */
  list?: ((abspath: string, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** Absent where the IDE writes nothing. It asks its person first. */
  write?: ((change: IdeChange, signal: AbortSignal) => Promise<IdeWritten>) | undefined;
}

export interface IdeChange {
  abspath: string;
  /** SHA-256 of the text as `read` gives it, in UTF-8, hexadecimal; null if the file does not exist. */
  hashBefore: string | null;
  /** The whole new text; null: the file goes. */
  text: string | null;
}

/** What the IDE says. `reason`: why not, in its words or its person's. */
export type IdeWritten = { ok: true } | { ok: false; reason: string };
