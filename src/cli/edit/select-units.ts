import { resolve } from "node:path";
import {
  type EditError,
  type FileEdit,
  type ParsedUnit,
  parseAnswer,
  parseDiff,
} from "../../edit.ts";
import { describeDiff } from "../../edit/describe/describe-error.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import { CliError } from "../cli-error.ts";

/** What is to be done to one file. */
export interface SelectedUnits {
  units: ParsedUnit[];
  /** Code with marks of text left out, in place of units. */
  codeEdit?: string;
  /** Why the edit of this file cannot be read. */
  error?: EditError;
  /** Files that the answer also edits, as it names them. */
  others: string[];
}

const tag = /^[ \t]*<file-edit(?=[\s>])/m;
const searchRule = /^[ \t]*(?:-{3,}|<{3,}) ?SEARCH/m;

/**
 * Finds the edits for a file in a diff, or in a model's answer: those that name the file (from the working
 * directory) or no file.
 *
 * @throws CliError if all edits name other files
 */
export function selectUnits(text: string, file: string): SelectedUnits {
  const parsed = isAnswer(text) ? undefined : parseDiff(text);
  if (parsed?.ok === true) return { units: parsed.units, others: [] };
  const { files, alternatives = [] } = parseAnswer(text);
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
  return {
    units,
    others: left,
    ...(codeEdit === undefined ? {} : { codeEdit }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Nothing of it can be applied. */
function isUnread({ units, codeEdit, error }: FileEdit): boolean {
  return error !== undefined || (units.length === 0 && codeEdit === undefined);
}

/** A diff may change text that holds such tags; they come after its first rule. */
function isAnswer(text: string): boolean {
  const [tagAt, ruleAt] = [text.search(tag), text.search(searchRule)];
  return tagAt !== -1 && (ruleAt === -1 || tagAt < ruleAt);
}
