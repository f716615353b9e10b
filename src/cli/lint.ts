import { readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, parseConfig } from "../setup/config.ts";
import { loadPromptFiles } from "../setup/load-prompt-files.node.ts";
import { createPromptLibrary } from "../prompt/prompt-library.ts";
import { createTemplateEngine } from "../prompt/template.ts";
import { CliError } from "./cli-error.ts";
import { lintText } from "./lint/lint-text.ts";
import { readSettingsFile } from "./read-settings-file.ts";
import { readTextFile } from "./read-text-file.ts";

const formats = ["text", "json", "github"];

/** The options of `rightseat lint`, as they were written. */
export interface LintOptions {
  format?: string;
}

/**
 * `rightseat lint`: checks agent definitions.
 *
 * @returns the exit code: 1 if one needs a change
 * @throws CliError, ConfigError
 */
export function runLint(given: readonly string[], options: LintOptions): number {
  const format = options.format ?? "text";
  if (!formats.includes(format))
    throw new CliError(`--format ${format} is not known. Write one of: ${formats.join(", ")}.`);
  const config = parseConfig(process.env, readSettingsFile());
  const files =
    given.length > 0 ? given.flatMap(listDefinitions) : listDefinitions(agentsFolder(config));
  return lintFiles(files, config) ? 0 : 1;
}

/** @returns whether nothing needs a change */
function lintFiles(files: readonly string[], config: Config): boolean {
  const prompts = createPromptLibrary(loadPromptFiles());
  const engine = createTemplateEngine(config, () => performance.now());
  const found = files.flatMap((file) =>
    lintText(readTextFile(file), prompts, engine, config.knowledge !== undefined).map(
      (problem) => ({ file, ...problem }),
    ),
  );
  for (const { file, path, severity, message } of found)
    process.stdout.write(`${file}: ${path}: ${severity}: ${message}\n`);
  if (found.length === 0)
    process.stdout.write(
      `No problems in ${files.length} ${files.length === 1 ? "definition" : "definitions"}.\n`,
    );
  return found.every(({ severity }) => severity === "info");
}

function agentsFolder({ agents }: Config): string {
  if (agents !== undefined) return agents;
  const shipped = dirname(
    fileURLToPath(new URL("../../agent-definitions/rightseat.json", import.meta.url)),
  );
  const path = relative(process.cwd(), shipped);
  return path === "" || path.startsWith("..") ? shipped : path;
}

/** @throws CliError when the path does not exist, or the folder holds no definitions */
function listDefinitions(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const files = readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .sort();
  if (files.length === 0) throw new CliError(`${path} holds no *.json file.`);
  return files.map((name) => join(path, name));
}
