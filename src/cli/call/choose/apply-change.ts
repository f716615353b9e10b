import { createHash } from "node:crypto";
import { oneLine } from "../../../base/errors/names.ts";
import { type AppliedUnit, applyTextChanges } from "../../../edit.ts";
import type { ProposedEdit } from "../../../turn/proposed-edit.ts";
import { CliError } from "../../cli-error.ts";
import { editTexts, printApplied } from "../../edit/edit-texts.ts";
import { readTargetFile } from "../../edit/write-target.ts";
import type { Terminal } from "../terminal.ts";
import type { CallTexts } from "../texts.ts";
import { attempt, writeRecorded } from "./write-recorded.ts";
import type { ActiveEditor } from "../../../turn/context/active-editor.ts";
import { type LineRange, parseLineRange, splitLines } from "../collect/read-editor.ts";
import { commonEdges } from "../../../base/text/count-text.ts";

/** A change that can be written: the lines that become others, and the texts that it is for. */
export interface FoundChange {
  changes: Extract<ProposedEdit["result"], { status: "applied" }>["changes"];
  hashBefore: string;
  hashAfter: string;
  /** How each unit was found. */
  places: readonly AppliedUnit[];
}

/** Files with CRLF are never quoted byte by byte. */
const asQuoted: readonly string[] = ["exact", "line-ends"];

interface WrittenChange {
  before: string;
  after: string;
}

/**
 * The change of the file that was sent, as the answer tells it; the last one counts. Undefined if there is
 * none, or none that can be written: it was refused, is too large to come, or is for a part of the file.
 *
 * @param filePath as the request named the file
 */
export function findChange(
  edits: readonly ProposedEdit[],
  filePath: string,
): FoundChange | undefined {
  const edit = edits.findLast((one) => one.filePath === oneLine(filePath));
  if (edit?.result.status !== "applied" || edit.isCut) return undefined;
  const { hashBefore, units } = edit;
  const { changes, hashAfter } = edit.result;
  if (hashBefore === undefined || hashAfter === undefined) return undefined;
  return { changes, hashBefore, hashAfter, places: units.flatMap(({ place }) => place ?? []) };
}

/**
 * Writes the change to the file on the disk, if that is what was sent, and says so; it says how only where a
 * unit was not found as it is quoted. A failure is told, too.
 *
 * @returns the texts before and after, undefined if nothing was written
 */
export function applyChange(
  ...given: Parameters<typeof writeChange>
): Promise<WrittenChange | undefined> {
  const [, , terminal] = given;
  return attempt(terminal, () => writeChange(...given));
}

async function writeChange(
  file: string,
  { changes, hashBefore, hashAfter, places }: FoundChange,
  terminal: Terminal,
  texts: CallTexts,
): Promise<WrittenChange> {
  const target = readTargetFile(file);
  const [mark, before] = splitMark(target.found?.text ?? "");
  if (target.found === undefined || hash(before) !== hashBefore)
    throw new CliError(texts.changedSince(file));
  const after = applyTextChanges(before, changes);
  if (hash(after) !== hashAfter) throw new CliError(texts.brokenChange(file));
  const isRecorded = await writeRecorded(target, mark + after, texts.locale);
  const told = editTexts(texts.locale);
  if (places.every(({ level }) => asQuoted.includes(level)))
    terminal.err(`${told.written(file)}\n`);
  else printApplied(places, { name: file, before, others: [], dryRun: false }, terminal, told);
  if (!isRecorded) terminal.err(`${texts.notRecorded}\n`);
  return { before, after };
}

/** A byte-order mark is not sent. */
function splitMark(text: string): [mark: string, rest: string] {
  return text.startsWith("\uFEFF") ? ["\uFEFF", text.slice(1)] : ["", text];
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The file that is sent as the one in the editor. */
export interface OpenFile {
  name: string;
  /** As the editor shows it since a change was written, with the same code selected; else undefined. */
  readonly changed: ActiveEditor | undefined;
  /** Applies a change to the file, tells what came of it, and whether it was written. */
  apply(change: FoundChange): Promise<boolean>;
}

interface OpenFileOptions {
  name: string;
  /** What is selected in it, as `10-20`. */
  lines: string | undefined;
  read: (lines: string | undefined) => ActiveEditor | undefined;
  terminal: Terminal;
  texts: CallTexts;
}

export function createOpenFile({
  name,
  read,
  terminal,
  texts,
  ...given
}: OpenFileOptions): OpenFile {
  let range = given.lines === undefined ? undefined : parseLineRange(given.lines);
  let changed: ActiveEditor | undefined;
  return {
    name,
    get changed() {
      return changed;
    },
    async apply(change) {
      const written = await applyChange(name, change, terminal, texts);
      if (written === undefined) return false;
      range = range && followLines(range, written.before, written.after);
      changed = read(range && `${range.first}-${range.last}`);
      return true;
    },
  };
}

/**
 * Where lines stand after the text was changed. Changes inside and above move their ends; where an end
 * itself lies in what was changed, they grow to hold all of that. What was put right above the first
 * line, such as a doc comment, belongs to them.
 *
 * @param before the text that the range belongs to
 */
export function followLines({ first, last }: LineRange, before: string, after: string): LineRange {
  const [old, now] = [splitLines(before), splitLines(after)];
  const { head, tail } = commonEdges(old, now);
  const grown = now.length - old.length;
  /** The last line that was changed. */
  const end = old.length - tail;
  const from = first <= head + 1 ? first : first > end ? first + grown : head + 1;
  const to = last <= head ? last : Math.max(last, end) + grown;
  const start = Math.min(from, now.length);
  return { first: start, last: Math.max(start, to) };
}
