import { Toolbox } from "../toolbox.ts";
import { deleteFile } from "./delete-file.ts";
import { editFile } from "./edit-file.ts";
import { finishTool } from "./finish.ts";
import { grepSearch } from "./grep-search.ts";
import { listDir } from "./list-dir.ts";
import { readFile } from "./read-file.ts";

/** The six tools of the coding agent. */
export function createWorkspaceTools(): Toolbox {
  return new Toolbox([readFile, editFile, deleteFile, grepSearch, listDir, finishTool]);
}
