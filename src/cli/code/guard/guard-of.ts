import { type GuardedNames, type GuardKind, guardedNames } from "./guarded-names.ts";

/** Marks that some file systems leave out of names. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff]/g;
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

function foldName(name: string): string {
  const folded = name.normalize("NFKC").replaceAll(invisible, "").toUpperCase().toLowerCase();
  let end = folded.length;
  while (end > 0 && (folded[end - 1] === "." || folded[end - 1] === " ")) end -= 1;
  return folded.slice(0, end);
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
