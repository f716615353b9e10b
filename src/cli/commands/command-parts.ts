// What the descriptions of all commands share. They are read at every start, so they import next to nothing.
import { Option } from "commander";
import { CliError } from "../cli-error.ts";

/**
 * An option with a value. An empty one is refused.
 *
 * @param flags as `--file <FILE>`
 */
export function valueOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser((value: string) => {
    if (value === "") throw new CliError(`${option.long} needs a value: ${option.long}=VALUE.`);
    return value;
  });
}

/** Runs a command: what it returns is the exit code. */
export async function runAction(work: () => Promise<number>): Promise<void> {
  process.exitCode = await work();
}
