import { fstatSync } from "node:fs";
import { fence } from "../../../turn/context/fence.ts";
import { CliError } from "../../cli-error.ts";
import { decodeText } from "../../read/read-text-file.ts";

/** After this silence the person learns what we wait for, in milliseconds. */
const patience = 2_000;

/**
 * Reads standard input to its end where a pipe or a file stands behind it.
 *
 * @returns undefined where nobody pipes anything (a terminal, `/dev/null`, an empty pipe)
 * @throws CliError when it is no UTF-8 text
 */
export async function readPipedText(): Promise<string | undefined> {
  if (!isPiped()) return undefined;
  const hint = setTimeout(
    () =>
      process.stderr.write(
        "Waiting for standard input to end (Ctrl-D, or start with </dev/null).\n",
      ),
    patience,
  );
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) {
      clearTimeout(hint);
      // Without an encoding, standard input yields buffers.
      chunks.push(chunk as Uint8Array);
    }
    const text = decodeText(Buffer.concat(chunks));
    if (text === undefined)
      throw new CliError("Standard input is binary or not in UTF-8. Only text can be sent.");
    return text.trim() === "" ? undefined : text;
  } finally {
    clearTimeout(hint);
  }
}

/** What was typed and what was piped, as one question: piped text is material and goes into a fence. */
export function joinPrompt(
  typed: string | undefined,
  piped: string | undefined,
): string | undefined {
  if (typed === undefined || piped === undefined) return typed ?? piped;
  return `${typed}\n\n${fence(piped)}`;
}

function isPiped(): boolean {
  if (process.stdin.isTTY) return false;
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    // Started without standard input.
    return false;
  }
}
