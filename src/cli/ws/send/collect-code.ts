import { relative, resolve, sep } from "node:path";
import type { CodeAnalysis, CodeParser, CodeSymbol } from "../../../code/code-analysis.ts";
import type { CodeRange } from "../../../code/code-range.ts";
import { flattenSymbols } from "../../../code/flatten-symbols.ts";
import { symbolAt } from "../../../code/symbol-at.ts";
import type { Place } from "../../call/collect/parse-place.ts";
import { readEditor } from "../../call/collect/read-editor.ts";
import { CliError } from "../../cli-error.ts";
import { listUses } from "../../../code/list-uses.ts";
import { type WireRange, type WireSymbol, toWireRange, toWireSymbol } from "../ide/wire-place.ts";

/** Code with its place, as the protocol has it. */
interface TextContext {
  filepath: string;
  range: WireRange;
  text: string;
}

/** A file as an IDE plugin sends it. */
export interface CollectedCode {
  filepath: string;
  content: string;
  /** The lines that were named, the function around a cursor, else the whole file. */
  selected: TextContext;
  /** What a window would show around it. */
  visible: TextContext;
  /** The function that is meant; undefined where the place names none. */
  meant: FunctionFacts | undefined;
  /** The functions of the file with their lines, for a person who must choose one. */
  functions: readonly string[];
}

interface FunctionFacts {
  name: string;
  range: WireRange;
  symbols: WireSymbol[];
}

/** Functions that a message lists. */
const maxListed = 8;

/**
 * Reads a file, and what is meant in it.
 *
 * @param directory from where the file was named
 * @param root from where the protocol names it
 * @throws CliError when it is not readable text, or the place is not in it
 */
export async function collectCode(
  { file, lines, cursor }: Place,
  directory: string,
  root: string,
  code: CodeParser,
): Promise<CollectedCode> {
  const read = readEditor(directory, file, lines, {}, cursor);
  const filepath = relative(root, resolve(directory, file)).split(sep).join("/");
  const content = read.content ?? "";
  const analysis = await code.analyze(content, read.language ?? undefined, file);
  const meant = findMeant(analysis, read.selectedRanges?.[0], cursor);
  const around = cursor && (meant ?? symbolAt(analysis, cursor.line));
  const ofCursor = cursor && printLines(around?.range, cursor.line);
  const editor = ofCursor === undefined ? read : readEditor(directory, file, ofCursor);
  const shown = toContext(filepath, editor.visibleRange);
  const selection = editor.selectedRanges?.[0];
  const functions = functionsOf(analysis);
  return {
    filepath,
    content,
    selected: selection === undefined ? shown : toContext(filepath, selection),
    visible: shown,
    meant: meant && factsOf(meant, content, analysis),
    functions: functions
      .slice(0, maxListed)
      .map(({ name, range }) => `${name} (${file}:${range.startLine})`),
  };
}

/**
 * The function to write tests for.
 *
 * @throws CliError that names the functions of the file if the place means none of them
 */
export function requireFunction({ meant, functions, filepath }: CollectedCode): FunctionFacts {
  if (meant !== undefined) return meant;
  const choice = functions.length === 0 ? "" : ` There are: ${functions.join(", ")}.`;
  throw new CliError(
    `Name the function to test by one of its lines, such as ${filepath}:10.${choice}`,
  );
}

type Range = Partial<Record<keyof CodeRange, number | null | undefined>>;

function findMeant(
  analysis: CodeAnalysis,
  selection: Range | undefined,
  cursor: Place["cursor"],
): CodeSymbol | undefined {
  const functions = functionsOf(analysis);
  const first = selection?.startLine ?? cursor?.line;
  // A file of one function leaves no question.
  if (first === undefined) return functions.length === 1 ? functions[0] : undefined;
  const around = symbolAt(analysis, first);
  if (around !== undefined && functions.includes(around)) return around;
  const last = selection?.endLine ?? first;
  return functions.find(({ range }) => range.startLine >= first && range.startLine <= last);
}

function functionsOf(analysis: CodeAnalysis): CodeSymbol[] {
  return flattenSymbols(analysis.symbols).filter(({ kind }) =>
    /^(?:function|method|constructor)$/.test(kind),
  );
}

/** Its symbol, below which every name that it uses is listed at its first use. */
function factsOf(symbol: CodeSymbol, text: string, analysis: CodeAnalysis): FunctionFacts {
  const { name } = symbol;
  const uses = listUses(text, analysis, symbol.range).filter((use) => use.name !== name);
  const children = uses.map(({ name: used, line, character }) => {
    const end = { line, character: character + used.length };
    const range = { start: { line, character }, end };
    return { name: used, kind: "Variable", range, children: [] };
  });
  return { name, range: toWireRange(symbol.range), symbols: [toWireSymbol(symbol, children)] };
}

function toContext(
  filepath: string,
  range: (Range & { content: string }) | null | undefined,
): TextContext {
  const { startLine, startColumn, endLine, endColumn, content = "" } = range ?? {};
  const place = {
    startLine: startLine ?? 1,
    startColumn: startColumn ?? 1,
    endLine: endLine ?? 1,
    endColumn: endColumn ?? 1,
  };
  return { filepath, range: toWireRange(place), text: content };
}

function printLines(range: CodeRange | undefined, line: number): string {
  return `${range?.startLine ?? line}-${range?.endLine ?? line}`;
}
