import {
  type BigIntStats,
  accessSync,
  constants,
  lstatSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { resolve } from "node:path";
import { StaleFileError } from "../../workspace/directory/open-file.node.ts";
import { createDraftName, putFile, realPlaceOf } from "../../workspace/directory/put-file.node.ts";
import {
  type EncodingOfText,
  decodeText,
  encodeLike,
} from "../../workspace/directory/text-encoding.node.ts";
import { systemCode } from "../../workspace/problems.ts";
import type { AppliedUnit } from "../../edit.ts";
import type { Terminal } from "../call/terminal.ts";
import { CliError } from "../cli-error.ts";
import type { CliTexts } from "../texts.ts";

/** The bytes that become the file. @throws CliError if the file is read-only, or its encoding lacks a character */
export function prepareWrite(target: TargetFile, text: string): Uint8Array<ArrayBuffer> {
  const { name, path, found } = target;
  if (found !== undefined && isReadOnly(path, found.stats))
    throw new CliError(
      `${name} is read-only. Make it writable first (chmod u+w). Nothing was written.`,
    );
  const { encoding } = found?.encoding ?? {};
  const encoded = encodeLike(text, found?.encoding ?? { encoding: "utf-8", bom: false });
  if (!encoded.ok)
    throw new CliError(
      encoded.character === undefined
        ? `${name} would not be read again as ${encoding}, its encoding. Nothing was written.`
        : `${name} is in ${encoding}, which has no character ${JSON.stringify(encoded.character)}. Nothing was written.`,
    );
  return encoded.bytes;
}

/** Writes as `putFile` does. @throws CliError if the file is read-only or was changed since it was read */
export async function writeTarget(
  target: TargetFile,
  text: string,
  bytes: Uint8Array = prepareWrite(target, text),
): Promise<void> {
  const real = await realPlaceOf(resolve(target.path));
  try {
    await putFile(real, bytes, { draft: createDraftName(), replaced: target.found?.stats });
  } catch (thrown) {
    const isGone = target.found !== undefined && systemCode(thrown) === "ENOENT";
    if (!(thrown instanceof StaleFileError) && !isGone) throw thrown;
    throw new CliError(
      `${target.name} was changed by somebody else in the meantime. Nothing was written; read it again and repeat the edit.`,
    );
  }
}

/** The superuser may write everything, but what is marked as read-only is not to be edited. */
function isReadOnly(path: string, { mode }: BigIntStats): boolean {
  if ((mode & 0o222n) === 0n) return true;
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (thrown) {
    // One that has gone in the meantime is found out later.
    return systemCode(thrown) !== "ENOENT";
  }
}

/** The file to edit, as it was when it was read. */
export interface TargetFile {
  name: string;
  /** Where it really lies: links are followed, so that they stay links. */
  path: string;
  found: { bytes: Buffer; stats: BigIntStats; text: string; encoding: EncodingOfText } | undefined;
}

/** Reads the file to edit, with a byte-order mark. @throws CliError if it is no text in a known encoding */
export function readTargetFile(name: string): TargetFile {
  const path = findPath(name);
  if (path === undefined) return { name, path: name, found: undefined };
  // Reading from a pipe or a device might never end.
  const stats = statSync(path, { bigint: true });
  if (stats.isDirectory()) throw new CliError(`${name} is a folder. Give the path of a file.`);
  if (!stats.isFile()) throw new CliError(`${name} is not a regular file.`);
  const bytes = readFileSync(path);
  const decoded = decodeText(bytes);
  if (decoded === undefined)
    throw new CliError(`${name} is a binary file or not in UTF-8. It was not changed.`);
  const { bom, encoding } = decoded;
  const text = (bom ? "\ufeff" : "") + decoded.text;
  return { name, path, found: { bytes, stats, text, encoding: { encoding, bom: false } } };
}

function findPath(name: string): string | undefined {
  try {
    return realpathSync(name);
  } catch (cause) {
    if (systemCode(cause) !== "ENOENT") throw cause;
    if (lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined;
    throw new CliError(`${name} is a link that leads nowhere. Remove it, or edit what it is for.`, {
      cause,
    });
  }
}

/** Says on standard error how each unit was found, a line each. */
export function printApplied(
  units: readonly AppliedUnit[],
  isNewFile: boolean,
  terminal: Terminal,
  texts: CliTexts,
): void {
  for (const [nth, unit] of units.entries()) {
    const line = texts.applied(nth + 1, unit, isNewFile);
    terminal.err(`${unit.level === "whole-file" ? terminal.errStyle("yellow", line) : line}\n`);
  }
}
