import { readFileSync } from "node:fs";
import { decodeText as decodeEncoded } from "../../workspace/directory/text-encoding.node.ts";
import { CliError } from "../cli-error.ts";

/**
 * Reads a file that the person named, without a byte-order mark.
 *
 * @param name what errors call it
 * @throws CliError when it is missing, a folder, unreadable or not text in a known encoding
 */
export function readTextFile(path: string, name = path): string {
  const text = decodeFile(readBytes(path, name));
  if (text === undefined)
    throw new CliError(`${name} is a binary file or not in UTF-8. Only text can be sent.`);
  return text;
}

/** The text of a file in any encoding that the workspace knows, without a byte order mark. */
export function decodeFile(bytes: Uint8Array): string | undefined {
  return decodeEncoded(bytes)?.text;
}

/** The text of UTF-8 bytes; undefined where they are something else, or hold a NUL as binary files do. */
export function decodeText(bytes: Uint8Array): string | undefined {
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
    const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
    if (code === "ENOENT")
      throw new CliError(
        `${name} does not exist. Give the path of a file, from the working directory.`,
        { cause },
      );
    if (code === "EISDIR")
      throw new CliError(`${name} is a folder. Give the path of a file.`, { cause });
    throw new CliError(`${name} cannot be read${typeof code === "string" ? ` (${code})` : ""}.`, {
      cause,
    });
  }
}
