// A doc comment that says what a signature shows.
import type { EditUnit } from "../../edit/edit-unit.ts";
import type { Steps } from "../../edit/steps.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import { type Doc, docStyleFor, writeDoc } from "./doc-styles.ts";
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
  const comment = writeDoc(style, toDoc(symbol), texts);
  const change = changeFor(text, symbol, style.isInside === true, comment);
  if (change === undefined) return { refusal: "place" };
  const [unit] = (yield* toUnits(text, [change])).units;
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

/** Undefined where the declaration, or its body, does not begin a line. */
function changeFor(
  text: string,
  { range, body }: CodeSymbol,
  isInside: boolean,
  comment: readonly string[],
): LineChange | undefined {
  const at = isInside ? body : range;
  if (at === undefined || (isInside && at.startLine <= range.startLine)) return undefined;
  const { startLine, startColumn } = at;
  // Columns count a byte-order mark, lines are without it.
  const mark = startLine === 1 && text.startsWith("\uFEFF") ? 1 : 0;
  const line = linesOfFile(text)[startLine - 1] ?? "";
  const before = line.slice(0, startColumn - 1 - mark);
  if (before.trim() !== "") return undefined;
  const added = comment.map((words) => `${before}${words}`.trimEnd());
  return { startLine, endLine: startLine, lines: [...added, line] };
}
