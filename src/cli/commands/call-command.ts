import { Command } from "commander";
import type { CallOptions } from "../call.ts";
import { runAction, valueOption } from "./command-parts.ts";

/** `rightseat call`: sends what an IDE would send from here, and shows the answer. */
export function callCommand(): Command {
  return new Command("call")
    .description("Run a command on the code in this folder, as an IDE would")
    .argument("<COMMAND>", "explain, fix, unittest, chat, default, ...")
    .argument("[FILE]", "the file in the editor; FILE:10-20 selects lines, FILE:10:5 sets a cursor")
    .addOption(valueOption("--file <FILE>", "the file in the editor, as the argument FILE"))
    .addOption(
      valueOption("--lines <A-B>", "the lines that are selected in the file, such as 10-20"),
    )
    .addOption(valueOption("--prompt <TEXT>", "what you ask; text from a pipe is added to it"))
    .addOption(
      valueOption("--url <URL>", "the server to ask; without it, the agent runs in this process"),
    )
    .addOption(valueOption("--key <KEY>", "the key for that server, or for the platform's model"))
    .addOption(valueOption("--agent <NAME>", "the agent to ask (default: the first one)"))
    .addOption(valueOption("--definition <FILE>", "an agent definition (JSON) to send along"))
    .addOption(valueOption("--model <NAME>", "the model, if the definition names none"))
    .addOption(valueOption("--language <LANGUAGE>", "the language of the answer: en or zh"))
    .option(
      "--rules",
      "send AGENTS.md (else CLAUDE.md, .cursorrules) of the repository, as is usual without --url",
    )
    .option("--no-rules", "do not send it")
    .option("--receipt", "print to standard error what became of the context")
    .option("--plain", "print the answer as the model wrote it, without colours")
    .option("--raw", "print the bytes of the stream, and nothing else")
    .action((command: string, place: string | undefined, options: CallOptions) =>
      runAction(async () => {
        const { runCall } = await import("../call.ts");
        return runCall({ ...options, command, place });
      }),
    );
}
