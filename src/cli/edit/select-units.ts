import { resolve } from "node:path";
import { type EditError, type ParsedUnit, parseAnswer, parseDiff } from "../../edit.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import { CliError } from "../cli-error.ts";

/** What is to be done to one file. */
export interface SelectedUnits {
  units: ParsedUnit[];
  /** Why the edit of this file cannot be read. */
  error?: EditError;
  /** Files that the answer also edits, as it names them. */
  others: string[];
}

const tag = /^[ \t]*<file-edit(?=[\s>])/m;
const searchRule = /^[ \t]*(?:-{3,}|<{3,}) ?SEARCH/m;

/**
 * Finds the units for a file in a diff, or in a model's answer with `<file-edit>` tags: those of tags that
 * name the file (from the working directory) or no file.
 *
 * @throws CliError if all tags name other files
 */
export function selectUnits(text: string, file: string): SelectedUnits {
  if (!isAnswer(text)) {
    const parsed = parseDiff(text);
    return parsed.ok
      ? { units: parsed.units, others: [] }
      : { units: [], error: parsed.error, others: [] };
  }
  const { files } = parseAnswer(text);
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
  return { units, others: left, ...(error === undefined ? {} : { error }) };
}

/** A diff may change text that holds such tags; they come after its first rule. */
function isAnswer(text: string): boolean {
  const [tagAt, ruleAt] = [text.search(tag), text.search(searchRule)];
  return tagAt !== -1 && (ruleAt === -1 || tagAt < ruleAt);
}
