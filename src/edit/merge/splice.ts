import type { FileIndex } from "../find/file-index.ts";
import type { Change } from "./merge-replace.ts";
import { usualLineEnd } from "../../base/text/lines.ts";

/**
 * Writes changes (in order, without overlap) into the text. New lines get the line end that most lines of
 * the file have; whether the last line has a line end stays as it is.
 */
export function splice(index: FileIndex, changes: readonly Change[]): string {
  const { text, lineCount } = index;
  const lineEnd = usualLineEnd(text);
  const lastLacksEnd = lineCount > 0 && index.lineEnd(lineCount - 1) === "";
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, lines } of changes) {
    let kept = text.slice(from, index.starts[start] ?? text.length);
    let written = lines.map((line) => line + lineEnd).join("");
    if (end === lineCount && lastLacksEnd && (start < end || lines.length > 0)) {
      // What was the last line without a line end is now followed by lines, or gone.
      if (lines.length > 0) written = written.slice(0, -lineEnd.length);
      else kept = kept.replace(/\r?\n$/, "");
      if (start === end) kept += lineEnd;
    }
    parts.push(kept, written);
    from = index.starts[end] ?? text.length;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
