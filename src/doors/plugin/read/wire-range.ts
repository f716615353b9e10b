import type { WireRange } from "../schema.ts";

/** Lines and columns as editors of this house count them: from 1. `endColumn` is exclusive. */
export interface EditorRange {
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
}

/** From the wire's positions, which count from 0. */
export function toEditorRange({ start, end }: WireRange): EditorRange {
  return {
    startLine: start.line + 1,
    startColumn: (start.character ?? 0) + 1,
    endLine: end.line + 1,
    endColumn: (end.character ?? 0) + 1,
  };
}

/** The whole lines that a range touches, 1-based and inclusive; an end in column 1 does not touch its line. */
export function linesOfRange(range: WireRange): { startLine: number; endLine: number } {
  const { startLine, endLine, endColumn } = toEditorRange(range);
  const last = endColumn === 1 && endLine > startLine ? endLine - 1 : endLine;
  return { startLine, endLine: Math.max(startLine, last) };
}

/** The path with slashes, however the plugin's system and its escaping wrote it: `example\\game.py`. */
export function toPath(path: string | null | undefined): string {
  return (path ?? "").replaceAll(/\\+/g, "/");
}
