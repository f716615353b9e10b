// Writes what a bundler cannot list by itself: the built-in prompts of all folders as one text, which the worker imports.
import { writeFileSync } from "node:fs";
import { loadPromptFiles } from "../src/setup/load-prompt-files.node.ts";

/** Before each build of the worker, and before tests import it. */
export function listPrompts(): void {
  writeFileSync(
    new URL("../src/setup/prompts.worker.txt", import.meta.url),
    JSON.stringify(loadPromptFiles(), null, 1),
  );
}

if (import.meta.main) listPrompts();
