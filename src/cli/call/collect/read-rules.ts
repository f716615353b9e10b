import type { ProjectRules } from "../../../turn/context/project-rules.ts";
import { findWorkTree } from "../../../workspace/directory/folder-rules.node.ts";
import { type InsideProblem, readFileInside } from "./read-file-inside.ts";

/** Files with rules for agents; the first that is there counts. */
export const ruleFiles = ["AGENTS.md", "CLAUDE.md", ".cursorrules"];
/** In bytes. */
const maxRules = 32 * 1024;

export interface FoundRules {
  name: string;
  /** Undefined: they cannot be sent. */
  rules: ProjectRules | undefined;
  /** Why not. */
  problem?: Exclude<InsideProblem, "missing"> | "secret";
}

/** The project's rules for agents at the root of the repository; undefined where there are none. */
export async function readRules(directory: string): Promise<FoundRules | undefined> {
  const root = await findWorkTree(directory);
  if (root === undefined) return undefined;
  for (const name of ruleFiles) {
    const found = await readFileInside(root, name, maxRules);
    // A hostile repository may have a link in its place.
    if (found.ok && found.isSecret) return { name, rules: undefined, problem: "secret" };
    if (found.ok) return { name, rules: { filePath: name, content: found.content } };
    if (found.problem !== "missing") return { name, rules: undefined, problem: found.problem };
  }
  return undefined;
}
