// How good the map of a repository is: whether it shows the files that a task changes, given only the request.
import { mapRepository, type MapUse } from "../../src/flows/loop/context/map-repository.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";

export interface MapTask {
  id: string;
  request: string;
  workspace: Workspace;
  /** Those that exist before the run; a file that the task creates cannot be shown. */
  filesToChange: readonly string[];
}

export interface MapFigures {
  /** Tasks whose files are all in the map. */
  complete: number;
  tasks: { id: string; missing: string[] }[];
}

export async function measureMap(tasks: readonly MapTask[], use: MapUse): Promise<MapFigures> {
  const figures: MapFigures = { complete: 0, tasks: [] };
  for (const task of tasks) {
    const missing = await findMissing(task, use);
    if (missing.length === 0) figures.complete += 1;
    figures.tasks.push({ id: task.id, missing });
  }
  return figures;
}

/** The files to change that the map does not show. */
export async function findMissing(
  { request, workspace, filesToChange }: MapTask,
  use: MapUse,
): Promise<string[]> {
  const { files } = await mapRepository(workspace, request, use);
  const shown = new Set(files.map(({ path }) => path));
  return filesToChange.filter((path) => !shown.has(path));
}
