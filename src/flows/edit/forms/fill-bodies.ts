// Functions of an answer that leave out a part of their body: the file's function has it.
import type { CodeSymbol } from "../../../code/code-analysis.ts";
import { applyCodeEdit } from "../../../edit/apply-code-edit.ts";
import { linesOf, joinLines } from "../../../base/text/lines.ts";
import { isSurePlaceholder, placeholderOf } from "../../../edit/placeholder.ts";
import type { EditScene } from "../edit-scene.ts";
import { adaptLines } from "./adapt-lines.ts";
import { type Analyze, type FencedCode, readFence, withoutShell } from "./fenced-code.ts";
import { findNamesake, listOwned } from "./namesake.ts";

/** In every language that has comments in lines of their own, a mark for sure. */
const mark = "... existing code ...";
const callable = /^(?:function|method|constructor)$/;

/**
 * The code with the whole body of each function that leaves out a part of it and has a namesake in the file. What
 * is left out between functions stays so; so does a body of which it is not clear what belongs where.
 */
export async function fillBodies(
  scene: EditScene,
  code: string,
  file: FencedCode,
  analyze: Analyze,
): Promise<string> {
  if (!linesOf(code).some((line) => placeholderOf(line) !== undefined)) return code;
  const readings = await readFence(code, analyze);
  const plain = readings?.plain && fillRead(scene, readings.plain, file);
  if (readings?.plain !== undefined && plain !== undefined)
    return joinLines(withoutShell(plain, readings.plain, code));
  const member = await readings?.asMember();
  const lines = member && fillRead(scene, member, file);
  return member === undefined || lines === undefined
    ? code
    : joinLines(withoutShell(lines, member, code));
}

/** @returns undefined if nothing could be filled in */
function fillRead(scene: EditScene, read: FencedCode, file: FencedCode): string[] | undefined {
  const lines = [...read.lines];
  let isFilled = false;
  // From the last on: those above keep their lines.
  for (const owned of listOwned(read.symbols).toReversed()) {
    const { range, kind } = owned.symbol;
    const namesake = callable.test(kind)
      ? findNamesake(owned, file.analysis, read.isMember, scene.within)
      : undefined;
    const own = withMark(owned.symbol, read).slice(range.startLine - 1, range.endLine);
    if (namesake === undefined || !own.some(isMark)) continue;
    const original = file.lines.slice(namesake.range.startLine - 1, namesake.range.endLine);
    const adapted = adaptLines(own, original, file.lines, new Set());
    const isAlone = read.symbols.length === 1 && read.symbols[0] === owned.symbol;
    const isInPlace = isAlone || own.every((line, at) => line === adapted?.[at]);
    if (adapted === undefined || !isInPlace) continue;
    const filled = applyCodeEdit(joinLines(original), joinLines(adapted));
    if (!filled.ok) continue;
    lines.splice(range.startLine - 1, own.length, ...linesOf(filled.text));
    isFilled = true;
  }
  return isFilled ? lines : undefined;
}

function isMark(line: string): boolean {
  return isSurePlaceholder(placeholderOf(line));
}

/** Whether a Python function does nothing but `...`, which may stand for code left out or be a stub. */
export function isStub(symbol: CodeSymbol, code: FencedCode): boolean {
  return callable.test(symbol.kind) && dotsOf(symbol, code) !== undefined;
}

/** The line (0-based) of the dots that are all that a Python function does. */
function dotsOf(
  { body, range, docComment }: CodeSymbol,
  { lines, analysis }: FencedCode,
): number | undefined {
  if (analysis.language !== "python" || body === undefined) return undefined;
  const doc =
    docComment !== undefined && docComment.startLine >= body.startLine ? docComment : undefined;
  const from = doc === undefined ? body.startLine - 1 : doc.endLine;
  const solid = lines
    .slice(from, range.endLine)
    .flatMap((line, nth) => (line.trim() === "" ? [] : [from + nth]));
  const [only] = solid;
  const isDots = only !== undefined && placeholderOf(lines[only] ?? "") === "dots";
  return solid.length === 1 && isDots ? only : undefined;
}

/** Dots below a docstring stand for the code that the docstring is for. */
function withMark(symbol: CodeSymbol, code: FencedCode): readonly string[] {
  const dots = symbol.docComment === undefined ? undefined : dotsOf(symbol, code);
  if (dots === undefined) return code.lines;
  return code.lines.with(dots, (code.lines[dots] ?? "").replace(/\S.*/, `# ${mark}`));
}
