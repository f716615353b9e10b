import type { FileChange, WorkspaceResult } from "../workspace.ts";
import type { HeldFile } from "./held-file.ts";

/** A file of which only the path is asked. */
export interface ListedFile {
  path: string;
  /** In bytes, where that is known; counted when it is asked. */
  size?: () => number;
}

export interface FileList {
  /** In no certain order. */
  files: readonly ListedFile[];
  /** There are more. */
  isCut: boolean;
}

/** A port: texts of files by their paths, as `parsePath` gives them. It knows nothing of names that are protected. */
export interface FileSource {
  /** @returns undefined if the file does not exist */
  find(path: string, signal: AbortSignal): Promise<WorkspaceResult<HeldFile | undefined>>;
  /** The files in a folder and below; "" means all. */
  list(folder: string, signal: AbortSignal): Promise<FileList>;
}

/** A source that takes changes. */
export interface ChangeableSource extends FileSource {
  /**
   * Makes a change that was checked and approved. Of two for one path the second waits for the first.
   *
   * @param before the file as it was checked
   * @returns a problem where the file is not as the change wants it
   */
  put(
    change: FileChange,
    before: HeldFile | undefined,
    signal: AbortSignal,
  ): Promise<WorkspaceResult<undefined>>;
}
