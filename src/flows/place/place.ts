// Which code a command is about: the selection, the function at the cursor, or the whole file.
import * as z from "zod";
import type { LineRange } from "../../edit/edit-unit.ts";
import { cursorLineOf, focusOf } from "../../turn/context/active-editor.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import { symbolAt } from "../../code/symbols.ts";
import { type Focus, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import type { EditTarget } from "./edit-target.ts";
import type { Services } from "../flow.ts";
import { textsFor } from "../texts.ts";

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

/** The platform documents no such variable; these are the shapes that editors have at hand. */
const Diagnostic = z.union([
  z.string().transform((message) => ({ message, line: undefined })),
  z
    .looseObject({
      message: z.string(),
      line: z.int().min(1).optional().catch(undefined),
      // Of the Language Server Protocol, which counts lines from 0.
      range: z
        .looseObject({ start: z.looseObject({ line: z.int().min(0) }) })
        .optional()
        .catch(undefined),
    })
    .transform(({ message, line, range }) => ({
      message,
      line: line ?? (range && range.start.line + 1),
    })),
]);
const Diagnostics = z.union([z.string().transform((text) => [text]), z.array(z.unknown())]);

const maxDiagnostics = 50;
const maxMessage = 500;

/**
 * What the editor reports, if the request brings a variable `diagnostics`: a text, or a list of texts, of
 * `{ line, message }` (from 1), or of diagnostics of the Language Server Protocol.
 *
 * @param print a fault at a line of the file
 * @returns a line each; what cannot be read is left out
 */
function givenDiagnostics(
  { context }: Turn,
  print: (line: number, message: string) => string,
): string[] {
  const list = Diagnostics.safeParse(context.others.get("diagnostics")).data ?? [];
  return list.slice(0, maxDiagnostics).flatMap((item) => {
    const read = Diagnostic.safeParse(item).data;
    if (read === undefined) return [];
    const message = read.message.slice(0, maxMessage);
    return [read.line === undefined ? message : print(read.line, message)];
  });
}
