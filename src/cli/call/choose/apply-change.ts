import { ownStateFolder } from "../../read/read-settings-file.ts";
import { type CliTexts } from "../../texts.ts";
import { oneLine } from "../../../base/errors/names.ts";
import { applyTextChanges } from "../../../edit.ts";
import { type ProposedEdit, isFileName } from "../../../turn/proposed-edit.ts";
import { CliError } from "../../cli-error.ts";
import {
  type TargetFile,
  prepareWrite,
  printApplied,
  readTargetFile,
  writeTarget,
} from "../../edit/write-target.ts";
import { type Terminal, say } from "../terminal.ts";
import type { ActiveEditor } from "../../../turn/context/active-editor.ts";
import { parseLineRange, splitLines } from "../collect/read-editor.ts";
import { type RequestSources, collectEditor } from "../collect/build-request.ts";
import { commonEdges } from "../../../base/text/count-text.ts";
import { AppError } from "../../../base/errors/app-error.ts";
import type { Locale } from "../../../base/errors/locale.ts";
import { writeAsTurn } from "../../../workspace/directory/journal/undo.node.ts";
import { createPathResolver, isUnder } from "../../../workspace/directory/resolve-path.node.ts";
import { isSystemError, tellProblem } from "../../fail-with.ts";
import type { FileChange, Workspace } from "../../../workspace/workspace.ts";
import { escapeControls } from "../show/escape-controls.ts";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { hashText } from "../../../turn/state/sealed-state.ts";
import { dirname, relative } from "node:path";

/** A change that can be written: the lines that become others, and the texts that it is for. */
export type FoundChange = NonNullable<ReturnType<typeof findChange>>;

/** Files with CRLF are never quoted byte by byte. */
const asQuoted: readonly string[] = ["exact", "line-ends"];
/** A byte-order mark is not sent. */
const byteOrderMark = "\uFEFF";

/**
 * The change of the file that was sent, as the answer tells it; the last one counts. Undefined if there is
 * none, or none that can be written: it was refused, is too large to come, or is for a part of the file.
 *
 * @param filePath as the request named the file
 */
export function findChange(edits: readonly ProposedEdit[], filePath: string) {
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
  file: string,
  { changes, hashBefore, hashAfter, places }: FoundChange,
  terminal: Terminal,
  texts: CliTexts,
): Promise<{ before: string; after: string } | undefined> {
  return attempt(terminal, async () => {
    const target = readTargetFile(file);
    const text = target.found?.text ?? "";
    const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
    const before = text.slice(mark.length);
    if (target.found === undefined || (await hashText(before)) !== hashBefore)
      throw new CliError(texts.changedSince(file));
    const after = applyTextChanges(before, changes);
    if ((await hashText(after)) !== hashAfter) throw new CliError(texts.brokenChange(file));
    const isRecorded = await writeRecorded(target, mark + after, texts.locale);
    if (!places.every(({ level }) => asQuoted.includes(level)))
      printApplied(places, false, terminal, texts);
    terminal.err(`${texts.written(file)}\n`);
    if (!isRecorded) terminal.err(`${texts.notRecorded}\n`);
    return { before, after };
  });
}

export type OpenFile = ReturnType<typeof createOpenFile>;

export function createOpenFile(
  sources: RequestSources & { file: string },
  terminal: Terminal,
  texts: CliTexts,
) {
  const { file: name } = sources;
  let { lines } = sources;
  let changed: ActiveEditor | undefined;
  return {
    name,
    /** As the editor shows it since a change was written, with the same code selected; else undefined. */
    get changed() {
      return changed;
    },
    async apply(change: FoundChange): Promise<boolean> {
      const written = await applyChange(name, change, terminal, texts);
      if (written === undefined) return false;
      if (lines !== undefined) lines = followLines(lines, written.before, written.after);
      changed = collectEditor({ ...sources, lines });
      return true;
    },
  };
}

/**
 * Where lines (`10-20`) are after the text was changed. Changes inside and above move their ends; where an end itself
 * lies in what was changed, they grow to hold all of that. What was put right above the first line, such as a doc
 * comment, belongs to them.
 *
 * @param before the text that the range belongs to
 */
