import { parseJson } from "../../base/text/json.ts";
import * as z from "zod";
import { resolve, sep } from "node:path";
import {
  type EditError,
  type EditResult,
  type FileEdit,
  type LineRange,
  type NearestPlace,
  type ParsedUnit,
  applyCodeEdit,
  applyDiff,
  applyUnits,
  formatUnifiedDiff,
  parseAnswer,
  parseDiff,
} from "../../edit.ts";
import { decodeUtf8, readPipedText } from "../read/read-text-file.ts";
import { type Terminal, createTerminal, printUnifiedDiff, say } from "../call/terminal.ts";
import { CliError } from "../cli-error.ts";
import { closing } from "../fail-with.ts";
import type { Options } from "../options.ts";
import { cliTexts } from "../texts.ts";
import { printApplied, readTargetFile, writeTarget } from "./write-target.ts";
import { proseOf } from "../../code/code-analysis.ts";
import { createCodeThreads } from "../../setup/threads/create-code-threads.node.ts";
import { escapeControls, escapeLine } from "../call/show/escape-controls.ts";
import { describeDiff } from "../../edit/describe-error.ts";
import { once } from "node:events";
import type { Writable } from "node:stream";

/** As help is, what is said of an edit is in English. */
const texts = cliTexts("en");

/** Applies what standard input holds to a file: all of it, or nothing. @returns whether it was applied */
async function editFile(file: string, dryRun: boolean, json: boolean): Promise<boolean> {
  const terminal = createTerminal(process.stdout, process.stderr);
  const text = await readPipedText();
  if (text === undefined)
    throw new CliError("edit needs a diff on standard input: rightseat edit --file FILE < DIFF.");
  const target = readTargetFile(file);
  const before = target.found?.text;
  const { units, codeEdit, error, others } = selectUnits(text, file, before);
  const applied: EditResult =
    error !== undefined
      ? { ok: false, error }
      : codeEdit === undefined
        ? await applyToFile(file, before, units)
        : applyCodeEdit(before, codeEdit);
  const result = applied.ok ? applied : { ...applied, error: explainError(applied.error, text) };
  if (result.ok && !dryRun) await writeTarget(target, result.text);
  if (json) terminal.out(`${JSON.stringify(result)}\n`);
  else if (!result.ok) printEditError(result.error, { name: file, before: before ?? "" }, terminal);
  else {
    const diff = formatUnifiedDiff(file.replaceAll(sep, "/"), before, result.text);
    if (dryRun) printUnifiedDiff(diff, terminal, process.stdout.isTTY);
    printApplied(result.units, before === undefined, terminal, texts);
    for (const other of others) terminal.err(`Left out: the edit of ${escapeLine(other)}.\n`);
    const said = before === undefined ? texts.created(file) : texts.written(file);
    terminal.err(`${dryRun ? `Dry run: ${file} was not written.` : said}\n`);
  }
  return result.ok;
}

/**
 * Applies units to the text of a file. Where a part of a line is meant, or may be, the file is parsed for its
 * comments and strings: that takes longer than any other edit.
 *
 * @param path tells the language
 */
export async function applyToFile(
  path: string,
  before: string | undefined,
  units: readonly ParsedUnit[],
): Promise<EditResult> {
  const guessed = applyUnits(before, units);
  if (before === undefined || !hangsOnProse(guessed)) return guessed;
  await using code = closing(createCodeThreads({ size: 1 }));
  const prose = proseOf(await code.analyze(before, undefined, path));
  return applyUnits(before, units, { prose });
}

function hangsOnProse(result: EditResult): boolean {
  if (result.ok) return result.units.some(({ level }) => level === "partial-line");
  const { error } = result;
  return [error, ...(error.others ?? [])].some(
    ({ code }) => code === "no-match" || code === "ambiguous",
  );
}

/** The head of a file and the head of a hunk, as `diff -u` and git write them. */
const unifiedHead = /^(?:---|\+\+\+) \S/m;
const unifiedHunk = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;

const unitForm =
  "a line `------- SEARCH`, the lines to find, a line `=======`, the new lines, a line `+++++++ REPLACE`";

