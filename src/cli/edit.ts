import { type ArgsDef, type ParsedArgs, defineCommand } from "citty";
import { createTerminal } from "./call/terminal.ts";
import { checkArguments } from "./check-arguments.ts";
import { CliError } from "./cli-error.ts";
import { answerCases } from "./edit/answer-cases.ts";
import { editFile } from "./edit/edit-file.ts";
import { failWith } from "./fail-with.ts";
import { leaveWhenNobodyReads } from "./leave-when-nobody-reads.ts";

const args = {
  file: {
    type: "string",
    description: "The file to edit; the diff, or a model's answer, comes on standard input",
    valueHint: "FILE",
  },
  "dry-run": { type: "boolean", description: "Print the unified diff, and write nothing" },
  json: { type: "boolean", description: "Print the result as JSON, with the text after the edit" },
  jsonl: {
    type: "boolean",
    description:
      "Answer each line {id, before, diff} of standard input with {id, ok, after, error}",
  },
} satisfies ArgsDef;
type EditArguments = ParsedArgs<typeof args>;

/** `rightseat edit`: applies SEARCH/REPLACE units to a file, or to texts that come as JSON lines. */
export const edit = defineCommand({
  meta: { name: "edit", description: "Apply SEARCH/REPLACE units to a file" },
  args,
  async run({ args: given }) {
    try {
      // The parser adds this spelling of --dry-run by itself.
      const { dryRun: _, ...written } = { dryRun: undefined, ...given };
      checkArguments(written, args, 0);
      leaveWhenNobodyReads();
      process.exitCode = await runEdit(given);
    } catch (thrown) {
      failWith(thrown);
    }
  },
});

async function runEdit({
  file,
  jsonl = false,
  json = false,
  ...given
}: EditArguments): Promise<number> {
  const dryRun = given["dry-run"] ?? false;
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
