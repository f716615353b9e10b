import { isPause, type Steps } from "../../edit/steps.ts";
import type { Slices } from "../../turn/slices.ts";
import { quotePath, refuse, succeed } from "../problems.ts";
import type { FileList, FileSource, ListedFile } from "../source/file-source.ts";
import { type HeldFile, holdText } from "../source/held-file.ts";
import type { WorkspaceResult } from "../workspace.ts";
import type { IdeFiles } from "./ide-files.ts";
import type { IdeRoot } from "./ide-root.ts";
import { RecentAnswers } from "./recent-answers.ts";

/** Of a text that an IDE sends, in UTF-16 code units. */
const maxText = 2 * 1024 * 1024;
/** Paths of a list; more are not looked at. */
const maxListed = 20_000;
/** Texts that are kept for a moment, and the length of each. */
const [maxKeptTexts, maxKeptText] = [100, 32 * 1024];
const maxKeptLists = 3;

interface IdeSourceParts {
  files: IdeFiles;
  root: IdeRoot;
  /** Paths of files that are known without a list. */
  known: readonly string[];
  slices: Slices;
  /** Milliseconds; need not be the time of day. */
  now: () => number;
}

export interface IdeSource extends FileSource {
  /** What was read of a file does not count any more. */
  forget(path: string): void;
}

/** Files as an IDE hands them out. Without its lists only those are listed that are known or were read. */
export function createIdeSource({ files, root, known, slices, now }: IdeSourceParts): IdeSource {
  const seen = new Set(known);
  const texts = new RecentAnswers<unknown>({
    now,
    maxKept: maxKeptTexts,
    isSmall: (answer) => typeof answer !== "string" || answer.length <= maxKeptText,
  });
  const lists = new RecentAnswers<FileList>({ now, maxKept: maxKeptLists, isSmall: () => true });
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
      return lists.get(folder, async () => {
        const listed = await list(root.toAbsolute(folder), signal);
        return slices.run("list", readList(listed, prefix, root), signal);
      });
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
  if (answer.length > maxText) return refuseTooLarge(path);
  // A text that is not well-formed has no hash of its own.
  if (answer.includes("\0") || !answer.isWellFormed()) return refuseBinary(path);
  return succeed(await holdText(path, answer));
}

function refuseTooLarge(path: string): WorkspaceResult<undefined> {
  return refuse(
    "too-large",
    `${quotePath(path)} has more than ${maxText} characters, so the IDE's files cannot show it here. Go on without it.`,
    `${quotePath(path)} 超过 ${maxText} 个字符，无法通过 IDE 读取。请在没有它的情况下继续。`,
  );
}

function refuseBinary(path: string): WorkspaceResult<undefined> {
  return refuse(
    "binary",
    `${quotePath(path)} is not a text file. Go on without its content.`,
    `${quotePath(path)} 不是文本文件。请在没有其内容的情况下继续。`,
  );
}

/** What leads out of the folder, or is not a path, is left out. */
function* readList(answer: unknown, prefix: string, root: IdeRoot): Steps<FileList> {
  const rows: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const found = new Map<string, ListedFile>();
  for (const [nth, row] of rows.slice(0, maxListed).entries()) {
    if (isPause(nth)) yield;
    if (typeof row !== "string" || row === "") continue;
    const located = root.locate(isAbsolute(row) ? row : `${prefix}${row}`);
    if (!located.ok || located.value === "" || !located.value.startsWith(prefix)) continue;
    found.set(located.value, { path: located.value });
  }
  return { files: [...found.values()], isCut: rows.length > maxListed };
}

function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[a-z]:)/i.test(path);
}
