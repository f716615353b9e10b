import { editCommand } from "./edit/edit-command.ts";

/** Repairs the code in focus: the model tells the cause and proposes a change. */
export const fix = editCommand(() => ({ example: "fix" }));
