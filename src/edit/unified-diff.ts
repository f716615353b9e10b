import { OMIT_HEADERS, formatPatch, structuredPatch } from "diff/lib/patch/create.js";
import { type CommonLine, commonLines } from "./compare-lines.ts";
import type { LineRange } from "./edit-unit.ts";
import { commonEdges } from "../base/text/count-text.ts";
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
  if (before === after) return [];
  const [old, now] = [linesWithEnds(before), linesWithEnds(after)];
  // Lines that both begin with are not compared; the last of them are shown.
  const head = Math.max(0, commonEdges(old, now).head - context);
  const [oldRest, nowRest] = [old.slice(head), now.slice(head)];
  const hunks = toHunks(oldRest, nowRest, commonLines(oldRest, nowRest));
  for (const hunk of hunks) {
    hunk.oldStart += head;
    hunk.newStart += head;
  }
  return hunks;
}

function toHunks(
  old: readonly string[],
  now: readonly string[],
  common: readonly CommonLine[],
): Hunk[] {
  const hunks: Hunk[] = [];
  let open: Hunk | undefined;
  let [nextOld, nextNow] = [0, 0];
  const keep = (hunk: Hunk, lines: readonly string[]): void => {
    for (const line of toHunkLines(" ", lines)) hunk.lines.push(line);
    hunk.oldLines += lines.length;
    hunk.newLines += lines.length;
  };
  const ends: CommonLine = [old.length, now.length];
  let kept = 0;
  for (const [atOld, atNow] of [...common, ends]) {
    const [gone, come] = [old.slice(nextOld, atOld), now.slice(nextNow, atNow)];
    if (gone.length + come.length > 0) {
      // Lines since the last change; those at the start of the text are before the first one.
      if (open !== undefined && kept <= 2 * context) keep(open, old.slice(nextOld - kept, nextOld));
      else {
        if (open !== undefined) keep(open, old.slice(nextOld - kept, nextOld - kept + context));
        const above = Math.min(kept, context);
        const [oldStart, newStart] = [nextOld - above + 1, nextNow - above + 1];
        open = { oldStart, oldLines: 0, newStart, newLines: 0, lines: [] };
        hunks.push(open);
        keep(open, old.slice(nextOld - above, nextOld));
      }
      for (const line of toHunkLines("-", gone)) open.lines.push(line);
      for (const line of toHunkLines("+", come)) open.lines.push(line);
      open.oldLines += gone.length;
      open.newLines += come.length;
      kept = 0;
    }
    kept += 1;
    [nextOld, nextNow] = [atOld + 1, atNow + 1];
  }
  // The last step of the loop counted a line that is none.
  if (open !== undefined) keep(open, old.slice(old.length - kept + 1).slice(0, context));
  return hunks;
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
  const changes: TextChange[] = [];
  for (const { oldStart, lines } of diffHunks(before, after)) {
    let line = oldStart;
    let open: TextChange | undefined;
    for (const [nth, printed] of lines.entries()) {
      const sign = printed[0];
      if (sign === "\\") continue;
      if (sign === " ") open = undefined;
      else if (open === undefined) {
        open = { startLine: line, endLine: line - 1, text: "" };
        changes.push(open);
      }
      if (open !== undefined && sign === "-") open.endLine = line;
      if (open !== undefined && sign === "+") {
        open.text += printed.slice(1) + (lines[nth + 1]?.[0] === "\\" ? "" : "\n");
      }
      if (sign !== "+") line += 1;
    }
  }
  return changes;
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
