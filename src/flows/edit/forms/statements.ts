// Selected statements, and a code block that has the same ones anew, one for one.
import { placeholderOf } from "../../../edit/placeholder.ts";
import { missingIndent } from "../../../code/missing-indent.ts";
import type { EditScene } from "../edit-scene.ts";
import { adaptLines } from "./adapt-lines.ts";
import { type Analyze, readLines } from "./fenced-code.ts";
import { goesOn, meantLines } from "./selected-part.ts";
import { indentOf, solidPart } from "../../../base/text/lines.ts";

/**
 * The lines of the file with a new version of the statements that are meant; undefined unless the code is that for sure.
 */
export async function changeStatements(
  { within, target }: EditScene,
  code: string,
  lines: readonly string[],
  analyze: Analyze,
): Promise<string[] | undefined> {
  const [start, end] = meantLines(lines, within);
  if (goesOn(lines, start, end)) return undefined;
  const original = lines.slice(start, end);
  const given = readStatements(code, original, target.language);
  if (given === undefined) return undefined;
  const { strings } = (await readLines(given, analyze)).analysis;
  // Blanks inside of a string are text.
  if (strings.some(({ startLine, endLine }) => startLine < endLine)) return undefined;
  const adapted = adaptLines(given, original, lines, new Set());
  return adapted && lines.toSpliced(start, end - start, ...adapted);
}

/**
 * The lines of an answer that are a new version of some statements for sure: on the outermost level both have as many
 * statements, each assigns the same name, calls the same function or begins with the same keyword. Undefined for
 * everything else, declarations included.
 */
function readStatements(
  code: string,
  selected: readonly string[],
  language: string,
): string[] | undefined {
  const given = solidPart(code.replaceAll("\r\n", "\n").split("\n"));
  const lines = withIndent(given, language);
  if (lines.some((line) => placeholderOf(line) !== undefined)) return undefined;
  const [now, was] = [headsOf(lines), headsOf(withIndent(selected, language))];
  if (now === undefined || was === undefined || was.length === 0) return undefined;
  const isSame = now.length === was.length && now.every((head, nth) => head === was[nth]);
  return isSame && sharesWords(lines, selected) ? lines : undefined;
}

function withIndent(lines: readonly string[], language: string): string[] {
  const indent = missingIndent(lines, language);
  return lines.map((line, nth) => (nth === 0 ? indent + line : line));
}

/** Undefined if one of the outermost lines does not show what its statement does. */
function headsOf(lines: readonly string[]): string[] | undefined {
  const solid = lines.filter((line) => line.trim() !== "" && !isComment(line.trim()));
  const depth = Math.min(...solid.map((line) => indentOf(line).length));
  if (solid.length === 0 || indentOf(solid[0] ?? "").length !== depth) return undefined;
  const outermost = solid.filter((line) => indentOf(line).length === depth);
  const heads = outermost.flatMap((line) => headOf(line.trim()) ?? []);
  return heads.length === outermost.length ? heads : undefined;
}

function isComment(line: string): boolean {
  return /^(?:\/\/|\/\*|\*|#(?!\[|include|define|if|else|end))/.test(line);
}

const control =
  /^(?:if|elif|elsif|else|for|foreach|while|do|switch|match|try|catch|except|finally|with|using|unless|until|begin|rescue|ensure|loop)\b/;
const leaving = /^(?:return|throw|raise|break|continue|yield|await|go|defer|assert|delete)\b/;

/** What a statement does, by its first line; undefined if that is a declaration, or not clear. */
function headOf(line: string): string | undefined {
  if (/^(?:[)\]}][)\]};,]*|\{|end)$/.test(line)) return line;
  const bare = line.replace(/^\} ?/, "");
  const word = control.exec(bare)?.[0] ?? leaving.exec(bare)?.[0];
  if (word !== undefined) return line === bare ? word : `} ${word}`;
  if (/[{:]$|=>|->|\b(?:function|lambda|def|class|fn|func|import|from)\b/.test(line))
    return undefined;
  return targetOf(line) ?? /^[\w$.:@>-]+[!?]?(?=\()/.exec(line)?.[0];
}

/** The target of an assignment, as written; undefined if the line is not one. */
function targetOf(line: string): string | undefined {
  const at = line.search(/[^=!<>]=(?![=>~])/);
  if (at === -1) return undefined;
  const target = line.slice(0, at + 1).replace(/[-+*/%&|^?:. ]{1,4}$/, "");
  return /^[\w$@&*][\w$@.,:&*<>[\] -]*$/.test(target) ? `${target} =` : undefined;
}

/** At least half of the words of the one are in the other: a mere example of such a statement has others. */
function sharesWords(lines: readonly string[], others: readonly string[]): boolean {
  const [now, was] = [wordsOf(lines), wordsOf(others)];
  const kept = [...was].filter((word) => now.has(word));
  return kept.length * 2 >= was.size && was.size > 1;
}

function wordsOf(lines: readonly string[]): Set<string> {
  return new Set(lines.join("\n").match(/[\p{L}\p{N}_$]+/gu));
}
