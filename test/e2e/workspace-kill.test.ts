import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openUndo } from "../../src/workspace/directory/journal/undo.node.ts";
import { seededRandom } from "../helpers/seeded-random.ts";
import type { EditManyJob } from "../workspace/directory/edit-many.ts";
import { makeFolders, openFolder, type TestFolders } from "../workspace/directory/open-folder.ts";
import { valueOf } from "../workspace/workspace-suite.ts";

const script = fileURLToPath(new URL("../workspace/directory/edit-many.ts", import.meta.url));
const rounds = 12;
/** Until a process is killed, at most, in milliseconds. */
const longest = 1_500;

const paths = ["a.txt", "b.txt", "src/c.txt", "src/deep/d.txt"];
const original = (path: string): string => `${path}\n`.repeat(1_000);

async function editAndKill(folders: TestFolders, milliseconds: number): Promise<void> {
  const { root, stateFolder } = folders;
  const job: EditManyJob = { root, stateFolder, paths };
  const child = spawn(process.execPath, [script, JSON.stringify(job)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), ended]);
  await new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
  child.kill("SIGKILL");
  await ended;
}

function expectWhole(folders: TestFolders): number {
  let changed = 0;
  for (const path of globSync("**/*.txt", { cwd: folders.root })) {
    const text = readFileSync(folders.at(path), "utf8");
    const lines = new Set(text.split("\n"));
    expect([...lines]).toEqual([text.split("\n", 1)[0], ""]);
    const count = text.split("\n").length - 1;
    expect(count).toBe(text === original(path) ? 1_000 : 2_000);
    if (text !== original(path)) changed += 1;
  }
  return changed;
}

function drafts({ root }: TestFolders): string[] {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".tmp"));
}

test(
  "killed at random moments of 500 edits, every file is old or new, and undo restores all of them",
  { timeout: 600_000 },
  async () => {
    const random = seededRandom(7);
    let changed = 0;
    for (let round = 0; round < rounds; round += 1) {
      const folders = makeFolders(Object.fromEntries(paths.map((path) => [path, original(path)])));
      await editAndKill(folders, Math.floor(random() * longest));
      changed += expectWhole(folders);
      // Whoever opens the folder next clears away what was left.
      const { workspace } = await openFolder(folders);
      expect(drafts(folders)).toEqual([]);
      await workspace.close();
      const undo = await openUndo({ ...folders, now: Date.now });
      valueOf(await undo.undo());
      await undo.close();
      for (const path of paths) expect(readFileSync(folders.at(path), "utf8")).toBe(original(path));
      expect(existsSync(folders.at("new"))).toBe(false);
      expect(drafts(folders)).toEqual([]);
    }
    expect(changed).toBeGreaterThan(rounds);
  },
);
