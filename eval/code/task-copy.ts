import { existsSync, readFileSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Approvals } from "../../src/workspace/approvals.ts";
import type { DirectoryWorkspace } from "../../src/workspace/directory/directory-workspace.node.ts";
import { createSearchedWorkspace } from "../../src/cli/code/open-folder.ts";
import type { CodingTask } from "./coding-task.ts";

/** A project of its own for one run. Nothing of it is left after `close`. */
export interface TaskCopy {
  /** The real path of the project. */
  folder: string;
  workspace: DirectoryWorkspace;
  /** The text of a file as it is now; undefined if it does not exist. */
  read(path: string): string | undefined;
  write(path: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** Writes the project of a task into a new folder, with the journal beside it. */
export async function openTaskCopy(
  { before, request }: CodingTask,
  approvals: Approvals,
): Promise<TaskCopy> {
  const place = realpathSync(await mkdtemp(join(tmpdir(), "rightseat-task-")));
  const folder = join(place, "project");
  const write = async (path: string, text: string): Promise<void> => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  try {
    for (const [path, text] of before) await write(path, text);
    const workspace = await createSearchedWorkspace({
      root: folder,
      stateFolder: join(place, "state"),
      request,
      approvals,
    });
    return {
      folder,
      workspace,
      read: (path) => readIfThere(join(folder, path)),
      write,
      async close() {
        await workspace.close();
        await remove(place);
      },
    };
  } catch (thrown) {
    await remove(place);
    throw thrown;
  }
}

/** A check that was stopped may still write for a moment. */
async function remove(place: string): Promise<void> {
  await rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
