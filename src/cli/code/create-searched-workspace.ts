import { timerSlices } from "../../turn/slices.ts";
import {
  createDirectoryWorkspace,
  type DirectoryWorkspace,
  type DirectoryWorkspaceParts,
} from "../../workspace/directory/directory-workspace.node.ts";
import { findRipgrep } from "../../workspace/directory/search/ripgrep.node.ts";
import { createFolderSearch } from "../../workspace/directory/search/search-folder.node.ts";
import { compilePattern } from "../../workspace/search/compile-pattern.node.ts";

/** A workspace whose searches use ripgrep where it is installed, by the clock of this process. */
export async function createSearchedWorkspace(
  options: Omit<DirectoryWorkspaceParts, "now" | "search">,
): Promise<DirectoryWorkspace> {
  return createDirectoryWorkspace({
    ...options,
    now: Date.now,
    search: createFolderSearch({
      compile: compilePattern,
      ripgrep: await findRipgrep(),
      slices: timerSlices(),
      now: () => performance.now(),
    }),
  });
}
