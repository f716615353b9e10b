import type { Command } from "commander";
import { completeCommand, createProgram } from "./commands.ts";
import { enterCallerDirectory } from "./enter-caller-directory.ts";

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
      const { unknownCommand } = await import("./complete.ts");
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

/**
 * Ends the process with 0 when somebody stops to read what it prints, as `| head` does: that is no
 * failure. Holds for every command, and for standard error too (`2>&1 | head`).
 */
function leaveWhenNobodyReads(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (Reflect.get(error, "code") === "EPIPE") process.exit(0);
      throw error;
    });
  }
}
