import { createHash } from "node:crypto";
import { oneLine } from "../../../turn/context/one-line.ts";
import { type AppliedUnit, applyTextChanges } from "../../../edit.ts";
import type { ProposedEdit } from "../../../turn/proposed-edit.ts";
import { CliError } from "../../cli-error.ts";
import { editTexts, printApplied } from "../../edit/edit-texts.ts";
import { readTargetFile } from "../../edit/write-target.ts";
import { escapeControls } from "../show/escape-controls.ts";
import type { Terminal } from "../terminal.ts";
import type { CallTexts } from "../texts.ts";
import { writeRecorded } from "./write-recorded.ts";

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

export interface WrittenChange {
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
export async function applyChange(
  file: string,
  change: FoundChange,
  terminal: Terminal,
  texts: CallTexts,
): Promise<WrittenChange | undefined> {
  try {
    return await writeChange(file, change, terminal, texts);
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    // The conversation goes on: the person may make the file writable, and try again.
    terminal.err(`${terminal.errStyle("red", escapeControls(thrown.message))}\n`);
    return undefined;
  }
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
