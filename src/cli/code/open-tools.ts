// The tools that the person's settings describe, for the agent of the terminal.
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isSpecFile } from "../../setup/load-agents.node.ts";
import { createMcp } from "../../setup/create-mcp.node.ts";
import { createOutsideFetch, readProxies } from "../../setup/read-proxies.node.ts";
import { createWorkspaceTools } from "../../tools/workspace/workspace-tools.ts";
import { isUnder } from "../../workspace/directory/resolve-path.node.ts";
import { CliError } from "../cli-error.ts";
import { findSettingsFile } from "../read/read-settings-file.ts";
import type { CliTexts } from "../texts.ts";
import { runCommandName } from "./ask.ts";
import type { CodeRun } from "./progress.ts";
import { realPathOf } from "./open-folder.ts";

/** Of a description, in characters: it is the person's own. */
const maxText = 10 * 1024 * 1024;

/**
 * Reads the descriptions of what models may call because the person's settings say so; whatever changes something is
 * asked for, and needs a grant besides.
 *
 * @returns the tools, and what ends the servers that were started for them
 * @throws CliError for a description in the folder that the agent could change; AppError
 */
export async function openTools({
  config,
  root,
  texts,
}: Pick<CodeRun, "config" | "root" | "texts">): Promise<
  Pick<CodeRun, "tools"> & { close: () => Promise<void> }
> {
  const { openSpecList: list, toolGrants: grants } = config;
  const proxies = readProxies(process.env);
  const servers = await createMcp(config, process.env, proxies);
  // What cannot be used is told.
  await servers?.update();
  const operations = servers?.operations() ?? [];
  const close = async (): Promise<void> => servers?.close();
  if (list.length + operations.length === 0) return { tools: [], close };
  const { readSpecs } = await import("../../tools/specs/read-specs.ts");
  const { createModbus, modbusOptions } = await import("../../tools/specs/modbus-serial.node.ts");
  const tools = await readSpecs(
    list.map((entry) => withText(entry, root, texts)),
    {
      fetch: createOutsideFetch(config, proxies),
      createId: () => crypto.randomUUID(),
      now: Date.now,
      modbus: createModbus(modbusOptions(config)),
      operations,
      grants,
      asks: true,
      maxText,
      taken: [...createWorkspaceTools().names, runCommandName],
    },
  );
  return { tools, close };
}

function withText(
  entry: Readonly<Record<string, unknown>>,
  root: string,
  texts: CliTexts,
): Readonly<Record<string, unknown>> {
  const { openSpec } = entry;
  if (!isSpecFile(openSpec)) return entry;
  const path = realPathOf(resolve(dirname(findSettingsFile() ?? ""), openSpec));
  if (isUnder(root, path)) throw new CliError(texts.namedInside("openSpecList", path));
  if (!existsSync(path)) throw new CliError(texts.noSpec(path));
  return { ...entry, openSpec: readFileSync(path, "utf8") };
}
