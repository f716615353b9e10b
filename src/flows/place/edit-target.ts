import {
  type ActiveEditor,
  cursorLineOf,
  focusOf,
  languageOfEditor,
  listSelected,
  sourceOfEditor,
} from "../../turn/context/active-editor.ts";
import { usualLineEnd } from "../../base/text/lines.ts";
import { hasSameName, isSameFile } from "../../edit/read/is-same-file.ts";
import { oneLine } from "../../base/errors/names.ts";
import { isRecord } from "../../base/text/json.ts";
import type { Turn } from "../../turn/turn.ts";
import type { Services } from "../flow.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import { symbolAt } from "../../code/symbols.ts";
import { type Focus, withFacts } from "../../turn/focus.ts";
import { textsFor } from "../texts.ts";

/** The file that an edit is for, as far as the editor has sent it. */
export interface EditTarget {
  /** One line; "" if the editor names no file. */
  path: string;
  language: string;
  /** Its lines are those of the file: what was not sent of the lines above is blank. */
  text: string;
  linesAbove: number;
}

/** A client that names a line further down has sent nonsense, and is taken to mean the first one. */
const maxLinesAbove = 200_000;

/** Undefined where no editor is open. @param focus of the editor, if it is known */
export function targetOf(
  editor: ActiveEditor | undefined,
  focus?: Parameters<typeof sourceOfEditor>[1],
): EditTarget | undefined {
  if (editor === undefined) return undefined;
  const { text, startLine } = sourceOfEditor(editor, focus);
  const linesAbove = startLine - 1 > maxLinesAbove ? 0 : startLine - 1;
  return {
    path: oneLine(editor.filePath ?? ""),
    language: languageOfEditor(editor),
    // With line ends of their own they would outvote those of the text, and the change would bring theirs.
    text: usualLineEnd(text).repeat(linesAbove) + text,
    linesAbove,
  };
}

export function hasCode(target: EditTarget | undefined): target is EditTarget {
  return target !== undefined && target.text.trim() !== "";
}

/**
 * A text of the target, or what a change made of it, without the lines that were not sent, and the line of
 * the file on which it starts. A change may have taken some of these blank lines for its own.
 */
export function sentPart(
  { linesAbove }: EditTarget,
  text: string,
): { text: string; startLine: number } {
  let at = 0;
  for (let left = linesAbove; left > 0; left -= 1) {
    const next = text.startsWith("\r\n", at) ? at + 2 : at + 1;
    if (text[next - 1] !== "\n") break;
    at = next;
  }
  return { text: text.slice(at), startLine: linesAbove + 1 };
}

/** Models name a file by its path, by an end of it, or not at all, and some repeat the path of an example. */
export function isOfTarget(
  named: string | undefined,
  { path }: EditTarget,
  examples: readonly string[] = [],
): boolean {
  if (isSameFile(named, path)) return true;
  const isExample = (text: string): boolean => named !== undefined && namesPath(text, named.trim());
  return examples.some(isExample);
}

/**
 * It ends in the name of the target, in a folder that the model may have made up, or the target speaks of it: the request brings
 * no such file.
 */
export function mayBeTarget(
  named: string | undefined,
  { path, text }: EditTarget,
  { context }: Turn,
): boolean {
  const files = context.packageFiles ?? [];
  const isBrought = files.some(({ filepath }) => filepath && isSameFile(named, filepath));
  const isSpokenOf = named !== undefined && namesPath(text, named.trim());
  return (hasSameName(named, path) || isSpokenOf) && !isBrought;
}

/** Whether a text names just this path, not a longer one. */
function namesPath(text: string, path: string): boolean {
  if (!/\.\w+$/.test(path)) return false;
  const isBorder = (sign: string): boolean => !/[\w./\\-]/.test(sign);
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    if (isBorder(text.charAt(at - 1)) && isBorder(text.charAt(at + path.length))) return true;
  }
  return false;
}

export function analyzeTarget(
  { signal }: Turn,
  { code }: Services,
  { text, language, path }: Pick<EditTarget, "text" | "language" | "path">,
): Promise<CodeAnalysis> {
  return code.analyze(text, language, path, { signal });
}

// Which code a command is about: the selection, the function at the cursor, or the whole file.

export interface Place {
  kind: "selection" | "symbol" | "file";
  /** Lines of the target's text, 1-based and inclusive. */
  startLine: number;
  endLine: number;
  /** The function or type that the place lies in, if it is known. */
  symbol: CodeSymbol | undefined;
}

/** The selection; without one the function around the cursor; else the file. */
export function placeOfTurn(turn: Turn, target: EditTarget, analysis: CodeAnalysis): Place {
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
  const analysis = await analyzeTarget(turn, services, target);
  const { kind, startLine, endLine, symbol } = placeOfTurn(turn, target, analysis);
  const print = (line: number, message: string) => texts.syntaxProblem(line, message);
  // In a part of a file, what opens or closes outside of it is missing.
  const isWhole = target.text === turn.context.activeEditor?.content;
  const problems = (isWhole ? analysis.problems : []).map((problem) =>
    print(problem.range.startLine, texts.problem(problem)),
  );
  // What is selected beside the first of several selections is meant, too.
  const others = listSelected(turn.context.activeEditor ?? {}).flatMap((one) =>
    kind !== "selection" || one.startLine === startLine
      ? []
      : texts.placeInPrompt(
          symbolAt(analysis, one.startLine)?.name ?? "",
          one.startLine,
          one.endLine,
        ),
  );
  const first = texts.placeInPrompt(symbol?.name ?? "", startLine, endLine);
  const found = withFacts(focus, {
    place: kind === "file" ? "" : [first, ...others].join("; "),
    diagnostics: givenDiagnostics(turn, print).join("\n"),
    syntaxErrors: problems.join("\n"),
  });
  return { ...found, place: { startLine, endLine } };
}

const maxDiagnostics = 50;
const maxMessage = 500;

/**
 * What the editor reports, if the request brings a variable `diagnostics`, which the platform does not document: a
 * text, or a list of texts, of `{ line, message }` (from 1), or of diagnostics of the Language Server Protocol, which
 * counts lines from 0. What cannot be read is left out.
 */
function givenDiagnostics(
  { context }: Turn,
  print: (line: number, message: string) => string,
): string[] {
  const given = context.others.get("diagnostics");
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.slice(0, maxDiagnostics).flatMap((item) => {
    const fields = isRecord(item) ? item : { message: item };
    if (typeof fields["message"] !== "string") return [];
    const message = fields["message"].slice(0, maxMessage);
    const start = isRecord(fields["range"]) ? fields["range"]["start"] : undefined;
    const fromZero = isRecord(start) ? Number(start["line"]) + 1 : Number.NaN;
    const line = [Number(fields["line"]), fromZero].find((one) => Number.isInteger(one) && one > 0);
    return [line === undefined ? message : print(line, message)];
  });
}
