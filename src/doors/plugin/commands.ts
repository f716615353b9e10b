import type { PluginCommand } from "../../flows/own-command.ts";
import { ownCommands } from "../../flows/own-commands.ts";
import type { PluginRequest } from "./schema.ts";

/** The commands that ask a model, by their names in the protocol; its `list_model` asks none. */
export const commands: ReadonlyMap<string, PluginCommand & { command: string }> = new Map(
  ownCommands.flatMap(({ name, plugin }) =>
    plugin === undefined ? [] : [[plugin.cmd, { ...plugin, command: name }]],
  ),
);

/** The fields that a command needs and the request does not have, by their first names. */
export function findMissing(request: PluginRequest, needs: PluginCommand["needs"]): string[] {
  const isAbsent = (name: string): boolean => request[name] === undefined || request[name] === null;
  return needs.filter((names) => names.every(isAbsent)).map(([name = ""]) => name);
}
