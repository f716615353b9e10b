import type { PathTest } from "../../../workspace/search/match-glob.ts";
import type { Guard } from "../guard/create-guard.ts";

/** What the person has allowed before the run: source files, all or those of some paths. */
export interface WriteRules {
  isYes: boolean;
  allows: PathTest;
  /** Why a file is asked for all the same; undefined for the sources that may pass. */
  guardOf: (path: string) => Promise<Guard | undefined>;
}

export type Verdict =
  | { kind: "allowed" }
  /** `guard`: of the first file that is always asked for. */
  | { kind: "ask"; guard: Guard | undefined };

/** What the rules say of a change of some files. One file that is asked for is enough to ask for all. */
export async function judgePaths(
  paths: readonly string[],
  { isYes, allows, guardOf }: WriteRules,
): Promise<Verdict> {
  for (const path of paths) {
    const guard = await guardOf(path);
    if (guard !== undefined) return { kind: "ask", guard };
  }
  const isAllowed = paths.length > 0 && paths.every((path) => isYes || allows(path));
  return isAllowed ? { kind: "allowed" } : { kind: "ask", guard: undefined };
}
