import { lstat, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { draftName } from "../directory/folder-rules.node.ts";
import type { ResolvePath } from "../directory/resolve-path.node.ts";
import type { Journal } from "./journal.node.ts";

/** Removes the drafts that a process left behind when it died. Each is named in the journal before it is made. */
export async function removeDrafts(journal: Journal, resolve: ResolvePath): Promise<void> {
  for (const { id } of await journal.listTurns()) {
    for (const { path, draft } of await journal.listEntries(id)) {
      if (!draftName.test(draft)) continue;
      const place = await resolve(path);
      if (!place.ok) continue;
      const left = join(dirname(place.value.real), draft);
      const stats = await lstat(left).catch(() => undefined);
      if (stats?.isFile() === true) await rm(left, { force: true });
    }
  }
}
