// How good the map of a repository is: whether it shows the files that a task changes, given only the request.
import { mapRepository, type MapUse } from "../../../flows/loop/context/map-repository.ts";
import type { Workspace } from "../../../workspace/workspace.ts";

export interface MapTask {
  id: string;
  request: string;
  workspace: Workspace;
  /** Those that there are before; a file that is to be created cannot be shown. */
  filesToChange: readonly string[];
}

export interface MapFigures {
  /** Tasks whose files are all in the map. */
  complete: number;
  tasks: { id: string; missing: string[] }[];
}

export async function measureMap(tasks: readonly MapTask[], use: MapUse): Promise<MapFigures> {
  const figures: MapFigures = { complete: 0, tasks: [] };
  for (const { id, request, workspace, filesToChange } of tasks) {
    const { files } = await mapRepository(workspace, request, use);
    const shown = new Set(files.map(({ path }) => path));
    const missing = filesToChange.filter((path) => !shown.has(path));
    if (missing.length === 0) figures.complete += 1;
    figures.tasks.push({ id, missing });
  }
  return figures;
}
