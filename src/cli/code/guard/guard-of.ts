import { foldName } from "../../../workspace/paths/guarded-names.ts";
import { type GuardedNames, type GuardKind, guardedNames } from "./guarded-names.ts";

/** Between the name of a tool and an ending: `vite.config.ts`, `karma.conf.js`. */
const settingWords = new Set(["config", "conf", "setup", "teardown", "workspace", "preset"]);

/**
 * Why a file is never written without asking the person, whatever they have allowed: other programs run it or are
 * told by it what to run. In any letter case, at any depth.
 *
 * @param path relative to the workspace, with "/"
 * @returns undefined for all other files
 */
export function guardOf(path: string): GuardKind | undefined {
  const segments = foldPath(path).split("/");
  const name = segments.at(-1) ?? "";
  const found = guardedNames.find((guarded) => fits(guarded, name, segments));
  if (found !== undefined) return found.kind;
  if (isRequirements(name)) return "manifest";
  return isSettingsName(name) ? "build" : undefined;
}

/** One form for all spellings of a path that a file system may take for the same. */
export function foldPath(path: string): string {
  return path.split("/").map(foldName).join("/");
}

function fits(
  { names = [], starts = [], ends = [], folders = [] }: GuardedNames,
  name: string,
  segments: readonly string[],
): boolean {
  return (
    names.includes(name) ||
    starts.some((start) => name.startsWith(start)) ||
    ends.some((end) => name.endsWith(end)) ||
    segments.some((segment) => folders.includes(segment))
  );
}

/** `requirements-dev.txt`, and no source file `requirements.ts`. */
function isRequirements(name: string): boolean {
  return (
    (name.startsWith("requirements") || name.startsWith("constraints")) &&
    (name.endsWith(".txt") || name.endsWith(".in"))
  );
}

/** `.eslintrc`, `.babelrc.json`; `vite.config.ts`, `jest.setup.js`. */
function isSettingsName(name: string): boolean {
  const words = name.split(".");
  const [first, second = ""] = words;
  if (first === "" && second.endsWith("rc")) return true;
  return words.slice(1, -1).some((word) => settingWords.has(word));
}
