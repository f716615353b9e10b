// Makes approvals and spends them: what is written is what was shown, once, and not too late.
import { hashText } from "../turn/state/sealed-state.ts";
import type { Approval, FileChange } from "./workspace.ts";
import { formatUnifiedDiff } from "../edit/unified-diff.ts";

/** How long an approval can be used, in milliseconds. */
const usualLifetime = 10 * 60 * 1_000;
/** Approvals that are kept at once; the oldest go first. */
const maxOpen = 1_000;

export interface Approvals {
  /** Keeps that somebody has agreed to these changes, after the diff was shown. */
  approve(changes: readonly FileChange[], diff: string): Promise<Approval>;
  /**
   * Spends the approval for one of its changes.
   *
   * @returns false: it was made for something else, is spent, or has expired. Then nothing may be written.
   */
  spend(change: FileChange, approval: Approval): Promise<boolean>;
}

export interface ApprovalParts {
  /** Milliseconds since 1970. */
  now: () => number;
  /** In milliseconds. */
  lifetime?: number;
  /** Unique, and not to be guessed. */
  createId?: () => string;
}

interface OpenApproval extends Approval {
  /** One hash for each change that is not spent yet. */
  left: Set<string>;
}

export function createApprovals({
  now,
  lifetime = usualLifetime,
  createId = randomId,
}: ApprovalParts): Approvals {
  const open = new Map<string, OpenApproval>();
  return {
    async approve(changes, diff) {
      const left = new Set(await Promise.all(changes.map(hashChange)));
      const digest = await digestOf(changes, diff);
      const approval = { digest, id: createId(), expires: now() + lifetime };
      open.set(approval.id, { ...approval, left });
      for (const id of [...open.keys()].slice(0, -maxOpen)) open.delete(id);
      return approval;
    },
    async spend(change, { digest, id, expires }) {
      const hash = await hashChange(change);
      // Looked up and spent without a pause: of two that ask at once, one gets it.
      const made = open.get(id);
      if (made === undefined || made.digest !== digest || made.expires !== expires) return false;
      if (now() > made.expires) return false;
      const isSpent = made.left.delete(hash);
      if (made.left.size === 0) open.delete(id);
      return isSpent;
    },
  };
}

/** SHA-256 over the diff that was shown, and of each change the path, the hash before and the new text. */
export function digestOf(changes: readonly FileChange[], diff: string): Promise<string> {
  return hashText(JSON.stringify([diff, changes.map(factsOf)]));
}

function hashChange(change: FileChange): Promise<string> {
  return hashText(JSON.stringify(factsOf(change)));
}

function factsOf({ path, before, after }: FileChange): (string | null)[] {
  // JSON writes a lone surrogate as an escape, so texts that differ in one differ here, too.
  return [path, before?.hash ?? null, before?.text ?? null, after ?? null];
}

function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
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
