import { resolve } from "node:path";

/** A path as the person wrote it; npm starts scripts in the folder of their package.json, and tells where it was called. */
export function fromCaller(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? "", path);
}
