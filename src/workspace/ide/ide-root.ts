import { parsePath } from "../paths/parse-path.ts";
import type { WorkspaceResult } from "../workspace.ts";

/** The root of a project on another machine, of which only the text is known. */
export interface IdeRoot {
  /** The path that is meant, relative and with "/". */
  locate(written: string): WorkspaceResult<string>;
  /** The absolute path, as the other machine writes it. */
  toAbsolute(path: string): string;
}

/** @returns undefined if the text is not an absolute path on any system */
export function createIdeRoot(root: string): IdeRoot | undefined {
  const isWindows = /^(?:[a-z]:[\\/]|\\\\)/i.test(root);
  if (!isWindows && !root.startsWith("/")) return undefined;
  const usesBackslash = isWindows && root.includes("\\");
  const slashed = isWindows ? root.replaceAll("\\", "/") : root;
  const base = withoutSlashes(slashed);
  return {
    locate: (written) => parsePath(written, { roots: [base === "" ? "/" : base], isWindows }),
    toAbsolute(path) {
      const joined = path === "" ? base || "/" : `${base}/${path}`;
      return usesBackslash ? joined.replaceAll("/", "\\") : joined;
    },
  };
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}