/**
 * Adds what a person who knows other tools has to be told: what is wanted instead of a unified diff that cannot be read, and
 * how a file is created.
 *
 * @param text what was to be read as a diff
 */
export function explainError(error: EditError, text: string): EditError {
  const isUnified = error.code === "malformed" && unifiedHead.test(text) && unifiedHunk.test(text);
  if (error.code !== "missing-file" && !isUnified) return error;
  const advice = isUnified
    ? `This is a unified diff, which \`git apply\` and \`patch\` take. Write units here: ${unitForm}.`
    : "To create it, write one unit with nothing between `------- SEARCH` and `=======`.";
  return { ...error, message: `${error.message} ${advice}` };
}

const maxLine = 100;

/**
 * Says on standard error why nothing was changed: the code and the sentence, then what the unit found
 * instead, with the line numbers of the file; the same for each further unit that failed.
 */
export function printEditError(
  { others = [], ...first }: EditError,
  { name, before }: { name: string; before: string },
  terminal: Terminal,
): void {
  for (const { nearest, candidates = [], ...error } of [first, ...others]) {
    say("red", escapeLine(`${error.code}: ${error.message}`), terminal);
    if (nearest !== undefined) terminal.err(showNearest(nearest, terminal));
    if (candidates.length > 0) terminal.err(showCandidates(candidates, before));
  }
  terminal.err(`${name} was not changed.\n`);
}

/** `-` is before lines of SEARCH only, `+` before lines of the file only; these have their number. */
function showNearest({ startLine, endLine, diff }: NearestPlace, terminal: Terminal): string {
  const width = String(endLine).length;
  let number = startLine;
  const lines = diff.split("\n").map((line) => {
    const isSearch = line.startsWith("-");
    const gutter = (isSearch ? "" : String(number)).padStart(width);
    if (!isSearch) number += 1;
    const format = isSearch ? "red" : line.startsWith("+") ? "green" : "dim";
    return `  ${gutter} ${terminal.errStyle(format, escapeControls(line))}\n`;
  });
  return `  - only in SEARCH, + only in the file\n${lines.join("")}`;
}

function showCandidates(candidates: readonly LineRange[], before: string): string {
  const lines = before.split("\n");
  return candidates
    .map((range) => {
      const text = escapeLine((lines[range.startLine - 1] ?? "").slice(0, maxLine));
      return `  ${texts.lines(range)}: ${text}\n`;
    })
    .join("");
}

const tag = /^[ \t]*<file-edit(?=[\s>])/m;
const searchRule = /^[ \t]*(?:-{3,}|<{3,}) ?SEARCH/m;

/**
 * Finds the edits for a file in a diff, or in a model's answer: those that name the file (from the working
 * directory) or no file.
 *
 * @param before the text of the file, which tells the sides of what is told in words
 * @returns `codeEdit`: code with marks of text left out, in place of units; `others`: the other files
 * @throws CliError if all edits name other files
 */
export function selectUnits(text: string, file: string, before?: string) {
  const parsed = isAnswer(text) ? undefined : parseDiff(text);
  if (parsed?.ok === true) return { units: parsed.units, others: [] };
  const { files, alternatives = [] } = parseAnswer(text, before);
  if (alternatives.length > 0) {
    const titles = alternatives.map(({ title }) => title).join("; ");
    const message = `The answer leaves a choice: ${titles}. Keep one of them.`;
    return { units: [], error: describeDiff("malformed", message), others: [] };
  }
  if (parsed?.ok === false && files.every(isUnread)) {
    return { units: [], error: parsed.error, others: [] };
  }
  const isMeant = (path: string | undefined) =>
    path === undefined || resolve(path) === resolve(file);
  const meant = files.filter(({ filePath }) => isMeant(filePath));
  const others = files.map(({ filePath }) => filePath).filter((path) => path !== undefined);
  const left = others.filter((path) => !isMeant(path));
  if (meant.length === 0)
    throw new CliError(
      `The answer edits ${left.map(escapeLine).join(", ")}, and not ${file}. Paths count from the working directory.`,
    );
  const error = meant.find((edit) => edit.error !== undefined)?.error;
  const units = meant.flatMap((edit) => edit.units);
  const codeEdit = meant.find((edit) => edit.codeEdit !== undefined)?.codeEdit?.code;
  return { units, others: left, codeEdit, error };
}

