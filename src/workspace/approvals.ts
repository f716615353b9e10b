// Makes approvals and spends them: what is written is what was shown, once, and not too late.
import { hashText } from "../turn/state/sealed-state.ts";
import type { Approval, FileChange } from "./workspace.ts";
import { formatUnifiedDiff } from "../edit/unified-diff.ts";

/** How long an approval can be used, in milliseconds. */
const usualLifetime = 10 * 60 * 1_000;

export interface Approvals {
  /** Keeps that somebody has agreed to these changes, after they were shown. */
  approve(changes: readonly FileChange[]): Promise<Approval>;
  /**
   * Spends the approval for one of its changes.
   *
   * @returns false: it was made for something else, is spent, or has expired. Then nothing may be written.
   */
  spend(change: FileChange, approval: Approval): Promise<boolean>;
}

/**
 * @param now milliseconds since 1970
 * @param lifetime in milliseconds
 */
export function createApprovals({
  now,
  lifetime = usualLifetime,
}: {
  now: () => number;
  lifetime?: number;
}): Approvals {
  /** The hashes of the changes that are not spent yet, by approval. A copy of an approval has none. */
  const left = new WeakMap<Approval, Set<string>>();
  return {
    async approve(changes) {
      const approval = Object.freeze({ expires: now() + lifetime });
      left.set(approval, new Set(await Promise.all(changes.map(hashChange))));
      return approval;
    },
    async spend(change, approval) {
      const hash = await hashChange(change);
      // Looked up and spent without a pause: of two that ask at once, one gets it.
      return now() <= approval.expires && left.get(approval)?.delete(hash) === true;
    },
  };
}

/** SHA-256 over the path, the hash and the text before, and the new text. */
function hashChange({ path, before, after }: FileChange): Promise<string> {
  // JSON writes a lone surrogate as an escape, so texts that differ in one differ here, too.
  return hashText(
    JSON.stringify([path, before?.hash ?? null, before?.text ?? null, after ?? null]),
  );
}

/** The changes as one unified diff, for people: what is approved is what this shows. */
export function printChanges(changes: readonly FileChange[]): string {
  let text = "";
  let bare = "";
  for (const { path, before, after } of changes) {
    const diff = formatUnifiedDiff(path, before?.text, after);
    if (diff.includes("\n@@ ")) text += diff;
    else bare += diff;
  }
  // `git apply` takes the heads below those of a file without lines for more of these.
  return text + bare;
}

/** How many lines the diff of one change puts in and takes out. */
export function countChangedLines(diff: string): { added: number; removed: number } {
  const lines = diff.slice(diff.indexOf("\n@@ ") + 1 || diff.length).split("\n");
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count("+"), removed: count("-") };
}
