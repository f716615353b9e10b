import { Command } from "commander";
import type { UndoOptions } from "../undo.ts";
import { runAction, valueOption } from "./command-parts.ts";

/** `rightseat undo`: takes back what the coding agent has written in a folder. */
export function undoCommand(): Command {
  return new Command("undo")
    .description("Take back what the coding agent has changed in a folder")
    .argument("[TURN]", "the run to take back, with all after it (default: the last one)")
    .addOption(valueOption("--dir <FOLDER>", "the folder that the agent worked in (default: .)"))
    .option("--list", "list the runs that can be taken back")
    .option("--dry-run", "print the unified diff, and write nothing")
    .action((turn: string | undefined, options: UndoOptions) =>
      runAction(async () => {
        const { runUndo } = await import("../undo.ts");
        return runUndo(turn, options);
      }),
    );
}
