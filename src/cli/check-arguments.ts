import type { ArgsDef } from "citty";
import { CliError } from "./cli-error.ts";
import { suggestName } from "../errors/suggest-name.ts";

/**
 * Refuses what the argument parser lets pass in silence: options that the command does not have,
 * and options without their value.
 *
 * @param args as citty parsed them
 * @param most the most words that may stand beside the options
 * @throws CliError naming the argument
 */
export function checkArguments(
  args: object,
  known: ArgsDef,
  most = Number.POSITIVE_INFINITY,
): void {
  const { _: words, ...options } = args as { _: string[] } & Record<string, unknown>;
  for (const [name, value] of Object.entries(options)) {
    const definition = known[name];
    if (definition === undefined) throw unknownOption(name, Object.keys(known));
    if (value === "" && definition.type === "string")
      throw new CliError(`--${name} needs a value: --${name}=VALUE.`);
  }
  const extra = words[most];
  if (extra !== undefined)
    throw new CliError(
      `Unexpected argument ${JSON.stringify(extra)}. Put texts with blanks in quotes.`,
    );
}

function unknownOption(name: string, known: readonly string[]): CliError {
  const dashes = name.length === 1 ? "-" : "--";
  const near = suggestName(name, known);
  const hint =
    near === undefined
      ? "Ask --help for those that there are; a value that begins with a dash is written --name=VALUE."
      : `Did you mean --${near}?`;
  return new CliError(`Unknown option ${dashes}${name}. ${hint}`);
}
