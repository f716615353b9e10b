import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { ProjectRules } from "../../../context/project-rules.ts";
import { decodeText } from "../../read-text-file.ts";
import { runGit } from "./run-git.ts";

/** The first that is there counts. */
const names = ["AGENTS.md", "CLAUDE.md", ".cursorrules"];
/** In bytes. */
const maxRules = 32 * 1024;

export interface FoundRules {
  name: string;
  /** Undefined: they cannot be sent. */
  rules: ProjectRules | undefined;
  /** Why not. */
  problem?: "outside" | "too-large" | "no-file" | "no-text";
}

/** The project's rules for agents at the root of the repository; undefined where there are none. */
export async function readRules(directory: string): Promise<FoundRules | undefined> {
  const root = await runGit(directory, "rev-parse", "--show-toplevel");
  if (!root) return undefined;
  for (const name of names) {
    const found = readRulesFile(root, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readRulesFile(root: string, name: string): FoundRules | undefined {
  let path: string;
  try {
    path = realpathSync(join(root, name));
  } catch {
    return undefined;
  }
  const refuse = (problem: FoundRules["problem"] & string): FoundRules => ({
    name,
    rules: undefined,
    problem,
  });
  const inside = relative(realpathSync(root), path);
  if (inside === ".." || inside.startsWith(`..${sep}`)) return refuse("outside");
  try {
    // A pipe would wait for a writer, and a link may have taken the file's place since.
    const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(handle);
      if (!fstatSync(handle).isFile()) return refuse("no-file");
      if (size > maxRules) return refuse("too-large");
      const content = decodeText(readFileSync(handle));
      return content === undefined
        ? refuse("no-text")
        : { name, rules: { filePath: name, content } };
    } finally {
      closeSync(handle);
    }
  } catch {
    return refuse("no-file");
  }
}
