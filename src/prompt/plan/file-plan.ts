// What a built-in prompt shows of the editor's file.
import type { LineRange } from "../../edit/edit-unit.ts";

/** A plan for a file; lines are those of the file, 1-based and inclusive. */
export interface FilePlan {
  /** All of it is shown, unless the prompt is too large for the model then. */
  readonly isWhole: boolean;
  /** What it may cost otherwise, in estimated tokens; the place itself may cost more. */
  readonly maxTokens: number;
  /** Always shown. */
  readonly place: LineRange;
  /** What is shown besides, the most important first; asked for where not all is shown. */
  readonly parts: () => readonly FilePart[];
}

/** Lines that are shown together or not at all. */
export interface FilePart {
  readonly ranges: readonly LineRange[];
  /** They define something that the place uses. */
  readonly isDefinition?: boolean;
}

/** Lines on each side of a place. */
export function linesBeside({ startLine, endLine }: LineRange, count: number): FilePart {
  return { ranges: [{ startLine: Math.max(1, startLine - count), endLine: endLine + count }] };
}

/** Ever more lines around a place: all that can be said of a text that was not analyzed. */
export function linesAround(place: LineRange): FilePart[] {
  const parts: FilePart[] = [];
  for (let count = 2; count <= 512; count *= 2) parts.push(linesBeside(place, count));
  return parts;
}
