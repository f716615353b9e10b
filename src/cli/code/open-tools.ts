// The tools that the person's settings describe, for the agent of the terminal.
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { resolveHost } from "../../base/wire/address-guard.node.ts";
import type { Config } from "../../setup/config.ts";
import { createOutsideFetch, readProxies } from "../../setup/read-proxies.node.ts";
import { parseArguments } from "../../tools/run-call.ts";
import { type AnyTool, type ToolUse, Toolbox, fail } from "../../tools/tool.ts";
import { createWorkspaceTools } from "../../tools/workspace/workspace-tools.ts";
import { isUnder } from "../../workspace/directory/resolve-path.node.ts";
import { CliError } from "../cli-error.ts";
import { findSettingsFile } from "../read/read-settings-file.ts";
import type { CliTexts } from "../texts.ts";
import { runCommandName } from "./ask.ts";
import { realPathOf } from "./open-folder.ts";

/** Of a description, in characters: it is the person's own. */
const maxText = 10 * 1024 * 1024;

export interface ToolSource {
  config: Config;
  /** The real path of the folder that the agent works on. */
  root: string;
  texts: CliTexts;
}

/**
 * Reads the descriptions; whatever changes something is asked for, and needs a grant besides.
 *
 * @throws CliError for a description in the folder that the agent could change; AppError
 */
export async function openTools({ config, root, texts }: ToolSource): Promise<AnyTool[]> {
  const { openSpecList: list, toolGrants: grants, sessionHosts: hosts } = config;
  if (list.length === 0) return [];
  const { readSpecs } = await import("../../tools/specs/read-specs.ts");
  const { createModbus } = await import("../../tools/specs/modbus-serial.node.ts");
  const tools = await readSpecs(
    list.map((entry) => withText(entry, root, texts)),
    {
      fetch: createOutsideFetch(config, readProxies(process.env)),
      createId: () => crypto.randomUUID(),
      modbus: createModbus({
        resolve: (host) => resolveHost(host, { hosts }),
        allowsLine: (line) => grants.some((grant) => grant.endsWith(`@${line}`)),
      }),
      grants,
      maxText,
      taken: [...createWorkspaceTools().names, runCommandName],
    },
  );
  // Tools of servers of MCP (`mcpServers`) come here, too: `openMcpServers` gives them.
  return askFirst(tools);
}

/** With the text of the file that an entry names in place of a description. */
function withText(
  entry: Readonly<Record<string, unknown>>,
  root: string,
  texts: CliTexts,
): Readonly<Record<string, unknown>> {
  const { openSpec } = entry;
  if (typeof openSpec !== "string" || !/^[^\n]{1,4096}\.(?:json|ya?ml)$/.test(openSpec))
    return entry;
  const path = realPathOf(resolve(dirname(findSettingsFile() ?? ""), openSpec));
  if (isUnder(root, path)) throw new CliError(texts.specInside(path));
  if (!existsSync(path)) throw new CliError(texts.noSpec(path));
  return { ...entry, openSpec: readFileSync(path, "utf8") };
}

/** Has the person asked for each call that changes something, also where another tool makes it. */
export function askFirst(tools: readonly AnyTool[]): AnyTool[] {
  const toolbox = new Toolbox(tools.filter(({ target }) => target !== undefined));
  return tools.map((tool) => {
    if (tool.effect === "read") return tool;
    const run = async (input: unknown, use: ToolUse): ReturnType<AnyTool["run"]> => {
      const asked = describeCall(tool, input, toolbox);
      const decision =
        asked === undefined ? { ok: true as const } : await use.askCall?.(asked, use.signal);
      if (decision?.ok === true) return tool.run(input, use);
      const reason = decision?.reason ?? "";
      return fail(use.locale, "not-approved", {
        en: `Nothing was sent: ${reason}`,
        zh: `没有发送任何请求：${reason}`,
      });
    };
    const described = Object.getOwnPropertyDescriptors(tool);
    return Object.defineProperties({}, { ...described, run: { value: run } }) as AnyTool;
  });
}

/** @returns undefined for a call of a tool that only reads */
function describeCall(tool: AnyTool, input: unknown, toolbox: Toolbox) {
  const given = (input ?? {}) as Readonly<Record<string, unknown>>;
  if (tool.target !== undefined) return { tool: tool.name, target: tool.target, arguments: given };
  // The one that calls others of its list.
  const { name, arguments: inner = {} } = given;
  const read = parseArguments(typeof inner === "string" ? inner : JSON.stringify(inner));
  const called = toolbox.find(String(name));
  if (called?.effect === "read") return undefined;
  return {
    tool: called?.name ?? String(name),
    target: called?.target ?? "",
    arguments: read.ok ? read.value : {},
  };
}
