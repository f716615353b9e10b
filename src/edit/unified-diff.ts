import { OMIT_HEADERS, formatPatch, structuredPatch } from "diff/lib/patch/create.js";
import { type Gap, gapsBetween } from "./compare-lines.ts";
import type { LineRange } from "./edit-unit.ts";
import { linesWithEnds } from "../base/text/lines.ts";

/** Lines around a change that are shown. */
const context = 3;

/** A stretch of a change with the lines around it; starts are 1-based. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Each begins with `-`, `+` or a blank; `\\` stands for the missing line end of the one before. */
  lines: string[];
}

/**
 * The change of one file as a unified diff with three lines of context, for people and for `git apply`; "" if nothing
 * changed.
 *
 * @param path with "/"; of an absolute one, as of Windows, what follows the root is the name
 * @param before undefined if the file is new
 * @param after undefined if the file goes
 * @param startLine the line of the file on which the texts start, 1-based
 */
export function formatUnifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
  startLine = 1,
): string {
  if (before === after) return "";
  const name = nameInPatch(path);
  const hunks = diffHunks(before ?? "", after ?? "");
  const head = (side: string, text: string | undefined): string =>
    text === undefined ? "/dev/null" : endName(quoteName(`${side}/${name}`));
  const heads = `--- ${head("a", before)}\n+++ ${head("b", after)}\n`;
  if (hunks.length === 0) {
    // A file without lines comes or goes: to git, only heads of its own say so.
    const kind = before === undefined ? "new" : "deleted";
    const names = `${quoteName(`a/${name}`)} ${quoteName(`b/${name}`)}`;
    return `diff --git ${names}\n${kind} file mode 100644\n${heads}`;
  }
  const patch = structuredPatch("", "", "", "", undefined, undefined);
  patch.hunks = hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + startLine - 1,
    newStart: hunk.newStart + startLine - 1,
  }));
  return heads + formatPatch(patch, OMIT_HEADERS);
}

/** Below a folder, as `git apply` wants it: it takes no root, no drive, and no step that leads nowhere. */
function nameInPatch(path: string): string {
  const isWindows = /^(?:[a-z]:[\\/]|\\\\)/i.test(path);
  const slashed = isWindows ? path.replace(/^[a-z]:/i, "").replaceAll("\\", "/") : path;
  const steps: string[] = [];
  for (const step of slashed.split("/")) {
    if (step === "" || step === ".") continue;
    if (step === ".." && steps.length > 0 && steps.at(-1) !== "..") steps.pop();
    else steps.push(step);
  }
  return steps.join("/");
}

const escapes: Readonly<Record<string, string>> = {
  "\n": "n",
  "\r": "r",
  "\t": "t",
  '"': '"',
  "\\": "\\",
};

/** As git writes names: one with a line break could forge a line of the diff. */
function quoteName(name: string): string {
  if (!/[\p{Cc}"\\]/u.test(name)) return name;
  const signs = [...new TextEncoder().encode(name)].map((byte) => {
    const sign = String.fromCharCode(byte);
    const short = escapes[sign];
    if (short !== undefined) return `\\${short}`;
    const isPlain = byte >= 0x20 && byte < 0x7f;
    return isPlain ? sign : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${signs.join("")}"`;
}

/** Behind a name with a space, as git does: what follows it may be a date. */
function endName(name: string): string {
  return name.includes(" ") && !name.startsWith('"') ? `${name}\t` : name;
}

/** The hunks of a change, with three lines of context, in the order of the text. */
export function diffHunks(before: string, after: string): Hunk[] {
  const [old, now] = [linesWithEnds(before), linesWithEnds(after)];
  const groups: Gap[][] = [];
  for (const gap of gapsBetween(old, now)) {
    const group = groups.at(-1);
    const end = group?.at(-1)?.old[1] ?? -Infinity;
    if (gap.old[0] - end <= 2 * context) group?.push(gap);
    else groups.push([gap]);
  }
  return groups.map((gaps) => toHunk(gaps, old, now));
}

function toHunk(gaps: readonly Gap[], old: readonly string[], now: readonly string[]): Hunk {
  const [first, last] = [gaps[0], gaps.at(-1)];
  const [start = 0, end = 0] = [first?.old[0], last?.old[1]];
  const [from, to] = [Math.max(0, start - context), Math.min(old.length, end + context)];
  const newFrom = (first?.now[0] ?? 0) - (start - from);
  const newTo = (last?.now[1] ?? 0) + (to - end);
  const lines = gaps.flatMap((gap, nth) => [
    ...toHunkLines(" ", old.slice(gaps[nth - 1]?.old[1] ?? from, gap.old[0])),
    ...toHunkLines("-", old.slice(...gap.old)),
    ...toHunkLines("+", now.slice(...gap.now)),
  ]);
  return {
    oldStart: from + 1,
    oldLines: to - from,
    newStart: newFrom + 1,
    newLines: newTo - newFrom,
    lines: [...lines, ...toHunkLines(" ", old.slice(end, to))],
  };
}

function toHunkLines(sign: string, lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith("\n")
      ? [sign + line.slice(0, -1)]
      : [sign + line, "\\ No newline at end of file"],
  );
}

// A change of a text as whole lines that another program can apply without the engine.

/**
 * Lines of a text (1-based and inclusive, each ended by "\n" but perhaps the last) that become `text`, which
 * brings its own line ends. An empty range puts the text before `startLine`.
 */
export interface TextChange extends LineRange {
  text: string;
}

/** What has to be done to `before` so that it becomes `after`, in the order of the text, without overlaps. */
export function findTextChanges(before: string, after: string): TextChange[] {
  const [old, now] = [linesWithEnds(before), linesWithEnds(after)];
  return gapsBetween(old, now).map(({ old: [from, to], now: written }) => ({
    startLine: from + 1,
    endLine: to,
    text: now.slice(...written).join(""),
  }));
}

/**
 * Applies changes to the text that they were found for. They are not looked for: whoever calls this has made
 * sure that it is that text.
 */
export function applyTextChanges(before: string, changes: readonly TextChange[]): string {
  const lines = linesWithEnds(before);
  let after = "";
  let next = 0;
  for (const { startLine, endLine, text } of changes) {
    after += lines.slice(next, startLine - 1).join("") + text;
    next = Math.max(next, endLine);
  }
  return after + lines.slice(next).join("");
}
