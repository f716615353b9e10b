import { fstatSync, readFileSync } from "node:fs";
import { decodeText } from "../../workspace/directory/text-encoding.node.ts";
import { systemCode } from "../../workspace/problems.ts";
import { CliError } from "../cli-error.ts";
import { fence } from "../../base/text/fence.ts";

/** Reads a file that the person named, without a byte-order mark. @param name what errors call it. @throws CliError */
export function readTextFile(path: string, name = path): string {
  const decoded = decodeText(readBytes(path, name));
  if (decoded === undefined)
    throw new CliError(`${name} is a binary file or not in UTF-8. Only text can be sent.`);
  return decoded.text;
}

/** The text of UTF-8 bytes; undefined where they are something else, or hold a NUL as binary files do. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readBytes(path: string, name: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    const code = systemCode(cause) ?? "";
    const known: Readonly<Record<string, string>> = {
      ENOENT: "does not exist. Give the path of a file, from the working directory.",
      EISDIR: "is a folder. Give the path of a file.",
    };
    const why = known[code] ?? `cannot be read${code && ` (${code})`}.`;
    throw new CliError(`${name} ${why}`, { cause });
  }
}

/** After this silence the person learns what we wait for, in milliseconds. */
const patience = 2_000;

/**
 * Reads standard input to its end where a pipe or a file is behind it.
 *
 * @returns undefined where nobody pipes anything (a terminal, `/dev/null`, an empty pipe)
 * @throws CliError when it is no UTF-8 text
 */
export async function readPipedText(): Promise<string | undefined> {
  if (!isPiped()) return undefined;
  const hint = "Waiting for standard input to end (Ctrl-D, or start with </dev/null).\n";
  const waiting = setTimeout(() => process.stderr.write(hint), patience);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of process.stdin) {
      clearTimeout(waiting);
      // Without an encoding, standard input yields buffers.
      chunks.push(chunk as Uint8Array);
    }
  } finally {
    clearTimeout(waiting);
  }
  const text = decodeUtf8(Buffer.concat(chunks));
  if (text === undefined)
    throw new CliError("Standard input is binary or not in UTF-8. Only text can be sent.");
  return text.trim() === "" ? undefined : text;
}

/** What was typed and what was piped, as one question: piped text is material and goes into a fence. */
export function joinPrompt(typed: string | undefined, piped: string | undefined) {
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
