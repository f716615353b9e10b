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
/** Milliseconds for which an answer is taken for what is there; a list of everything is asked for less often. */
const [maxAge, maxAgeOfWhole] = [1_000, 10_000];

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
    maxAge: () => maxAge,
  });
  /** The root's answer, and whether it is what the IDE answers for other folders, too. */
  let rows: readonly unknown[] = [];
  let isWhole = false;
  const lists = new RecentAnswers<FileList>({
    now,
    maxKept: maxKeptLists,
    isSmall: () => true,
    maxAge: () => (isWhole ? maxAgeOfWhole : maxAge),
  });
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
          return slices.run("list", readList(isKnown ? [] : listed, start, root), signal);
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
function* readList(rows: readonly unknown[], prefix: string, root: IdeRoot): Steps<FileList> {
  const found = new Map<string, ListedFile>();
  for (const [nth, row] of rows.slice(0, maxListed).entries()) {
    if (isPause(nth)) yield;
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
  const start = countBefore(files, prefix);
  const end = countBefore(files, `${prefix.slice(0, -1)}0`);
  return { files: files.slice(start, end), isCut };
}

/** How many sorted paths come before a text; "0" is the sign behind "/". */
function countBefore(files: readonly ListedFile[], text: string): number {
  let [low, high] = [0, files.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((files[middle]?.path ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((row, nth) => row === other[nth]);
}

function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[a-z]:)/i.test(path);
}
