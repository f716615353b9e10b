import { createTerminal } from "./call/terminal.ts";
import { CliError } from "./cli-error.ts";
import { answerCases } from "./edit/answer-cases.ts";
import { editFile } from "./edit/edit-file.ts";

/** The options of `rightseat edit`, as they were written. */
export interface EditOptions {
  file?: string;
  dryRun?: boolean;
  json?: boolean;
  jsonl?: boolean;
}

/**
 * `rightseat edit`: applies SEARCH/REPLACE units to a file, or to texts that come as JSON lines.
 *
 * @returns the exit code
 * @throws CliError
 */
export async function runEdit({
  file,
  jsonl = false,
  json = false,
  dryRun = false,
}: EditOptions): Promise<number> {
  if (jsonl) {
    const extra = Object.entries({ "--file": file, "--dry-run": dryRun, "--json": json });
    const [name] = extra.find(([, value]) => value !== undefined && value !== false) ?? [];
    if (name !== undefined)
      throw new CliError(`${name} does not go with --jsonl, which reads its texts from the lines.`);
    // Without an encoding, standard input yields buffers.
    await answerCases(process.stdin as AsyncIterable<Uint8Array>, process.stdout);
    return 0;
  }
  if (file === undefined)
    throw new CliError(
      "edit needs --file FILE, the file to edit, or --jsonl. The diff comes on standard input.",
    );
  const terminal = createTerminal(process.stdout, process.stderr);
  return (await editFile(file, { dryRun, json, terminal, isScreen: process.stdout.isTTY })) ? 0 : 1;
}