export function followLines(lines: string, before: string, after: string): string {
  const { first, last } = parseLineRange(lines);
  const [old, now] = [splitLines(before), splitLines(after)];
  const { head, tail } = commonEdges(old, now);
  const grown = now.length - old.length;
  /** The last line that was changed. */
  const end = old.length - tail;
  const from = first <= head + 1 ? first : first > end ? first + grown : head + 1;
  const to = last <= head ? last : Math.max(last, end) + grown;
  const start = Math.min(from, now.length);
  return `${start}-${Math.max(start, to)}`;
}

/**
 * Writes a file as the person asked for, so that `rightseat undo` takes it back: in the folder where it was called,
 * or in that of a file outside of it. A file that no journal takes, of git or an editor, is written all the same.
 *
 * @returns whether undo can take it back
 * @throws CliError if nothing was written
 */
async function writeRecorded(target: TargetFile, text: string, locale: Locale): Promise<boolean> {
  const { path, found } = target;
  const bytes = prepareWrite(target, text);
  const here = process.cwd();
  let root = dirname(path);
  if (isUnder(here, path) && dirname(here) !== here) root = here;
  while (!existsSync(root)) root = dirname(root);
  const turn = {
    root,
    stateFolder: ownStateFolder(),
    now: Date.now,
    request: `call: ${relative(here, path)}`,
  };
  const old = found && { bytes: new Uint8Array(found.bytes), stats: found.stats };
  try {
    const recorded = await writeAsTurn(turn, path, { old, bytes });
    if (recorded.ok) return true;
    const { code, message } = recorded.problem;
    if (code === "locked") throw new CliError(message[locale]);
  } catch (thrown) {
    // Without the journal.
    if (!isSystemError(thrown) && !(thrown instanceof AppError)) throw thrown;
  }
  await writeTarget(target, text, bytes);
  return false;
}

/** Writes a new file, and says so, or why it could not be written. @returns whether it was */
export async function writeTestFile(file: TestFile, terminal: Terminal, texts: CliTexts) {
  const { name, path, text } = file;
  const isRecorded = await attempt(terminal, () =>
    writeRecorded({ name, path, found: undefined }, text, texts.locale),
  );
  if (isRecorded === undefined) return false;
  terminal.err(`${texts.created(escapeControls(name))}\n`);
  if (!isRecorded) terminal.err(`${texts.notRecorded}\n`);
  return true;
}

/** A failure is told, and the conversation goes on: the person may make room, or the file writable, and try again. */
async function attempt<Value>(terminal: Terminal, write: () => Promise<Value>) {
  try {
    return await write();
  } catch (thrown) {
    const told = tellProblem(thrown, "en");
    if (told === undefined) throw thrown;
    say("red", escapeControls(told), terminal);
    return undefined;
  }
}

/**
 * What a proposed edit makes of a file of a workspace. Undefined where it cannot be made: it was refused, is for
 * another text than the file has, or for a new file that is there.
 */
export async function findFileChange(
  { filePath, hashBefore, isCut, result, units }: ProposedEdit,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<FileChange | undefined> {
  const located = await workspace.locate(filePath);
  if (!located.ok || isCut) return undefined;
  const path = located.value;
  const found = await workspace.read(path, { signal });
  if (result.status === "new-file" && !found.ok && isFileName(path))
    return { path, before: undefined, after: units[0]?.replace ?? "" };
  if (result.status !== "applied" || !found.ok) return undefined;
  const { text, hash } = found.value;
  if ((await hashText(text)) !== hashBefore) return undefined;
  const after = applyTextChanges(text, result.changes);
  return (await hashText(after)) === result.hashAfter
    ? { path, before: { text, hash }, after }
    : undefined;
}

type TestFile = NonNullable<Awaited<ReturnType<typeof findTestFile>>>;

/**
 * The new file that an answer proposes. Undefined where there is none, or more than one, or where nothing new
 * may be written: outside of the directory, or at a place that is taken.
 */
export async function findTestFile(edits: readonly ProposedEdit[], directory: string) {
  const [edit, ...others] = edits.filter(({ result }) => result.status === "new-file");
  const [unit] = edit?.units ?? [];
  if (edit === undefined || unit === undefined || others.length > 0) return undefined;
  const { filePath: name } = edit;
  if (!isFileName(name)) return undefined;
  const place = await createPathResolver(directory, await realpath(directory))(name);
  if (!place.ok || place.value.isThere) return undefined;
  return { name, path: place.value.real, text: unit.replace };
}
