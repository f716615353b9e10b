import { hashText } from "../../turn/state/sealed-state.ts";
import { countLines } from "../line-operations.ts";
import { cutLines } from "../line-range.ts";
import type { FileChange, WorkspaceFile } from "../workspace.ts";

/** The text of a file under its path in the workspace. */
export interface HeldFile {
  path: string;
  /** Without the byte order mark. */
  text: string;
  bom: boolean;
  /** The line of the file on which the text starts, 1-based. */
  startLine: number;
  /** The rest of the file is not known: it can be read, and not changed. */
  isPart: boolean;
  /** SHA-256 of all of the text in UTF-8, hexadecimal; the byte order mark counts. */
  hash: string;
}

const byteOrderMark = "\ufeff";

/** @param text as it came, maybe with a byte order mark in front */
export async function holdText(path: string, text: string): Promise<HeldFile> {
  const bom = text.startsWith(byteOrderMark);
  const hash = await hashText(text);
  return { path, text: bom ? text.slice(1) : text, bom, startLine: 1, isPart: false, hash };
}

/** What a change makes of a file, which keeps its byte order mark; undefined: it goes. */
export async function holdChange(
  { path, after: text }: FileChange,
  before: HeldFile | undefined,
): Promise<HeldFile | undefined> {
  if (text === undefined) return undefined;
  const bom = before?.bom ?? false;
  const hash = await hashText(wholeText({ text, bom }));
  return { path, text, bom, startLine: 1, isPart: false, hash };
}

/** With its byte order mark. */
export function wholeText({ text, bom }: Pick<HeldFile, "text" | "bom">): string {
  return (bom ? byteOrderMark : "") + text;
}

/** In bytes of UTF-8. */
export function sizeOf({ text, bom }: HeldFile): number {
  return new TextEncoder().encode(text).length + (bom ? 3 : 0);
}

/** @param lines as the file counts them, where not all of it is asked for */
export function toFile(
  held: HeldFile,
  lines: { startLine: number; endLine: number } | undefined,
): WorkspaceFile {
  const { path, text, bom, startLine, isPart, hash } = held;
  const above = startLine - 1;
  const cut = cutLines(
    text,
    lines && { startLine: lines.startLine - above, endLine: lines.endLine - above },
  );
  return {
    path,
    text: cut.text,
    startLine: cut.startLine + above,
    totalLines: countLines(text) + above,
    hash,
    encoding: "utf-8",
    bom,
    size: sizeOf(held),
    isPart: isPart || cut.isPart,
  };
}
