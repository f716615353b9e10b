import type { Workspace } from "../../workspace/workspace.ts";
import { type AnyTool, Toolbox } from "../tool.ts";
import { deleteFile } from "./delete-file.ts";
import { editFile } from "./edit-file.ts";
import { finishTool } from "./finish.ts";
import { createGrepSearch } from "./grep-search.ts";
import { insertFile, removeFile, replaceFile } from "./line-tools.ts";
import { listDir } from "./list-dir.ts";
import { readFile } from "./read-file.ts";

/**
 * The tools of the coding agent, described as the workspace is.
 *
 * @param further tools of a library user; one with the name of ours takes its place
 */
export function createWorkspaceTools(
  { searchesPlainText }: Pick<Workspace, "searchesPlainText"> = {},
  further: readonly AnyTool[] = [],
): Toolbox {
  const grepSearch = createGrepSearch(searchesPlainText);
  const lineTools = [insertFile, replaceFile, removeFile];
  return new Toolbox([
    readFile,
    editFile,
    deleteFile,
    grepSearch,
    listDir,
    finishTool,
    ...lineTools,
    ...further,
  ]);
}
