import type { Message } from "../../base/errors/app-error.ts";
import {
  type ChangeableSource,
  type ChangedFile,
  ChangedFiles,
  type FileList,
  type FileSource,
  type HeldFile,
  type ListedFile,
  Proposals,
  holdChange,
  holdText,
  wholeText,
} from "../source/held-file.ts";
import { type SourceWorkspaceParts, createSourceWorkspace } from "../source/source-workspace.ts";
import type { Workspace, WorkspaceResult } from "../workspace.ts";
import { trimEndSigns } from "../../base/text/lines.ts";
import { oneLine } from "../../base/errors/names.ts";
import { quotePath, refuse, refusePath, succeed } from "../problems.ts";
import { parsePath } from "../paths/resolve-written.ts";

export interface IdeWorkspaceParts extends Pick<
  SourceWorkspaceParts,
  "approvals" | "compile" | "now"
> {
  files: IdeFiles;
  /** The absolute path of the project, as the IDE's system writes it. */
  root: string;
  /** Names of files that are known already: listed and searched also where the IDE lists nothing. */
  known?: readonly string[];
}

/** A workspace of an IDE's project. */
export interface IdeWorkspace extends Workspace {
  /** The files that were written, or are proposed, each from what it was to what it is. */
  listChanged(): ChangedFile[];
}

/**
 * The files of an IDE's project. Paths are resolved as texts alone; where links lead is for the IDE to judge. An
 * IDE that can write asks its person, and that is the approval; without one, changes are proposals.
 *
 * @returns undefined if the root is not an absolute path
 */
export function createIdeWorkspace({
  files,
  root,
  known = [],
  ...parts
}: IdeWorkspaceParts): IdeWorkspace | undefined {
  const place = createIdeRoot(root);
  if (place === undefined) return undefined;
  const paths = known.flatMap((name) => {
    const located = place.locate(name);
    return located.ok && located.value !== "" ? [located.value] : [];
  });
  const base = createIdeSource({ files, root: place, known: paths, now: parts.now });
  const { write } = files;
  const source = write === undefined ? new Proposals(base) : writeThrough(base, place, write);
  const effect = write === undefined ? "proposals" : "files";
  const locate = (written: string): WorkspaceResult<string> => place.locate(written);
  const workspace = createSourceWorkspace({ ...parts, root, effect, source, locate });
  return { ...workspace, listChanged: () => source.changed.list() };
}

/** Of a reason, in characters. */
const maxReason = 300;

/** Has an IDE write changes, and believes only what it reads afterwards. */
function writeThrough(
  base: IdeSource,
  root: IdeRoot,
  write: NonNullable<IdeFiles["write"]>,
): ChangeableSource & { changed: ChangedFiles } {
  const changed = new ChangedFiles();
  return {
    ...base,
    changed,
    async put(change, before, signal) {
      const { path } = change;
      const wanted = await holdChange(change, before);
      const abspath = root.toAbsolute(path);
      const text = wanted === undefined ? null : wholeText(wanted);
      const written = await write({ abspath, hashBefore: before?.hash ?? null, text }, signal);
      base.forget(path);
      const found = await base.find(path, signal);
      // Whatever the IDE says: this is what counts.
      if (found.ok && found.value?.hash === wanted?.hash) {
        changed.note(path, before, wanted);
        return succeed(undefined);
      }
      if (written.ok) return refuse("failed", unverified(quotePath(path)));
      const isUnchanged = found.ok && found.value?.hash === before?.hash;
      return isUnchanged ? refuseUnwritten(path, written.reason) : refusePath("stale", path);
    },
  };
}

/** @param reason in the words of the IDE or its person */
export function refuseUnwritten(path: string, reason: string): WorkspaceResult<undefined> {
  const shown = oneLine(reason.slice(0, maxReason)).trim();
  const quoted = shown === "" ? "" : JSON.stringify(shown);
  return refuse("not-approved", {
    en: `The IDE did not write ${quotePath(path)}${quoted && `; it says: ${quoted}`}. Do not send the same change again: do what the person asks for, or finish and say what is left to do.`,
    zh: `IDE 没有写入 ${quotePath(path)}${quoted && `，原因是：${quoted}`}。请不要再次提交同样的修改：按用户的要求处理，或结束并说明还需要做什么。`,
  });
}

const unverified = (name: string): Message => ({
  en: `The IDE says that ${name} was written, but the file does not have the new text. Read it again to see what is there.`,
  zh: `IDE 表示已写入 ${name}，但文件内容不是新的文本。请重新读取，查看实际内容。`,
});

/** Of a text that an IDE sends, in UTF-16 code units. */
const maxText = 2 * 1024 * 1024;
/** Paths of a list; more are not looked at. */
const maxListed = 20_000;
/** Texts that are kept for a moment, and the length of each. */
const [maxKeptTexts, maxKeptText] = [100, 32 * 1024];
const maxKeptLists = 3;
/** Milliseconds for which an answer is taken for what is there; a list of everything is asked for less often. */
const [maxAgeOfAnswer, maxAgeOfWhole] = [1_000, 10_000];

interface IdeSourceParts extends Pick<IdeWorkspaceParts, "files" | "now"> {
  root: IdeRoot;
  /** Paths of files that are known without a list. */
  known: readonly string[];
}

interface IdeSource extends FileSource {
  /** What was read of a file does not count any more. */
  forget(path: string): void;
}

