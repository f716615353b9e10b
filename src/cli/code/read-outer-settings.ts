import { existsSync, realpathSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { CliError } from "../cli-error.ts";
import { findSettingsFile, readSettingsFile } from "../read/read-settings-file.ts";
import type { CodeTexts } from "./code-texts.ts";

export interface OuterSettings {
  /** As `parseConfig` takes it. */
  file: unknown;
  /** There is a settings file in the workspace, which does not count. */
  isIgnored: boolean;
}

/**
 * Reads the settings file, unless it lies in the folder that the agent works on: an agent must not choose its own
 * model and limits, nor a project for the person who opens it.
 *
 * @param root the real path of that folder
 * @throws CliError where RIGHTSEAT_CONFIG names such a file; ConfigError
 */
export function readOuterSettings(root: string, texts: CodeTexts): OuterSettings {
  const path = findSettingsFile();
  const isInside = path !== undefined && isUnder(root, path);
  if (isInside && path === process.env["RIGHTSEAT_CONFIG"])
    throw new CliError(texts.settingsInside(path));
  const isIgnored = isInside || existsSync(join(root, "rightseat.json"));
  return { file: isInside ? undefined : readSettingsFile(), isIgnored };
}

/** By the way to the file, and by where that leads: either could be changed. */
function isUnder(root: string, path: string): boolean {
  return [resolve(path), realPathOf(path)].some((one) => {
    const way = relative(root, one);
    return way !== ".." && !way.startsWith(`..${sep}`);
  });
}

/** @returns the path itself if nothing is there; the code that reads it reports that */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
