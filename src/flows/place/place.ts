// Which code a command is about: the selection, the function at the cursor, or the whole file.
import type { LineRange } from "../../edit/edit-unit.ts";
import { cursorLineOf, focusOf } from "../../turn/context/active-editor.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import { symbolAt } from "../../code/symbols.ts";
import { type Focus, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import type { EditTarget } from "../edit/edit-target.ts";
import type { Services } from "../flow.ts";
import { givenDiagnostics } from "../edit/given-diagnostics.ts";
import { textsFor } from "../texts/texts.ts";

export interface Place {
  kind: "selection" | "symbol" | "file";
  /** Lines of the target's text, 1-based and inclusive. */
  startLine: number;
  endLine: number;
  /** The function or type that the place lies in, if it is known. */
  symbol: CodeSymbol | undefined;
}

/** The selection; without one the function around the cursor; else the file. */
export function placeOf(turn: Turn, target: EditTarget, analysis: CodeAnalysis): Place {
  const editor = turn.context.activeEditor ?? {};
  const focus = focusOf(editor);
  const lineCount = target.text.split("\n").length;
  if (focus.kind === "selection") {
    const startLine = focus.startLine;
    const endLine = Math.min(lineCount, focus.endLine);
    return { kind: "selection", startLine, endLine, symbol: symbolAt(analysis, startLine) };
  }
  const line = cursorLineOf(editor);
  const symbol = line === undefined ? undefined : symbolAt(analysis, line);
  if (symbol === undefined) return { kind: "file", startLine: 1, endLine: lineCount, symbol };
  const { startLine, endLine } = symbol.range;
  return { kind: "symbol", startLine, endLine, symbol };
}

/** The place, in words too, and the syntax errors that are known. */
export async function lookAtPlace(
  turn: Turn,
  services: Services,
  target: EditTarget,
  focus: Focus,
): Promise<Focus & { place: LineRange }> {
  const texts = textsFor(turn.locale);
  const analysis = await services.code.analyze(target.text, target.language, target.path, {
    signal: turn.signal,
  });
  const { kind, startLine, endLine, symbol } = placeOf(turn, target, analysis);
  const print = (line: number, message: string) => texts.syntaxProblem(line, message);
  const problems = analysis.problems.map((problem) =>
    print(problem.range.startLine, texts.problem(problem)),
  );
  const found = withFacts(focus, {
    place: kind === "file" ? "" : texts.placeInPrompt(symbol?.name ?? "", startLine, endLine),
    diagnostics: [...givenDiagnostics(turn, print), ...problems].join("\n"),
  });
  return { ...found, place: { startLine, endLine } };
}
