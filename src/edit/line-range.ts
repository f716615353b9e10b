import type { LineRange } from "./edit-unit.ts";

/** Whether two ranges have a line in common. */
export function overlaps(one: LineRange, other: LineRange): boolean {
  return one.startLine <= other.endLine && one.endLine >= other.startLine;
}

/** Whether every line of the inner range is one of the outer; equal ranges enclose each other. */
export function encloses(outer: LineRange, inner: LineRange): boolean {
  return outer.startLine <= inner.startLine && outer.endLine >= inner.endLine;
}
