// Loaded before everything else, so nothing here may be newer than the oldest Node that might come by.
import { readFileSync } from "node:fs";

/**
 * Compares a version of Node with what package.json asks for (`engines`).
 *
 * @param version as `process.versions.node`
 * @returns what to tell the person; undefined if it is new enough
 */
export function checkNode(version: string): string | undefined {
  const { engines } = readManifest();
  const least = engines.node.replace(/^>=/, "");
  if (version.localeCompare(least, "en", { numeric: true }) >= 0) return undefined;
  return `Rightseat needs Node ${least} or newer, this is ${version}. Install a newer one: https://nodejs.org/`;
}

export function productVersion(): string {
  return readManifest().version;
}

function readManifest(): { version: string; engines: { node: string } } {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return JSON.parse(text) as ReturnType<typeof readManifest>;
}
