import { suggestName } from "../base/errors/suggest-name.ts";
import { ownCommands } from "../flows/commands.ts";
import { CliError } from "./cli-error.ts";
import { readAgents } from "./complete.ts";
import { commandNames } from "./ws/steps.ts";

/**
 * What was probably meant: a command of the terminal, or one of an agent, which `call` and `ws` run.
 *
 * @param known the commands of the terminal
 */
export function unknownCommand(name: string, known: readonly string[]): CliError {
  const ofAgents = [...ownCommands, ...readAgents().flatMap(({ commands }) => commands ?? [])];
  const meant = new Map<string, string>([
    ...commandNames.map((one) => [one, `ws ${one}`] as const),
    ...ofAgents.map((one) => [one.name, `call ${one.name}`] as const),
    ...known.map((one) => [one, one] as const),
  ]);
  const near = suggestName(name, known) ?? "";
  const found =
    meant.get(name) ?? meant.get(near) ?? meant.get(suggestName(name, [...meant.keys()]) ?? "");
  const advice = found === undefined ? "Ask --help for what there is." : `Did you mean ${found}?`;
  return new CliError(`Unknown command '${name}'. ${advice}`);
}
