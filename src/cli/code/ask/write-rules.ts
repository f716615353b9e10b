import type { PathTest } from "../../../workspace/search/match-glob.ts";
import type { GuardKind } from "../guard/guarded-names.ts";

/** Why a file is always asked for: its name, or that the check runs or reads it, perhaps as a test. */
export type Guard = GuardKind | "check" | "test";

/** What the person has allowed before the run. */
export interface WriteRules {
  /** All files that are not guarded. */
  isYes: boolean;
  /** Those of some paths. */
  allows: PathTest;
  guardOf: (path: string) => Guard | undefined;
}

export type Verdict =
  | { kind: "allowed" }
  /** `guard`: of the first file that is always asked for. */
  | { kind: "ask"; guard: Guard | undefined };

/** What the rules say of a change of some files. One file that is asked for is enough to ask for all. */
export function judgePaths(
  paths: readonly string[],
  { isYes, allows, guardOf }: WriteRules,
): Verdict {
  for (const path of paths) {
    const guard = guardOf(path);
    if (guard !== undefined) return { kind: "ask", guard };
  }
  const isAllowed = paths.length > 0 && paths.every((path) => isYes || allows(path));
  return isAllowed ? { kind: "allowed" } : { kind: "ask", guard: undefined };
}
