import { refusePath, succeed } from "../problems.ts";
import {
  type ChangedFile,
  type FileSource,
  type HeldFile,
  Proposals,
  holdText,
  sizeOf,
} from "../source/held-file.ts";
import { type SourceWorkspaceParts, createSourceWorkspace } from "../source/source-workspace.ts";
import type { Workspace, WorkspaceResult } from "../workspace.ts";
import { parsePath } from "../paths/resolve-written.ts";
import { type ActiveEditor, sourceOfEditor } from "../../turn/context/active-editor.ts";
import type { Context } from "../../turn/context/context.ts";
import { type KnowledgeReference, referencesOf } from "../../turn/context/variables.ts";

export interface MemoryWorkspaceParts extends Pick<SourceWorkspaceParts, "approvals" | "compile"> {
  files: readonly MemoryFile[];
}

/** A workspace of files in memory. */
export interface MemoryWorkspace extends Workspace {
  /** How the client names the file of a path: with its own root, drive and slashes. */
  nameOf(path: string): string;
  /** What became of the files, by path: those that are not as they came. */
  listChanged(): ChangedFile[];
}

/**
 * The files that came with a request, and proposals of what should become of them. Its root is "/"; the names
 * that the client gave to its files lead to them, as does the end of such a name where only one has it.
 */
export async function createMemoryWorkspace({
  files,
  ...parts
}: MemoryWorkspaceParts): Promise<MemoryWorkspace> {
  const given = new Map((await holdFiles(files)).map((file) => [file.path, file]));
  const source = new Proposals(sourceOf(given));
  const { changed } = source;
  const has = (path: string): boolean => {
    const made = changed.find(path);
    return made === undefined ? given.has(path) : made.now !== undefined;
  };
  const paths = (): string[] =>
    [...given.keys(), ...[...changed.all()].map(({ path }) => path)].filter(has);
  const workspace = createSourceWorkspace({
    ...parts,
    root: "/",
    effect: "proposals",
    source,
    locate: createLocate(files, () => new Set(paths()), has),
    // Nothing is waited for that would have to end in time.
    now: () => 0,
  });
  return {
    ...workspace,
    listChanged: () => changed.list(),
    nameOf: createNaming(files.map(({ name }) => name)),
  };
}

function sourceOf(given: ReadonlyMap<string, HeldFile>): FileSource {
  return {
    async find(path) {
      return succeed(given.get(path));
    },
    async list(folder) {
      const prefix = folder === "" ? "" : `${folder}/`;
      const inside = [...given.values()].filter(({ path }) => path.startsWith(prefix));
      const files = inside.map((file) => ({ path: file.path, size: () => sizeOf(file) }));
      return { files, isCut: false };
    },
  };
}

/** Gives each file its path: relative, with "/". Of two with one name, the later gets another. */
async function holdFiles(files: readonly MemoryFile[]): Promise<HeldFile[]> {
  const held = new Map<string, HeldFile>();
  for (const { name, text, startLine, isPart } of files) {
    const path = freePath(pathOf(name), startLine, held);
    if (path === undefined) continue;
    held.set(path, { ...(await holdText(path, text)), startLine, isPart });
  }
  return [...held.values()];
}

/**
 * Finds the held file that a path means, or says where a new one would be.
 *
 * @param has whether there is a file at a path
 */
function createLocate(
  files: readonly MemoryFile[],
  paths: () => Iterable<string>,
  has: (path: string) => boolean,
): (written: string) => WorkspaceResult<string> {
  const folders = new Map(files.flatMap(({ name }) => folderOfAbsolute(name)));
  return (written) => {
    const exact = pathOf(written);
    if (exact !== "" && has(exact) && !written.includes("..")) return succeed(exact);
    const isAbsolute = isAbsoluteName(written);
    if (isAbsolute && written.length === 1) return succeed("");
    const parsed = parseAbsolute(written);
    if (!parsed.ok) return refusePath("outside", written);
    const path = parsed.value;
    if (path === "" || has(path)) return parsed;
    const isNear = folderAbove(path, folders) !== undefined;
    // What the client names by its absolute path lies somewhere on its disk, of which only that place is known.
    if (isAbsolute)
      return isNear || [...paths()].some((known) => known.startsWith(`${path}/`))
        ? parsed
        : refusePath("outside", written);
    const ends = [...paths()].filter((known) => known.endsWith(`/${path}`));
    return ends.length === 1 && ends[0] !== undefined ? succeed(ends[0]) : parsed;
  };
}

/** A client's name for a file as a path below "/": drives stay as a first segment, "." and ".." go. */
function pathOf(name: string): string {
  const slashed = name.replace(fileScheme, "").replaceAll("\\", "/").replaceAll("\0", "");
  const segments = slashed.split("/");
  return segments
    .filter((segment) => segment !== "" && segment !== "." && segment !== "..")
    .join("/");
}