function isUnread({ units, codeEdit, error }: FileEdit): boolean {
  return error !== undefined || (units.length === 0 && codeEdit === undefined);
}

/** A diff may change text that holds such tags; they come after its first rule. */
function isAnswer(text: string): boolean {
  const [tagAt, ruleAt] = [text.search(tag), text.search(searchRule)];
  return tagAt !== -1 && (ruleAt === -1 || tagAt < ruleAt);
}

/** `rightseat edit`: applies SEARCH/REPLACE units to a file, or to texts that come as JSON lines. */
export async function runEdit(options: Options): Promise<number> {
  const { file, jsonl = false, json = false, dryRun = false } = options;
  if (jsonl) {
    const extra = Object.entries({ "--file": file, "--dry-run": dryRun, "--json": json });
    const [name] = extra.find(([, value]) => value !== undefined && value !== false) ?? [];
    if (name !== undefined)
      throw new CliError(`${name} does not go with --jsonl, which reads its texts from the lines.`);
    // Without an encoding, standard input yields buffers.
    await answerCases(process.stdin as AsyncIterable<Uint8Array>, process.stdout);
    return 0;
  }
  if (file === undefined)
    throw new CliError(
      "edit needs --file FILE, the file to edit, or --jsonl. The diff comes on standard input.",
    );
  return (await editFile(file, dryRun, json)) ? 0 : 1;
}

const lineFeed = 10;

/**
 * Answers each line with one line, in order and at once: a driver may wait for an answer before it sends
 * the next line. Reads no further while nobody takes the answers. Empty lines are passed over.
 */
export async function answerCases(input: AsyncIterable<Uint8Array>, output: Writable) {
  for await (const line of readLines(input)) {
    const answer = answerCase(line);
    if (answer === undefined) continue;
    const isTaken = output.write(`${answer}\n`);
    if (!isTaken) await once(output, "drain");
  }
}

/**
 * Cuts bytes into lines, without their line feed, as soon as each is complete; what follows the last line
 * feed is a line if it is not empty. (`node:readline` also cuts at U+2028, which JSON strings may hold.)
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>) {
  // A line is joined once, so that a long one costs no more than its length.
  let pieces: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      pieces.push(chunk.subarray(from, at));
      yield Buffer.concat(pieces);
      pieces = [];
      from = at + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
  }
  if (pieces.length > 0) yield Buffer.concat(pieces);
}

const EditCase = z.looseObject({
  /** The text of the file; null or absent if there is no such file. */
  before: z.string().nullish(),
  diff: z.string(),
});

/**
 * Answers one line `{id, before, diff}` with `{id, ok, after, units}` (`units`: how each was found) or `{id, ok, error}`.
 * A line that is no such object is answered with an error. Undefined for an empty line.
 */
export function answerCase(line: Uint8Array): string | undefined {
  const text = decodeUtf8(line);
  if (text?.trim() === "") return undefined;
  const answer = text === undefined ? refuseLine("is not in UTF-8") : answerText(text);
  // Readers that cut at every line separator of Unicode, as `node:readline` does, must not cut a text.
  return JSON.stringify(answer)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`);
}

function answerText(text: string): object {
  const value = parseJson(text);
  if (value === undefined) return refuseLine("is not valid JSON");
  const id = typeof value === "object" && value !== null && "id" in value ? { id: value.id } : {};
  const parsed = EditCase.safeParse(value);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join(".") ?? "";
    const what = field === "" ? "is no JSON object" : `needs a text as "${field}"`;
    return { ...id, ...refuseLine(what) };
  }
  const { before, diff } = parsed.data;
  const result = applyDiff(before ?? undefined, diff);
  if (!result.ok)
    return { ...id, ok: false, error: `${result.error.code}: ${result.error.message}` };
  return { ...id, ok: true, after: result.text, units: result.units.map(({ level }) => level) };
}

function refuseLine(what: string): object {
  return { ok: false, error: `bad-line: The line ${what}; write {"id", "before", "diff"}.` };
}
