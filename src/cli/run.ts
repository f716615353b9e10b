import { completeCommand } from "./commands/complete-command.ts";
import { createProgram } from "./commands/program.ts";
import { enterCallerDirectory } from "./enter-caller-directory.ts";
import { leaveWhenNobodyReads } from "./leave-when-nobody-reads.ts";

/** Runs what the command line asks for. */
export async function run(): Promise<void> {
  leaveWhenNobodyReads();
  enterCallerDirectory(process.env);
  const program = createProgram();
  const [command, ...words] = process.argv.slice(2);
  if (command === "complete") {
    const { addCompletion } = await import("./complete.ts");
    addCompletion(program, words);
  } else program.addCommand(completeCommand().copyInheritedSettings(program));
  try {
    await program.parseAsync();
  } catch (thrown) {
    const { failWith } = await import("./fail-with.ts");
    failWith(thrown);
  }
}
