// What a command of the offline model is about.
import { linesOf } from "../../turn/context/active-editor.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import type { CodeAnalysis, CodeRange, CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/flatten-symbols.ts";
import { symbolAt } from "../../code/symbol-at.ts";
import type { Subject } from "../../turn/chat-model.ts";

export interface CodePlace extends LineRange {
  /** Lines of the person's file above the text that was sent. */
  linesAbove: number;
  isWholeFile: boolean;
}

/** The lines of `subject.file` that are meant: its place, else what is selected or visible, else all. */
export function placeOf({ place, file, text, startLine }: Subject): CodePlace {
  const count = linesOf(file).length;
  // Where only the selection was sent, it is the file.
  const linesAbove = file === text ? startLine - 1 : 0;
  const first = file === text ? 1 : startLine;
  const last = first + linesOf(text).length - 1;
  const lines = place ?? { startLine: first, endLine: last };
  const endLine = Math.min(lines.endLine, count);
  return {
    startLine: Math.min(lines.startLine, endLine),
    endLine,
    linesAbove,
    isWholeFile: lines.startLine <= 1 && endLine === count,
  };
}

/** The function or type that is meant: the one at the place, or of a whole file the main one. */
export function symbolOf(
  analysis: CodeAnalysis,
  place: CodePlace,
  path: string,
): CodeSymbol | undefined {
  if (place.isWholeFile) return mainSymbol(analysis, path);
  const inside = flattenSymbols(analysis.symbols).find(({ range }) => startsIn(range, place));
  return symbolAt(analysis, place.startLine) ?? inside;
}

export function startsIn({ startLine }: CodeRange, place: LineRange): boolean {
  return startLine >= place.startLine && startLine <= place.endLine;
}

export function isCallable({ kind }: CodeSymbol): boolean {
  return kind === "function" || kind === "method" || kind === "constructor";
}

/** Functions and methods with a body, without those that are local to others. */
function callablesIn(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.flatMap((symbol) => {
    if (!isCallable(symbol)) return callablesIn(symbol.children);
    return symbol.body === undefined ? [] : [symbol];
  });
}

/** The only function; else what runs and is named like the file, or is what other files may use. */
function mainSymbol({ symbols }: CodeAnalysis, path: string): CodeSymbol | undefined {
  const [only, ...others] = callablesIn(symbols);
  if (only !== undefined && others.length === 0) return only;
  const all = symbols.flatMap(withoutModules);
  const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const file = path.split(/[\\/]/).at(-1) ?? "";
  const named = plain(file.replace(/\.[^.]*$/, ""));
  const running = all.filter((symbol) => callablesIn([symbol]).length > 0);
  return (
    running.find(({ name }) => plain(name) === named) ??
    running.find(({ isExported }) => isExported) ??
    running[0] ??
    all.find(({ kind }) => kind !== "variable") ??
    all[0]
  );
}

function withoutModules(symbol: CodeSymbol): CodeSymbol[] {
  return symbol.kind === "module" ? symbol.children.flatMap(withoutModules) : [symbol];
}
