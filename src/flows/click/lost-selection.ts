// A selection whose position cannot be used: the places of the file that it may mean.
import type { LineRange } from "../../edit/edit-unit.ts";
import { selectionOf } from "../../turn/context/active-editor.ts";
import type { Context } from "../../turn/context/context.ts";

/** Places that are offered, and lines of a selection that are compared. */
const maxPlaces = 50;
const maxCompared = 20;

/** Whether something of the file is selected of which nobody knows where it is. */
export function isSelectionLost({ activeEditor, lostSelection }: Context): boolean {
  if (!activeEditor?.content?.trim()) return false;
  const selection = selectionOf(activeEditor);
  if (selection === undefined) return lostSelection !== undefined;
  return typeof selection.startLine !== "number";
}

/**
 * The lines of a text that hold what was selected: as it is, or else with other spaces around the lines. Of a
 * long selection the first lines are compared. None where nothing was selected.
 */
export function findSelected(text: string, content: string): LineRange[] {
  const lines = text.split(/\r?\n/);
  const wanted = content
    .replace(/^(?:[ \t]*\r?\n)+/, "")
    .trimEnd()
    .split(/\r?\n/);
  if (content.trim() === "") return [];
  const exact = findAll(lines, wanted, (text_) => text_);
  return exact.length > 0 ? exact : findAll(lines, wanted, (text_) => text_.trim());
}

function findAll(
  lines: readonly string[],
  wanted: readonly string[],
  read: (line: string) => string,
): LineRange[] {
  const found: LineRange[] = [];
  const parts = wanted.slice(0, maxCompared).map(read);
  for (let at = 0; at + wanted.length <= lines.length && found.length < maxPlaces; at++) {
    if (holdsAt(lines, at, parts, wanted.length, read)) {
      found.push({ startLine: at + 1, endLine: at + wanted.length });
    }
  }
  return found;
}

/** A selection may begin and end inside of lines. */
function holdsAt(
  lines: readonly string[],
  at: number,
  parts: readonly string[],
  count: number,
  read: (line: string) => string,
): boolean {
  return parts.every((part, nth) => {
    const line = read(lines[at + nth] ?? "");
    if (count === 1) return line.includes(part);
    if (nth === 0) return line.endsWith(part);
    return nth === count - 1 ? line.startsWith(part) : line === part;
  });
}
