import { Command } from "commander";
import type { LintOptions } from "../lint.ts";
import { runAction, valueOption } from "./command-parts.ts";

/** `rightseat lint`: checks agent definitions, and exits with 1 if one needs a change. */
export function lintCommand(): Command {
  return new Command("lint")
    .description("Check agent definitions")
    .argument("[FILES...]", "definitions, or folders of them (default: the configured folder)")
    .addOption(
      valueOption("--format <FORMAT>", "text, json, or github for annotations (default: text)"),
    )
    .action((files: string[], options: LintOptions) =>
      runAction(async () => {
        const { runLint } = await import("../lint.ts");
        return runLint(files, options);
      }),
    );
}
