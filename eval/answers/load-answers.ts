import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CliError } from "../../src/cli/cli-error.ts";
import { packageFile } from "../package-file.ts";
import { type AnswerCase, parseAnswerCases } from "./answer-case.ts";

/** Of a clone of the project; the package does not ship it. */
const usualFolder = "test/fixtures/forms/";

export interface LoadedAnswer extends AnswerCase {
  /** The text of its file. */
  content: string;
}

/**
 * Reads all cases of a folder: its `cases/*.txt`, with the files and results that they name.
 *
 * @param folder where absent, that of the project
 * @throws CliError for a folder or file that cannot be read, and for a case that is not in the expected format
 */
export function loadAnswers(
  folder: string = fileURLToPath(packageFile(usualFolder)),
): LoadedAnswer[] {
  const cases = listCases(folder).flatMap((file) =>
    parseAnswerCases(read(join(folder, "cases", file)), (name) =>
      read(join(folder, "results", name)),
    ),
  );
  const [first] = cases;
  if (first === undefined) throw new CliError(`There are no answers in ${folder}.`);
  const ids = cases.map(({ id }) => id);
  const twice = ids.find((id, nth) => ids.indexOf(id) !== nth);
  if (twice !== undefined) throw new CliError(`Two answers are named ${twice}.`);
  return cases.map((one) => ({ ...one, content: read(join(folder, "files", one.file)) }));
}

function listCases(folder: string): string[] {
  try {
    return readdirSync(join(folder, "cases"))
      .filter((name) => name.endsWith(".txt"))
      .toSorted();
  } catch {
    throw new CliError(`The folder ${folder} has no readable folder "cases". Name one of answers.`);
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new CliError(`${path} cannot be read.`);
  }
}
