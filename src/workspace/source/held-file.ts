import type { LineRange } from "../../edit/edit-unit.ts";
import { hashText } from "../../turn/state/sealed-state.ts";
import { countTextLines, cutLines } from "../line-operations.ts";
import type { FileChange, WorkspaceFile, WorkspaceResult } from "../workspace.ts";
import { succeed } from "../problems.ts";

/** The text of a file under its path in the workspace. */
export interface HeldFile {
  path: string;
  /** Without the byte order mark. */
  text: string;
  bom: boolean;
  /** The line of the file on which the text starts, 1-based. */
  startLine: number;
  /** The rest of the file is not known: it can be read, and not changed. */
  isPart: boolean;
  /** SHA-256 of all of the text in UTF-8, hexadecimal; the byte order mark counts. */
  hash: string;
}

const byteOrderMark = "\ufeff";

/** @param text as it came, maybe with a byte order mark in front */
export async function holdText(path: string, text: string): Promise<HeldFile> {
  const bom = text.startsWith(byteOrderMark);
  const hash = await hashText(text);
  return { path, text: bom ? text.slice(1) : text, bom, startLine: 1, isPart: false, hash };
}

/** What a change makes of a file, which keeps its byte order mark; undefined: it goes. */
export async function holdChange(
  { path, after: text }: FileChange,
  before: HeldFile | undefined,
): Promise<HeldFile | undefined> {
  if (text === undefined) return undefined;
  const bom = before?.bom ?? false;
  const hash = await hashText(wholeText({ text, bom }));
  return { path, text, bom, startLine: 1, isPart: false, hash };
}

/** With its byte order mark. */
export function wholeText({ text, bom }: Pick<HeldFile, "text" | "bom">): string {
  return (bom ? byteOrderMark : "") + text;
}

/** In bytes of UTF-8. */
export function sizeOf({ text, bom }: HeldFile): number {
  return new TextEncoder().encode(text).length + (bom ? 3 : 0);
}

/** @param lines as the file counts them, where not all of it is asked for */
export function toFile(held: HeldFile, lines: LineRange | undefined): WorkspaceFile {
  const { path, text, bom, startLine, isPart, hash } = held;
  const above = startLine - 1;
  const cut = cutLines(
    text,
    lines && { startLine: lines.startLine - above, endLine: lines.endLine - above },
  );
  return {
    path,
    text: cut.text,
    startLine: cut.startLine + above,
    totalLines: countTextLines(text) + above,
    hash,
    encoding: "utf-8",
    bom,
    size: sizeOf(held),
    isPart: isPart || cut.isPart,
  };
}

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
