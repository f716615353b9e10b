import { oneLine } from "../../turn/context/one-line.ts";
import { quotePath, refuse, refusePath, succeed } from "../problems.ts";
import { ChangedFiles } from "../source/changed-files.ts";
import type { ChangeableSource, FileList } from "../source/file-source.ts";
import { type HeldFile, holdChange, wholeText } from "../source/held-file.ts";
import type { FileChange, WorkspaceResult } from "../workspace.ts";
import type { IdeFiles } from "./ide-files.ts";
import type { IdeRoot } from "./ide-root.ts";
import type { IdeSource } from "./ide-source.ts";

/** Of a reason, in characters. */
const maxReason = 300;

/** Has an IDE write changes, and believes only what it reads afterwards. */
export class IdeWrites implements ChangeableSource {
  readonly changed = new ChangedFiles();
  readonly #base: IdeSource;
  readonly #root: IdeRoot;
  readonly #write: NonNullable<IdeFiles["write"]>;

  constructor(base: IdeSource, root: IdeRoot, write: NonNullable<IdeFiles["write"]>) {
    this.#base = base;
    this.#root = root;
    this.#write = write;
  }

  find(path: string, signal: AbortSignal): Promise<WorkspaceResult<HeldFile | undefined>> {
    return this.#base.find(path, signal);
  }

  list(folder: string, signal: AbortSignal): Promise<FileList> {
    return this.#base.list(folder, signal);
  }

  async put(
    change: FileChange,
    before: HeldFile | undefined,
    signal: AbortSignal,
  ): Promise<WorkspaceResult<undefined>> {
    const { path } = change;
    const wanted = await holdChange(change, before);
    const written = await this.#write(
      {
        abspath: this.#root.toAbsolute(path),
        hashBefore: before?.hash ?? null,
        text: wanted === undefined ? null : wholeText(wanted),
      },
      signal,
    );
    this.#base.forget(path);
    const found = await this.#base.find(path, signal);
    // Whatever the IDE says: this is what counts.
    if (found.ok && found.value?.hash === wanted?.hash) {
      this.changed.note(path, before, wanted);
      return succeed(undefined);
    }
    if (written.ok) return unverified(path);
    const isSame = found.ok && found.value?.hash === before?.hash;
    return isSame ? refused(path, written.reason) : refusePath("stale", path);
  }
}

function refused(path: string, reason: string): WorkspaceResult<undefined> {
  const shown = oneLine(reason.slice(0, maxReason)).trim();
  const quoted = shown === "" ? "" : JSON.stringify(shown);
  return refuse(
    "not-approved",
    `The IDE did not write ${quotePath(path)}${quoted && `; it says: ${quoted}`}. Do not send the same change again: do what the person asks for, or finish and say what is left to do.`,
    `IDE 没有写入 ${quotePath(path)}${quoted && `，原因是：${quoted}`}。请不要再次提交同样的修改：按用户的要求处理，或结束并说明还需要做什么。`,
  );
}

function unverified(path: string): WorkspaceResult<undefined> {
  return refuse(
    "failed",
    `The IDE says that ${quotePath(path)} was written, but the file does not have the new text. Read it again to see what is there.`,
    `IDE 表示已写入 ${quotePath(path)}，但文件内容不是新的文本。请重新读取，查看实际内容。`,
  );
}
