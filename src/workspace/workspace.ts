import type { Message } from "../base/errors/app-error.ts";
import type { LineRange } from "../edit/edit-unit.ts";

/**
 * A port: the files of one root that an agent may read and change. Paths come from models: relative to the root
 * with "/" or "\", or absolute inside it. Whatever leads out of the root is refused, through links, too.
 *
 * Nothing here throws for what a model or a file does wrong: that is a result. It throws the signal's reason.
 */
export interface Workspace {
  /** How the model is told where it works: the absolute path of a folder, "/" without one. */
  readonly root: string;
  /**
   * `files`: a change is on the disk when `apply` has returned. `proposals`: it is kept beside the files, `read`
   * shows it, and the person gets all of them at the end.
   */
  readonly effect: "files" | "proposals";
  /** Searches look for the query as plain text: there is no engine for expressions here. */
  readonly searchesPlainText?: boolean;
  /** The path as all others here name it: relative, with "/", its links resolved. The file need not be there. */
  locate(path: string): Promise<WorkspaceResult<string>>;
  read(path: string, options: ReadOptions): Promise<WorkspaceResult<WorkspaceFile>>;
  list(path: string, options: ListOptions): Promise<WorkspaceResult<WorkspaceListing>>;
  search(query: SearchQuery, options: UseOptions): Promise<WorkspaceResult<SearchResult>>;
  /** Whether a change could be made as things are: path, protected names, the hash before. Writes nothing. */
  check(change: FileChange, options: UseOptions): Promise<WorkspaceResult<FileChange>>;
  /**
   * Makes a change whole or not at all. The approval is spent by it.
   *
   * @returns the change as it was verified after the write
   */
  apply(
    change: FileChange,
    approval: Approval,
    options: UseOptions,
  ): Promise<WorkspaceResult<FileChange>>;
}

export type WorkspaceResult<Value> =
  | { ok: true; value: Value }
  | { ok: false; problem: WorkspaceProblem };

export interface WorkspaceProblem {
  code: WorkspaceProblemCode;
  /** What happened, the path, what to do; for the model and the person alike. */
  message: Message;
}

/** Why a workspace refuses. */
export type WorkspaceProblemCode =
  /** The path leads out of the root, or is no path at all. */
  | "outside"
  | "not-found"
  /** A folder where a file is meant, or the other way round; a device, pipe or socket. */
  | "wrong-kind"
  | "binary"
  /** Ask for lines of it. */
  | "too-large"
  /** Never written by an agent: `.git`, `.vscode`, ...; what is in `.git` is never read either. */
  | "protected"
  /** `.env`, keys, ignored files: read only when the person has said so. */
  | "secret"
  /** The file is not what it was when it was read. */
  | "stale"
  /** There is a file already. */
  | "exists"
  /** Only a part of the file is at hand, or the workspace cannot write it. */
  | "read-only"
  | "not-approved"
  | "no-permission"
  | "disk-full"
  | "bad-pattern"
  /** Another process works in this root. */
  | "locked"
  | "failed";

interface UseOptions {
  signal: AbortSignal;
}

export interface ReadOptions extends UseOptions {
  /** Of a file that is too large to be read as a whole; 1-based and inclusive. */
  lines?: LineRange;
  /** The person has allowed this file, though it is secret or ignored. */
  mayBeSecret?: boolean;
}

export interface WorkspaceFile {
  /** As `locate` gives it. */
  path: string;
  /** The text, or the lines that were asked for. Line ends are those of the file; no byte order mark. */
  text: string;
  /** 1-based, of `text`. */
  startLine: number;
  totalLines: number;
  /** SHA-256 of the file's bytes, hexadecimal: of all of them, whatever was asked for. */
  hash: string;
  /** As `TextDecoder` names it: `utf-8`, `utf-16le`, `gb18030`, ...; `bom` says that it begins with a byte order mark. */
  encoding: string;
  bom: boolean;
  /** In bytes. */
  size: number;
  /** Less than the whole file is at hand, so it cannot be changed. */
  isPart: boolean;
}

export interface ListOptions extends UseOptions {
  /** Entries of one folder; of more it is said how many were left. */
  maxEntries: number;
  /** Levels below the folder. */
  depth: number;
}

export interface WorkspaceListing {
  path: string;
  entries: readonly WorkspaceEntry[];
  /** Entries that `maxEntries` left out. */
  more: number;
}

export interface WorkspaceEntry {
  name: string;
  /** `other`: a link that leads out, a device, ... which cannot be read. */
  kind: "file" | "folder" | "other";
  /** Of files, in bytes. */
  size?: number;
  /** Of folders, as far as `depth` goes. */
  inside?: { entries: readonly WorkspaceEntry[]; more: number };
}

export interface SearchQuery {
  /**
   * A regular expression in the syntax of RE2, which ripgrep shares; a text that is not one is looked for as it is, and
   * so is every text where a workspace `searchesPlainText`.
   */
  query: string;
  isCaseSensitive: boolean;
  /** Glob patterns over relative paths, such as `*.ts` or `src/**`; none means all. */
  include: readonly string[];
  exclude: readonly string[];
  maxHits: number;
}

export interface SearchHit {
  file: string;
  /** 1-based. */
  line: number;
  /** The line, cut where it is long. */
  content: string;
}

export interface SearchResult {
  /** By file, then line. */
  hits: readonly SearchHit[];
  /** There were more than `maxHits`. */
  hasMore: boolean;
  /** Part of the files was not looked at, since the time was over. */
  isCut: boolean;
  /** The query was no expression and was looked for as plain text. */
  isPlain: boolean;
  /** The first of the files that are too large to be searched, though the query is in them, or may be. */
  tooLarge?: readonly string[];
}

/** What becomes of one file. */
export interface FileChange {
  /** As `locate` gives it. */
  path: string;
  /** What the change was made for; undefined: there must be no such file. */
  before: { text: string; hash: string } | undefined;
  /** The whole new text, with its final line ends; undefined deletes the file. */
  after: string | undefined;
}

/** That a person, or the policy that they set, has agreed to changes as they were shown. Made and spent by `approvals.ts`. */
export interface Approval {
  /** Milliseconds since 1970. */
  readonly expires: number;
}
