import { Command } from "commander";
import type { EvalArguments } from "../../../eval/options.ts";
import { runAction, valueOption } from "./command-parts.ts";

/** `rightseat eval`: asks a model what the flows ask, and counts what can be done with the answers. */
export function evalCommand(): Command {
  return new Command("eval")
    .description("Ask a model what the flows ask, and count what can be done with its answers")
    .addOption(
      valueOption("--model <NAME>", "a model of the settings, or offline (default: the first one)"),
    )
    .addOption(
      valueOption(
        "--flow <NAMES>",
        "flows, separated by commas, such as fix,unittest; or code, which does tasks in copies of small projects: what the model writes is run there",
      ),
    )
    .addOption(
      valueOption(
        "--file <NAMES>",
        "files of the cases, with --flow code names of tasks, separated by commas",
      ),
    )
    .addOption(valueOption("--language <LANGUAGE>", "the language of the prompts: en or zh"))
    .addOption(valueOption("--key <KEY>", "the key for the platform's model"))
    .addOption(valueOption("--concurrency <N>", "turns at once (default: 4)"))
    .option("--cases", "print a line for each case, with what was wrong")
    .option("--json", "print all figures and cases as JSON")
    .option(
      "--expect-sound",
      "exit with 1 if a turn failed, the syntax of a file or of written tests is broken, a doc comment changed code, JSON stayed invalid, or an answer was not whole",
    )
    .option(
      "--answers [FOLDER]",
      "ask no model: play the answers of a folder (in a clone, by default that of the project) through the flows, and exit with 1 if one is wrong",
    )
    .addOption(
      valueOption(
        "--expect-right <N>",
        "with --answers or --flow code, exit with 1 if fewer come out as expected, in percent",
      ),
    )
    .addOption(
      valueOption(
        "--tasks <FOLDER>",
        "with --flow code, the folder of the tasks (in a clone, by default that of the project)",
      ),
    )
    .option("--recorded", "with --flow code, ask no model: make the recorded calls of each task")
    .action((options: EvalArguments) =>
      runAction(async () => {
        const { runEval } = await import("../../../eval/eval.ts");
        return runEval(options);
      }),
    );
}
