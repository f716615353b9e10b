// What the descriptions of all commands share. They are read at every start, so they import next to nothing.
import { type Command, Option } from "commander";
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

/** The options of the commands that show an answer. */
export function addAnswerOptions(command: Command): Command {
  return command
    .addOption(valueOption("--prompt <TEXT>", "what you ask; text from a pipe is added to it"))
    .addOption(
      valueOption(
        "--url <URL>",
        "the server to ask, as http://127.0.0.1:18080, or by its WebSocket ws://127.0.0.1:18080/ws; without it, the agent runs in this process",
      ),
    )
    .addOption(valueOption("--key <KEY>", "the key for that server, or for the platform's model"))
    .addOption(valueOption("--language <LANGUAGE>", "the language of the answer: en or zh"))
    .option("--plain", "print the answer as the model wrote it, without colours");
}