const fileScheme = /^file:\/\//;
const drive = /^[a-z]:(?=[\\/])/i;

function isAbsoluteName(name: string): boolean {
  const path = name.replace(fileScheme, "");
  return /^[\\/](?![\\/])/.test(path) || drive.test(path);
}

/** The path below "/" of what a model has written: a drive stays as a first segment. */
function parseAbsolute(written: string): WorkspaceResult<string> {
  const path = written.replace(fileScheme, "");
  const [root = ""] = drive.exec(path) ?? [];
  const below = path.slice(root.length);
  const isAbsolute = isAbsoluteName(path) && below.length > 1;
  const parsed = parsePath(isAbsolute ? below.slice(1) : below, { roots: [], isWindows: false });
  return root === "" || !parsed.ok ? parsed : succeed(`${root}/${parsed.value}`);
}

/** How a client writes the path of a file in a folder that it names absolutely. */
type NameFile = (path: string) => string;

/**
 * How the client names the file of a path: with its own root, drive and slashes. A new file is named as one
 * beside or above it is.
 */
export function createNaming(names: readonly string[]): (path: string) => string {
  const known = new Map(names.toReversed().map((name) => [pathOf(name), name]));
  const folders = new Map(names.flatMap(folderOfAbsolute));
  return (path) => known.get(path) ?? folderAbove(path, folders)?.(path) ?? path;
}

function folderAbove(path: string, folders: ReadonlyMap<string, NameFile>): NameFile | undefined {
  return [...folders].find(([folder]) => path.startsWith(`${folder}/`))?.[1];
}

function folderOfAbsolute(name: string): [string, NameFile][] {
  const path = pathOf(name);
  if (!isAbsoluteName(name) || !path.includes("/")) return [];
  const scheme = fileScheme.exec(name)?.[0] ?? "";
  const slash = /^[\\/]/.exec(name.slice(scheme.length))?.[0] ?? "";
  const hasBackslashes = name.includes("\\") && !name.includes("/");
  const write = (below: string): string =>
    scheme + slash + (hasBackslashes ? below.replaceAll("/", "\\") : below);
  return [[path.slice(0, path.lastIndexOf("/")), write]];
}

/** A path that no other file has; undefined where a name says nothing, or too many share it. */
function freePath(
  path: string,
  startLine: number,
  held: ReadonlyMap<string, HeldFile>,
): string | undefined {
  if (path === "") return undefined;
  const tries = [path, `${path}#L${startLine}`];
  for (let nth = 2; nth <= maxSameName; nth += 1) tries.push(`${path}#L${startLine}-${nth}`);
  return tries.find((name) => !held.has(name));
}

/** Passages of one name that begin on one line. */
const maxSameName = 20;

/** Passages of knowledge that become files; the rest of a request is not at hand. */
const maxPassages = 500;
const maxPackageFiles = 500;

/** What an editor without a path holds: a file that nobody has saved yet. */
export const unsaved = "untitled";

/** A file that a request brought along. */
interface MemoryFile {
  /** The path as the client names it, absolute or not, with either slash. */
  name: string;
  text: string;
  /** The line of the file on which the text starts, 1-based. */
  startLine: number;
  /** The rest of the file is not known: it can be read, and not changed. */
  isPart: boolean;
}

/** The files of a turn: the editor's, then package files, then passages of knowledge. */
export function filesOfContext(context: Context): MemoryFile[] {
  const { activeEditor, packageFiles = [], knowledgeBase = [] } = context;
  return [
    ...(activeEditor === undefined ? [] : fileOfEditor(activeEditor)),
    ...packageFiles.slice(0, maxPackageFiles).map(({ filepath, content }) => ({
      name: filepath,
      text: content,
      startLine: 1,
      isPart: false,
    })),
    ...referencesOf(knowledgeBase).slice(0, maxPassages).flatMap(fileOfPassage),
  ];
}

function fileOfEditor(editor: ActiveEditor): MemoryFile[] {
  const { filePath, content } = editor;
  const { text, startLine } = sourceOfEditor(editor);
  const isWhole = typeof content === "string" && text === content;
  if (!filePath && text === "") return [];
  return [{ name: filePath || unsaved, text, startLine, isPart: !isWhole }];
}

function fileOfPassage({ chunk, metadata }: KnowledgeReference): MemoryFile[] {
  const name = metadata?.fileName || metadata?.source;
  if (!name) return [];
  return [{ name, text: chunk, startLine: Math.max(metadata?.startPos ?? 1, 1), isPart: true }];
}
