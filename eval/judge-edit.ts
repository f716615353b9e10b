// Fix, optimize, docstring: the file after the edit is what counts, not what the answer says of it.
import { basename } from "node:path";
import {
  applyTextChanges,
  applyUnits,
  type EditResult,
  type FileEdit,
  parseAnswer,
} from "../src/edit.ts";
import { type BareCode, bareCode, isSameCode } from "../src/code/same-code.ts";
import type { CodeParser } from "../src/code/code-analysis.ts";
import { flattenSymbols } from "../src/code/symbols.ts";
import { type EditClick, readClick } from "../src/flows/click/click-prompt.ts";
import type { EvalCase } from "./eval-case.ts";
import type { Answer } from "./read-answer.ts";
import type { Verdict } from "./verdict.ts";
import type { ModelCall } from "./watch-model.ts";

/**
 * Applies the change that the answer's buttons carry to the file, and looks at the result.
 *
 * @param calls the model's answers; the last one counts
 */
export async function judgeEdit(
  asked: EvalCase,
  { actions, edits }: Answer,
  calls: readonly ModelCall[],
  code: CodeParser,
): Promise<Verdict> {
  const click = clickOf(actions);
  const { files } = parseAnswer(calls.at(-1)?.text ?? "");
  const places = click?.places;
  const proposed = applyTo(asked, files, places);
  const offered = click && applyTo(asked, [click.file], places);
  if (offered === undefined) return judgeRefusal(asked, calls, proposed);
  if (!offered.ok) return fail(`The button's change does not fit: ${offered.error.message}`);
  const expected = proposed === undefined ? appliedText(asked, edits) : proposed;
  if (expected?.ok !== true || expected.text !== offered.text)
    return fail("The button's change is not the one that the model has proposed.");
  return judgeFile(asked, offered.text, calls.length === 1 ? "first" : "repaired", code);
}

/** The change that the first button with one carries; clients apply that. */
export function clickOf(actions: Answer["actions"]): EditClick | undefined {
  for (const action of actions) {
    const click = action.action === "confirm" ? readClick(action.data.prompt ?? "") : undefined;
    if (click !== undefined && click.file.units.length > 0) return click;
  }
  return undefined;
}

/** What the turn tells of a change whose form only the flow can read. */
function appliedText(
  { path, content }: EvalCase,
  edits: Answer["edits"],
): { ok: true; text: string } | undefined {
  for (const { filePath, result } of edits) {
    if (filePath === path && result.status === "applied")
      return { ok: true, text: applyTextChanges(content, result.changes) };
  }
  return undefined;
}

/** Undefined if nothing was proposed for the file, or in a form that needs symbols. */
function applyTo(
  { path, content }: EvalCase,
  files: readonly FileEdit[],
  places: EditClick["places"] = new Map(),
): EditResult | undefined {
  const own = files.filter(
    ({ filePath = "", codeEdit }) =>
      codeEdit === undefined && (filePath === "" || basename(filePath) === basename(path)),
  );
  const error = own.find((file) => file.error !== undefined)?.error;
  if (error !== undefined) return { ok: false, error };
  const units = own.flatMap((file) => file.units);
  return own.length === 0 ? undefined : applyUnits(content, units, { places });
}

function judgeRefusal(
  { defect }: EvalCase,
  calls: readonly ModelCall[],
  proposed: EditResult | undefined,
): Verdict {
  const reason =
    proposed === undefined
      ? "The model proposes no edit of this file."
      : proposed.ok
        ? "The flow refuses what could be applied."
        : `${proposed.error.code}: ${proposed.error.message}`;
  return {
    // The second answer may hold no edit any more; then the first was refused.
    edit: proposed === undefined && calls.length <= 1 ? "none" : "refused",
    ...(defect === undefined ? {} : { isDefectGone: false }),
    reasons: [reason],
  };
}

async function judgeFile(
  asked: EvalCase,
  after: string,
  edit: "first" | "repaired",
  code: CodeParser,
): Promise<Verdict> {
  const { command, content, path } = asked;
  const verdict: Verdict = { edit, reasons: [] };
  const broken = await findNewSyntaxError(asked, after, code);
  verdict.isSyntaxKept = broken === undefined;
  if (broken !== undefined) verdict.reasons.push(broken);
  if (command === "docstring") {
    const was = await readBare(content, path, code);
    verdict.isCodeSame = isSameCode(was, await readBare(after, path, code));
    if (!verdict.isCodeSame) verdict.reasons.push("The edit changes code beside the comments.");
  }
  const isLeft = await hasDefect(asked, after, code);
  if (isLeft !== undefined) verdict.isDefectGone = !isLeft;
  if (isLeft === true) verdict.reasons.push("The known defect is still there.");
  return verdict;
}

async function findNewSyntaxError(
  { path, content }: EvalCase,
  text: string,
  code: CodeParser,
): Promise<string | undefined> {
  const [was, is] = [
    await code.analyze(content, undefined, path),
    await code.analyze(text, undefined, path),
  ];
  if (is.language !== was.language) return "The file can no longer be parsed.";
  if (is.problems.length <= was.problems.length) return undefined;
  const [problem] = is.problems;
  return `The edit breaks the syntax, line ${problem?.range.startLine}: ${problem?.kind} ${problem?.text}.`;
}

/**
 * Whether a text still has the known defect; undefined if no defect is known. A file without the
 * function is not repaired either.
 */
export async function hasDefect(
  { defect, path, symbol }: EvalCase,
  text: string,
  code: CodeParser,
): Promise<boolean | undefined> {
  if (defect === undefined) return undefined;
  const { symbols } = await code.analyze(text, undefined, path);
  if (!flattenSymbols(symbols).some(({ name }) => name === symbol)) return true;
  const plain = printBare(await readBare(text, path, code));
  return (
    defect.gone.some((pattern) => pattern.test(plain)) ||
    defect.needs.some((pattern) => !pattern.test(plain))
  );
}

/** The code without its comments. */
function printBare({ text, gaps }: BareCode): string {
  let [printed, at] = ["", 0];
  for (const [place, { shape }] of gaps) {
    printed += text.slice(at, place) + shape.replaceAll(/[^ \t\v\f\n]+/g, " ");
    at = place;
  }
  return printed + text.slice(at);
}

async function readBare(text: string, path: string, code: CodeParser): Promise<BareCode> {
  return bareCode(await code.analyze(text, undefined, path));
}

function fail(failure: string): Verdict {
  return { failure, reasons: [] };
}
