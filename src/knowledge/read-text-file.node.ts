import { readFile } from "node:fs/promises";

/** In characters: data and minified code have longer lines; there is nothing in them to cite. */
const maxLine = 20_000;

/** Reads a file of text, or says why it is none. */
export async function readTextFile(path: string): Promise<{ text: string } | { problem: string }> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch {
    return { problem: "cannot be read" };
  }
  if (bytes.includes(0)) return { problem: "is binary" };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { problem: "is not UTF-8" };
  }
  return hasLongLine(text) ? { problem: "has a line of over 20,000 characters" } : { text };
}

function hasLongLine(text: string): boolean {
  for (let start = 0; text.length - start > maxLine;) {
    const end = text.lastIndexOf("\n", start + maxLine);
    if (end < start) return true;
    start = end + 1;
  }
  return false;
}
