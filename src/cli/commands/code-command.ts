import { Command, Option } from "commander";
import type { CodeOptions } from "../code/run-code.ts";
import { runAction, valueOption } from "./command-parts.ts";

/** `rightseat code`: has the coding agent work in a folder until a request is done. */
export function codeCommand(): Command {
  return new Command("code")
    .description("Have the agent change the code in a folder until a request is done")
    .usage('[options] "REQUEST" [-- CHECK...]')
    .argument(
      "[REQUEST...]",
      "what is to be done, in quotes; after --, a command that checks the work, such as npm test",
    )
    .addOption(valueOption("--dir <FOLDER>", "the folder to work in (default: this one)"))
    .option("--force", "work in your home folder, too, or in one around it")
    .option("--yes", "write source files without asking; all others are asked for")
    .addOption(
      new Option(
        "--allow <PATTERN>",
        "write source files of paths that fit without asking, such as 'src/**'; may be given several times",
      ).argParser((pattern: string, before?: string[]) => [...(before ?? []), pattern]),
    )
    .addOption(valueOption("--model <NAME>", "a model of the settings (default: the first one)"))
    .addOption(valueOption("--key <KEY>", "the key for the platform's model"))
    .addOption(valueOption("--max-steps <N>", "the most answers of the model"))
    .addOption(valueOption("--language <LANGUAGE>", "the language of the answer: en or zh"))
    .option("--json", "print one JSON document to standard output at the end, and nothing else")
    .option("--plain", "print the answer as the model wrote it, without colours")
    .action((operands: string[], options: CodeOptions) =>
      runAction(async () => {
        const { runCode } = await import("../code/run-code.ts");
        const { splitOperands } = await import("../code/parse-code-arguments.ts");
        return runCode({ ...options, ...splitOperands(operands, process.argv.slice(2)) });
      }),
    );
}
