import { succeed } from "../problems.ts";
import type { FileChange, WorkspaceResult } from "../workspace.ts";
import { ChangedFiles } from "./changed-files.ts";
import type { ChangeableSource, FileList, FileSource } from "./file-source.ts";
import { type HeldFile, holdChange, sizeOf } from "./held-file.ts";

/** Keeps changes beside the files of a source, which it does not write, and shows the files as if they were made. */
export class Proposals implements ChangeableSource {
  readonly changed = new ChangedFiles();
  readonly #base: FileSource;

  constructor(base: FileSource) {
    this.#base = base;
  }

  async find(path: string, signal: AbortSignal): Promise<WorkspaceResult<HeldFile | undefined>> {
    const changed = this.changed.find(path);
    return changed === undefined ? this.#base.find(path, signal) : succeed(changed.now);
  }

  async list(folder: string, signal: AbortSignal): Promise<FileList> {
    const { files, isCut } = await this.#base.list(folder, signal);
    const prefix = folder === "" ? "" : `${folder}/`;
    const left = files.filter(({ path }) => this.changed.find(path) === undefined);
    const changed = [...this.changed.all()].flatMap(({ path, now }) =>
      now !== undefined && path.startsWith(prefix) ? [{ path, size: () => sizeOf(now) }] : [],
    );
    return { files: [...left, ...changed], isCut };
  }

  async put(change: FileChange, before: HeldFile | undefined): Promise<WorkspaceResult<undefined>> {
    this.changed.note(change.path, before, await holdChange(change, before));
    return succeed(undefined);
  }
}
