import { Command } from "commander";
import type { WsOptions } from "../ws.ts";
import { runAction, valueOption } from "./command-parts.ts";

/** `rightseat ws`: the terminal as an IDE plugin, over one WebSocket. */
export function wsCommand(): Command {
  return new Command("ws")
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
        "--url <URL>",
        "the server to ask, as ws://127.0.0.1:18080/ws or http://127.0.0.1:18080; without it, the agent runs in this process",
      ),
    )
    .addOption(valueOption("--key <KEY>", "the key for that server, or for the platform's model"))
    .addOption(
      valueOption(
        "--model <NAME>",
        'the model; "plugin NAME" is one of the settings here (default: the agent chooses)',
      ),
    )
    .addOption(valueOption("--language <LANGUAGE>", "the language of the answer: en or zh"))
    .addOption(valueOption("--prompt <TEXT>", "what you ask; text from a pipe is added to it"))
    .option("--no-stream", "wait for the whole answer")
    .option("--yes", "let code write source files of this project without asking")
    .option("--force", "offer the files of your home folder, too, or of one around it")
    .option("--receipt", "print to standard error what the agent asks of the project")
    .option("--plain", "print the answer as the model wrote it, without colours")
    .option("--raw", "print the messages as they come, a line each, and no answer")
    .action((command: string, place: string | undefined, options: WsOptions) =>
      runAction(async () => {
        const { runWs } = await import("../ws.ts");
        return runWs({ ...options, command, place });
      }),
    );
}
