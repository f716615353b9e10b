import { readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, parseConfig } from "../setup/config.ts";
import { loadPromptFiles } from "../setup/load-prompt-files.node.ts";
import { createPromptLibrary } from "../prompt/prompt-library.ts";
import { createTemplateEngine } from "../prompt/template.ts";
import { CliError } from "./cli-error.ts";
import type { Options } from "./options.ts";
import { type LocatedProblem, locateProblems } from "./lint/json-places.ts";
import { lintText } from "./lint/lint-definition.ts";
import { readSettingsFile } from "./read/read-settings-file.ts";
import { readTextFile } from "./read/read-text-file.ts";
import { escapeControls } from "./call/show/escape-controls.ts";

/** `rightseat lint`: checks agent definitions. @returns the exit code: 1 if one needs a change */
export function runLint(given: readonly string[], { format = "text" }: Options): number {
  const config = parseConfig(process.env, readSettingsFile());
  const files =
    given.length > 0 ? given.flatMap(listDefinitions) : listDefinitions(agentsFolder(config));
  const prompts = createPromptLibrary(loadPromptFiles());
  const engine = createTemplateEngine(() => performance.now());
  const found = files.flatMap((file) => {
    const text = readTextFile(file);
    const problems = lintText(text, prompts, engine, config.knowledge !== undefined);
    return locateProblems(text, problems).map((problem) => ({ file, ...problem }));
  });
  process.stdout.write(printProblems(found, files.length, format));
  return found.every(({ severity }) => severity === "info") ? 0 : 1;
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

interface FileProblem extends LocatedProblem {
  file: string;
}

export function printProblems(
  problems: readonly FileProblem[],
  checked: number,
  format: NonNullable<Options["format"]>,
): string {
  switch (format) {
    case "json":
      return `${JSON.stringify(problems, ["file", "line", "column", "path", "severity", "message"], 2)}\n`;
    case "github":
      return problems.map((problem) => `${toAnnotation(problem)}\n`).join("");
    case "text":
      return problems.length === 0
        ? `No problems in ${checked} ${checked === 1 ? "definition" : "definitions"}.\n`
        : problems.map((problem) => `${escapeControls(toLine(problem))}\n`).join("");
  }
}

/** As compilers print it, so that a terminal or an editor finds the place. */
function toLine({ file, line, column, path, severity, message }: FileProblem): string {
  return `${file}:${line}:${column}: ${path}: ${severity}: ${message}`;
}

/** A workflow command of GitHub Actions (its documentation, "Workflow commands"). */
function toAnnotation({ file, line, column, path, severity, message }: FileProblem): string {
  const kind = severity === "info" ? "notice" : severity;
  const place = `file=${escapeProperty(file)},line=${line},col=${column}`;
  return `::${kind} ${place},title=${escapeProperty(path)}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
