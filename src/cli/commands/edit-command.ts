import { Command } from "commander";
import type { EditOptions } from "../edit.ts";
import { runAction, valueOption } from "./command-parts.ts";

/** `rightseat edit`: applies SEARCH/REPLACE units to a file, or to texts that come as JSON lines. */
export function editCommand(): Command {
  return new Command("edit")
    .description("Apply SEARCH/REPLACE units to a file")
    .addOption(
      valueOption(
        "--file <FILE>",
        "the file to edit; the diff, or a model's answer, comes on standard input",
      ),
    )
    .option("--dry-run", "print the unified diff, and write nothing")
    .option("--json", "print the result as JSON, with the text after the edit")
    .option(
      "--jsonl",
      "answer each line {id, before, diff} of standard input with {id, ok, after, error}",
    )
    .action((options: EditOptions) =>
      runAction(async () => {
        const { runEdit } = await import("../edit.ts");
        return runEdit(options);
      }),
    );
}
