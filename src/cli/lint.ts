import { readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type ArgsDef, defineCommand } from "citty";
import { type Config, parseConfig } from "../setup/config.ts";
import { loadPromptFiles } from "../setup/load-prompt-files.node.ts";
import { createPromptLibrary } from "../prompt/prompt-library.ts";
import { createTemplateEngine } from "../prompt/template.ts";
import { checkArguments } from "./check-arguments.ts";
import { CliError } from "./cli-error.ts";
import { failWith } from "./fail-with.ts";
import { lintText } from "./lint/lint-text.ts";
import { readSettingsFile } from "./read-settings-file.ts";
import { readTextFile } from "./read-text-file.ts";

const args = {
  files: {
    type: "positional",
    description: "Definition files or folders of them; the configured folder where absent",
    required: false,
  },
} satisfies ArgsDef;

/** `rightseat lint`: checks agent definitions, and exits with 1 where one needs a change. */
export const lint = defineCommand({
  meta: { name: "lint", description: "Check agent definitions" },
  args,
  run({ args: given }) {
    try {
      checkArguments(given, args);
      const config = parseConfig(process.env, readSettingsFile());
      const files =
        given._.length > 0
          ? given._.flatMap(listDefinitions)
          : listDefinitions(agentsFolder(config));
      if (!lintFiles(files, config)) process.exitCode = 1;
    } catch (thrown) {
      failWith(thrown);
    }
  },
});

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
