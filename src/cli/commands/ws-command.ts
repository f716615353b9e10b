import { Command } from "commander";
import type { WsOptions } from "../ws/run-ws.ts";
import { addAnswerOptions, runAction, valueOption } from "./command-parts.ts";

/** `rightseat ws`: the terminal as an IDE plugin, over one WebSocket. */
export function wsCommand(): Command {
  return addAnswerOptions(new Command("ws"))
    .description(
      "Run a command on the code in this folder over a WebSocket, as an IDE plugin would",
    )
    .argument(
      "<COMMAND>",
      "explain, fix, docstring, optimize, unittest, chat, code, models, or a name of the protocol such as exec_fix",
    )
    .argument(
      "[FILE]",
      "the file in the editor; FILE:10-20 selects lines, FILE:10:5 a function; for code, what is to be done",
    )
    .addOption(
      valueOption(
        "--model <NAME>",
        'the model; "plugin NAME" is one of the settings here (default: the agent chooses)',
      ),
    )
    .option("--no-stream", "wait for the whole answer")
    .option("--yes", "let code write source files of this project without asking")
    .option("--force", "offer the files of your home folder, too, or of one around it")
    .option("--receipt", "print to standard error what the agent asks of the project")
    .option("--raw", "print the messages as they come, a line each, and no answer")
    .action((command: string, place: string | undefined, options: WsOptions) =>
      runAction(async () => {
        const { runWs } = await import("../ws/run-ws.ts");
        return runWs({ ...options, command, place });
      }),
    );
}