/** Files as an IDE hands them out. Without its lists only those are listed that are known or were read. */
function createIdeSource({ files, root, known, now }: IdeSourceParts): IdeSource {
  const seen = new Set(known);
  const texts = keepAnswers<unknown>(
    now,
    maxKeptTexts,
    () => maxAgeOfAnswer,
    (answer) => typeof answer !== "string" || answer.length <= maxKeptText,
  );
  /** The root's answer, and whether it is what the IDE answers for other folders, too. */
  let rows: readonly unknown[] = [];
  let isWhole = false;
  const ageOfLists = (): number => (isWhole ? maxAgeOfWhole : maxAgeOfAnswer);
  const lists = keepAnswers<FileList>(now, maxKeptLists, ageOfLists);
  return {
    async find(path, signal) {
      const read = (): Promise<unknown> => files.read(root.toAbsolute(path), signal);
      const found = await readText(path, await texts.get(path, read));
      if (found.ok && found.value === undefined) seen.delete(path);
      else if (found.ok) seen.add(path);
      return found;
    },
    async list(folder, signal) {
      const prefix = folder === "" ? "" : `${folder}/`;
      const { list } = files;
      if (list === undefined) {
        const inside = [...seen].filter((path) => path.startsWith(prefix));
        return { files: inside.map((path) => ({ path })), isCut: false };
      }
      const ask = (path: string, start: string): Promise<FileList> =>
        lists.get(path, async () => {
          const answer = await list(root.toAbsolute(path), signal);
          const listed: readonly unknown[] = Array.isArray(answer) ? answer : [];
          if (path === "") rows = listed;
          // Names in a folder are shorter than those from the root, so the two lists differ.
          else if (listed.length > 0 && isSame(listed, rows)) isWhole = true;
          const isKnown = isWhole && path !== "";
          return readList(isKnown ? [] : listed, start, root);
        });
      if (folder === "") return ask("", "");
      const found = isWhole ? undefined : await ask(folder, prefix);
      return isWhole || found === undefined ? below(prefix, await ask("", "")) : found;
    },
    forget(path) {
      texts.forget(path);
      lists.clear();
    },
  };
}

async function readText(
  path: string,
  answer: unknown,
): Promise<WorkspaceResult<HeldFile | undefined>> {
  if (typeof answer !== "string") return succeed(undefined);
  if (answer.length > maxText) return refuse("too-large", largeText(quotePath(path)));
  // A text that is not well-formed has no hash of its own.
  if (answer.includes("\0") || !answer.isWellFormed())
    return refuse("binary", notText(quotePath(path)));
  return succeed(await holdText(path, answer));
}

const largeText = (name: string): Message => ({
  en: `${name} has more than ${maxText} characters, so the IDE's files cannot show it here. Go on without it.`,
  zh: `${name} 超过 ${maxText} 个字符，无法通过 IDE 读取。请在没有它的情况下继续。`,
});

const notText = (name: string): Message => ({
  en: `${name} is not a text file. Go on without its content.`,
  zh: `${name} 不是文本文件。请在没有其内容的情况下继续。`,
});

/** What leads out of the folder, or is not a path, is left out. */
function readList(rows: readonly unknown[], prefix: string, root: IdeRoot): FileList {
  const found = new Map<string, ListedFile>();
  for (const row of rows.slice(0, maxListed)) {
    if (typeof row !== "string" || row === "") continue;
    const located = root.locate(isAbsolute(row) ? row : `${prefix}${row}`);
    if (!located.ok || located.value === "" || !located.value.startsWith(prefix)) continue;
    found.set(located.value, { path: located.value });
  }
  const files = [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  return { files, isCut: rows.length > maxListed };
}

/** What a list of everything says of a folder. */
function below(prefix: string, { files, isCut }: FileList): FileList {
  return { files: files.filter(({ path }) => path.startsWith(prefix)), isCut };
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((row, nth) => row === other[nth]);
}

function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[a-z]:)/i.test(path);
}

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

/**
 * What was asked a moment ago is not asked again: a tool looks at one file several times until it has changed it.
 *
 * @param maxAge how long an answer is taken for what is there now, in milliseconds
 * @param isSmall whether an answer is small enough to be kept
 */
function keepAnswers<Answer>(
  now: () => number,
  maxKept: number,
  maxAge: () => number,
  isSmall: (answer: Answer) => boolean = () => true,
) {
  /** The oldest first. */
  const all = new Map<string, { time: number; answer: Promise<Answer> }>();
  const get = async (key: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const known = all.get(key);
    if (known !== undefined && now() - known.time < maxAge()) return known.answer;
    const kept = { time: now(), answer: ask() };
    all.delete(key);
    all.set(key, kept);
    for (const old of [...all.keys()].slice(0, -maxKept)) all.delete(old);
    let isKept = false;
    try {
      const answer = await kept.answer;
      isKept = isSmall(answer);
      return answer;
    } finally {
      if (!isKept && all.get(key) === kept) all.delete(key);
    }
  };
  return { get, forget: (key: string) => all.delete(key), clear: () => all.clear() };
}

/** The root of a project on another machine, of which only the text is known. */
interface IdeRoot {
  /** The path that is meant, relative and with "/". */
  locate(written: string): WorkspaceResult<string>;
  /** The absolute path, as the other machine writes it. */
  toAbsolute(path: string): string;
}

/** @returns undefined if the text is not an absolute path on any system */
function createIdeRoot(root: string): IdeRoot | undefined {
  const isWindows = /^(?:[a-z]:[\\/]|\\\\)/i.test(root);
  if (!isWindows && !root.startsWith("/")) return undefined;
  const usesBackslash = isWindows && root.includes("\\");
  const base = trimEndSigns(isWindows ? root.replaceAll("\\", "/") : root, "/");
  return {
    locate: (written) => parsePath(written, { roots: [base === "" ? "/" : base], isWindows }),
    toAbsolute(path) {
      const joined = path === "" ? base || "/" : `${base}/${path}`;
      return usesBackslash ? joined.replaceAll("/", "\\") : joined;
    },
  };
}
