import { Command } from "commander";

/** What help tells of `rightseat complete SHELL`; the library that does it adds the command itself. */
export function completeCommand(): Command {
  return new Command("complete")
    .description("Print the completion script of a shell")
    .argument("[SHELL]", "bash, zsh, fish or powershell");
}
