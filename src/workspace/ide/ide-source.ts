import { isPause, type Steps } from "../../edit/steps.ts";
import type { Slices } from "../../turn/slices.ts";
import { quotePath, refuse, succeed } from "../problems.ts";
import type { FileList, FileSource, ListedFile } from "../source/file-source.ts";
import { type HeldFile, holdText } from "../source/held-file.ts";
import type { WorkspaceResult } from "../workspace.ts";
import type { IdeFiles } from "./ide-files.ts";
import type { IdeRoot } from "./ide-root.ts";

/** Of a text that an IDE sends, in UTF-16 code units. */
const maxText = 2 * 1024 * 1024;
/** Paths of a list; more are not looked at. */
const maxListed = 20_000;

interface IdeSourceParts {
  files: IdeFiles;
  root: IdeRoot;
  /** Paths of files that are known without a list. */
  known: readonly string[];
  slices: Slices;
}

/** Files as an IDE hands them out. Without its lists only those are listed that are known or were read. */
export function createIdeSource({ files, root, known, slices }: IdeSourceParts): FileSource {
  const seen = new Set(known);
  return {
    async find(path, signal) {
      const found = await readText(path, await files.read(root.toAbsolute(path), signal));
      if (found.ok && found.value === undefined) seen.delete(path);
      else if (found.ok) seen.add(path);
      return found;
    },
    async list(folder, signal) {
      const prefix = folder === "" ? "" : `${folder}/`;
      if (files.list === undefined) {
        const inside = [...seen].filter((path) => path.startsWith(prefix));
        return { files: inside.map((path) => ({ path })), isCut: false };
      }
      const listed = await files.list(root.toAbsolute(folder), signal);
      return slices.run("list", readList(listed, prefix, root), signal);
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

/** What leads out of the folder, or is no path, is left out. */
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
