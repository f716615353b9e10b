import { stripVTControlCharacters } from "node:util";
import { type ArgsDef, type CommandDef, renderUsage } from "citty";

/** Prints a help page, in colours only where standard output is a terminal. */
export async function showUsage<Args extends ArgsDef>(
  command: CommandDef<Args>,
  parent?: CommandDef<Args>,
): Promise<void> {
  const page = `${await renderUsage(command, parent)}\n`;
  process.stdout.write(process.stdout.isTTY ? page : stripVTControlCharacters(page));
}
