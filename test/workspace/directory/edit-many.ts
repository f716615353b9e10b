// A process of its own that makes 500 edits, until it has ended or is killed. Says "begun" after the first.
import { createApprovals } from "../../../src/workspace/approvals.ts";
import { createDirectoryWorkspace } from "../../../src/workspace/directory/directory-workspace.node.ts";
import type { FileChange } from "../../../src/workspace/workspace.ts";

export interface EditManyJob {
  root: string;
  stateFolder: string;
  /** Files that are there and stay. */
  paths: string[];
}

const edits = 500;
/** Each text is one line, over and over: what is half old and half new shows. */
const linesOfText = 2_000;

const { root, stateFolder, paths }: EditManyJob = JSON.parse(process.argv[2] ?? "");
const signal = AbortSignal.timeout(600_000);
const approvals = createApprovals({ now: Date.now });
const workspace = await createDirectoryWorkspace({
  root,
  stateFolder,
  request: "many edits",
  approvals,
  now: Date.now,
  search: () => Promise.reject(new Error("Nothing is searched here.")),
});
const comes = "new/folder/comes-and-goes.txt";
for (let nth = 1; nth <= edits; nth += 1) {
  const path = nth % 7 === 0 ? comes : (paths[nth % paths.length] ?? "");
  const isCreated = path === comes && nth % 2 === 1;
  await edit(
    path,
    path === comes && !isCreated ? undefined : `edit ${nth}\n`.repeat(linesOfText),
    isCreated,
  );
  if (nth === 1) process.stdout.write("begun\n");
}
await workspace.close();

async function edit(path: string, after: string | undefined, isCreated: boolean): Promise<void> {
  let before: FileChange["before"];
  if (!isCreated) {
    const read = await workspace.read(path, { signal });
    if (!read.ok) return;
    before = { text: read.value.text, hash: read.value.hash };
  }
  const change = { path, before, after };
  const approval = await approvals.approve([change]);
  const result = await workspace.apply(change, approval, { signal });
  if (!result.ok) throw new Error(result.problem.message.en);
}
