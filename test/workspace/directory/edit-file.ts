// A process of its own that edits one file, perhaps as somebody else. Says "ok", or the problem's code.
import { createApprovals } from "../../../src/workspace/approvals.ts";
import { createDirectoryWorkspace } from "../../../src/workspace/directory/directory-workspace.node.ts";

export interface EditFileJob {
  root: string;
  stateFolder: string;
  path: string;
  /** Undefined: the file is removed. */
  after?: string;
  /** How often the text is repeated: an argument of a process is not as long. */
  times?: number;
  /** There is no such file yet. */
  isNew?: boolean;
  /** The user to become, where we may. */
  uid?: number;
}

const {
  root,
  stateFolder,
  path,
  times = 1,
  isNew,
  uid,
  ...job
}: EditFileJob = JSON.parse(process.argv[2] ?? "");
if (uid !== undefined && process.getuid?.() === 0) {
  process.setegid?.(uid);
  process.seteuid?.(uid);
}
const signal = AbortSignal.timeout(60_000);
const approvals = createApprovals({ now: Date.now });
const workspace = await createDirectoryWorkspace({
  root,
  stateFolder,
  request: "edit",
  approvals,
  now: Date.now,
  search: () => Promise.reject(new Error("Nothing is searched here.")),
});
process.stdout.write(await edit());
await workspace.close();

async function edit(): Promise<string> {
  const read = isNew === true ? undefined : await workspace.read(path, { signal });
  if (read?.ok === false) return `read: ${read.problem.code}`;
  const before = read && { text: read.value.text, hash: read.value.hash };
  const change = { path, before, after: job.after?.repeat(times) };
  const approval = await approvals.approve([change]);
  const result = await workspace.apply(change, approval, { signal });
  return result.ok ? "ok" : result.problem.code;
}
