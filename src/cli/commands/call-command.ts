import { Command } from "commander";
import type { CallOptions } from "../call.ts";
import { addAnswerOptions, runAction, valueOption } from "./command-parts.ts";

/** `rightseat call`: sends what an IDE would send from here, and shows the answer. */
export function callCommand(): Command {
  return addAnswerOptions(new Command("call"))
    .description("Run a command on the code in this folder, as an IDE would")
    .argument("<COMMAND>", "explain, fix, unittest, chat, default, ...")
    .argument("[FILE]", "the file in the editor; FILE:10-20 selects lines, FILE:10:5 sets a cursor")
    .addOption(valueOption("--file <FILE>", "the file in the editor, as the argument FILE"))
    .addOption(
      valueOption("--lines <A-B>", "the lines that are selected in the file, such as 10-20"),
    )
    .addOption(valueOption("--agent <NAME>", "the agent to ask (default: the first one)"))
    .addOption(valueOption("--definition <FILE>", "an agent definition (JSON) to send along"))
    .addOption(valueOption("--model <NAME>", "the model, if the definition names none"))
    .option(
      "--rules",
      "send AGENTS.md (else CLAUDE.md, .cursorrules) of the repository, as is usual without --url",
    )
    .option("--no-rules", "do not send it")
    .option("--receipt", "print to standard error what became of the context")
    .option("--raw", "print the bytes of the stream, and nothing else")
    .action((command: string, place: string | undefined, options: CallOptions) =>
      runAction(async () => {
        const isSocket = /^wss?:/i.test(options.url ?? "");
        const ask = isSocket
          ? (await import("../ws/run-ws.ts")).callSocket
          : (await import("../call.ts")).runCall;
        return ask({ ...options, command, place });
      }),
    );
}
