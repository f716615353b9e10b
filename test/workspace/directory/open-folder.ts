// Folders on the disk for tests, and workspaces over them.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Approvals, createApprovals } from "../../../src/workspace/approvals.ts";
import {
  createDirectoryWorkspace,
  type DirectoryWorkspace,
} from "../../../src/workspace/directory/directory-workspace.node.ts";
import type { EditorFiles } from "../../../src/workspace/directory/editor-files.node.ts";
import type { GitPlaces } from "../../../src/workspace/directory/folder-rules.node.ts";
import { createFolderSearch } from "../../../src/workspace/directory/search/search-folder.node.ts";
import { compilePattern } from "../../../src/workspace/search/compile-pattern.node.ts";
import { canary, type SuiteFiles, type SuiteWorkspace } from "../workspace-suite.ts";

/** `workspace`, `outside` and `state` beside each other; gone when the test is over. */
export interface TestFolders {
  root: string;
  outside: string;
  stateFolder: string;
  /** The absolute path of a file in the workspace. */
  at(path: string): string;
}

export function makeFolders(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): TestFolders {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-space-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const folders = {
    root: join(base, "workspace"),
    outside: join(base, "outside"),
    stateFolder: join(base, "state"),
    at: (path: string) => join(base, "workspace", path),
  };
  for (const folder of [folders.root, folders.outside, folders.stateFolder]) mkdirSync(folder);
  writeFileSync(join(folders.outside, "secret.txt"), canary);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(folders.at(path)), { recursive: true });
    writeFileSync(folders.at(path), content);
  }
  return folders;
}

export interface OpenFolder extends TestFolders {
  workspace: DirectoryWorkspace;
  approvals: Approvals;
}

export interface OpenOptions {
  ripgrep?: string | undefined;
  request?: string;
  maxTime?: number;
  gitPlaces?: GitPlaces;
  editor?: EditorFiles;
}

/** Opens a workspace over folders. */
export async function openFolder(
  folders: TestFolders,
  { ripgrep, request = "a test", maxTime = 60_000, gitPlaces, editor }: OpenOptions = {},
): Promise<OpenFolder> {
  const approvals = createApprovals({ now: Date.now });
  const now = (): number => performance.now();
  const search = createFolderSearch({
    compile: compilePattern,
    ripgrep,
    now,
    maxTime,
  });
  const { root, stateFolder } = folders;
  const workspace = await createDirectoryWorkspace({
    root,
    stateFolder,
    request,
    approvals,
    now: Date.now,
    search,
    editor,
    ...(gitPlaces === undefined ? {} : { gitPlaces }),
  });
  return { ...folders, workspace, approvals };
}

/** For the conformance suite: with links out of the root, which no test file needs. */
export async function openForSuite(
  files: SuiteFiles,
  ripgrep: string | undefined,
  editor?: EditorFiles,
): Promise<SuiteWorkspace> {
  const folders = makeFolders(files);
  const opened = await openFolder(folders, { ripgrep, ...(editor && { editor }) });
  const secret = join(folders.outside, "secret.txt");
  return {
    workspace: opened.workspace,
    approvals: opened.approvals,
    outside: folders.outside,
    async readOutside() {
      const { mtimeNs, ino, mode } = statSync(secret, { bigint: true });
      return [readFileSync(secret, "utf8"), mtimeNs, ino, mode].join(" ");
    },
    async readBytes(path) {
      return existsSync(folders.at(path)) ? readFileSync(folders.at(path)) : undefined;
    },
    close: () => opened.workspace.close(),
  };
}

export function linkTo(target: string, path: string): void {
  symlinkSync(target, path);
}
