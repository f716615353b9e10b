// A doc comment that says what a signature shows.
import type { EditUnit } from "../../edit/edit-unit.ts";
import type { Steps } from "../../edit/steps.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import { type Doc, docStyleFor } from "./doc-styles.ts";
import type { OfflineTexts } from "./texts.ts";
import { type LineChange, linesOfFile, toUnits } from "./units.ts";

/** The unit that adds a doc comment, or why there is none. */
export type ProposedDoc = { unit: EditUnit } | { refusal: keyof OfflineTexts["noDoc"] };

/**
 * Writes a doc comment before (in Python: into) a declaration.
 *
 * @param language the editor's language id, for what no grammar reads
 */
export function* proposeDocComment(
  text: string,
  language: string,
  analysis: CodeAnalysis,
  symbol: CodeSymbol | undefined,
  texts: OfflineTexts,
): Steps<ProposedDoc> {
  if (symbol === undefined) return { refusal: "nothing" };
  if (symbol.docComment !== undefined) return { refusal: "present" };
  const style = docStyleFor(analysis.language ?? language);
  if (style === undefined) return { refusal: "language" };
  const comment = style.write(toDoc(symbol), texts);
  const place = style.isInside === true ? placeInside : placeBefore;
  // Columns count a byte-order mark, lines are without it.
  const lines = linesOfFile(text).with(0, text.split(/\r?\n/, 1)[0] ?? "");
  const change = place(lines, symbol, comment);
  if (change === undefined) return { refusal: "place" };
  const { units } = yield* toUnits(text, [change]);
  const [unit] = units;
  return unit === undefined ? { refusal: "recurs" } : { unit };
}

function toDoc({ name, parameters, returnType }: CodeSymbol): Doc {
  const result = returnType?.replace(/^[:\->\s]+/, "") ?? "";
  return {
    name,
    // A pattern has no name that a comment could use.
    parameters: parameters
      .map((parameter) => parameter.name)
      .filter((parameter) => /^[$@&*]*[\p{L}_][\p{L}\w$]*$/u.test(parameter)),
    hasResult: result !== "" && !/^(?:void|None|unit|\(\))$/.test(result),
  };
}

/** Undefined where the declaration does not begin its line. */
function placeBefore(
  lines: readonly string[],
  { range }: CodeSymbol,
  comment: readonly string[],
): LineChange | undefined {
  const { startLine, startColumn } = range;
  const line = lines[startLine - 1] ?? "";
  const before = line.slice(0, startColumn - 1);
  if (before.trim() !== "") return undefined;
  const added = comment.map((text) => `${before.replace("\uFEFF", "")}${text}`.trimEnd());
  return { startLine, endLine: startLine, lines: [...added, line.replace("\uFEFF", "")] };
}

/** Undefined where the body does not begin a line below. */
function placeInside(
  lines: readonly string[],
  { range, body }: CodeSymbol,
  comment: readonly string[],
): LineChange | undefined {
  const { startLine } = range;
  if (body === undefined || body.startLine <= startLine) return undefined;
  const before = (lines[body.startLine - 1] ?? "").slice(0, body.startColumn - 1);
  if (before.trim() !== "") return undefined;
  const endLine = body.startLine - 1;
  const head = lines.slice(startLine - 1, endLine).map((line) => line.replace("\uFEFF", ""));
  const added = comment.map((text) => `${before}${text}`.trimEnd());
  return { startLine, endLine, lines: [...head, ...added] };
}
