import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** A file or folder (ending in "/") of this package, whose root is not equally far from `eval/` and `dist/eval/`. */
export function packageFile(path: string): URL {
  const manifest = createRequire(import.meta.url).resolve("rightseat/package.json");
  return new URL(path, pathToFileURL(manifest));
}
