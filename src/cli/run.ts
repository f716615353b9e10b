import type { Command } from "commander";
import { completeCommand } from "./commands/complete-command.ts";
import { createProgram } from "./commands/program.ts";
import { enterCallerDirectory } from "./enter-caller-directory.ts";
import { leaveWhenNobodyReads } from "./leave-when-nobody-reads.ts";

/** Runs what the command line asks for. */
export async function run(): Promise<void> {
  leaveWhenNobodyReads();
  enterCallerDirectory(process.env);
  const program = createProgram();
  const written = process.argv.slice(2);
  const [command, ...words] = written;
  if (command === "complete") {
    const { addCompletion } = await import("./complete.ts");
    addCompletion(program, words);
  } else program.addCommand(completeCommand().copyInheritedSettings(program));
  try {
    // Help for a command that does not exist is refused as the command itself.
    const isLost = command === "help" && !knows(program, words[0]);
    const given = isLost ? words : written;
    const [name = "help"] = given;
    if (!name.startsWith("-") && !knows(program, name)) {
      const { unknownCommand } = await import("./unknown-command.ts");
      throw unknownCommand(name, namesOf(program));
    }
    await program.parseAsync(given, { from: "user" });
  } catch (thrown) {
    const { failWith } = await import("./fail-with.ts");
    failWith(thrown);
  }
}

function knows(program: Command, name = "help"): boolean {
  return namesOf(program).includes(name);
}

function namesOf(program: Command): string[] {
  return ["help", ...program.commands.map((command) => command.name())];
}
