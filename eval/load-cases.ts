import { readFileSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import * as z from "zod";
import { CliError } from "../src/cli/cli-error.ts";
import { type EvalCase, evalCommands, ListedCase, ListedContext } from "./eval-case.ts";
import { packageFile } from "./package-file.ts";

/** The package ships it. */
const caseFolder = "eval-cases/";

export interface CaseFilter {
  /** Names of commands; empty: all. */
  flows: readonly string[];
  /** Names of files without their folder; empty: all. */
  files: readonly string[];
}

/** Fewer than any file of `context/` has, so that the agent has to choose. */
const fewTokens = 1_500;

/** Every command on every file of `code/`, then what is listed in `cases.json`, then what is in `context.json`. */
export function loadCases(): EvalCase[] {
  const folder = packageFile(`${caseFolder}code/`);
  const files = readdirSync(folder).filter((name) => name.includes("."));
  const plain = files.flatMap((file) => {
    const content = readFileSync(new URL(file, folder), "utf8");
    return evalCommands.map((command) => ({ command, path: `src/${file}`, content }));
  });
  return [...plain, ...loadListed().map(toCase), ...loadContextCases()];
}

/** Questions whose answer needs what is far from the function: each about a file that fits, and one that is too long. */
export function loadContextCases(): EvalCase[] {
  const folder = packageFile(`${caseFolder}context/`);
  const json: unknown = JSON.parse(readFileSync(packageFile(`${caseFolder}context.json`), "utf8"));
  const rows = z.array(ListedContext).parse(json);
  return rows.flatMap(({ file, ...row }): EvalCase[] => {
    const content = readFileSync(new URL(file, folder), "utf8");
    const asked = { ...row, path: `src/${file}`, content };
    return [asked, { ...asked, maxFileTokens: fewTokens }];
  });
}

/** The rows of `cases.json`, each with the text of its file. */
export function loadListed(): (ListedCase & { content: string })[] {
  const folder = packageFile(`${caseFolder}defects/`);
  const json: unknown = JSON.parse(readFileSync(packageFile(`${caseFolder}cases.json`), "utf8"));
  return z
    .array(ListedCase)
    .parse(json)
    .map((row) => ({ ...row, content: readFileSync(new URL(row.file, folder), "utf8") }));
}

export function toCase(row: ListedCase & { content: string }): EvalCase {
  const { command, file, content, symbol, prompt, defect } = row;
  return { command, path: `src/${file}`, content, symbol, prompt, defect };
}

/** @throws CliError naming a filter that fits nothing: an evaluation of nothing finds no fault */
export function filterCases(
  cases: readonly EvalCase[],
  { flows, files }: CaseFilter,
): readonly EvalCase[] {
  requireKnown("--flow", flows, [...evalCommands, "code"]);
  requireKnown("--file", files, [...new Set(cases.map(({ path }) => basename(path)))]);
  const found = cases.filter(
    ({ command, path }) =>
      (flows.length === 0 || flows.includes(command)) &&
      (files.length === 0 || files.includes(basename(path))),
  );
  if (found.length === 0)
    throw new CliError(`No case has --flow ${flows.join(",")} and --file ${files.join(",")}.`);
  return found;
}

function requireKnown(option: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new CliError(
      `${option} ${JSON.stringify(unknown)} is not known. There are: ${known.join(", ")}.`,
    );
}
